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
				res, err := b.RunOnce(variables(), "import \"corp\"\n"+tc.src)
				switch {
				case b.RefusedByEngine(res):
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

type lost struct {
	Code int
	Why  error
}

func (l lost) Error() string { return fmt.Sprint("lost ", l.Code) }

type gone struct{ Code int }

func (g *gone) Error() string { return fmt.Sprint("gone ", g.Code) }

type Broken struct{ Code int }

func (b *Broken) Error() string { return fmt.Sprint("broken ", b.Code) }

type Spoilt struct{ Code int }

func (s Spoilt) Error() string { return fmt.Sprint("spoilt ", s.Code) }

// TestHostErrorVariables: a member that holds an error is a variable of that error's type in each mode, a struct or a pointer
// to one; a pointer to an unexported type is an error, as what errors.New makes.
func TestHostErrorVariables(t *testing.T) {
	p := pure()
	p.Funcs = map[string]any{
		"Broken": (*Broken)(nil), "Spoilt": (*Spoilt)(nil),
		"broken": &Broken{3}, "spoilt": Spoilt{4}, "lost": lost{5, errors.New("in")}, "gone": &gone{6},
		"fail": func() error { return Spoilt{4} },
	}
	for src, want := range map[string]string{
		`x := fmt.Sprint(broken.Code, broken, error(broken))`:               "3 broken 3 broken 3",
		`x := fmt.Sprint(spoilt.Code, spoilt, error(spoilt))`:               "4 spoilt 4 spoilt 4",
		`var s Spoilt; x := fmt.Sprint(errors.As(fail(), &s), s == spoilt)`: "true true",
		`x := fmt.Sprint(gone, errors.Is(gone, gone))`:                      "gone 6 true",
		`_ = lost; x := "there"`:                                            "there",
	} {
		eachMode(t, func(b bench) {
			res, err := b.RunOnce(p, src)
			if b.RefusedByEngine(res) {
				return
			}
			if err != nil || res.Vars["x"] != want {
				b.Errorf("%s: got %v, %v, want %v", src, res.Vars["x"], err, want)
			}
		})
	}
}
