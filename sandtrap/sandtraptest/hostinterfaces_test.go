package sandtraptest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Interfaces of a host.
type (
	Larder interface {
		Get(key string) (string, error)
		Put(key, value string)
		Size() int
	}
	Extent interface{ Size() int }
	Locked interface {
		Size() int
		sealed()
	}
	Guest interface {
		Visit(key string, at Level) (bool, error)
	}
)

// A cellar is a Larder of which scripts know nothing else.
type cellar struct {
	at     map[string]string
	secret string
}

func (s *cellar) Get(key string) (string, error) {
	if v, ok := s.at[key]; ok {
		return v, nil
	}
	return "", errNothing
}
func (s *cellar) Put(key, value string) { s.at[key] = value }
func (s *cellar) Size() int             { return len(s.at) }
func (s *cellar) Wipe()                 { clear(s.at) }
func (s *cellar) sealed()               {}

var errNothing = errors.New("nothing there")

// A Rail is a listed type that is a Larder too; pieces is one without a pointer.
type Rail struct{ Name string }

func (r *Rail) Get(key string) (string, error) { return r.Name + key, nil }
func (r *Rail) Put(key, value string)          { r.Name = key + value }
func (r *Rail) Burn()                          { r.Name = "" }
func (r *Rail) Size() int                      { return len(r.Name) }

type stack []int

func (b stack) Size() int { return len(b) }

// A Closet has an interface in a field.
type Closet struct {
	In Larder
	By map[string]Extent
}

func storesPolicy() sandtrap.Policy {
	p := pure()
	one, kept := &cellar{at: map[string]string{"a": "1"}, secret: "s3cret"}, Larder(nil)
	p.Packages = []sandtrap.Package{{Path: "corp/stores", Exclude: []string{"Rail.Burn"}, Members: map[string]any{
		"Larder": (*Larder)(nil), "Extent": (*Extent)(nil), "Locked": (*Locked)(nil), "Guest": (*Guest)(nil),
		"Rail": (*Rail)(nil), "Closet": (*Closet)(nil), "Level": (*Level)(nil),
		"Open":   func() Larder { return one },
		"New":    func() Larder { return &cellar{at: map[string]string{}} },
		"Bundle": func() Extent { return stack{1, 2} },
		"Rest":   func() Larder { return &Rail{"r"} },
		"None":   func() Larder { return nil },
		"Shut":   func() Locked { return one },
		"Sum": func(list ...Extent) (n int) {
			for _, s := range list {
				n += s.Size()
			}
			return n
		},
		"Same":    func(a, b Larder) bool { return a == b },
		"Keep":    func(s Larder) { kept = s },
		"Kept":    builtins.Variable{Pointer: &kept},
		"Hold":    func() *Closet { return &Closet{In: one, By: map[string]Extent{"b": stack{1}}} },
		"In":      func(h *Closet) string { v, _ := h.In.Get("a"); return v },
		"ErrNone": errNothing,
		"Walk": func(v Guest) string {
			again, err := v.Visit("k", High)
			return fmt.Sprint(again, err)
		},
	}}}
	return p
}

// TestHostInterfaces: an interface of the host's is one for scripts, and what is in a value of it
// has its methods and no others.
func TestHostInterfaces(t *testing.T) {
	for _, tc := range []struct {
		src  string
		want string // of x; "" is a refusal
	}{
		{`s := stores.Open(); s.Put("b", "2"); v, err := s.Get("b"); _, none := s.Get("c"); x := fmt.Sprint(v, err, none, s.Size(), errors.Is(none, stores.ErrNone))`, "2<nil> nothing there 2 true"},
		{`x := fmt.Sprint(stores.Open() == stores.Open(), stores.Open() == stores.New(), stores.Same(stores.Open(), stores.Open()))`, "true false true"},
		{`s := stores.Rest(); r, ok := s.(*stores.Rail); v, _ := s.Get("k"); x := fmt.Sprintln(ok, r.Name, v)`, "true r rk\n"},
		{`x := stores.Sum(stores.Open(), stores.Bundle(), &stores.Rail{Name: "abc"}, stores.Rest())`, "7"},
		{`var z stores.Extent = stores.New(); x := z.Size()`, "0"},
		{`s := stores.None(); x := fmt.Sprint(s == nil, stores.Open() != nil)`, "true true"},
		{`func f() (s string) { defer func() { s = fmt.Sprint(recover()) }(); stores.None().Size(); return "" }; x := f()`, "runtime error: invalid memory address or nil pointer dereference"},
		{`f := stores.Open().Get; v, _ := f("a"); g := stores.Larder.Size; x := fmt.Sprint(v, g(stores.Open()))`, "11"},
		{`h := stores.Hold(); a := stores.In(h); h.In = &stores.Rail{Name: "n"}; x := fmt.Sprintln(a, stores.In(h), h.By["b"].Size())`, "1 na 1\n"},
		{`before := stores.Kept == nil; stores.Keep(stores.Open()); x := fmt.Sprint(before, stores.Kept == stores.Open(), stores.Kept.Size())`, "true true 1"},
		{`m := map[stores.Larder]int{stores.Open(): 4}; x := m[stores.Open()]`, "4"},
		{`type both struct { stores.Larder; n int }; b := both{stores.Open(), 1}; x := b.Size() + b.n`, "2"},
		{`type sizer interface{ Size() int }; var s sizer = stores.Open(); x := s.Size()`, "1"},
		{`_, ok := any(stores.Bundle()).(stores.Larder); x := fmt.Sprint(ok)`, "false"},
		{`_, ok := any(stores.Open()).(interface{ Wipe() }); x := fmt.Sprint(ok)`, "false"},
		{`x := stores.Shut().Size()`, "1"},
		{`stores.Open().Wipe()`, ""},
		{`type T struct{}; func (T) Size() int { return 1 }; func (T) sealed() {}; var s stores.Locked = T{}; _ = s`, ""},
		{`stores.Rest().(*stores.Rail).Burn()`, ""},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.RunOnce(storesPolicy(), "import \"corp/stores\"\n"+tc.src)
				switch {
				case !b.Dispatches && err != nil: // the modes say what they cannot
				case b.RefusedByEngine(res):
				case tc.want == "" && !errors.Is(err, sandtrap.ErrRefused), tc.want != "" && (err != nil || fmt.Sprint(res.Vars["x"]) != tc.want):
					b.Errorf("got %v, %v, want %v", res.Vars["x"], err, tc.want)
				}
				if strings.Contains(res.Stdout, "s3cret") {
					b.Errorf("what is hidden: %s", res.Stdout)
				}
			})
		})
	}
}

// A visits shows a value of a script as a Guest, a sizes as a Extent.
type (
	visits struct{ sandtrap.Value }
	sized  struct{ sandtrap.Value }
)

func (v visits) Visit(key string, at Level) (bool, error) {
	out := v.Call("Visit", key, at)
	err, _ := out[1].(error)
	return out[0].(bool), err
}

func (s sized) Size() int { return s.Call("Size")[0].(int) }

// TestWrappersCross: a value of the script is an interface of the host's by a wrapper, and comes back
// as itself.
func TestWrappersCross(t *testing.T) {
	p := storesPolicy()
	p.Wrappers = []any{func(v sandtrap.Value) Guest { return visits{v} }, func(v sandtrap.Value) Extent { return sized{v} }}
	var held Extent
	p.Packages[0].Members["Put"] = func(s Extent) Extent { held = s; return s }
	p.Packages[0].Members["Again"] = func() int { return held.Size() }
	p.Packages[0].Members["Twice"] = func(a, b Extent) bool { return a == b }
	for _, tc := range []struct {
		src  string
		want string // of x; "" is a refusal
	}{
		{`type T struct{ n int }; func (t T) Size() int { return t.n }; x := stores.Sum(T{1}, &T{2}, stores.Open())`, "4"},
		{`type T struct{ n int }; func (t *T) Size() int { t.n++; return t.n }; a := &T{3}; b := stores.Put(a); n := stores.Again(); x := fmt.Sprint(b == stores.Extent(a), b.(*T).n, n, a.n)`, "true 4 4 4"},
		{`type T struct{ n int }; func (t T) Size() int { return t.n }; a := &T{}; x := stores.Twice(a, a)`, "true"},
		{`type V struct{ keys []string }
func (v *V) Visit(key string, at stores.Level) (bool, error) { v.keys = append(v.keys, key+at.String()); return true, errors.New("e") }
v := &V{}; r := stores.Walk(v); x := fmt.Sprint(r, v.keys)`, "true e[khigh]"},
		{`type V struct{}
func (V) Visit(string, stores.Level) (bool, error) { panic("out") }
func f() (s string) { defer func() { s = fmt.Sprint(recover()) }(); stores.Walk(V{}); return "" }; x := f()`, "out"},
		{`type T struct{}; func (T) Get(string) (string, error) { return "", nil }; func (T) Put(_, _ string) {}; func (T) Size() int { return 1 }
x := stores.Same(T{}, T{})`, ""},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				if !b.Dispatches {
					return // the interpreter has no wrappers
				}
				res, err := b.RunOnce(p, "import \"corp/stores\"\n"+tc.src)
				if tc.want == "" {
					if !engineRefused(res) {
						b.Errorf("got %v, %v, want a refusal", res.Vars["x"], err)
					}
				} else if err != nil || fmt.Sprint(res.Vars["x"]) != tc.want {
					b.Errorf("got %v, %v, want %v", res.Vars["x"], err, tc.want)
				}
			})
		})
	}
}
