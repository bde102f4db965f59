package builtins

import (
	"index/suffixarray"
)

func suffixarrayNew(e *Env) func([]byte) *suffixarray.Index {
	return func(b []byte) *suffixarray.Index {
		n := int64(len(b))
		e.charge(10 * n)
		e.work(20 * n)
		return suffixarray.New(b)
	}
}

func suffixarrayLookup(e *Env) func(*suffixarray.Index, []byte, int) []int {
	return func(x *suffixarray.Index, s []byte, n int) []int {
		most := len(x.Bytes())
		if n >= 0 {
			most = min(most, n)
		}
		e.charge(8 * int64(most))
		e.work(int64(most) + 32*int64(len(s)))
		return x.Lookup(s, n)
	}
}

// suffixarrayFindAll is Go's, where that uses the index to be quicker only.
func suffixarrayFindAll(*Env) func(*suffixarray.Index, *Regexp, int) [][]int {
	return func(x *suffixarray.Index, re *Regexp, n int) [][]int { return re.FindAllIndex(x.Bytes(), n) }
}
