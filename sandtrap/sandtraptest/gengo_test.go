package sandtraptest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A writer makes a random program that compiles and ends. Left operands are never
// constants, so that no constant expression overflows.
type writer struct {
	*rand.Rand
	b       strings.Builder
	scopes  [][]variable
	n       int // names given
	fn      int // the function being written: it calls those before it only
	loops   int
	labels  []string
	results []string // of the functions written
}

type variable struct{ name, typ string }

var (
	intTypes   = []string{"int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64"}
	floatTypes = []string{"float32", "float64"}
	otherTypes = []string{"string", "bool", "[]int", "[3]int32", "map[string]int", "S", "*S", "I", "any", "E[int8]", "func(int) int", "[]S"}
	allTypes   = slices.Concat(intTypes, floatTypes, otherTypes)
)

const genTypes = `
type I interface{ Get(x int) int }
type S struct {
	A int8
	B string
	C []int
	D [2]uint16
	F float64
	E
}
type E = E1
type E1 struct{ X int }
type N int16
func (s S) Get(x int) int { s.A++; return int(s.A) + x }
func (s *S) Set(x int) *S { s.A += int8(x); s.X--; return s }
func (e E1) Name() string { return fmt.Sprint("E", e.X) }
func (n N) Get(x int) int { return int(n) * x }
func (n N) String() string { return fmt.Sprintf("N(%d)", int(n)) }
`

// program writes one; its entry is the function named entry.
func program(seed uint64, pkg, entry string) string {
	w := &writer{Rand: rand.New(rand.NewPCG(seed, 1))}
	w.line("package %s\nimport \"fmt\"", pkg)
	types := strings.Replace(genTypes, "\tE\n", "\tE1\n", 1)
	types = strings.Replace(types, "type E = E1\n", "type E[T any] struct { V T; L []T }\nfunc (e *E[T]) Add(v T) { e.L = append(e.L, e.V); e.V = v }\nfunc pick[T any](c bool, a, b T) T { if c { return a }; return b }\n", 1)
	w.line("%s", types)
	w.scopes = [][]variable{nil}
	for i, t := range allTypes {
		name := fmt.Sprintf("g%d", i)
		w.line("var %s %s = %s", name, t, w.first(t))
		w.scopes[0] = append(w.scopes[0], variable{name, t})
	}
	for w.fn = range 4 {
		w.function()
	}
	w.line("func %s() {", entry)
	for i := range w.results {
		for range 3 {
			w.line("fmt.Println(%s)", w.callOf(i))
		}
	}
	for i, t := range allTypes {
		if t != "*S" && !strings.HasPrefix(t, "func") {
			w.line("fmt.Printf(\"%%v %%+v %%#v %%T\\n\", g%[1]d, g%[1]d, g%[1]d, g%[1]d)", i)
		}
	}
	w.line("}")
	return w.b.String()
}

func (w *writer) line(f string, a ...any) { fmt.Fprintf(&w.b, f+"\n", a...) }

func (w *writer) oneOf(s ...string) string { return s[w.IntN(len(s))] }

// first is a constant-like value.
func (w *writer) first(t string) string {
	switch t {
	case "string":
		return fmt.Sprintf("%q", w.oneOf("ab", "héllo", "x\xffy", "日本"))
	case "bool":
		return w.oneOf("true", "false")
	case "[]int":
		return w.oneOf("[]int{7, 8}", "[]int{1, 2, 3}", "make([]int, 2, 5)")
	case "[3]int32":
		return "[3]int32{1, -2, 3}"
	case "map[string]int":
		return w.oneOf("map[string]int{\"a\": 1, \"b\": 2}", "map[string]int{}")
	case "S":
		return "S{A: 1, B: \"s\", E1: E1{3}}"
	case "*S":
		return w.oneOf("&S{A: 5, F: 1.5}", "&S{B: \"p\"}", "new(S)")
	case "I":
		return w.oneOf("S{A: 3}", "N(4)", "&S{}")
	case "any":
		return w.oneOf("1", "\"s\"", "nil", "S{}", "[]int{1}", "N(2)", "2.5", "uint8(3)")
	case "E[int8]":
		return "E[int8]{V: 3}"
	case "func(int) int":
		return w.oneOf("func(x int) int { return x + 1 }", "S{A: 9}.Get", "N(3).Get")
	case "[]S":
		return w.oneOf("make([]S, 2, 3)", "[]S{{A: 1}, {B: \"q\"}}")
	case "float32", "float64":
		return w.oneOf("0", "1.5", "-2.25", "1e9", "3")
	}
	if t[0] == 'u' {
		return w.oneOf("0", "1", "7", "200", "255")
	}
	return w.oneOf("0", "1", "-1", "-128", "127", "5")
}

// named is a variable of type t.
func (w *writer) named(t string) string {
	var names []string
	for _, s := range w.scopes {
		for _, v := range s {
			if v.typ == t {
				names = append(names, v.name)
			}
		}
	}
	return names[len(names)-1-w.IntN(min(len(names), 4))]
}

func (w *writer) function() {
	t := w.oneOf(allTypes...)
	if strings.HasPrefix(t, "func") || t == "*S" {
		t = "int"
	}
	w.line("func f%d(p int, q string) (r %s) {", w.fn, t)
	w.line("defer func() { if e := recover(); e != nil { fmt.Println(\"f%d:\", e); if p > 0 { r = %s } } }()", w.fn, w.named(t))
	w.scopes = append(w.scopes, []variable{{"p", "int"}, {"q", "string"}, {"r", t}})
	w.block(8, 0)
	w.line("return %s", w.expr(t, 3))
	w.line("}")
	w.scopes = w.scopes[:1]
	w.results = append(w.results, t)
}

func (w *writer) callOf(i int) string {
	return fmt.Sprintf("f%d(%s, %s)", i, w.named("int"), w.named("string"))
}

func (w *writer) block(n, depth int) {
	w.scopes = append(w.scopes, nil)
	for range 2 + w.IntN(n) {
		w.stmt(depth)
	}
	w.scopes = w.scopes[:len(w.scopes)-1]
}

func (w *writer) declare(t, value string) {
	w.n++
	name := fmt.Sprintf("v%d", w.n)
	w.line("var %s %s = %s; _ = %s", name, t, value, name)
	top := len(w.scopes) - 1
	w.scopes[top] = append(w.scopes[top], variable{name, t})
}
