package sandtraptest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// notShown are interfaces of the standard library that values of scripts cannot be.
var notShown = map[string]string{
	"xml.Marshaler": "is called by the engine, which encodes itself", "xml.Unmarshaler": "the same",
	"context.Context":     "is the run's own for a function that takes one",
	"parse.Node":          "has methods that are not exported",
	"reflect.Type":        "the same",
	"crypto.Decapsulator": "a key that is a script's own code is of no use to who takes one", "crypto.Decrypter": "the same", "crypto.Encapsulator": "the same",
	"crypto.MessageSigner": "the same", "crypto.Signer": "the same", "crypto.SignerOpts": "the same",
	"fmt.Formatter": "is what fmt sees in every value of a script", "fmt.Scanner": "the same",
	"os.Signal":      "is for the signals that there are",
	"json.Marshaler": "is what encoding/json sees in every value of a script", "json.Unmarshaler": "the same",
}

// TestEveryInterface: a script can implement each interface that the tables offer, and
// some that hosts may: the host calls the methods of the script.
func TestEveryInterface(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	var list []reflect.Type
	for _, p := range builtins.Std("...") {
		for _, m := range p.Members {
			v := reflect.ValueOf(m.Value)
			if !m.Deny && v.Kind() == reflect.Pointer && v.IsNil() && v.Type().Elem().Kind() == reflect.Interface && v.Type().Elem().NumMethod() > 0 {
				list = append(list, v.Type().Elem())
			}
		}
	}
	if len(list) < 60 {
		t.Fatalf("%d interfaces in the tables", len(list))
	}
	for _, rt := range append(list, reflect.TypeFor[net.Error](), reflect.TypeFor[net.Addr]()) {
		if notShown[rt.String()] != "" {
			continue
		}
		t.Run(rt.String(), func(t *testing.T) {
			eachMode(t, func(b bench) {
				if !b.Dispatches {
					return
				}
				var hits, want []string
				take := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{rt}, nil, false), func(in []reflect.Value) []reflect.Value {
					for i := range rt.NumMethod() {
						var args []reflect.Value
						for p := range rt.Method(i).Type.Ins() {
							args = append(args, reflect.New(p).Elem())
						}
						in[0].Method(i).Call(args)
					}
					return nil
				})
				p := sandtrap.Policy{Std: []string{"..."}, Network: rig.Offline(t), Limits: limits, Funcs: map[string]any{"take": take.Interface(), "hit": func(s string) { hits = append(hits, s) }}}
				var src strings.Builder
				src.WriteString("type T struct{}\n")
				for i := range rt.NumMethod() {
					want = append(want, rt.Method(i).Name)
					fmt.Fprintf(&src, "func (T) %s%s { hit(%[1]q); return }\n", rt.Method(i).Name, signature(rt.Method(i).Type))
				}
				text := src.String() + "take(T{})"
				if _, err := b.RunOnce(p, text); err != nil || !slices.Equal(hits, want) {
					b.Errorf("called %v, want %v: %v\n%s", hits, want, err, text)
				}
			})
		})
	}
}

// signature is a function type with named results, as a script sees it.
func signature(ft reflect.Type) string {
	list := func(n int, at func(int) reflect.Type, name string) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprint(name, i, " ", at(i)))
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	return list(ft.NumIn(), ft.In, "p") + " " + list(ft.NumOut(), ft.Out, "r")
}

// HostError is an error type of the host's.
type HostError struct{ Code int }

func (e *HostError) Error() string { return fmt.Sprint("host error ", e.Code) }

var errBase = errors.New("base")

// TestErrorsOfScripts: errors of script types answer the host's errors.Is, As and
// Unwrap, and its assertions, as those of compiled Go do, whatever they have of it.
func TestErrorsOfScripts(t *testing.T) {
	look := func(err error) string {
		var host *HostError
		var timeout interface{ Timeout() bool }
		var temporary interface{ Temporary() bool }
		parts := []any{err, errors.Is(err, errBase), errors.As(err, &host), errors.Unwrap(err)}
		if host != nil {
			parts = append(parts, host.Code)
		}
		if errors.As(err, &timeout) {
			parts = append(parts, "timeout", timeout.Timeout())
		}
		if errors.As(err, &temporary) {
			parts = append(parts, "temporary")
		}
		if many, ok := err.(interface{ Unwrap() []error }); ok {
			parts = append(parts, "many", len(many.Unwrap()))
		}
		return fmt.Sprintln(parts...)
	}
	const base = "type E struct{ err error }\nfunc (E) Error() string { return \"e\" }\n"
	for _, tc := range []struct{ src, want string }{
		{base + "r := look(E{})", "e false false <nil>\n"},
		{base + "func (e E) Unwrap() error { return e.err }\nr := look(E{lab.Base})", "e true false base\n"},
		{base + "func (e E) Unwrap() error { return e.err }\nr := look(E{&lab.Error{Code: 3}})", "e false true host error 3 3\n"},
		{base + "func (e E) Unwrap() []error { return []error{nil, e.err, lab.Base} }\nr := look(E{&lab.Error{Code: 3}})", "e true true <nil> 3 many 3\n"},
		{base + "func (e E) Is(target error) bool { return target == lab.Base }\nr := look(E{})", "e true false <nil>\n"},
		{base + "func (e E) As(target any) bool { p, ok := target.(**lab.Error); if ok { *p = &lab.Error{Code: 8} }; return ok }\nr := look(E{})", "e false true <nil> 8\n"},
		{base + "func (e E) Is(target error) bool { return target == lab.Base }\nfunc (e E) Unwrap() error { return e.err }\nr := look(E{&lab.Error{Code: 1}})", "e true true host error 1 1\n"},
		{base + "func (e E) Timeout() bool { return true }\nfunc (e E) Unwrap() error { return e.err }\nr := look(E{lab.Base})", "e true false base timeout true\n"},
		{base + "func (e E) Timeout() bool { return false }\nfunc (e E) Temporary() bool { return false }\nr := look(fmt.Errorf(\"w: %w\", E{}))", "w: e false false e timeout false temporary\n"},
		{base + "func (e *E) Is(target error) bool { return true }\nr := look(&E{})", "e true false <nil>\n"},
		{base + "func (e *E) Is(target error) bool { return true }\nr := look(E{})", "e false false <nil>\n"},
		{base + "func (e E) Is(target any) bool { return true }\nr := look(E{})", "e false false <nil>\n"},
		{base + "func (e E) Unwrap() int { return 1 }\nr := look(E{lab.Base})", "e false false <nil>\n"},
		{base + "func (e E) Unwrap() error { return e.err }\nr := look(E{E{E{lab.Base}}})", "e true false e\n"},
		{base + "func (e E) Unwrap() error { return e.err }\nr := look(errors.Join(lab.Base, E{&lab.Error{Code: 2}}))", "base\ne true true <nil> 2 many 2\n"},
		{base + "x := E{}\nr := same(x, x) + same(&x, &x) + same(E{}, fmt.Errorf(\"w: %w\", E{})) + same(&E{}, &E{})", "true true true false "},
		{base + "func (e E) Unwrap() error { return e.err }\nx := E{E{}}\nr := same(E{}, x)", "true "},
		{"type E []int\nfunc (E) Error() string { return \"list\" }\nr := look(E{1})", "list false false <nil>\n"},
		{"type E int\nfunc (e E) Error() string { panic(e) }\nfunc f() (s string) { defer func() { s = fmt.Sprintf(\"%T\", recover()) }(); return text(E(1)) }\nr := f()", "main.E"},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				if b.Engine != "vm" || !b.ShowsErrors && (strings.Contains(tc.src, " As(") || strings.Contains(tc.src, "panic(")) {
					return
				}
				res, err := b.RunOnce(sandtrap.Policy{
					Limits: limits, Std: sandtrap.StdDefault(), Packages: []sandtrap.Package{{Path: "corp/lab", Members: map[string]any{"Base": errBase, "Error": (*HostError)(nil)}}},
					Funcs: map[string]any{
						"look": look, "text": func(err error) string { return err.Error() },
						"same": func(target, err error) string { return fmt.Sprint(errors.Is(err, target), " ") },
					},
				}, "import \"corp/lab\"\n_ = lab.Base\n"+tc.src)
				if err != nil || res.Vars["r"] != tc.want {
					b.Errorf("got %q, %v, want %q", res.Vars["r"], err, tc.want)
				}
			})
		})
	}
}

// TestMethodsShown: the host finds the methods that a value has, several at a time,
// and none that it does not have.
func TestMethodsShown(t *testing.T) {
	has := func(v any) string {
		var names []string
		for _, c := range []struct {
			name string
			it   reflect.Type
		}{
			{"error", reflect.TypeFor[error]()}, {"String", reflect.TypeFor[fmt.Stringer]()}, {"Read", reflect.TypeFor[io.Reader]()},
			{"Write", reflect.TypeFor[io.Writer]()}, {"Close", reflect.TypeFor[io.Closer]()}, {"Seek", reflect.TypeFor[io.Seeker]()},
			{"WriteTo", reflect.TypeFor[io.WriterTo]()}, {"ReadFrom", reflect.TypeFor[io.ReaderFrom]()}, {"WriteString", reflect.TypeFor[io.StringWriter]()},
			{"Lock", reflect.TypeFor[interface{ Lock() }]()},
		} {
			if reflect.TypeOf(v).Implements(c.it) {
				names = append(names, c.name)
			}
		}
		return strings.Join(names, " ")
	}
	const (
		write  = "func (*T) Write(p []byte) (int, error) { return len(p), nil }\n"
		read   = "func (*T) Read(p []byte) (int, error) { return 0, io.EOF }\n"
		closes = "func (*T) Close() error { return nil }\n"
		text   = "func (*T) String() string { return \"t\" }\n"
		to     = "func (*T) WriteTo(w io.Writer) (int64, error) { n, err := io.WriteString(w, \"to\"); return int64(n), err }\n"
		from   = "func (*T) ReadFrom(r io.Reader) (int64, error) { return 77, nil }\n"
	)
	for _, tc := range []struct{ src, want string }{
		{write + text + "r := has(&T{})", "String Write"},
		{read + closes + "r := has(&T{})", "Read Close"},
		{read + write + closes + text + "r := has(&T{})", "String Read Write Close"},
		{read + to + closes + "r := has(&T{})", "Read Close WriteTo"},
		{"func (*T) Write(s string) int { return 0 }\n" + text + "r := has(&T{})", "String"},
		{"func (T) String() int { return 0 }\nr := has(T{})", ""},
		{text + "r := has(T{}) + has(&T{})", "String"},
		{"func (*T) Lock() {}\nfunc (*T) Unlock() {}\nr := has(&T{})", "Lock"},
		{"type E struct{ *T }\n" + read + closes + "r := has(E{&T{}})", "Read Close"},
		{read + to + "r := copied(&T{})", "2 to"},
		{write + from + "r := copiedTo(&T{})", "77"},
		{"func (*T) Write(p []byte) (int, error) { panic(\"own\") }\nfunc f() (r any) { defer func() { r = recover() }(); copiedTo(&T{}); return 0 }\nr := f().(string)", "own"},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				if !b.Dispatches {
					return
				}
				res, err := b.RunOnce(sandtrap.Policy{Limits: limits, Std: sandtrap.StdDefault(), Funcs: map[string]any{
					"has": has,
					"copied": func(r io.Reader) string {
						var out bytes.Buffer
						n, err := io.Copy(&out, r)
						return fmt.Sprint(n, " ", out.String(), err)[:len(fmt.Sprint(n, " ", out.String()))]
					},
					"copiedTo": func(w io.Writer) string {
						n, _ := io.Copy(w, io.LimitReader(strings.NewReader("text"), 4))
						return fmt.Sprint(n)
					},
				}}, "type T struct{}\n"+tc.src)
				if err != nil || res.Vars["r"] != tc.want {
					b.Errorf("got %q, %v, want %q", res.Vars["r"], err, tc.want)
				}
			})
		})
	}
}

// Store is an interface of the host's.
type Store interface {
	Get(key string) (string, error)
	Put(key string, values ...int) int
	Self() any
}

// scriptStore shows values of scripts as Stores.
type scriptStore struct{ sandtrap.Value }

func (s scriptStore) Get(key string) (string, error) {
	r := s.Call("Get", key)
	err, _ := r[1].(error)
	return r[0].(string), err
}
func (s scriptStore) Put(key string, values ...int) int { return s.Call("Put", key, values)[0].(int) }
func (s scriptStore) Self() any                         { return s.Call("Self")[0] }

// TestWrappers: with a wrapper a script can implement an interface of the host's; without
// one it is told before it runs, and where.
func TestWrappers(t *testing.T) {
	const script = `import "corp/lab"
type T struct{ m map[string]int }
func (t *T) Get(key string) (string, error) { if t.m[key] == 0 { return "", fmt.Errorf("no %s", key) }; return fmt.Sprint(t.m[key]), nil }
func (t *T) Put(key string, values ...int) int { for _, v := range values { t.m[key] += v }; return t.m[key] }
func (t *T) Self() any { return t }
t := &T{map[string]int{}}
var s lab.Store = t
r := use(s)
same := keep(t) == lab.Store(t) && s.Self() == any(t)
_, back := keep(t).(*T)
n := s.Put("c", 1, 2)`
	eachMode(t, func(b bench) {
		if !b.Dispatches {
			return
		}
		use := func(s Store) string {
			n := s.Put("a", 1, 2)
			v, err := s.Get("a")
			_, none := s.Get("b")
			return fmt.Sprint(n, v, err, none, s.Self() != nil)
		}
		p := sandtrap.Policy{
			Limits: limits, Std: sandtrap.StdDefault(), Packages: []sandtrap.Package{{Path: "corp/lab", Members: map[string]any{"Store": (*Store)(nil)}}},
			Funcs: map[string]any{"use": use, "keep": func(s Store) Store { return s }},
		}
		res, err := b.RunOnce(p, script)
		if !errors.Is(err, sandtrap.ErrRefused) || res.Error.Pos.Line != 7 || !strings.Contains(err.Error(), "lab.Store") {
			b.Errorf("without a wrapper: %v, line %d", err, res.Error.Pos.Line)
		}
		p.Wrappers = []any{func(v sandtrap.Value) Store { return scriptStore{v} }}
		res, err = b.RunOnce(p, script)
		if err != nil || res.Vars["r"] != "33<nil> no b true" || res.Vars["same"] != true || res.Vars["back"] != true || res.Vars["n"] != 3 {
			b.Errorf("with one: %v, %v", res.Vars, err)
		}
	})
}

// TestBadWrappers: what is no wrapper is an error of the policy.
func TestBadWrappers(t *testing.T) {
	store := func(v sandtrap.Value) Store { return scriptStore{v} }
	for _, w := range []any{nil, 1, func() {}, func(int) Store { return nil }, func(sandtrap.Value) int { return 0 }, func(sandtrap.Value) any { return nil }, (func(sandtrap.Value) Store)(nil)} {
		if _, err := sandtrap.Compile(sandtrap.Policy{Wrappers: []any{w}}); !errors.Is(err, sandtrap.ErrPolicy) || !strings.Contains(err.Error(), "Wrappers") {
			t.Errorf("%T: error %v", w, err)
		}
	}
	if _, err := sandtrap.Compile(sandtrap.Policy{Engine: "yaegi", Wrappers: []any{store}}); !errors.Is(err, sandtrap.ErrPolicy) || !strings.Contains(err.Error(), "engine yaegi") {
		t.Errorf("for engine yaegi: error %v", err)
	}
	if _, err := sandtrap.Compile(sandtrap.Policy{Wrappers: []any{store, store}}); !errors.Is(err, sandtrap.ErrPolicy) {
		t.Errorf("twice: error %v", err)
	}
}
