package sandtraptest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestHostVariables: scripts read a variable of the host as it is, and what a member holds
// behind a pointer is one value.
func TestHostVariables(t *testing.T) {
	for _, tc := range []struct {
		src  string
		want string // of x; "" is a refusal
	}{
		{`a := corp.Count; corp.Bump(); x := fmt.Sprint(a, corp.Count)`, "1 2"},
		{`f := func() int { return corp.Count }; corp.Bump(); x := fmt.Sprint(f(), corp.Count+1)`, "2 3"},
		{`corp.Box.Add(4); x := fmt.Sprint(corp.Box.Qty, corp.Box == corp.Box, corp.Peek())`, "5 true 5"},
		{`corp.Box.Qty = 9; x := fmt.Sprint(corp.Peek(), corp.Box)`, "9 b*9"},
		{`b := corp.Copy; b.Add(4); x := fmt.Sprint(b.Qty, corp.Copy.Qty)`, "7 3"},
		{`x := fmt.Sprint(len(corp.List), corp.List[1].Total())`, "2 8"},
		{`corp.Swap(); x := fmt.Sprint(corp.Now.Name, corp.Now == corp.Box)`, "btrue"},
		{`x := fmt.Sprint(corp.Now == nil, corp.Grade, corp.By["k"].Qty)`, "true high 6"},
		{`a := corp.Any; corp.Swap(); x := fmt.Sprint(a, corp.Any)`, "<nil> [1 2]"},
		{`x := fmt.Sprint(corp.Err == nil, errors.Is(corp.Fail(), corp.ErrOwn), corp.Err)`, "true true <nil>"},
		{`corp.Count = 2`, ""}, {`p := &corp.Count`, ""}, {`corp.Now = nil`, ""}, {`corp.Box.Danger()`, ""},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				res, err := b.run(variables(), "import \"corp\"\n"+tc.src)
				switch {
				case b.refusedByEngine(res):
				case tc.want == "" && !errors.Is(err, sandtrap.ErrRefused), tc.want != "" && (err != nil || res.Vars["x"] != tc.want):
					b.Errorf("got %v, %v, want %v", res.Vars["x"], err, tc.want)
				}
			})
		})
	}
}

// A Heap is a Piece that does not hold itself.
type Heap struct {
	Name string
	Qty  int
	seen bool
}

func (p Heap) Total() int      { return p.Qty }
func (p *Heap) Add(n int)      { p.Qty += n; p.seen = true }
func (p Heap) String() string  { return fmt.Sprintf("%s*%d", p.Name, p.Qty) }
func (p *Heap) Danger() string { return fmt.Sprint("danger", p.seen) }

func variables() sandtrap.Policy {
	p := pure()
	count, box, errOwn := 1, &Heap{Name: "b", Qty: 1}, errors.New("own")
	var now *Heap
	var grade = High
	var anything any
	var failed error
	p.Packages = []sandtrap.Package{{Path: "corp", Exclude: []string{"Heap.Danger"}, Members: map[string]any{
		"Heap": (*Heap)(nil), "Level": (*Level)(nil),
		"Count": builtins.Variable{Pointer: &count}, "Now": builtins.Variable{Pointer: &now}, "Grade": builtins.Variable{Pointer: &grade},
		"Any": sandtrap.Member{Value: builtins.Variable{Pointer: &anything}}, "Err": builtins.Variable{Pointer: &failed},
		"Box": box, "Copy": Heap{Name: "c", Qty: 3}, "List": []Heap{{Qty: 7}, {Qty: 8}}, "By": map[string]*Heap{"k": {Qty: 6}},
		"ErrOwn": errOwn,
		"Bump":   func() { count++ },
		"Peek":   func() int { return box.Qty },
		"Swap":   func() { now, anything = box, []int{1, 2} },
		"Fail":   func() error { return fmt.Errorf("failed: %w", errOwn) },
	}}}
	return p
}
