package regexp

import (
	"index/suffixarray"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

func SuffixarrayNew(e *shim.Env) func([]byte) *suffixarray.Index {
	return func(b []byte) *suffixarray.Index {
		n := int64(len(b))
		e.Charge(10 * n)
		e.Work(20 * n)
		return suffixarray.New(b)
	}
}

func SuffixarrayLookup(e *shim.Env) func(*suffixarray.Index, []byte, int) []int {
	return func(x *suffixarray.Index, s []byte, n int) []int {
		most := len(x.Bytes())
		if n >= 0 {
			most = min(most, n)
		}
		e.Charge(8 * int64(most))
		e.Work(int64(most) + 32*int64(len(s)))
		return x.Lookup(s, n)
	}
}

// SuffixarrayFindAll is Go's, where that uses the index to be quicker only.
func SuffixarrayFindAll(*shim.Env) func(*suffixarray.Index, *Regexp, int) [][]int {
	return func(x *suffixarray.Index, re *Regexp, n int) [][]int { return re.FindAllIndex(x.Bytes(), n) }
}
