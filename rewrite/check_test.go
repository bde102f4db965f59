package rewrite

import (
	"errors"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

func TestCheckAccepts(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		predecl   []string
		inputs    []check.Input
	}{
		{name: "program", src: "package main\nimport \"fmt\"\nfunc main() { fmt.Println(1) }"},
		{name: "snippet imports what it uses", src: "fmt.Println(strings.ToUpper(\"x\"))"},
		{name: "package by member", src: "println(rand.NewPCG(1, 2) != nil, rand.IntN(3))"},
		{name: "package name also a local name elsewhere", src: "func f() { strings := []int{1}; _ = strings }\nprintln(strings.ToUpper(\"x\"))"},
		{name: "unused top-level variable", src: "x := 1\nvar y = 2"},
		{name: "function sees variable", src: "x := f(1)\nfunc f(n int) int { return n + y }\ny := 2\nprintln(x)"},
		{name: "closure recursion", src: "var fib func(int) int\nfib = func(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }\nfib(3)"},
		{name: "closure recursion with :=", src: "fib := func(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }\nfib(3)"},
		{name: "variable through function cycle", src: "total := add(1)\nfunc add(n int) int { return total + n }"},
		{name: "redeclaring define", src: "a, err := strconv.Atoi(\"1\")\nb, err := strconv.Atoi(\"2\")\nprintln(a+b, err)"},
		{name: "goto over no declaration", src: "i := 0\nagain:\nj := i\ni++\nif j < 3 {\n\tgoto again\n}\nf := func() {\n\tgoto end\nend:\n}\ngoto last\nlast:\nx := 1\nend := f\nprintln(x, end != nil)"},
		{name: "bare expressions", src: "1 + 2\nlen(\"abc\")\n\"x\"\nint64(3)\nmath.Pi"},
		{name: "input", src: "fmt.Println(n + 1)", inputs: []check.Input{{Name: "n", Type: types.Typ[types.Int]}}},
		{name: "input shadowed", src: "n := \"x\"\nfmt.Println(n + \"y\")", inputs: []check.Input{{Name: "n", Type: types.Typ[types.Int]}}},
		{name: "input assigned", src: "n = 3", inputs: []check.Input{{Name: "n", Type: types.Typ[types.Int]}}},
		{name: "predeclared function", src: "p, err := Fetch(1)\nfmt.Println(p.X, err)", predecl: []string{"host.Fetch"}},
		{name: "predeclared shadowed", src: "func Fetch() int { return 1 }\nvar x int = Fetch()", predecl: []string{"host.Fetch"}},
		{name: "predeclared in program", src: "package main\nfunc main() { _, _ = Fetch(1) }", predecl: []string{"host.Fetch"}},
		{name: "universe names shadowed", src: "package main\nfunc main() { len := 3; true := false; _, _ = len, true }"},
		{name: "untyped constant is exact", src: "package main\nimport \"math\"\nvar x uint64 = math.MaxUint64\nfunc main() {}"},
		{name: "generic types that hold each other", src: "type Tree[K comparable, V any] struct { root *node[K, V]; n int }\ntype node[K comparable, V any] struct { t *Tree[K, V]; m map[K]*node[K, V]; v V }\nfunc (t *Tree[K, V]) Put(k K, v V) *Tree[K, V] { return t }\nfunc mapped[K comparable, V, W any](t *Tree[K, V], f func(V) W) *Tree[K, W] { return &Tree[K, W]{} }\nt := (&Tree[string, int]{}).Put(\"a\", 1)" + strings.Repeat(".Put(\"b\", 2)", 40) + "\nu := mapped(t, func(int) string { return \"\" })\nprintln(u.n)"},
		{name: "two results again and again", src: "func half[T any](x []T) ([]T, []T) { return x, x }\na0, b0 := half([]int{1})\n" + lines(30, "a{i}, b{i} := half(a{p})\n")},
		{name: "host functions again and again", src: "a0 := []int{1}\n" + lines(30, "a{i} := slices.Clone(a{p})\n")},
		{name: "host variable is read", src: "a := os.Args\na[0] = \"x\"\nprintln(os.Grid[1], os.State.Get(), os.State.Next.N)"},
		{name: "behind a pointer of the host", src: "os.State.Next.N = 1"},
		{name: "keyed literal of host struct", src: "p := host.Point{X: 1}\nq := host.Plain{1, 2}\nprintln(p.X + q.Y)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			u := newTestUniverse()
			u.predeclared = tc.predecl
			c, err := checkSource(t, tc.src, u, tc.inputs...)
			if err != nil {
				t.Fatalf("refused:\n%v", err)
			}
			if c.Pkg == nil || len(c.Info.Types) == 0 && len(c.Info.Defs) == 0 {
				t.Error("accepted without types")
			}
		})
	}
}

func TestCheckRejects(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      []string // code line:column name message (hint)
	}{
		{"undefined function", "package main\nfunc main() {\n\thelper()\n}",
			[]string{"Undefined 3:2 helper: undefined: helper (define func helper, or remove the call)"}},
		{"misspelt", "package main\nfunc main() {\n\tcounter := 1\n\tprintln(conter, counter)\n}",
			[]string{"Undefined 4:10 conter: undefined: conter (did you mean counter?)"}},
		{"other language", "x := None", []string{"Undefined 1:6 None: undefined: None (Go's word is nil)"}},
		{"denied import", "package main\nimport \"os/exec\"\nfunc main() { exec.Command(\"ls\") }",
			[]string{`DeniedImport 2:8 os/exec: package "os/exec" is not allowed by this policy: it starts processes (` + check.DoNotRetry + `)`}},
		{"denied package without import", "exec.Command(\"ls\")",
			[]string{`DeniedImport 1:1 os/exec: package "os/exec" is not allowed by this policy: it starts processes (` + check.DoNotRetry + `)`}},
		{"unknown import", "import \"stringz\"\nstringz.ToUpper(\"x\")",
			[]string{`UnknownImport 1:8 stringz: there is no package "stringz" here (did you mean "strings"?)`}},
		{"other import", "import \"ioutil\"\nioutil.X()",
			[]string{`UnknownImport 1:8 ioutil: there is no package "ioutil" here (import "os")`}},
		{"module", "import \"github.com/a/b\"\nb.X()",
			[]string{`UnknownImport 1:8 github.com/a/b: there is no package "github.com/a/b" here (third-party modules cannot be downloaded; use what the policy offers, or write the code in the program)`}},
		{"module with another in its place", "import \"gopkg.in/yaml.v3\"\nyaml.X()",
			[]string{`UnknownImport 1:8 gopkg.in/yaml.v3: there is no package "gopkg.in/yaml.v3" here (use encoding/json, or read the lines yourself)`,
				"Undefined 2:1 yaml: undefined: yaml (there is no package yaml here: use encoding/json, or read the lines yourself)"}},
		{"module of a later version", "import \"github.com/spf13/cast/v2\"\ncast.X()",
			[]string{`UnknownImport 1:8 github.com/spf13/cast/v2: there is no package "github.com/spf13/cast/v2" here (use strconv, or a type switch)`,
				"Undefined 2:1 cast: undefined: cast (there is no package cast here: use strconv, or a type switch)"}},
		{"module with the name of a package", "import \"github.com/a/strings\"\nstrings.ToUpper(\"x\")",
			[]string{`UnknownImport 1:8 github.com/a/strings: there is no package "github.com/a/strings" here (third-party modules cannot be downloaded; use what the policy offers, or write the code in the program)`}},
		{"no such member", "strings.toUpper(\"x\")\nstrings.Upper(\"x\")",
			[]string{"UndefinedMember 1:9 strings.toUpper: there is no strings.toUpper (did you mean strings.ToUpper?)",
				"UndefinedMember 2:9 strings.Upper: there is no strings.Upper (did you mean strings.ToUpper?)"}},
		{"denied member", "package main\nimport \"os\"\nfunc main() { f := os.Getenv; f(\"x\") }",
			[]string{"DeniedMember 3:23 os.Getenv: os.Getenv is not allowed by this policy: it reads the host's environment (" + check.DoNotRetry + ")"}},
		{"denied member under alias", "package main\nimport o \"os\"\nfunc main() { o.ReadFile(\"x\") }",
			[]string{"DeniedMember 3:17 os.ReadFile: o.ReadFile is not allowed by this policy: it reads the host's files (use host.Fetch instead)"}},
		{"denied method", "var b strings.Builder\nb.Cap()\nf := (*strings.Builder).Cap",
			[]string{"DeniedMember 2:3 strings.Builder.Cap: strings.Builder.Cap is not allowed by this policy: it shows the host's memory (" + check.DoNotRetry + ")",
				"DeniedMember 3:25 strings.Builder.Cap: strings.Builder.Cap is not allowed by this policy: it shows the host's memory (" + check.DoNotRetry + ")"}},
		{"denied field", "p := host.Plain{Secret: 1}\nprintln(p.Secret)",
			[]string{"DeniedMember 1:17 host.Plain.Secret: host.Plain.Secret is not allowed by this policy: not for scripts (" + check.DoNotRetry + ")",
				"DeniedMember 2:11 host.Plain.Secret: host.Plain.Secret is not allowed by this policy: not for scripts (" + check.DoNotRetry + ")"}},
		{"misspelt field", "type T struct { Count int }\nvar t T\nt.Cuont = 1",
			[]string{"UndefinedMember 3:3 Cuont: t.Cuont undefined (type T has no field or method Cuont) (did you mean Count?)"}},
		{"append as a method", "var list []int\nlist.append(1)",
			[]string{"UndefinedMember 2:6 append: list.append undefined (type []int has no field or method append) (write list = append(list, 1))"}},
		{"has of a map", "m := map[string]int{}\nm.Has(\"a\")",
			[]string{"UndefinedMember 2:3 Has: m.Has undefined (type map[string]int has no field or method Has) (write _, ok := m[key])"}},
		{"returned beside another result", "for result := range 3 {\n\treturn result\n}",
			[]string{"WrongCount 2:9 : too many return values: have (int), want () (a returned value is left in the variable result, which an inner one hides here: give that another name)"}},
		{"result of a function in a snippet", "f := func() { return 1 }\nf()",
			[]string{"WrongCount 1:22 : too many return values: have (number), want () (the function has no results: add their types, or return without a value)"}},
		{"unused variable after the others", "package main\nfunc main() {\n\tx := 1\n\ty = 2\n}",
			[]string{"Undefined 4:2 y: undefined: y (write := to declare it)",
				"UnusedVar 3:2 : declared and not used: x (use it, assign it to _, or remove it)"}},
		{"missing return", "func f() int {\n}", []string{"MissingReturn 2:1 : missing return (end the function with a return statement)"}},
		{"redeclared", "package main\nfunc f() {}\nfunc f() {}\nfunc main() {}",
			[]string{"Redeclared 3:6 : f redeclared in this block; other declaration of f at line 2"}},
		{"int and float", "package main\nfunc main() { n, x := 1, 2.5; println(float64(n)*x, n*x) }",
			[]string{"MismatchedTypes 2:53 : invalid operation: n * x (mismatched types int and float64) (convert: float64(n))"}},
		{"number and string", "n := 1\ns := \"a\" + n",
			[]string{`MismatchedTypes 2:6 : invalid operation: "a" + n (mismatched types untyped string and int) (make a string of the number: fmt.Sprint(n))`}},
		{"wrong type", "n := 1\nvar x float64 = n",
			[]string{"WrongType 2:17 : cannot use n (variable of type int) as float64 value in variable declaration (convert: float64(n))"}},
		{"string for error", "func f() error { return \"bad\" }",
			[]string{`WrongType 1:25 : cannot use "bad" (constant of type string) as error value in return statement: string does not implement error (missing method Error) (make an error of the text: errors.New("bad"))`}},
		{"missing method", "type T int\nvar s fmt.Stringer = T(1)",
			[]string{"MissingMethod 2:22 : cannot use T(1) (constant 1 of int type T) as fmt.Stringer value in variable declaration: T does not implement fmt.Stringer (missing method String) (add method String with the signature of the interface)"}},
		{"pointer receiver", "type T int\nfunc (t *T) String() string { return \"\" }\nvar s fmt.Stringer = T(1)",
			[]string{"MissingMethod 3:22 : cannot use T(1) (constant 1 of int type T) as fmt.Stringer value in variable declaration: T does not implement fmt.Stringer (method String has pointer receiver) (the method belongs to the pointer: use &value)"}},
		{"arguments", "package main\nfunc f(a int, s string) {}\nfunc main() { f(1) }",
			[]string{"WrongCount 3:18 f: not enough arguments in call to f: have (number), want (int, string) (its signature is func f(a int, s string))"}},
		{"assignment count", "a, b := strconv.Itoa(1)",
			[]string{"WrongCount 1:9 : assignment mismatch: 2 variables but strconv.Itoa returns 1 value (there is one value, and no error beside it: assign it to one variable)"}},
		{"use before declaration", "y := x + 1\nx := 1",
			[]string{"UsedBeforeDeclaration 1:6 x: x is used before it is declared on line 2 (statements run from top to bottom: move the declaration up)"}},
		{"self reference", "x := x + 1",
			[]string{"UsedBeforeDeclaration 1:6 x: x is used before it is declared on line 1 (statements run from top to bottom: move the declaration up)"}},
		{"goto over a declaration", "if true {\n\tgoto end\n}\nx := 1\nvar y = x\nend:\nprintln(x, y)",
			[]string{"BadBranch 2:7 end: goto end jumps over variable declaration at line 5 (declare the variable before the goto, or write if, for or return in its place)"}},
		{"constants that need each other", "const a, b = b, a",
			[]string{"Cycle 1:7 : initialization cycle for a; a refers to b at line 1; b refers to a at line 1"}},
		{"cycle in a program", "package main\nvar a = f()\nfunc f() int { return a }\nfunc main() {}",
			[]string{"Cycle 2:5 : initialization cycle for a; a refers to f at line 2; f refers to a at line 3"}},
		{"assign back of another type", "err := 1\nx, err := strconv.Atoi(\"1\")",
			[]string{"WrongType 2:4 err: cannot assign a value of type error to err, which is of type int (use another name, or convert the value)"}},
		{"assign back of another type, and what comes of it", "err := 1\nx, err := strconv.Atoi(\"1\")\nerr.Error()\ny := x + \"a\"",
			[]string{"WrongType 2:4 err: cannot assign a value of type error to err, which is of type int (use another name, or convert the value)"}},
		{"constant of a package", "math.Pi = 3",
			[]string{"Unassignable 1:1 : cannot assign to math.Pi (neither addressable nor a map index expression)"}},
		{"host variable", "os.Args = nil\np := &os.Stdout\nos.Grid[1]++\nos.State.Name = \"x\"\nos.State.Set()\ns := os.Grid[:]\nfor _, os.State.Inner.N = range os.Grid {}",
			[]string{
				"HostWrite 2:7 os.Stdout: variable os.Stdout of the host cannot be assigned to or addressed (copy it into a variable of your own: mine := os.Stdout)",
				"HostWrite 3:1 os.Grid: variable os.Grid of the host cannot be assigned to or addressed (copy it into a variable of your own: mine := os.Grid)",
				"HostWrite 4:1 os.State: variable os.State of the host cannot be assigned to or addressed (copy it into a variable of your own: mine := os.State)",
				"HostWrite 5:1 os.State: variable os.State of the host cannot be assigned to or addressed (copy it into a variable of your own: mine := os.State)",
				"HostWrite 6:6 os.Grid: variable os.Grid of the host cannot be assigned to or addressed (copy it into a variable of your own: mine := os.Grid)",
				"HostWrite 7:8 os.State: variable os.State of the host cannot be assigned to or addressed (copy it into a variable of your own: mine := os.State)",
			}},
		{"overwritten through a pointer", "p := host.Share()\n*p = host.Shared{}\nr := &*p\n(*r).X = 4\nq := &host.Plain{}\n*q = host.Plain{}\nown := &host.Point{X: 1}\n*own = host.Point{}\ntype mine host.Shared\n_ = (*mine)(p)\nfunc set[T any](p *T, v T) { *p = v }\nset(p, host.Shared{})",
			[]string{
				"HostWrite 2:1 host.Shared: a host.Shared cannot be overwritten through a pointer: the host may use it too (assign to its fields, or make a new one)",
				"HostWrite 10:5 host.Shared: a host.Shared cannot be overwritten through a pointer: the host may use it too (assign to its fields, or make a new one)",
				"HostWrite 12:1 host.Shared: a host.Shared cannot be overwritten through a pointer: the host may use it too (assign to its fields, or make a new one)",
			}},
		{"values of a handle", "h := host.Open()\nfunc set[T any](p *T, v T) { *p = v }\nset(h, *h)\nvar v host.Handle\nnew(host.Handle)\nvar ok *host.Handle = h\nvar list []*host.Handle\n_ = append(list, ok)",
			[]string{
				"HandleValue 3:1 host.Handle: scripts hold a host.Handle behind a pointer only: its value cannot be made, copied or overwritten (use *host.Handle and the functions that return one)",
				"HandleValue 3:8 host.Handle: scripts hold a host.Handle behind a pointer only: its value cannot be made, copied or overwritten (use *host.Handle and the functions that return one)",
				"HandleValue 4:7 host.Handle: scripts hold a host.Handle behind a pointer only: its value cannot be made, copied or overwritten (use *host.Handle and the functions that return one)",
				"HandleValue 5:5 host.Handle: scripts hold a host.Handle behind a pointer only: its value cannot be made, copied or overwritten (use *host.Handle and the functions that return one)",
			}},
		{"unkeyed literal of host struct", "p := host.Point{1, 2}\nq := host.Point{1, 2, 3}",
			[]string{
				"HiddenFields 1:21 host.Point: a literal of host.Point has to name its fields: not all of them are known here (write host.Point{Field: value}, or use a function that makes one)",
				"HiddenFields 2:23 host.Point: a literal of host.Point has to name its fields: not all of them are known here (write host.Point{Field: value}, or use a function that makes one)",
			}},
		{"constant too large to show", "1 << 63",
			[]string{"BadConst 1:1 : cannot use 1 << 63 (untyped int constant 9223372036854775808) as int value (overflows) (use a larger type)"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := checkSource(t, tc.src, newTestUniverse())
			if got := shown(err); !slices.Equal(got, tc.want) {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(tc.want, "\n     "))
			}
		})
	}
}

// shown is one line for each rejection in err.
func shown(err error) []string {
	var rs diag.Rejections
	if !errors.As(err, &rs) {
		return nil
	}
	var lines []string
	for _, r := range rs {
		pos := strings.TrimPrefix(r.Pos.String(), "script.go:")
		line := r.Code.String() + " " + pos + " " + r.Name + ": " + r.Message
		if r.Hint != "" {
			line += " (" + r.Hint + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

func TestCheckReportsAllErrors(t *testing.T) {
	src := "package main\nfunc main() {\n" + strings.Repeat("\tundefined()\n", 20) + "}\n"
	_, err := checkSource(t, src, newTestUniverse())
	if got := len(shown(err)); got != 20 {
		t.Errorf("%d errors, want 20", got)
	}
	src = "package main\nfunc main() {\n" + strings.Repeat("\tundefined()\n", 500) + "}\n"
	_, err = checkSource(t, src, newTestUniverse())
	if got := len(shown(err)); got != check.MaxErrors {
		t.Errorf("%d errors, want %d", got, check.MaxErrors)
	}
}

func TestCheckObjects(t *testing.T) {
	u := newTestUniverse()
	u.predeclared = []string{"host.Fetch"}
	c, err := checkSource(t, "n + m\nFetch(1)\n\"s\"", u, check.Input{Name: "n", Type: types.Typ[types.Int]}, check.Input{Name: "m", Type: types.Typ[types.Int]})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range c.InputVars {
		if v == nil || v.Name() != c.Inputs[i].Name {
			t.Errorf("input %d is %v", i, v)
		}
	}
	var fetch types.Object
	for id, obj := range c.Info.Uses {
		if id.Name == "Fetch" {
			fetch = obj
		}
	}
	if fetch == nil || fetch.Pkg().Path() != "host" {
		t.Errorf("Fetch is %v, want the host's", fetch)
	}
	for i, want := range []string{"int", "string"} {
		if got := c.Echoes[i].Type; got == nil || got.String() != want {
			t.Errorf("echo %d has type %v, want %s", i, got, want)
		}
	}
}

// noPackage has a member that needs no import.
type noPackage struct {
	*testUniverse
	member types.Object
}

func (u noPackage) Predeclared() []types.Object { return []types.Object{u.member} }

// TestHostVariableNeedsNoImport: an error speaks of it as a script does, without a package.
func TestHostVariableNeedsNoImport(t *testing.T) {
	pkg := types.NewPackage("host", "")
	grid := types.NewVar(token.NoPos, pkg, "Grid", types.NewArray(types.Typ[types.Int], 3))
	pkg.Scope().Insert(grid)
	_, err := checkSource(t, "Grid[1] = 2", noPackage{newTestUniverse(), grid})
	rs, _ := err.(diag.Rejections)
	if len(rs) != 1 || rs[0].Name != "Grid" || rs[0].Message != "variable Grid of the host cannot be assigned to or addressed" || rs[0].Hint != "copy it into a variable of your own: mine := Grid" {
		t.Errorf("got %v", err)
	}
}

// TestAddedImportsInOrder: the same snippet gets its imports in the same order each time, those that are missing at
// first and those that a later pass adds, where a declaration elsewhere has the name.
func TestAddedImportsInOrder(t *testing.T) {
	const src = "fmt.Println(strings.ToUpper(\"a\"), strconv.Itoa(1), math.Pi, time.Second)\n" +
		"f := func() { fmt, strings, strconv, math, time := 1, 1, 1, 1, 1; _, _, _, _, _ = fmt, strings, strconv, math, time }\nf()"
	for _, text := range []string{src, src[:strings.IndexByte(src, '\n')]} {
		var first []string
		for i := range 50 {
			p, err := parse.Parse(parse.Source{Text: text}, parse.Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			c, _ := check.Check(p, toolchainUniverse, nil)
			if c == nil {
				t.Fatal("it does not check")
			}
			var paths []string
			for _, spec := range p.File.Imports {
				paths = append(paths, spec.Path.Value)
			}
			if i == 0 {
				first = paths
			}
			if len(paths) != 5 || !slices.Equal(paths, first) {
				t.Fatalf("%v, and then %v", first, paths)
			}
		}
	}
}

func TestCheckerPanics(t *testing.T) {
	p, err := parse.Parse(parse.Source{Text: "x := 1\nprintln(x)"}, parse.Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = check.Check(p, brokenUniverse{}, nil)
	rs, _ := err.(diag.Rejections)
	if len(rs) != 1 || rs[0].Code != diag.BadProgram || rs[0].Pos.String() != "script.go:1:1" || !strings.Contains(rs[0].Message, "broken") {
		t.Errorf("got %v, want the panic", err)
	}
}

// A brokenUniverse panics when it is asked for anything.
type brokenUniverse struct{ check.Universe }

func (brokenUniverse) Predeclared() []types.Object { panic("broken") }
