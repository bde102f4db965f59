package sandtraptest

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Piece and Frame are types of a host as it registers them.
type Piece struct {
	Name string
	Qty  int
	Sub  []Piece
}

func (p Piece) Total() int      { return p.Qty }
func (p *Piece) Add(n int)      { p.Qty += n }
func (p Piece) String() string  { return fmt.Sprintf("%s*%d", p.Name, p.Qty) }
func (p *Piece) Danger() string { return "danger" }

// Frame is embedded by Machine.
type Frame struct{ Piece }

func (Frame) Open() string { return "open" }

// A Machine has more than the host shows of what it embeds.
type Machine struct {
	Frame
	Note string
}

// Totaller is what a host asks of values.
type Totaller interface{ Total() int }

// TestHostStructs: a registered struct type is one like any other for a Go programmer, and
// what is excluded of it, or of what it embeds, is not there by any way.
func TestHostStructs(t *testing.T) {
	p := pure()
	p.Packages = []sandtrap.Package{{Path: "corp/pieces", Exclude: []string{"Piece.Danger"}, Members: map[string]any{
		"Piece": (*Piece)(nil), "Frame": (*Frame)(nil), "Machine": (*Machine)(nil), "Totaller": (*Totaller)(nil),
		"Sum": func(list ...Totaller) (n int) {
			for _, t := range list {
				n += t.Total()
			}
			return n
		},
		"New": func(name string) *Piece { return &Piece{Name: name} },
	}}}
	for _, tc := range []struct {
		src  string
		want any // of x; nil is a refusal
	}{
		{`x := pieces.Piece{Name: "a", Qty: 2}.Total()`, 2},
		{`p := pieces.Piece{Name: "a", Sub: []pieces.Piece{{"b", 3, nil}}}; x := p.Sub[0].Qty`, 3},
		{`p := pieces.New("a"); p.Qty = 4; p.Add(1); x := p.Total()`, 5},
		{`p := pieces.Piece{}; p.Add(2); x := p.Qty`, 2},
		{`p := pieces.Piece{Qty: 1}; q := p; q.Qty = 2; x := p.Qty`, 1},
		{`x := fmt.Sprint(pieces.Piece{Name: "a", Qty: 1})`, "a*1"},
		{`x := pieces.Piece{Name: "a"} == pieces.Piece{Name: "a"}`, nil}, // it holds a slice
		{`f := pieces.Piece.Total; x := f(pieces.Piece{Qty: 7})`, 7},
		{`p := &pieces.Piece{}; f := p.Add; f(3); f(4); x := p.Qty`, 7},
		{`m := map[string]pieces.Piece{"a": {Qty: 3}}; x := m["a"].Total()`, 3},
		{`type W struct { pieces.Piece; extra int }
w := W{pieces.Piece{Name: "w", Qty: 1}, 2}; w.Add(4); x := w.Total() + w.extra`, 7},
		{`type W struct { *pieces.Piece }
func (w W) Total() int { return 10 * w.Piece.Total() }
x := W{&pieces.Piece{Qty: 2}}.Total()`, 20},
		{`func most[T interface{ Total() int }](list ...T) (m int) { for _, v := range list { m = max(m, v.Total()) }; return m }
x := most(pieces.Piece{Qty: 2}, pieces.Piece{Qty: 5})`, 5},
		{`type pair[T any] struct { a, b T }
p := pair[pieces.Piece]{b: pieces.Piece{Qty: 6}}; x := p.b.Total()`, 6},
		{`type counter interface { Total() int }
var c counter = pieces.Piece{Qty: 8}; x := c.Total()`, 8},
		{`var v any = &pieces.Piece{Qty: 9}; x := v.(pieces.Totaller).Total()`, 9},
		{`x := pieces.Sum(pieces.Piece{Qty: 1}, &pieces.Piece{Qty: 2})`, 3},
		{`x := pieces.Machine{Note: "n"}.Open()`, "open"},
		{`w := pieces.Machine{}; w.Add(2); w.Frame.Piece.Add(3); x := w.Qty`, 5},
		{`x := pieces.New("a").Danger()`, nil},
		{`x := (*pieces.Piece).Danger`, nil},
		{`w := &pieces.Machine{}; x := w.Danger()`, nil},
		{`w := &pieces.Frame{}; x := w.Danger()`, nil},
		{`w := &pieces.Machine{}; x := w.Frame.Piece.Danger()`, nil},
		{`type W struct { pieces.Machine }
w := &W{}; x := w.Danger()`, nil},
		{`type D interface { Danger() string }
var v any = pieces.New("a"); _, ok := v.(D); x := ok`, false},
		{`type D interface { Danger() string }
type W struct { *pieces.Piece }
var v any = W{pieces.New("a")}; _, ok := v.(D); x := ok`, false},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.RunOnce(p, "import \"corp/pieces\"\n"+tc.src)
				switch {
				case !b.Dispatches && strings.Contains(tc.src, "interface {") && err != nil: // the modes say what they cannot
				case b.RefusedByEngine(res):
				case tc.want == nil && !errors.Is(err, sandtrap.ErrRefused), tc.want != nil && (err != nil || res.Vars["x"] != tc.want):
					b.Errorf("got %v, %v, want %v", res.Vars["x"], err, tc.want)
				}
			})
		})
	}
}

// TestWrapped: a value of the script satisfies an interface of the host's by a wrapper.
func TestWrapped(t *testing.T) {
	p := pure()
	p.Engine = "vm"
	p.Wrappers = []any{func(v sandtrap.Value) Totaller { return totals{v} }}
	p.Funcs = map[string]any{"sum": func(list ...Totaller) (n int) {
		for _, t := range list {
			n += t.Total()
		}
		return n
	}}
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	res, err := box.Run(t.Context(), sandtrap.Script{Text: "type T struct{ n int }\nfunc (t T) Total() int { return t.n }\nx := sum(T{1}, &T{2})"})
	if err != nil || res.Vars["x"] != 3 {
		t.Errorf("got %v, %v", res.Vars, err)
	}
}

type totals struct{ sandtrap.Value }

func (t totals) Total() int { return t.Call("Total")[0].(int) }
