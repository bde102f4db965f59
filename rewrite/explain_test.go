package rewrite

import (
	"errors"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// What a wrong program is told to do; the first rejection counts. A hint that would not
// compile, or not mean the same, is worse than none.
var hintCases = []struct{ src, want string }{
	// Numbers of two types.
	{`n := 3; time.Sleep(n * time.Second)`, "convert: time.Duration(n)"},
	{`n := 3; time.Sleep(time.Second * n)`, "convert: time.Duration(n)"},
	{`f := 0.5; time.Sleep(time.Second * f)`, "convert: time.Duration(float64(time.Second) * f)"},
	{`f := 0.5; println(time.Second > f)`, "convert: float64(time.Second)"},
	{`time.Sleep(0.5 * time.Second)`, "convert: time.Duration(0.5 * float64(time.Second))"},
	{`x := 1; x += 1.5`, "make the variable a float64, or convert with int(...) a value that is not constant"},
	{`a, b := 1, int64(2); println(a + b)`, "convert: int(b)"},

	// Calls in calls.
	{`func f(n int) int { return n }; println(f(1, f(2)))`, "its signature is func f(n int) int"},
	{`func f() {}; f(strings.ToUpper("a"))`, "its signature is func f()"},
	{`func f(n int, s string) {}; f(strings.ToUpper("a"), len("b"))`, "the arguments stand in another order: its signature is func f(n int, s string)"},

	// Names of other packages, and of none.
	{`strings.UpperCase("a")`, "did you mean strings.ToUpper?"},
	{`var g errgroup.Group`, "golang.org/x/sync is not here: use a sync.WaitGroup, and errors.Join or a channel for the errors"},
	{`id := uuid.New()`, "there is no package uuid here: read 16 bytes from crypto/rand and format them with %x"},
	{`x := &quot;a&quot;`, `&quot; is HTML: send the source as it is, with " written out`},
	{`if 1 &lt; 2 { }`, "&lt; is HTML: send the source as it is, with < written out"},

	// Texts, characters and nil.
	{`s := "x" + 'y'`, `write "y": double quotes make a string`},
	{`r := 'y'; s := "x" + r`, "make a string of the character: string(r)"},
	{`b := "abc"[0]; s := b + "x"`, "make a string of the character: string(b)"},
	{`s := "-" * 3`, `repeat a string with strings.Repeat("-", 3)`},
	{`n := 3; s := n * "-"`, `repeat a string with strings.Repeat("-", n)`},
	{`s := "abc"; println(s[0] == "a")`, "write 'a': single quotes make one character"},
	{`s := "abc"; println(s == 'a')`, `write "a": double quotes make a string`},
	{`s := "abc"; println(s == nil)`, "a string is never nil"},
	{`n := 1; println(nil != n)`, "an int is never nil"},
	{`println(1 == true)`, "convert one side to the type of the other"},
	{`println(1 + 2 == "a" + "b")`, "make a string of the number: fmt.Sprint(1 + 2), or a number of the string with strconv"},
	{`func f(b byte) {}; f("\n")`, `write '\n': single quotes make one character`},
	{`func f(s string) {}; f('\n')`, `write "\n": double quotes make a string`},
	{`func f(s string) {}; c := 'x'; f(c)`, "make a string of the character: string(c)"},
	{`func f() (int, error) { return nil, nil }`, "an int is never nil: write 0"},
	{`func f() string { return nil }`, `a string is never nil: write ""`},
	{`type T struct{}; func f() T { return nil }`, "a T is never nil: write T{}"},
	{`type T [2]int; func f() T { return nil }`, "a T is never nil: write T{}"},

	// Values in places of another type.
	{`type T struct{}; var v T = &T{}`, "leave the & out: T{}"},
	{`type T struct{}; p := &T{}; var v T = p`, "follow the pointer: *p"},
	{`s := []int{1}; s = append(s, s)`, "pass the elements: s..."},
	{`func f(n ...int) {}; s := []int{1}; f(s)`, "pass the elements: s..."},
	{`func f(n int) {}; s := []int{1}; f(s)`, "a value of type int is wanted here"},
	{`s := []int{1}; fmt.Println(s...)`, "slices of different elements do not convert: copy the elements in a loop"},
	{`var s []fmt.Stringer = []int{1}`, "slices of different elements do not convert: copy the elements in a loop"},
	{`f := func(a, b int) bool { return a - b }`, "a condition is wanted here: compare, as in x != 0"},
	{`f := func() int { return 1 }; var n int = f`, "call the function: f()"},
	{`var f func(int) = func(s string) {}`, "a value of type func(int) is wanted here"},
	{`n := int("5")`, "leave the quotes out: 5"},
	{`s := "5"; n := int(s)`, "convert with strconv, which also gives an error: n, err := strconv.Atoi(s)"},
	{`v := strconv.Itoa(1) + strconv.Atoi("1")`, "give each value a variable first: v, err := strconv.Atoi(\"1\")"},
	{`p := &fmt.Sprint("x")`, `put it in a variable, and take the address of that; or write new(fmt.Sprint("x"))`},

	// Names that are not declared where they are used.
	{`n = 3; println(n)`, "write := to declare it"},
	{`type Order struct{}; order = Order{}`, "write := to declare it"},
	{`total := 1; totl = 3; println(total)`, "did you mean total?"},
	{`if x := 1; x > 0 { total := x; println(total) }; println(total)`, "the total of line 1 is known in its block only: declare it before that with var, and set it there with ="},
	{`type T struct{ total int }; func f(t T) int { return total }`, "declare it before it is used"},

	// Types of errors, and pointers.
	{`type E struct{}; func (*E) Error() string { return "" }; var err error; _, ok := err.(E)`, "the method belongs to the pointer: write the type with a *"},
	{`type E struct{}; func (*E) Error() string { return "" }; var err error; println(err == E)`, "to find an error of this type write var e *E, and then errors.As(err, &e)"},
	{`type E struct{}; func (E) Error() string { return "" }; var err error; println(errors.Is(err, E))`, "to find an error of this type write var e E, and then errors.As(err, &e)"},
	{`println(1 == int)`, "a value is needed here, not a type"},
	{`s := "a"; p := &s; println("x" + p)`, "follow the pointer: *p"},
	{`n := 1; p := &n; println(p == 1, p > n)`, "follow the pointer: *p"},

	// Literals of another type.
	{`type P struct{ Name string; Age int }; func f(p P) {}; f(map[string]any{"Name": "x"})`, "write P{Name: ..., Age: ...}"},
	{`type P struct{ Name string; Age int }; func f(p *P) {}; f(map[string]any{"Name": "x"})`, "write &P{Name: ..., Age: ...}"},
	{`type P struct{ Name string; Age int }; func f(p P) {}; f("x")`, "write P{Name: ..., Age: ...}"},
	{`type P struct{ Name string; Age int }; ps := []P{{"Name": "x"}}`, "names of fields have no quotes: Name: ..."},
	{`type P struct{ Name string; Age int }; p := P{"x"}`, "give a value for each field, or name those that you give: P{Name: ..., Age: ...}"},
	{`func f(m map[string][]float64) {}; f(map[string][]int{"a": {1, 2}})`, "write map[string][]float64{...}"},
	{`func f(m map[string]int) {}; f(map[string]float64{"a": 1.5})`, "give the values alone: its signature is func f(m map[string]int)"},
	{`type N struct{ Kids []*N }; n := N{Kids: []N{{}}}`, "write []*N{...}"},
	{`x := []int{1}; var s []float64 = []float64(x)`, ""},
	{`func f(to []string, s string) {}; f("a", "b")`, `a list is wanted: write []string{"a"}`},
	{`func f(v []any) {}; f("a")`, "a value of type []any is wanted here"},
	{`func f(d time.Duration) {}; f("1h")`, `write a number and a unit, as in 90*time.Second, or parse the text: d, err := time.ParseDuration("1h")`},

	// Habits of other languages, and what the compiler says of them.
	{`f := func() int { return 1 }; a, err := f()`, "there is one value, and no error beside it: assign it to one variable"},
	{`f := func() (int, int) { return 1, 2 }; a, b, c := f()`, "leave 1 of the variables out"},
	{`x := float64("4.2")`, "leave the quotes out: 4.2"},
	{`s := "4.2"; x := float64(s)`, "convert with strconv, which also gives an error: n, err := strconv.ParseFloat(s, 64)"},
	{`var v any = 1; println(v + 1)`, "take the value out with the type that it holds, as in v.(int)"},
	{`m := map[string]any{"n": 1.5}; println(2.5 * m["n"])`, "take the value out with the type that it holds, as in m[\"n\"].(float64)"},
	{`b := []byte("x"); println(strings.ToUpper(b))`, "convert: string(b)"},
	{`type o struct{ N int }; xs := []o{{1}}; for x := range xs { println(x.N) }`, "x is the index: write for _, x := range xs"},
	{`xs := []int{1}; for x := range xs { println(x.N) }`, ""},
	{`type o struct{ L []int }; var v o; v.L.append(1)`, "write v.L = append(v.L, 1)"},
	{`xs := []int{1}; ys := xs.filter(1)`, "write a loop: for _, x := range xs { ... }"},
	{`m := map[string]int{}; println(m.get("a"))`, `write v, ok := m[key]`},
	{`func f[T any](x T) bool { return x == 1 }`, "convert one side to the type of the other"},
	{`println(2 ** 3)`, "Go has no operator **: write math.Pow(2, 3), which is about float64s"},
	{`a, b := []int{1}, []int{2}; println(a + b)`, "write append(a, others...), or slices.Concat"},
	{`println(abs(-1))`, "write math.Abs(x) for a float64; for an int: if x < 0 { x = -x }"},
	{`var u uint = -1`, "unsigned numbers are never negative: use int"},
	{`var u int8 = -1000`, "use a larger type"},
	{`Println("x")`, "write fmt.Println"},
	{`type Order struct { ID, Total int }; o := Order{1, 2}; println(o.Get("ID"))`, "an Order has ID, Total"},
	{"import \"golang.org/x/exp/slices\"\nprintln(slices.Contains([]int{1}, 1))", `import "slices", which is in Go's library`},

	// Values of interfaces, structs and strings, used as in languages that look for types later.
	{`m := map[string]any{"n": 1}; sum := 0; sum += m["n"]`, "take the value out with the type that it holds, as in m[\"n\"].(int)"},
	{`n := 1; n += "x"`, `convert with strconv, which also gives an error: n, err := strconv.Atoi("x")`},
	{`x, f := 1, 2.5; x *= f`, "make x a float64, or write x = int(float64(x) * f)"},
	{`n, k := 1, int64(2); n += k`, "convert: int(k)"},
	{`s := "a"; s += 'b'`, `write "b": double quotes make a string`},
	{`s := "a"; n := 1; s += n`, "make a string of the number: fmt.Sprint(n)"},
	{`var v any = 1; println(v[0])`, "take the value out with the type that it holds, as in v.([]any)"},
	{`m := map[string]any{}; println(m["a"]["b"])`, `take the value out with the type that it holds, as in m["a"].(map[string]any)`},
	{`var v any; k := "x"; println(v[k])`, `take the value out with the type that it holds, as in v.(map[string]any)`},
	{`var v any; for _, x := range v { println(x) }`, "take the value out with the type that it holds, as in v.([]any) or v.(map[string]any)"},
	{`func f[T any](x T) { println(x[0]) }`, "write a constraint for what is indexed, such as [T ~[]E, E any]"},
	{`type o struct{ ID int }; var v o; println(v["ID"])`, "write v.ID: a field follows a dot"},
	{`type o struct{ ID int }; var v o; println(v["id"])`, "write v.ID: a field follows a dot"},
	{`type o struct{ ID int }; var v *o; println(v["total"])`, "a field follows a dot; an o has ID"},
	{`type o struct{ ID int }; var v o; for k := range v { println(k) }`, "a struct has no elements; an o has ID"},
	{`type o struct{ L []int }; var v o; for k := range v { println(k) }`, "range over a field: v.L"},
	{`p := &[]int{1}; println(p[0])`, "follow the pointer: (*p)[0]"},
	{`p := &[]int{1}; for range p { }`, "follow the pointer: *p"},
	{`f := func() []int { return nil }; println(f[0])`, "call the function: f()[0]"},
	{`f := func() []int { return nil }; for range f { }`, "call the function: f()"},
	{`n := 5; println(n[0])`, "only slices, arrays, maps and strings have elements"},
	{`xs := []string{"a"}; println(",".join(xs))`, `write strings.Join(xs, ",")`},
	{`println("x {}".format(3))`, `write fmt.Sprintf with a verb for each value, such as %v`},
	{`s := "a"; println(s.equals("b"))`, `write s == "b"`},
	{`s := "a"; println(s.substring(0, 1))`, `write s[from:to]`},
	{`s := "a"; println(s.length)`, `write len(s)`},
	{`s := "a"; println(s.push("b"))`, `write s += "b"`},
	{`s := "a"; println(s.append("b"))`, `write s += "b"`},
	{`s := "a"; println(s.split(" "))`, `write strings.Split(s, " ")`},
	{`s := "a"; println(s.split())`, `write strings.Fields(s)`},
	{`s := "a"; println(s.trim())`, `write strings.TrimSpace(s)`},
	{`s := "a"; println(s.startsWith("b"))`, `write strings.HasPrefix(s, "b")`},
	{`s := "a"; println(s.toUpperCase())`, `write strings.ToUpper(s)`},
	{`s := "a"; println(s.charAt(0))`, `write s[0], which is a byte`},
	{`s := "a"; println(s.unknown())`, `strings have no methods: package strings has functions for them`},
	{`xs := []int{1}; xs.push(2)`, `write xs = append(xs, 2)`},
	{`xs := []int{1}; x := xs.pop()`, `write x := xs[len(xs)-1] and then xs = xs[:len(xs)-1]`},
	{`xs := []string{}; println(xs.join(", "))`, `write strings.Join(xs, ", ")`},
	{`xs := []int{1}; println(xs.contains(1))`, `write slices.Contains(xs, 1)`},
	{`m := map[string]int{}; for k, v := range m.items() { println(k, v) }`, `range over it: for key, value := range m`},
	{`m := map[string]int{}; m.put("a", 1)`, `write m[key] = value`},
	{`m := map[string]int{}; m.delete("a")`, `write delete(m, "a")`},
	{`m := map[string]int{"a": 1}; println(m.a)`, `write m["a"]: a key stands in brackets`},
	{`var err error; println(err.message)`, `write err.Error()`},
	{`x: int = 3`, "write var x int = 3, or x := 3: a type has no colon before it"},
	{`name: str = "a"`, "write var name string = \"a\", or name := \"a\": a type has no colon before it"},
	{`ys := xs.map(f)`, "write a loop: for _, x := range xs { ... }"},
	{`x: = 3`, "write x := value"},
	{`ys := slices.IndexFunc(xs, x => x > 1)`, "a function is written func(x int) int { return ... }, a case of a switch case x:"},
	{`ys := xs.each(x -> x * 2)`, "a function is written func(x int) int { return ... }"},
	{`ys := xs.each(|x| x * 2)`, "a function is written func(x int) int { return ... }"},

	// Calls, declarations and blocks as in other languages.
	{`type p struct{ N int }; v := &p{}; println(v->N)`, "members are selected with a dot, also through pointers; a result type follows the parameters directly"},
	{`match 3 {
	1: f() }`, "write switch x { case 1: ... }"},
	{`with open("x") as f {}`, "call what opens it, and defer what closes it: f, err := ...; defer f.Close()"},
	{`println!("{}", v)`, "write fmt.Println(x); a list is written []int{1, 2}"},
	{`v := vec![1, 2]`, "write fmt.Println(x); a list is written []int{1, 2}"},
	{`w := f({"city": "Oslo"})`, "give the values alone, in the order of the parameters; a map or struct needs its type before the brace"},
	{`func Map[T, U](xs []T) {}`, "write what the type has to be behind it: [T any], [K comparable] or [T cmp.Ordered]"},
	{`func f(a string, b string = "x") {}`, "give the value at each call, or write a second function"},
	{`type Dog extends Animal struct {}`, "embed the other type: type Dog struct { Animal }; the methods of a type alone make it fit an interface"},
	{`func f(n int, s string) {}; f("a", 2)`, "the arguments stand in another order: its signature is func f(n int, s string)"},
	{`func f(n int, s string) {}; f("a", "b")`, `convert with strconv, which also gives an error: n, err := strconv.Atoi("a")`},
	{`func f(s string) {}; f(map[string]string{"s": "a"})`, "give the values alone: its signature is func f(s string)"},
	{`xs := []int{1}; ys := slices.Sort(xs)`, "slices.Sort has no result: call it on a line of its own"},
	{`func f() {}; x := f()`, "f has no result: call it on a line of its own, or give it a result type and return a value"},
	{`f := func(i, j) bool { return i < j }`, "a parameter needs a type: func(i, j int), with the type that is meant"},
	{`xs := []int{1}; println(xs[-1])`, "write xs[len(xs)-1] for the last element"},
	{`xs := []int{1}; println(xs[-2])`, "write xs[len(xs)-2], counted from the end"},
	{`xs := []int{1}; println(xs["a"])`, "the elements of a slice have numbers: range over them to find one"},
	{`f := 1.5; xs := []int{1}; println(xs[f])`, "convert the index: int(f)"},
	{`type A struct { Name string }; type D struct { A }; d := D{Name: "x"}`, "Name is a field of the embedded A: write D{A: A{Name: ...}}"},
	{`a, b := time.Now(), time.Now(); d := a - b`, "write a.Sub(b)"},
	{`a, b := time.Now(), time.Now(); println(a < b)`, "write a.Before(b)"},
	{`a := time.Now(); b := a + time.Hour`, "write a.Add(time.Hour)"},
	{`type T struct{}; var a, b T; println(a < b)`, ""},
	{`ks := func(yield func(string) bool) {}; func g(xs []string) {}; g(ks)`, "collect the values: slices.Collect(ks), or slices.Sorted(ks)"},
	{`ks := func(yield func(string) bool) {}; println(len(ks))`, "collect the values: slices.Collect(ks), or slices.Sorted(ks)"},
	{`ks := func(yield func(string) bool) {}; println(ks[0])`, "collect the values: slices.Collect(ks), or slices.Sorted(ks)"},

	// What cannot be assigned to.
	{`s := "abc"; s[0] = 'x'`, "a string cannot be changed: change b := []byte(s), and make string(b) of it"},
	{`const c = 1; c = 2`, "c is a constant: declare it with var"},

	// Names that hide others.
	{`strings := []string{"a"}; println(strings.Repeat("x", 2))`, "the variable strings hides the package: give it another name"},
	{`strings, n := strings.ToUpper("a"), 1; println(strings, n)`, "the variable strings hides the package: give it another name"},
	{`x := strings.ToUpper("a"); strings := x`, "the variable strings hides the package: give it another name"},
	{`len := len("abc")`, "the variable len hides what Go calls len: give it another name"},
	{`string := []string{"a"}`, "the variable string hides what Go calls string: give it another name"},
	{`println(s.Len()); var s strings.Builder`, "statements run from top to bottom: move the declaration up"},
	{`len := 3; println(len("abc"))`, "the variable len hides what Go calls len: give it another name"},
	{`string := "x"; println(string(65))`, "the variable string hides what Go calls string: give it another name"},
	{`n := 3; n()`, "only functions can be called; a conversion needs a type"},

	// Members.
	{`var t time.Time; t.Milliseconds()`, "a time.Time has no field or method of that name"},
	{`var b strings.Builder; b.hidden = 1`, "names that begin with a small letter are the package's own: use the methods"},
	{`var b strings.Builder; b.writeString("x")`, "did you mean WriteString?"},
	{`err := errors.Wrap(nil, "x")`, `use fmt.Errorf("...: %w", err)`},
	{`xs := slices.Map([]int{1}, nil)`, "write a loop"},
	{"package main\nfunc main() { var t Tree }", "declare it before it is used"},
	{`var n Int`, "did you mean int?"},

	// Functions.
	{"package main\nfunc main() { return 1 }", "main has no results: print the value, and return or os.Exit(1)"},
	{"package main\nfunc main() { f := func() { return 1 }; f() }", "the function has no results: add their types, or return without a value"},
	{"package main\nfunc main(args []string) {}", "write func main() { ... }: os.Args holds the arguments, os.Exit(n) ends with a code"},
	{"package main\nfunc main() {}\nvar main = 1", "main is reserved: rename it"},
	{"package main\nfunc f() {}", "add func main() { ... }, or leave the package clause out"},
	{"package main\nimport \"testing\"\nfunc TestF(t *testing.T) {}", "tests are not run here: write a func main() that calls what they test, without package testing"},
	{"package main\nfunc init() int { return 1 }\nfunc main() {}", "write func init() { ... }"},
	{`func (n int) F() {}`, "methods belong to types of your own: type Name int"},
	{`for i, v := range 5 { println(i, v) }`, "leave the second variable out"},
	{`n := 1; switch n.(type) {}`, "only interfaces have dynamic types: any(n).(type)"},
	{`x := 2.5 % 2`, "use math.Mod"},
	{`n := 1; println(!n)`, "compare: n == 0"},

	// Generics.
	{`func f[T any](a, b T) bool { return a > b }`, "write the constraint cmp.Ordered instead of any"},
	{`func f[T any](a, b T) bool { return a == b }`, "write the constraint comparable instead of any"},
	{`func f[T any](a, b T) T { return a + b }`, "write a constraint that lists types, such as interface{ ~int | ~float64 }, instead of any"},
	{`type S[T any] struct{}; var s S`, "write its type arguments, as in S[int]"},
	{`a := int[3]{1, 2}`, "only generic types take types in brackets; an array is written [3]int, a slice []int"},
	{`type N interface{ int | float64 }; var n N`, "use it as a constraint, as in func f[T N](x T); a variable needs one of its types"},
}

func TestHints(t *testing.T) {
	for _, tc := range hintCases {
		p, err := parse.Parse(parse.Source{Text: tc.src}, parse.Bounds{})
		if err == nil {
			_, err = check.Check(p, newTestUniverse(), nil)
		}
		var rs diag.Rejections
		if !errors.As(err, &rs) {
			t.Errorf("%s\nis accepted", tc.src)
		} else if rs[0].Hint != tc.want {
			t.Errorf("%s\n%v\ngot  %s\nwant %s", tc.src, rs[0], rs[0].Hint, tc.want)
		}
	}
}
