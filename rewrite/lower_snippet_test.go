package rewrite

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

func TestLowerSnippet(t *testing.T) {
	for _, src := range []string{`
a, err := strconv.Atoi("1")
b, err := strconv.Atoi("2")
var t = struct{ X int; strings.Builder }{X: 1}
p := &t
var q, r int = 1, 2
fmt.Println(a+b, p, q, r, err)
strings.Cut("a", "b")
len("x")
f(3)
1+time.Second
func f(n int) int { return a+n }
t.X++
in
`} {
		p := lower(t, src, check.Input{Name: "in", Type: types.NewMap(types.Typ[types.String], types.Universe.Lookup("any").Type())})
		t.Log(p.Text(), p.Echoes(), p.Vars(), p.Bindings())
		if err := recheck(p); err != nil {
			t.Error(err)
		}
		if err := buildSSA(p); err != nil {
			t.Error(err)
		}
	}
}

// TestLastEcho wants the last statement that the user wrote to be known as such,
// whatever is called after it.
func TestLastEcho(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      bool
	}{
		{"bare call", "f()\nfunc f() int { return 1 }", true},
		{"bare call, main after it", "f()\nfunc f() int { return 1 }\nfunc main() {}", true},
		{"bare builtin, main after it", "len(os.Args)\nfunc main() {}", true},
		{"expression, main after it", "1 + 2\nfunc main() {}", true},
		{"two results, main after it", "f()\nfunc f() (int, error) { return 1, nil }\nfunc main() {}", true},
		{"call before a statement", "f()\nx := 1\nfunc f() int { return 1 }\nfunc main() {}", false},
		{"call before a call of main", "f()\nmain()\nfunc f() int { return 1 }\nfunc main() {}", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p, err := Compile(parse.Source{Text: tc.src}, parse.Bounds{}, newCurated(t), nil)
			if err != nil {
				t.Fatal(err)
			}
			if e := p.Echoes(); len(e) != 1 || e[0].Last != tc.want {
				t.Errorf("got %+v, want one with Last %v", e, tc.want)
			}
		})
	}
}

// TestTypesOfHostType: a type, or another name, may be made of a type of the host that needs no import, and of one of
// the script with that name.
func TestTypesOfHostType(t *testing.T) {
	pkg := types.NewPackage("host", "")
	order := types.NewTypeName(token.NoPos, pkg, "Order", nil)
	types.NewNamed(order, types.NewStruct([]*types.Var{types.NewField(token.NoPos, pkg, "ID", types.Typ[types.Int], false)}, nil), nil)
	pkg.Scope().Insert(order)
	for src, want := range map[string]string{
		"type Mine Order\nx := Mine{ID: 2}":                                "main.Mine",
		"type Mine = Order\nx := Mine{ID: 2}":                              "host.Order",
		"type (\n\tMine Order\n\tOurs Mine\n)\nx := Ours(Mine{2})":         "main.Ours",
		"type Order struct{ ID int }\ntype Mine = Order\nx := Mine{ID: 2}": "main.Order",
	} {
		p, err := Compile(parse.Source{Text: src}, parse.Bounds{}, noPackage{newTestUniverse(), order}, nil)
		if err != nil {
			t.Errorf("%q: %v", src, err)
			continue
		}
		if got := types.TypeString(types.Unalias(p.Vars()[0].Type), nil); got != want {
			t.Errorf("%q: x is of type %s, want %s", src, got, want)
		}
	}
}
