package builtins

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// check type-checks a file against a table and returns the messages.
func check(t testing.TB, table *Table, src string) []string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	var msgs []string
	conf := types.Config{Importer: table, Error: func(err error) { msgs = append(msgs, err.(types.Error).Msg) }}
	conf.Check("main", fset, []*ast.File{file}, nil) //nolint:errcheck // reported to conf.Error
	return msgs
}

func TestImport(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       string // in the first message; "" for none
	}{
		{name: "call", body: `var _ string = strings.ToUpper("x")`},
		{name: "method", body: `func f() { var b strings.Builder; b.WriteString("x"); fmt.Println(b.String()) }`},
		{name: "pointer receiver", body: `var _ fmt.Stringer = strings.Builder{}`, want: "pointer receiver"},
		{name: "interface of host type", body: `var _ fmt.Stringer = new(strings.Builder)`},
		{name: "untyped constant", body: `const big = math.MaxUint64 / 1; var x float32 = math.Pi; var _ uint64 = math.MaxUint64`},
		{name: "overflow", body: `var _ int = math.MaxUint64`, want: "overflows"},
		{name: "iterator", body: `func f() { for s := range strings.SplitSeq("a,b", ",") { _ = s + "" } }`},
		{name: "denied", body: `var _ = math.Jn`, want: "undefined"},
		{name: "no such name", body: `var _ = strings.Upper`, want: "undefined"},
		{name: "hidden field", body: `var _ = strings.Builder{nil}`, want: "unexported"},
		{name: "not comparable", body: `var a, b strings.Builder; var _ = a == b`, want: "cannot be compared"},
		{name: "no conversion between structs", body: `var _ = strings.Builder(strings.Reader{})`, want: "cannot convert"},
		{name: "fields", body: `func f(e *strconv.NumError) (string, error) { return e.Func + e.Num, e.Err }`},
		{name: "error", body: `var _ error = &strconv.NumError{}; var _ error = strconv.ErrRange`},
		{name: "generic", body: `func f(e error) { ne, ok := errors.AsType[*strconv.NumError](e); _, _ = ne.Num, ok }`},
		{name: "import", body: `import "os/exec"`, want: "not importable"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := "package main\n"
			for _, path := range []string{"strings", "fmt", "math", "strconv", "errors"} {
				src += "import \"" + path + "\"\n"
			}
			src += tc.body + "\nvar _, _, _, _, _ = strings.Count, fmt.Sprint, math.Abs, strconv.Itoa, errors.New\nfunc main() {}\n"
			msgs := check(t, tableOf(t, Std()...), src)
			switch {
			case tc.want == "" && len(msgs) > 0:
				t.Errorf("got %q, want none", msgs)
			case tc.want != "" && (len(msgs) == 0 || !strings.Contains(msgs[0], tc.want)):
				t.Errorf("got %q, want %q in the first", msgs, tc.want)
			}
		})
	}
}

func TestImportTwice(t *testing.T) {
	table := tableOf(t, Std("strings")...)
	first, err := table.Import("strings")
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := table.Import("strings"); again != first {
		t.Errorf("got another package the second time")
	}
	if _, err := table.Import("fmt"); err == nil {
		t.Errorf("imported a package that was not selected")
	}
}

func TestNewTableRefuses(t *testing.T) {
	for _, tc := range []struct {
		name     string
		packages []Package
		want     string
	}{
		{name: "no path", packages: []Package{{}}, want: "no path"},
		{name: "twice", packages: []Package{{Path: "a"}, {Path: "a"}}, want: "twice"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := NewTable(tc.packages...); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

// TestConcurrent imports and checks from many goroutines; the race detector is
// the judge.
func TestConcurrent(t *testing.T) {
	table := tableOf(t, Std()...)
	src := "package main\n"
	for _, path := range table.Paths() {
		src += "import _ \"" + path + "\"\n"
	}
	src += `import "strings"; import "fmt"
func main() { var b strings.Builder; for s := range strings.Lines("x") { fmt.Fprint(&b, s) } }`
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			if msgs := check(t, table, src); len(msgs) > 0 {
				t.Error(msgs)
			}
			pkg, _ := table.Import("strings")
			if _, err := table.TypeOf(pkg.Scope().Lookup("Builder").Type()); err != nil {
				t.Error(err)
			}
			if _, err := table.Value(&Env{}, Ref{Kind: abi.BindFunc, Path: "fmt", Name: "Println"}); err != nil {
				t.Error(err)
			}
			table.Explain("strings", "Foo")
		})
	}
	wg.Wait()
}

func BenchmarkHello(b *testing.B) {
	all := Std()
	b.ReportAllocs()
	for b.Loop() {
		table := tableOf(b, all...)
		if _, err := table.Import("fmt"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkImportAll(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		table := tableOf(b, Std()...)
		for _, path := range table.Paths() {
			if _, err := table.Import(path); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// TestOrderOfUse: what is asked of a table first changes nothing of what it says next. A type has the scope
// of its package from the start, since inserting it later would write to what programs have.
func TestOrderOfUse(t *testing.T) {
	for _, importFirst := range []bool{false, true} {
		table, err := NewTable(Std("time", "os")...)
		if err != nil {
			t.Fatal(err)
		}
		load := func() {
			for _, path := range []string{"time", "os"} {
				if _, err := table.Import(path); err != nil {
					t.Fatal(err)
				}
			}
		}
		if importFirst {
			load()
		}
		var objects []*types.TypeName
		for _, v := range []any{time.Second, fs.FileMode(0), &atomic.Int64{}, iter.Seq[int](nil)} {
			typ := table.InputType(v)
			if p, ok := typ.(*types.Pointer); ok {
				typ = p.Elem()
			}
			objects = append(objects, typ.(*types.Named).Obj())
		}
		scopes := func() (have []bool) {
			for _, obj := range objects {
				have = append(have, obj.Parent() == obj.Pkg().Scope())
			}
			return have
		}
		want := []bool{true, false, false, true} // time.Duration; of packages that cannot be imported; generic
		if got := scopes(); !slices.Equal(got, want) {
			t.Errorf("imported first %v: have their packages' scopes: %v, want %v", importFirst, got, want)
		}
		if err := table.ensure("io/fs"); err != nil {
			t.Fatal(err)
		}
		load()
		if got := scopes(); !slices.Equal(got, want) {
			t.Errorf("imported first %v: after all is made, have their packages' scopes: %v, want %v", importFirst, got, want)
		}
	}
}
