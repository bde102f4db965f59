package ends

import (
	"container/heap"
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// Box, Tree and Table are types of the host that can hold themselves.
type (
	Box struct {
		Any  any
		List []any
		Map  map[string]any
	}
	Tree  []Tree
	Table map[string]Table
)

func (b *Box) Keep(any)     {}
func (b *Box) All(...any)   {}
func (b Box) Value() string { return "" }

// inThemselves are scripts that give the host a value which leads to itself.
var inThemselves = map[string]string{
	"map":                     `m := map[string]any{}; m["m"] = m; tool(m)`,
	"map in a map":            `m, n := map[string]any{}, map[string]any{}; m["n"] = n; n["m"] = m; tool(m)`,
	"map, other keys":         `m := map[any]any{}; m[1] = []any{m}; tool(m)`,
	"list":                    `s := []any{nil}; s[0] = s; tool(s)`,
	"list and map":            `s := []any{1, map[string]any{}}; s[1].(map[string]any)["s"] = s[1:]; tool(s)`,
	"variable":                `var x any; x = &x; tool(x)`,
	"pointers":                `var x, y any; x, y = &y, &x; tool(&x)`,
	"type of the host's":      `t := Tree{nil}; t[0] = t; tree(t)`,
	"map of the host's":       `t := Table{}; t["t"] = t; table(t)`,
	"variadic":                `s := []any{nil}; s[0] = s; all(1, s)`,
	"variadic, as it is":      `s := []any{nil}; s[0] = s; all(s...)`,
	"given before":            `m := map[string]any{}; tool(m); m["m"] = m`,
	"list given before":       `s := []any{nil}; tool(s); s[0] = s`,
	"list copied into":        `s := []any{nil}; tool(s); t := []any{s}; tool(t); copy(s, t)`,
	"given before, in others": `m, n := map[string]any{}, map[string]any{}; m["n"] = n; tool(m); n["s"] = []any{m}`,
	"tried again":             `m := map[string]any{}; n := map[string]any{"m": m}; m["n"] = n; func() { defer func() { recover() }(); tool(m) }(); tool(n)`,
	"function value":          `m := map[string]any{}; m["m"] = m; f := tool; f(m)`,
	"deferred":                `m := map[string]any{}; m["m"] = m; defer tool(m)`,
	"method":                  `m := map[string]any{}; m["m"] = m; (&Box{}).Keep(m)`,
	"method, variadic":        `m := map[string]any{}; m["m"] = m; (&Box{}).All(1, m)`,
	"method value":            `m := map[string]any{}; m["m"] = m; f := (&Box{}).Keep; f(m)`,
	"blocking":                `m := map[string]any{}; m["m"] = m; blocking(m)`,
	"result of a callback":    `back(func() any { m := map[string]any{}; m["m"] = m; return m })`,
	"result of a method":      `pop(E{})`,
	"channel":                 `m := map[string]any{}; m["m"] = m; channel() <- m`,
	"channel, in a select":    `m := map[string]any{}; m["m"] = m; select { case channel() <- m: }`,
	"channel with it":         `m := map[string]any{}; m["m"] = m; c := make(chan any, 1); c <- m; take(c)`,
	"field":                   `m := map[string]any{}; m["m"] = m; b := &Box{}; b.Any = m; tool(b)`,
	"field that is there":     `b := &Box{Map: map[string]any{}}; b.Map["m"] = b.Map; tool(b)`,
	"field of the host":       `m := map[string]any{}; m["m"] = m; kept().Any = m`,
	"appended to a field":     `b := kept(); b.List = append(b.List, 1); b.List[0] = b.List`,
	"in a literal":            `m := map[string]any{}; m["m"] = m; tool(&Box{Any: m})`,
	"struct in a list":        `l := make([]Box, 1); l[0].Any = l; tool(l)`,
	"struct as a value":       `b := Box{Map: map[string]any{}}; b.Map["b"] = b; tool(b)`,
	"reflection":              `m := map[string]any{}; m["m"] = m; reflect.ValueOf(tool).Call([]reflect.Value{reflect.ValueOf(m)})`,
	"stored by reflection":    `m := map[string]any{}; tool(m); reflect.ValueOf(m).SetMapIndex(reflect.ValueOf("m"), reflect.ValueOf(m))`,
	"set by reflection":       `m := map[string]any{}; m["m"] = m; reflect.ValueOf(kept()).Elem().Field(0).Set(reflect.ValueOf(m))`,
	"shared 100 times":        `m := map[string]any{}; var x any = m; for range 100 { x = []any{x, x} }; m["x"] = x; tool(x)`,
	"in each other too deep":  `var x any; for range 100_000 { x = []any{x}; tool(1) }; tool(x)`,
}

// withEnd are values that are shared, and lead to an end.
var withEnd = map[string]string{
	"type of the script's": `type T []T; t := T{nil}; t[0] = t; tool(t)`,
	"map of the script's":  `type M map[string]M; m := M{}; m["m"] = m; tool(m)`,
	"JSON":                 `tool(map[string]any{"a": []any{1, "x", nil, map[string]any{"b": 2.5}}})`,
	"twice":                `m := map[string]any{"a": 1}; tool([]any{m, m, &m})`,
	"2 to the 60":          `var x any = 1; for range 60 { x = []any{x, x} }; blind(x)`,
	"part of it":           `s := []any{1, 2, 3}; s[0] = s[1:]; tool(s); tool(s[0])`,
	"set elsewhere":        `m, n := map[string]any{}, map[string]any{}; tool(m); tool(n); m["n"] = n; delete(m, "n"); n["m"] = m; tool(n)`,
	"node":                 `n := &Node{}; n.Next = n; n.Kids = append(n.Kids, &Node{Next: n}); node(n)`,
}

// Node is a type of the host's that says that it may hold itself.
type Node struct {
	Next *Node
	Kids []*Node
}

// endless follows what leads from v to other values, but not to structs behind pointers, as fmt does.
func endless(v reflect.Value, depth int) bool {
	if depth > 30_000 {
		return true
	}
	switch v.Kind() {
	case reflect.Interface:
		return endless(v.Elem(), depth+1)
	case reflect.Pointer:
		return !(depth > 2 && v.Type().Elem().Kind() == reflect.Struct) && endless(v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			if endless(v.Field(i), depth+1) {
				return true
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if endless(v.Index(i), depth+1) {
				return true
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if endless(it.Value(), depth+1) {
				return true
			}
		}
	}
	return false
}

// poppable declares a heap whose elements hold themselves.
const poppable = `
type E struct{}
func (E) Len() int { return 1 }
func (E) Less(int, int) bool { return false }
func (E) Swap(int, int) {}
func (E) Push(any) {}
func (E) Pop() any { m := map[string]any{}; m["m"] = m; return m }
`

// circles runs scripts with functions of the host that keep what they are given.
type circles struct {
	box  *sandtrap.Sandbox
	kept []any
	own  *Box
	ch   chan any
}

func newCircles(t *testing.T) *circles {
	c := &circles{own: &Box{}, ch: make(chan any, 10)}
	keep := func(v any) { c.kept = append(c.kept, v) }
	var err error
	c.box, err = sandtrap.New(t.Context(), sandtrap.Policy{
		Std: []string{"reflect"},
		Funcs: map[string]any{
			"tool": keep, "blind": func(any) {}, "all": func(l ...any) { keep(l) },
			"tree": func(t Tree) { keep(t) }, "table": func(t Table) { keep(t) }, "node": func(*Node) {},
			"blocking": sandtrap.Member{Value: keep, Blocking: true},
			"back":     func(f func() any) { keep(f()) },
			"pop":      func(h heap.Interface) { keep(h.Pop()) },
			"take":     func(c chan any) { keep(<-c) },
			"channel":  func() chan any { return c.ch },
			"kept":     func() *Box { return c.own },
			"Box":      (*Box)(nil), "Tree": (*Tree)(nil), "Table": (*Table)(nil), "Node": (*Node)(nil),
		},
		Limits: sandtrap.Limits{Timeout: 10 * time.Second, Memory: 256 << 20},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.box.Close() })
	return c
}

func (c *circles) run(text string) error {
	_, err := c.box.Run(context.Background(), sandtrap.Script{Text: text + poppable})
	return err
}

// check reports each value without end that the host has.
func (c *circles) check(t *testing.T) {
	t.Helper()
	close(c.ch)
	for v := range c.ch {
		c.kept = append(c.kept, v)
	}
	for _, v := range append(c.kept, c.own) {
		if endless(reflect.ValueOf(v), 0) {
			t.Errorf("the host has a %T without end", v)
		}
	}
}

// TestInThemselves: a value without end, which code of the host that recurses would follow until its stack
// ends, and the process with it, does not get to the host.
func TestInThemselves(t *testing.T) {
	for name, text := range inThemselves {
		t.Run(name, func(t *testing.T) {
			c := newCircles(t)
			err := c.run("func main() {\n" + text + "\n}")
			if err == nil || !strings.Contains(err.Error(), "nested too deep") {
				t.Errorf("%v", err)
			}
			c.check(t)
		})
	}
	for name, text := range withEnd {
		t.Run(name, func(t *testing.T) {
			c := newCircles(t)
			if err := c.run("func main() {\n" + text + "\n}"); err != nil {
				t.Error(err)
			}
			c.check(t)
		})
	}
}

// TestVarsInThemselves: what a run leaves has an end as well.
func TestVarsInThemselves(t *testing.T) {
	for _, text := range []string{"m := map[string]any{}\nm[\"m\"] = m", "s := []any{nil}\ns[0] = s", "var x any\nx = &x", "type T []T\nt := T{nil}\nt[0] = t"} {
		res, err := rig.RunOnce(t, sandtrap.Policy{}, text+"\nprintln(1)")
		if err != nil {
			t.Fatal(err)
		}
		for name, v := range res.Vars {
			if endless(reflect.ValueOf(v), 0) || len(fmt.Sprint(v)) > 1000 {
				t.Errorf("%s: %s has no end", text, name)
			}
		}
	}
}
