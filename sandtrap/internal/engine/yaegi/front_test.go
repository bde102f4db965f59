package yaegi

import (
	"bytes"
	"errors"
	"fmt"
	"go/importer"
	"go/types"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/traefik/yaegi/stdlib"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A front is what the tests of this package put before the engine: a policy that
// allows the whole standard library, with values out of the interpreter's own
// tables.
type front struct {
	program *rewrite.Program
	values  []reflect.Value
	types   []reflect.Type
	stdout  *bytes.Buffer
}

var errFront = errors.New("the tests have no value for it")

// hostPath is the package that stands for one of the host's own.
const hostPath = "go/token"

// toolchain is the universe of everything that the toolchain has.
type toolchain struct{}

var imports = sync.OnceValue(func() *locked { return &locked{imp: importer.Default()} })

type locked struct {
	mu  sync.Mutex
	imp types.Importer
}

func (toolchain) Import(path string) (*types.Package, error) {
	l := imports()
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.imp.Import(path)
}

func (toolchain) Named(name string) []string                      { return nil }
func (toolchain) Handle(*types.TypeName) bool                     { return false }
func (toolchain) Replaced(*types.TypeName, string) bool           { return false }
func (toolchain) Standard(path string) bool                       { return path != hostPath }
func (toolchain) Engine(path, owner, name string) string          { return "" }
func (toolchain) Settable(*types.Var) bool                        { return false }
func (toolchain) Predeclared() []types.Object                     { return nil }
func (toolchain) Explain(path, name string) (e check.Explanation) { return e }

// compiled takes a source through the whole rewriter.
func compiled(src string, inputs ...check.Input) (*front, error) {
	p, err := rewrite.Compile(parse.Source{Name: "script.go", Text: src}, parse.Bounds{}, toolchain{}, inputs)
	if err != nil {
		return nil, err
	}
	f := &front{program: p, stdout: &bytes.Buffer{}}
	n := len(p.Bindings())
	f.values, f.types = make([]reflect.Value, n), make([]reflect.Type, n)
	for i, b := range p.Bindings() {
		if err := f.bind(i, b); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func symbol(path, name string) reflect.Value {
	return stdlib.Symbols[path+"/"+path[strings.LastIndex(path, "/")+1:]][name]
}

func (f *front) bind(i int, b rewrite.Binding) error {
	none := fmt.Errorf("%w: %s", errFront, b)
	switch b.Kind {
	case abi.BindType:
		if s := symbol(b.Path, b.Name); s.IsValid() {
			f.types[i] = s.Type().Elem()
		} else {
			return none
		}
	case abi.BindFunc:
		f.values[i] = symbol(b.Path, b.Name)
		if b.Path == "fmt" && strings.HasPrefix(b.Name, "Print") {
			f.values[i] = f.print(b.Name)
		}
		if !f.values[i].IsValid() {
			return none
		}
	case abi.BindVar:
		s := symbol(b.Path, b.Name)
		if !s.IsValid() {
			return none
		}
		f.values[i] = reflect.MakeFunc(reflect.FuncOf(nil, []reflect.Type{s.Type()}, false), func([]reflect.Value) []reflect.Value { return []reflect.Value{s} })
	case abi.BindMethod, abi.BindField:
		s := symbol(b.Path, b.Owner)
		if !s.IsValid() {
			return none
		}
		f.values[i] = member(s.Type().Elem(), b)
		if !f.values[i].IsValid() {
			return none
		}
	}
	return nil
}

func member(t reflect.Type, b rewrite.Binding) reflect.Value {
	if b.Kind == abi.BindField {
		sf, ok := t.FieldByName(b.Name)
		if !ok {
			return reflect.Value{}
		}
		in, out := t, sf.Type
		if b.Pointer {
			in, out = reflect.PointerTo(t), reflect.PointerTo(sf.Type)
		}
		return reflect.MakeFunc(reflect.FuncOf([]reflect.Type{in}, []reflect.Type{out}, false), func(a []reflect.Value) []reflect.Value {
			if b.Pointer {
				return []reflect.Value{a[0].Elem().FieldByIndex(sf.Index).Addr()}
			}
			return []reflect.Value{a[0].FieldByIndex(sf.Index)}
		})
	}
	if b.Pointer {
		t = reflect.PointerTo(t)
	}
	m, ok := t.MethodByName(b.Name)
	if !ok {
		return reflect.Value{}
	}
	if t.Kind() != reflect.Interface {
		return m.Func
	}
	in := []reflect.Type{t}
	var out []reflect.Type
	for p := range m.Type.Ins() {
		in = append(in, p)
	}
	for p := range m.Type.Outs() {
		out = append(out, p)
	}
	return reflect.MakeFunc(reflect.FuncOf(in, out, m.Type.IsVariadic()), func(a []reflect.Value) []reflect.Value {
		if m.Type.IsVariadic() {
			return a[0].MethodByName(b.Name).CallSlice(a[1:])
		}
		return a[0].MethodByName(b.Name).Call(a[1:])
	})
}

func (f *front) print(name string) reflect.Value {
	switch name {
	case "Print":
		return reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprint(f.stdout, a...) })
	case "Printf":
		return reflect.ValueOf(func(s string, a ...any) (int, error) { return fmt.Fprintf(f.stdout, s, a...) })
	}
	return reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprintln(f.stdout, a...) })
}

func mustCompile(t testing.TB, src string) *front {
	t.Helper()
	f, err := compiled(src)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A showAll prints all that a value holds: there is no policy here. It is asked nothing else.
type showAll struct{ engine.Host }

func (showAll) Show(s fmt.State, verb rune, v reflect.Value, _ int, _ bool, _ string) {
	if !v.IsValid() {
		fmt.Fprintf(s, fmt.FormatString(s, verb), nil)
		return
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), v.Interface())
}
