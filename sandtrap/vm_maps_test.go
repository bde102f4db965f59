package sandtrap

import "testing"

// TestVMMaps: what a map holds is what a list of its entries does, whatever was looked up,
// stored and deleted before.
func TestVMMaps(t *testing.T) {
	const src = `package main

import "fmt"

type entry[K comparable] struct { k K; v int }

func try[K comparable](name string, key func(int) K) {
	m := map[K]int{}
	var list []entry[K]
	at := func(k K) int { for i, e := range list { if e.k == k { return i } }; return -1 }
	seed := 7
	next := func(n int) int { seed = seed * 16807 % 2147483647; return seed % n }
	for step := range 4000 {
		k := key(next(40))
		if next(3) == 0 && len(list) > 0 { k = list[len(list)-1].k }
		i := at(k)
		switch op := next(12); {
		case op < 3:
			m[k]++
			if i < 0 { list = append(list, entry[K]{k, 1}) } else { list[i].v++ }
		case op < 6:
			v, ok := m[k]
			if ok != (i >= 0) || ok && v != list[i].v { fmt.Println(name, step, "lookup", k, v, ok); return }
		case op < 8:
			m[k] = step
			if i < 0 { list = append(list, entry[K]{k, step}) } else { list[i].v = step }
		case op < 11:
			delete(m, k)
			if i >= 0 { list = append(list[:i], list[i+1:]...) }
			if _, ok := m[k]; ok { fmt.Println(name, step, "deleted", k); return }
		case step%300 == 0:
			clear(m)
			list = nil
		}
		if len(m) != len(list) { fmt.Println(name, step, "len", len(m), len(list)); return }
	}
	sum := 0
	for k, v := range m { if i := at(k); i < 0 || list[i].v != v { fmt.Println(name, "range", k, v); return }; sum++ }
	fmt.Println(name, sum == len(list))
}

func main() {
	try("int", func(n int) int { return n })
	try("string", func(n int) string { return fmt.Sprint("k", n%25) })
	try("bool", func(n int) bool { return n%2 == 0 })
	try("any", func(n int) any { if n%3 == 0 { return n }; return fmt.Sprint(n) })
	try("struct", func(n int) [2]int { return [2]int{n % 3, n % 5} })
	try("float", func(n int) float64 { return float64(n) / 4 })
}
`
	const want = "int true\nstring true\nbool true\nany true\nstruct true\nfloat true\n"
	if res, e := onVM(t, Limits{}, src); e != nil || res.Stdout != want {
		t.Errorf("got %q, %v", res.Stdout, e)
	}
}
