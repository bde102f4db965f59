package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

type runKey struct{}

// TestHostFunctions: functions of any signature, with the conversions Go has and no
// others.
func TestHostFunctions(t *testing.T) {
	type point struct{ X, Y int }
	functions := map[string]any{
		"none":     func() string { return "none" },
		"variadic": func(sep string, parts ...any) string { return sep + fmt.Sprint(parts...) },
		"ctx":      func(ctx context.Context, n int) string { return fmt.Sprint(ctx.Value(runKey{}), n) },
		"ctxOnly":  func(ctx context.Context) bool { return ctx.Err() == nil },
		"fails":    func(n int) (int, error) { return n, errors.New("no luck") },
		"errOnly": func(fail bool) error {
			if fail {
				return errors.New("failed")
			}
			return nil
		},
		"both":     func(ctx context.Context, words ...string) (int, error) { return len(words), ctx.Err() },
		"callback": func(n int, f func(int) (int, error)) (int, error) { return f(n) },
		"float":    func(f float32, u uint8) float64 { return float64(f) * float64(u) },
		"generic":  func(v any) string { return fmt.Sprintf("%T", v) },
		"slice":    func(list []int) []int { slices.Reverse(list); return list },
		"mapped":   func(m map[string][]int) int { return len(m["a"]) },
		"pointer":  func(p *point) *point { p.X++; return p },
		"bytes":    func(b []byte) string { return string(b) },
	}
	for _, tc := range []struct {
		src     string
		want    map[string]any // variables; nil is a refusal
		inPlace bool           // the function writes to what it is given
	}{
		{src: "x := none()", want: map[string]any{"x": "none"}},
		{src: `x := variadic("-"); y := variadic("-", 1, 2); z := variadic("-", []any{3}...)`, want: map[string]any{"x": "-", "y": "-1 2", "z": "-3"}},
		{src: "x := ctx(3)", want: map[string]any{"x": "value3"}},
		{src: "x := ctxOnly()", want: map[string]any{"x": true}},
		{src: "x, err := fails(2); s := err.Error()", want: map[string]any{"x": 2, "s": "no luck"}},
		{src: "a := errOnly(true) != nil; b := errOnly(false) == nil", want: map[string]any{"a": true, "b": true}},
		{src: `n, err := both("a", "b"); ok := err == nil`, want: map[string]any{"n": 2, "ok": true}},
		{src: "x, err := callback(20, func(n int) (int, error) { return n + 1, nil }); ok := err == nil", want: map[string]any{"x": 21, "ok": true}},
		{src: "x := float(1.5, 2)", want: map[string]any{"x": 3.0}},
		{src: "x := generic(1); y := generic('a'); z := generic(1.0); s := generic([]string{})", want: map[string]any{"x": "int", "y": "int32", "z": "float64", "s": "[]string"}},
		{src: "l := []int{1, 2, 3}; slice(l)", want: map[string]any{"l": []int{3, 2, 1}}, inPlace: true},
		{src: `x := mapped(map[string][]int{"a": {1, 2}})`, want: map[string]any{"x": 2}},
		{src: `x := bytes([]byte("abc"))`, want: map[string]any{"x": "abc"}},
		{src: "f := none; x := f()", want: map[string]any{"x": "none"}},
		{src: "m := map[string]func() string{\"k\": none}; x := m[\"k\"]()", want: map[string]any{"x": "none"}},
		{src: "x := none(1)"}, {src: `x := float("1", 2)`}, {src: "x := float(1, 300)"}, {src: "n := 1; x := float(n, 2)"},
		{src: "x := ctx(nil, 3)"}, {src: "var x int = fails(1)"}, {src: "x := slice([]int64{1})"}, {src: "x := variadic()"},
		{src: "x := callback(1, func(n int) int { return n })"},
	} {
		t.Run(tc.src, func(t *testing.T) {
			eachMode(t, func(b bench) {
				if tc.inPlace && b.Isolation != sandtrap.None {
					b.Skip("a function of the host gets copies from a worker")
				}
				box := b.Box(sandtrap.Policy{Limits: limits, Funcs: functions})
				ctx := context.WithValue(b.Context(), runKey{}, "value")
				res, err := box.Run(ctx, sandtrap.Script{Text: tc.src})
				if tc.want == nil {
					if !errors.Is(err, sandtrap.KindType) || engineRefused(res) {
						b.Errorf("error %v, want a type error", err)
					}
					return
				}
				if err != nil {
					b.Fatal(err)
				}
				for name, want := range tc.want {
					if got := res.Vars[name]; !reflect.DeepEqual(got, want) {
						b.Errorf("%s = %#v, want %#v", name, got, want)
					}
				}
			})
		})
	}
}

// Shop is a host type for the patterns.
type Shop struct {
	Name    string
	GetRate int
	private int
}

func (s *Shop) GetPrice() int  { return s.private }
func (s *Shop) SetPrice(p int) { s.private = p }

var shop = map[string]any{
	"Shop": (*Shop)(nil), "Open": func() *Shop { return &Shop{} }, "GetAll": func() int { return 1 }, "SetAll": func(int) {},
	"GetMax": builtins.Literal("7"), "Max": 8,
}

// uses has a script for each member of the shop.
var uses = map[string]string{
	"Open": "_ = shop.Open()", "GetAll": "_ = shop.GetAll()", "SetAll": "shop.SetAll(1)", "GetMax": "_ = shop.GetMax", "Max": "_ = shop.Max",
	"Shop.Name": "_ = shop.Open().Name", "Shop.GetRate": "_ = shop.Open().GetRate",
	"Shop.GetPrice": "_ = shop.Open().GetPrice()", "Shop.SetPrice": "shop.Open().SetPrice(1)", "Shop.private": "_ = shop.Open().private",
}

// TestIncludeExclude: globs, lists and predicates, on functions, constants, methods
// and fields; what does not start with a capital is out whatever they say.
func TestIncludeExclude(t *testing.T) {
	var asked []string
	for _, tc := range []struct {
		name    string
		choose  sandtrap.Package
		refused []string
	}{
		{"default", sandtrap.Package{}, nil},
		{"include glob", sandtrap.Package{Include: []string{"Open", "Shop", "Get*"}}, []string{"SetAll", "Max"}},
		{"include list", sandtrap.Package{Include: []string{"Open", "Shop", "Max"}}, []string{"GetAll", "SetAll", "GetMax"}},
		{"include without the type", sandtrap.Package{Include: []string{"Open"}}, []string{
			"GetAll", "SetAll", "GetMax", "Max", "Shop.Name", "Shop.GetRate", "Shop.GetPrice", "Shop.SetPrice",
		}},
		{"include of a type", sandtrap.Package{Include: []string{"Open", "Shop", "Shop.Get*"}}, []string{"GetAll", "SetAll", "GetMax", "Max", "Shop.Name", "Shop.SetPrice"}},
		{"exclude glob", sandtrap.Package{Exclude: []string{"Get*"}}, []string{"GetAll", "GetMax", "Shop.GetRate", "Shop.GetPrice"}},
		{"exclude list", sandtrap.Package{Exclude: []string{"SetAll", "Shop.Name"}}, []string{"SetAll", "Shop.Name"}},
		{"exclude of a type", sandtrap.Package{Exclude: []string{"Shop.Get*"}}, []string{"Shop.GetRate", "Shop.GetPrice"}},
		{"exclude all of a type", sandtrap.Package{Exclude: []string{"Shop.*"}}, []string{"Shop.Name", "Shop.GetRate", "Shop.GetPrice", "Shop.SetPrice"}},
		{"exclude wins", sandtrap.Package{Include: []string{"Open", "Shop", "Get*"}, Exclude: []string{"GetAll"}}, []string{"GetAll", "SetAll", "Max"}},
		{"predicate", sandtrap.Package{Keep: func(name string) bool {
			asked = append(asked, name)
			return !strings.HasPrefix(name, "Set") && name != "Name" && name != "Max"
		}}, []string{"SetAll", "Max", "Shop.SetPrice", "Shop.Name"}},
		{"all three", sandtrap.Package{
			Include: []string{"Open", "Shop", "Get*", "Max"}, Exclude: []string{"Shop.GetRate"}, Keep: func(name string) bool { return name != "GetMax" },
		}, []string{"SetAll", "GetMax", "Shop.GetRate"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			eachMode(t, func(b bench) {
				tc.choose.Path, tc.choose.Members = "corp/shop", shop
				box := b.Box(sandtrap.Policy{Packages: []sandtrap.Package{tc.choose}})
				for member, use := range uses {
					_, err := box.Check(b.Context(), sandtrap.Script{Text: "import \"corp/shop\"\n" + use})
					want := slices.Contains(tc.refused, member) || member == "Shop.private"
					if got := errors.Is(err, sandtrap.ErrRefused); got != want || err != nil && !got {
						b.Errorf("%s: error %v, want it refused: %v", member, err, want)
					}
					if err != nil && strings.Contains(err.Error(), "sandtraptest") {
						b.Errorf("%s: the error %v tells of the host's own packages", member, err)
					}
				}
			})
		})
	}
	for _, name := range asked {
		if strings.ContainsAny(name, "./") || name == "private" {
			t.Errorf("the predicate was asked about %q, want bare exported names", name)
		}
	}
}
