package builtins

import (
	"errors"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
	shimstrings "github.com/sandtrap-go/sandtrap/builtins/internal/shim/strings"
	"github.com/sandtrap-go/sandtrap/gates/abi"
)

// value returns a member of the whole standard table as an F.
func value[F any](t testing.TB, env *Env, r Ref) F {
	t.Helper()
	v, err := tableOf(t, Std()...).Value(env, r)
	if err != nil {
		t.Fatal(err)
	}
	f, ok := v.Interface().(F)
	if !ok {
		t.Fatalf("%v is a %v, want a %v", r, v.Type(), reflect.TypeFor[F]())
	}
	return f
}

func TestValue(t *testing.T) {
	var out strings.Builder
	env := &Env{Stdout: &out}
	value[func(...any) (int, error)](t, env, Ref{Kind: abi.BindFunc, Path: "fmt", Name: "Println"})("a", 1)
	if got := out.String(); got != "a 1\n" {
		t.Errorf("Println: got %q", got)
	}
	var b strings.Builder
	value[func(*strings.Builder, string) (int, error)](t, env,
		Ref{Kind: abi.BindMethod, Path: "strings", Owner: "Builder", Name: "WriteString", Pointer: true})(&b, "x")
	if got := value[func(*strings.Builder) string](t, env,
		Ref{Kind: abi.BindMethod, Path: "strings", Owner: "Builder", Name: "String", Pointer: true})(&b); got != "x" {
		t.Errorf("Builder: got %q", got)
	}
	if got := value[func() error](t, env, Ref{Kind: abi.BindVar, Path: "strconv", Name: "ErrRange"})(); got != strconv.ErrRange {
		t.Errorf("ErrRange: got %v", got)
	}
	e := &strconv.NumError{Func: "f"}
	*value[func(*strconv.NumError) *string](t, env,
		Ref{Kind: abi.BindField, Path: "strconv", Owner: "NumError", Name: "Func", Pointer: true})(e) = "g"
	if e.Func != "g" {
		t.Errorf("field: got %q", e.Func)
	}
}

func TestValueRefuses(t *testing.T) {
	table := tableOf(t, Std("strings", "math")...)
	for _, r := range []Ref{
		{Kind: abi.BindFunc, Path: "fmt", Name: "Println"},
		{Kind: abi.BindFunc, Path: "math", Name: "Jn"},
		{Kind: abi.BindFunc, Path: "strings", Name: "Nothing"},
		{Kind: abi.BindFunc, Path: "strings", Name: "Builder"},
		{Kind: abi.BindVar, Path: "strings", Name: "Builder"},
		{Kind: abi.BindMethod, Path: "strings", Owner: "Builder", Name: "copyCheck", Pointer: true},
		{Kind: abi.BindField, Path: "strings", Owner: "Builder", Name: "buf", Pointer: true},
	} {
		if v, err := table.Value(&Env{}, r); err == nil {
			t.Errorf("%v %v: got %v, want an error", r.Kind, r, v)
		}
	}
}

// TestAmplifying wants what makes much out of little to be refused before it is
// made.
func TestAmplifying(t *testing.T) {
	kilo := strings.Repeat("x", 1000)
	bomb := any("x")
	for range 50 {
		bomb = []any{bomb, bomb}
	}
	self := []any{nil}
	self[0] = self
	joined := errors.New("x")
	for range 40 {
		joined = errors.Join(joined, joined)
	}
	str := func(name string) Ref { return Ref{Kind: abi.BindFunc, Path: "strings", Name: name} }
	format := Ref{Kind: abi.BindFunc, Path: "fmt", Name: "Sprintf"}
	for _, tc := range []struct {
		name string
		run  func(e *Env)
	}{
		{"Repeat", func(e *Env) { value[func(string, int) string](t, e, str("Repeat"))(kilo, 1e12) }},
		{"Replace", func(e *Env) {
			value[func(string, string, string, int) string](t, e, str("Replace"))(strings.Repeat("a", 1e5), "a", strings.Repeat("b", 1e5), -1)
		}},
		{"Join", func(e *Env) {
			value[func([]string, string) string](t, e, str("Join"))(make([]string, 1e5), strings.Repeat("b", 1e5))
		}},
		{"Grow", func(e *Env) {
			r := Ref{Kind: abi.BindMethod, Path: "strings", Owner: "Builder", Name: "Grow", Pointer: true}
			value[func(*strings.Builder, int)](t, e, r)(new(strings.Builder), 1<<40)
		}},
		{"Replacer", func(e *Env) {
			value[func(...string) *shimstrings.Replacer](t, e, str("NewReplacer"))("aa", strings.Repeat("b", 1e5)).Replace(strings.Repeat("a", 1e6))
		}},
		{"width", func(e *Env) {
			value[func(string, ...any) string](t, e, format)(strings.Repeat("%999999d", 1000), make([]any, 1000)...)
		}},
		{"star", func(e *Env) {
			value[func(string, ...any) string](t, e, format)(strings.Repeat("%*d", 1000), slices.Repeat([]any{999999, 1}, 1000)...)
		}},
		{"index", func(e *Env) {
			value[func(string, ...any) string](t, e, format)(strings.Repeat("%[1]s", 1e6), kilo)
		}},
		{"shared parts", func(e *Env) { value[func(string, ...any) string](t, e, format)("%v", bomb) }},
		{"shared parts printed", func(e *Env) {
			value[func(...any) (int, error)](t, e, Ref{Kind: abi.BindFunc, Path: "fmt", Name: "Print"})(bomb)
		}},
		{"Split", func(e *Env) {
			value[func(string, string) []string](t, e, str("Split"))(strings.Repeat("a", 1<<23), "")
		}},
		{"Fields", func(e *Env) {
			value[func(string) []string](t, e, str("Fields"))(strings.Repeat("a ", 1<<23))
		}},
		{"NewReplacer", func(e *Env) {
			value[func(...string) *shimstrings.Replacer](t, e, str("NewReplacer"))(make([]string, 1<<16)...)
		}},
		{"Quote", func(e *Env) {
			value[func(string) string](t, e, Ref{Kind: abi.BindFunc, Path: "strconv", Name: "Quote"})(strings.Repeat("\x00", 1<<25))
		}},
		{"quoted verb", func(e *Env) {
			value[func(string, ...any) string](t, e, format)("%q", strings.Repeat("\x00", 1<<24))
		}},
		{"FormatFloat", func(e *Env) {
			r := Ref{Kind: abi.BindFunc, Path: "strconv", Name: "FormatFloat"}
			value[func(float64, byte, int, int) string](t, e, r)(1, 'f', 1<<40, 64)
		}},
		{"errors.Join", func(e *Env) {
			value[func(...error) error](t, e, Ref{Kind: abi.BindFunc, Path: "errors", Name: "Join"})(joined)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := shimtest.Outcome(func() { tc.run(shimtest.Limited(64 << 20)) }); got != shimtest.ErrRefused {
				t.Errorf("got %v, want a refused charge", got)
			}
		})
	}
	got := shimtest.Outcome(func() { value[func(string, ...any) string](t, &Env{}, format)("%v", self) })
	if err, ok := got.(error); !ok || !strings.Contains(err.Error(), "nested too deeply") {
		t.Errorf("a slice in itself: got %v", got)
	}
}

func TestPanicsAreGo(t *testing.T) {
	got := shimtest.Outcome(func() {
		value[func(string, int) string](t, &Env{}, Ref{Kind: abi.BindFunc, Path: "strings", Name: "Repeat"})("x", -1)
	})
	want := shimtest.Outcome(func() { _ = strings.Repeat("x", -1) })
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTypeOf(t *testing.T) {
	table := tableOf(t, Std()...)
	for _, want := range []reflect.Type{
		reflect.TypeFor[int](), reflect.TypeFor[[]string](), reflect.TypeFor[map[string][]error](),
		reflect.TypeFor[*strings.Builder](), reflect.TypeFor[func(int, ...string) error](),
		reflect.TypeFor[[3]chan<- bool](), reflect.TypeFor[any](), reflect.TypeFor[struct{}](),
	} {
		table.mu.Lock()
		typ := table.typ(want)
		table.mu.Unlock()
		if got, err := table.TypeOf(typ); got != want {
			t.Errorf("got %v (%v), want %v", got, err, want)
		}
	}
	script := types.NewNamed(types.NewTypeName(0, types.NewPackage("main", "main"), "T", nil), types.Typ[types.Int], nil)
	if got, err := table.TypeOf(types.NewSlice(script)); err == nil {
		t.Errorf("a script's type: got %v, want an error", got)
	}
}
