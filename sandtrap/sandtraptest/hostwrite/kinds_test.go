package hostwrite

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// hosted is what a host has of each kind that it can register.
type hosted struct {
	box       *Strongbox
	drawer    *Drawer
	desks     [3]*Drawer
	odd       *unlisted
	number    int
	text      string
	array     [4]int
	list      []int
	table     map[string]int
	record    Drawer
	pointer   *Drawer
	something any
	function  func() int
	sentinel  error
}

type unlisted struct {
	Word string
	word string
}

func newHosted() *hosted {
	h := &hosted{
		box: &Strongbox{1, Drawer{"in", 2, "k"}, 3}, drawer: &Drawer{"label", 4, "key"}, odd: &unlisted{"W", "w"},
		number: 5, text: "six", array: [4]int{1, 2, 3, 4}, list: []int{1, 2, 3}, table: map[string]int{"a": 1},
		record: Drawer{"record", 7, "k"}, pointer: &Drawer{"p", 8, "k"}, function: func() int { return 9 }, sentinel: errors.New("gone"),
	}
	for i := range h.desks {
		h.desks[i] = &Drawer{"desk", 10 + i, "k"}
	}
	h.something = h.drawer
	return h
}

// kept is what no script changes: variables themselves, fields that scripts do not see, all of what they hold behind a
// pointer only but for the field that they do see, and all of types that no member names.
func (h *hosted) kept() string {
	text := fmt.Sprint(h.box.Inner.Code, h.box.Inner.key, h.box.secret, h.drawer.Code, h.drawer.key, *h.odd, h.number, h.text, h.array,
		len(h.list), h.record, h.pointer.Code, h.pointer.key, h.something == any(h.drawer), h.function(), h.sentinel.Error())
	for _, d := range h.desks {
		text += fmt.Sprint(d.Code, d.key)
	}
	return text
}

func (h *hosted) policy() sandtrap.Policy {
	p := standard()
	p.Packages = []sandtrap.Package{{
		Path: "corp/o", Exclude: []string{"Drawer.Code"},
		Members: map[string]any{
			"Strongbox": sandtrap.Member{Value: (*Strongbox)(nil), Opaque: true}, "Drawer": (*Drawer)(nil),
			"Box": func() *Strongbox { return h.box }, "Desk": func() *Drawer { return h.drawer }, "Odd": func() *unlisted { return h.odd },
			"AnyBox": func() any { return h.box }, "AnyDesk": func() any { return h.drawer }, "AnyOdd": func() any { return h.odd },
			"Desks": func() []*Drawer { return append([]*Drawer(nil), h.desks[:]...) }, "Boxes": func() []*Strongbox { return []*Strongbox{h.box} },
			"ByName":  func() map[string]*Drawer { return map[string]*Drawer{"a": h.desks[0]} },
			"BoxName": func() map[string]any { return map[string]any{"a": h.box, "b": h.odd, "c": h.desks[1]} },
			"Each":    func(f func(*Drawer, *Strongbox)) { f(h.desks[2], h.box) },
			"Chan":    func() chan *Strongbox { c := make(chan *Strongbox, 1); c <- h.box; return c },
			"Number":  builtins.Variable{Pointer: &h.number}, "Text": builtins.Variable{Pointer: &h.text}, "Array": builtins.Variable{Pointer: &h.array},
			"List": builtins.Variable{Pointer: &h.list}, "Table": builtins.Variable{Pointer: &h.table}, "Record": builtins.Variable{Pointer: &h.record},
			"Pointer": builtins.Variable{Pointer: &h.pointer}, "Something": builtins.Variable{Pointer: &h.something},
			"Function": builtins.Variable{Pointer: &h.function}, "Gone": h.sentinel, "Held": h.drawer, "Err": builtins.Variable{Pointer: &h.sentinel},
		},
	}}
	return p
}

var registered = []string{
	"o.Box()", "o.Desk()", "o.Odd()", "o.AnyBox()", "o.AnyDesk()", "o.AnyOdd()", "o.Desks()", "o.Boxes()", "o.ByName()", "o.BoxName()", "<-o.Chan()",
	"o.Number", "o.Text", "o.Array", "o.List", "o.Table", "o.Record", "o.Pointer", "o.Something", "o.Function", "o.Gone", "o.Held", "o.Err",
	"struct{ A, B any }{o.Box(), o.Desk()}", "[]any{o.Box(), o.Odd(), o.Gone}", "map[string]any{\"a\": o.Box(), \"b\": o.Odd()}",
}

// TestKinds: whatever a script does with a value of any kind that a host registers, the host has what scripts do
// not see of it as it was.
func TestKinds(t *testing.T) {
	for _, x := range registered {
		t.Run(x, func(t *testing.T) {
			h := newHosted()
			before := h.kept()
			res, err := run(t, h.policy(), fmt.Sprintf("import (\"corp/o\"; %s)\n%s\nattack(%s)", attackImports, attack, x))
			if after := h.kept(); after != before {
				t.Fatalf("the host has %s, had %s", after, before)
			}
			if tried, _ := res.Vars["tried"].(int); err != nil || tried < 60 {
				t.Fatalf("%d things were tried: %v", tried, err)
			}
		})
	}
	t.Run("callback", func(t *testing.T) {
		h := newHosted()
		before := h.kept()
		_, err := run(t, h.policy(), fmt.Sprintf("import (\"corp/o\"; %s)\n%s\no.Each(func(d *o.Drawer, b *o.Strongbox) { attack(d); attack(b); b.Level = 1; d.Label = \"\" })", attackImports, attack))
		if after := h.kept(); after != before || err != nil {
			t.Fatalf("the host has %s, had %s: %v", after, before, err)
		}
	})
}

// TestKindStatements: so it is with statements.
func TestKindStatements(t *testing.T) {
	for _, s := range []string{
		"*o.Box() = *o.Box()", "b := *o.Box(); _ = b", "*o.Desk() = o.Drawer{}", "d := o.Desk(); *d = *d", "p := o.Odd(); *p = *p",
		"func() { set(o.Desk(), o.Drawer{}) }()", "set(o.Odd(), *o.Odd())", "o.Number = 7", "o.Number++", "p := &o.Number; *p = 7",
		"o.Array[0] = 7", "p := &o.Array; p[0] = 7", "o.Record = o.Drawer{}", "o.Record.Label = \"x\"", "o.List = nil", "o.Table = nil",
		"o.Something = 7", "o.Function = nil", "o.Gone = nil", "for o.Number = range 5 {}", "o.Number, o.Text = 7, \"x\"", "o.Desk().Code = 7",
		"a := o.Array; a[0] = 7", "r := o.Record; r.Label = \"x\"; p := &r; p.Label = \"y\"", "for i, d := range o.Desks() { d.Label = \"x\"; o.Desks()[i] = nil }",
		"type T o.Drawer; (*T)(o.Desk()).Label = \"x\"", "type T struct{ Label string }; p := (*T)(o.Desk()); *p = T{}",
		"d := o.Desk(); e := d; *e = o.Drawer{}", "x := []o.Drawer{{}}; x[0] = *o.Desk(); copy(x, x)", "m := map[string]o.Drawer{}; m[\"a\"] = *o.Desk(); clear(m)",
		"p := new(atomic.Pointer[o.Drawer]); p.Store(o.Desk()); *p.Load() = o.Drawer{}", "l := list.New(); l.PushBack(o.Desk()); *l.Front().Value.(*o.Drawer) = o.Drawer{}",
	} {
		h := newHosted()
		before := h.kept()
		src := "import (\"corp/o\"; \"sync/atomic\"; \"container/list\")\nvar _ atomic.Int32; var _ list.List; var _ *o.Drawer\nfunc set[T any](p *T, v T) { *p = v }\n" + s
		res, err := run(t, h.policy(), src)
		if after := h.kept(); after != before {
			t.Errorf("%s: the host has %s, had %s", s, after, before)
		}
		if errors.Is(err, sandtrap.KindSyntax) || err != nil && strings.Contains(res.Error.Message, "undefined") && !strings.Contains(s, "Code") {
			t.Errorf("%s: %v", s, err)
		}
	}
}
