package toolfile

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// TestRefusals: what a file may not say is refused where it says so, with a way out.
func TestRefusals(t *testing.T) {
	for _, tc := range []struct{ src, want string }{
		// Declarations.
		{"func F() {}", "2:10: F has a body, which would never run: end the declaration before it"},
		{"type T struct{}\nfunc (T) M()", "3:6: a method is no tool: declare a function that has the receiver as its first parameter"},
		{"func F[T any](v T)", "2:7: type parameters have no form in JSON: declare a function for each type"},
		{"type T[E any] []E", "2:7: type parameters have no form in JSON: declare a type for each"},
		{"func F(v T[int])\ntype T []int", "2:10: type parameters have no form in JSON: declare a type for each"},
		{"import \"os\"\nfunc F()", "2:8: a file of tools imports nothing but time: declare here the types that the tools need"},
		{"import \"C\"", "2:8: a file of tools imports nothing but time: declare here the types that the tools need"},
		{"const A = 1", "2:1: a const is no tool: a file declares functions and types; tell of values in a comment"},
		{"var A = 1", "2:1: a var is no tool: a file declares functions and types; tell of values in a comment"},
		{"type T = int", "2:8: T is an alias, which scripts would not know by this name: leave out the ="},
		{"func F()\nfunc F()", "3:6: F redeclared in this block"},
		{"func F(", "2:8: expected ')', found 'EOF'"},
		{"func F(v Missing)", "2:10: undefined: Missing"},
		// Names.
		{"func _()", "2:6: scripts cannot use the name _: give it another"},
		{"func init()", "2:6: scripts cannot use the name init: give it another"},
		{"func main()", "2:6: scripts cannot use the name main: give it another"},
		{"func len(v []int) int", "2:6: len is a name of Go's own, which scripts would miss: give it another"},
		{"type error struct{}", "2:6: error is a name of Go's own, which scripts would miss: give it another"},
		{"func __st_f()", "2:6: __st_f is a name of the sandbox's own: give it another"},
		{"func F(" + strings.Repeat("a", 256) + " int)", "2:8: the name has more than 255 bytes: give it a shorter one"},
		// Parameters.
		{"func F(int)", "2:8: the parameter has no name, and its argument would have none in JSON: give it one"},
		{"func F(_ int)", "2:8: the parameter has no name, and its value would have none in JSON: give it one"},
		{"func F() (_ int, b int)", "2:11: the result has no name, and its value would have none in JSON: give it one"},
		{"func F(a int, a string)", "2:15: a redeclared in this block"},
		{"func F(a int) (a int)", "2:16: a redeclared in this block"},
		{"func F(f func(int) int)", "2:10: a function has no form in JSON: pass data that says what to do, or return data that the script goes over"},
		{"func F(c chan int)", "2:10: a channel has no form in JSON: use a list"},
		{"func F() <-chan int", "2:10: a channel has no form in JSON: use a list"},
		{"func F(p *int)", "2:8: p has a pointer, and a tool has no memory in common with the script: pass the value, or a list of one or none"},
		{"type T struct{ P *int }\nfunc F(all []T)", "3:8: all has a pointer, and a tool has no memory in common with the script: pass the value, or a list of one or none"},
		{"func F(err error)", "2:8: an error has no form in JSON, but as the last result: use a string"},
		{"func F(" + params(100) + ")", "<nil>"},
		{"func F(" + params(100) + ") int", "2:6: F has more than 100 parameters and results: use a struct"},
		{"func F(" + strings.ReplaceAll(params(100), "int", "[][][][][][][][][][]int") + ")", "2:6: the types of F have too many parts: declare types for some"},
		{"func F(v struct{ " + strings.Repeat("A%d int8; ", 900) + "})", "2:8: the type of v has too many parts: declare types for some"},
		{chain(48), "<nil>"},
		{chain(49), "52:8: the type of v is nested more than 100 deep, with those that it is made of: pass some apart"},
		// Results.
		{"func F() (error, int)", "2:11: an error is the last result, and the only one: move it to the end"},
		{"func F() (int, error, error)", "2:16: an error is the last result, and the only one: move it to the end"},
		{"func F() []error", "2:10: an error has no form in JSON, but as the last result: use a string"},
		// Types.
		{"type T interface{ M() }", "2:8: an interface with methods has no form in JSON: use any, or a struct of the data"},
		{"type T interface{ int | string }", "2:8: an interface with methods has no form in JSON: use any, or a struct of the data"},
		{"func F(v comparable)", "2:10: cannot use type comparable outside a type constraint: interface is (or embeds) comparable"},
		{"type A struct{ N int }\ntype T struct{ A }", "3:16: an embedded field: give it a name"},
		{"type T struct{ *A }\ntype A struct{}", "2:16: an embedded field: give it a name"},
		{"type T struct{ name int }", "2:16: the field name is not exported, so it is not in JSON: write Name with the tag `json:\"name\"`"},
		{"type T struct{ _ int }", "2:16: the field _ is not exported, so it is not in JSON: its name begins with a capital letter then"},
		{"type T struct{ State_ int }", "2:6: T cannot be made: reflect.StructOf: duplicate field State_: give its fields other names"},
		{"type T struct{ Next *T }", "2:6: T holds itself, and no type that is made at run time does: refer to the inner one by its name or number, or use any"},
		{"type A struct{ B []B }\ntype B struct{ A map[string]A }", "2:6: A holds itself, and no type that is made at run time does: refer to the inner one by its name or number, or use any\ntools.go:3:6: B holds itself, and no type that is made at run time does: refer to the inner one by its name or number, or use any"},
		{"type T []T", "2:6: T holds itself, and no type that is made at run time does: refer to the inner one by its name or number, or use any"},
		{"type T struct{ T T }", "2:6: invalid recursive type: T refers to itself"},
		{"type T struct{ C complex128 }", "2:16: a complex128 has no form in JSON: use a number, or a struct of two"},
		{"type T struct{ P uintptr }", "2:16: a uintptr has no form in JSON: use a number, or a struct of two"},
		{"func F(m map[bool]int)", "2:8: keys of JSON are texts: a map has strings or integers for keys, not bool"},
		{"type K struct{ N int }\nfunc F(m map[K]int)", "3:8: keys of JSON are texts: a map has strings or integers for keys, not K"},
		{"type A struct{ N int }\ntype T []A", "3:6: a name for []A cannot be made at run time: write []A in place of T, or make it a field of a struct"},
		{"type T any", "2:6: a name for any cannot be made at run time: write any in place of T, or make it a field of a struct"},
		{"type T *int", "2:6: a name for *int cannot be made at run time: write *int in place of T, or make it a field of a struct"},
		{"import \"time\"\ntype T time.Time", "3:6: a name for time.Time cannot be made at run time: write time.Time in place of T, or make it a field of a struct"},
		{"import \"time\"\nfunc F(m time.Month)", "3:15: undefined: time.Month: of package time there are Time and Duration; pass others as numbers or texts"},
		{"func F(t time.Time)", "2:10: undefined: time: import \"time\""},
		{types17(), "18:6: 16 names for int are all that can be made at run time: write int in place of T16"},
		{"func F(a [len(\"ab\")]int)", "2:11: the length of an array is written as a number here"},
		{"func F(a [1<<40]int)", "2:11: the length of an array is written as a number here"},
		{"func F(a [1000]int)", "2:8: an array of 1000 elements has more than 4096 bytes: use a list, []int"},
		{"func F(a [4000]struct{ A [4000]byte })", "2:8: an array of 4000 elements has more than 4096 bytes: use a list, []struct{A [4000]byte}"},
		{"type T struct{ A, B [4000]byte }", "2:19: with B the struct has more than 4096 bytes: use lists, or pointers in results"},
		{"func F(a " + strings.Repeat("[]", 200) + "int)", "2:208: the type is nested more than 100 deep: give its parts names"},
		{doubling(30), "23:21: with B the struct is made of too many others: leave some out, or pass parts as any"},
		// Tags.
		{"type T struct{ A int `json:a` }", "2:16: the tag of A: it is written `json:\"name\"`"},
		{"type T struct{ A int `json:\"a,omitnil\"` }", "2:16: the tag of A: there is no option \"omitnil\"; there are omitempty, omitzero and string"},
		{"type T struct{ A int `json:\"a\\\\b\"` }", "2:16: the tag of A: \"a\\\\b\" is no name in JSON: it is made of letters, digits and signs, without quotes and commas"},
		{"type T struct{ A int; B int `json:\"A\"` }", "2:23: A and B have one name in JSON, \"A\", and neither would be there: give one another"},
		// A directive does not move positions.
		{"//line other.go:100\nfunc F() {}", "3:10: F has a body, which would never run: end the declaration before it"},
		{"//line other.go:100\nfunc F(\n//line other.go:7\n", "4:19: expected ')', found 'EOF'"},
		// All are reported.
		{"func F(int)\nvar A = 1", "2:8: the parameter has no name, and its argument would have none in JSON: give it one\ntools.go:3:1: a var is no tool: a file declares functions and types; tell of values in a comment"},
	} {
		for n := 0; strings.Contains(tc.src, "%d"); n++ {
			tc.src = strings.Replace(tc.src, "%d", strconv.Itoa(n), 1)
		}
		_, err := Parse("tools.go", []byte("package tools\n"+tc.src))
		if got := strings.TrimPrefix(fmt.Sprint(err), "tools.go:"); got != tc.want {
			t.Errorf("%.200s\ngot  %s\nwant %s", tc.src, got, tc.want)
		}
	}
}

// TestLimits: a file that is larger than it may be is refused, and one that is as large is not.
func TestLimits(t *testing.T) {
	repeat := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, tc := range []struct{ src, want string }{
		{strings.Repeat(" ", maxBytes-len("package tools\n")), "<nil>"},
		{strings.Repeat(" ", maxBytes-len("package tools\n")+1), "tools.go:1:1: 1048577 bytes are more than 1048576: make several files of it, for one policy each"},
		{repeat(maxFuncs, "func F%d()\n"), "<nil>"},
		{repeat(maxFuncs+1, "func F%d()\n"), "tools.go:1002:1: a file declares at most 1000 functions: make several files of it, for one policy each"},
		{repeat(maxTypes, "type T%d struct{}\n"), "<nil>"},
		{repeat(maxTypes+1, "type T%d struct{}\n"), "tools.go:1002:6: a file declares at most 1000 types: make several files of it, for one policy each"},
		{repeat(20, "func F%d() {}\n"), repeat(10, "tools.go:%[1]d:11: F%[1]d\n")},
	} {
		_, err := Parse("tools.go", []byte("package tools\n"+tc.src))
		got := fmt.Sprint(err)
		if strings.Contains(tc.want, "\n") {
			if n := strings.Count(got, "has a body"); n != maxRefusals || !strings.HasSuffix(got, "\nand 10 more") {
				t.Errorf("%d errors: %s", n, got)
			}
		} else if got != tc.want {
			t.Errorf("%.60s\ngot  %s\nwant %s", tc.src, got, tc.want)
		}
	}
}

func params(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprint("p", i, " int"))
	}
	return strings.Join(list, ", ")
}

func types17() string {
	var b strings.Builder
	for i := range 17 {
		fmt.Fprintf(&b, "type T%d int\n", i)
	}
	return b.String()
}

// chain are types each of which has a list of the next one, and a function of the first.
func chain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "type T%[1]d struct{ A []T%[2]d }\n", i, i+1)
	}
	return b.String() + fmt.Sprintf("type T%[1]d struct{ A int }\nfunc F(v T0)", n)
}

// doubling are types each of which has the next one twice.
func doubling(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "type T%d struct{ A, B []T%d }\n", i, i+1)
	}
	return b.String() + fmt.Sprintf("type T%d struct{ A int }\n", n)
}
