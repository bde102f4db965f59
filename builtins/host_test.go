package builtins

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/gates/abi"
)

type base struct{ Level int }

func (base) Danger() string { return "boom" }
func (base) Safe() string   { return "ok" }

type db struct {
	base
	Name   string
	secret string
}

func (d *db) Exec(q string, args ...any) (int, error) { return len(q) + len(args), nil }
func (d *db) GetName() string                         { return d.Name + d.secret }
func (d *db) Ask(ctx context.Context, q string) string {
	return fmt.Sprint(ctx.Value(ctxKey{}), q)
}

type ctxKey struct{}

type store interface {
	Get(string) string
	Drop()
}

func hostMembers() map[string]any {
	counter := 7
	return map[string]any{
		"DB":      (*db)(nil),
		"Open":    func(name string) (*db, error) { return &db{Name: name}, nil },
		"Main":    &db{Name: "main"},
		"Version": "1.2",
		"Limit":   Literal("10"),
		"Count":   Variable{&counter},
		"Sum": func(n ...int) (sum int) {
			for _, i := range n {
				sum += i
			}
			return sum
		},
		"Ask":   func(ctx context.Context, q string) string { return fmt.Sprint(ctx.Value(ctxKey{}), q) },
		"Fail":  func() error { return io.EOF },
		"Store": reflect.TypeFor[store](),
		"Table": map[string]int{"a": 1},
	}
}

func hostTable(t *testing.T, f Filter) *Table {
	t.Helper()
	p, err := Host("example.com/db", "", hostMembers())
	if err != nil {
		t.Fatal(err)
	}
	if p, err = p.Select(f); err != nil {
		t.Fatal(err)
	}
	return tableOf(t, p)
}

func TestHostUniverse(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		filter     Filter
		want       string
	}{
		{name: "functions", body: `var d, err = db.Open("x"); var _ error = err; var n, _ = d.Exec("q", 1, 2); var _ int = n; var _ = db.Sum(1, 2)`},
		{name: "context is hidden", body: `var _ string = db.Ask("q"); var _ string = db.Main.Ask("q")`},
		{name: "constants", body: `const c string = db.Version; var f float64 = db.Limit`},
		{name: "variables", body: `var _ int = db.Count; var _ int = db.Table["a"]; var _ *db.DB = db.Main`},
		{name: "fields", body: `var _ string = db.Main.Name`},
		{name: "unexported field", body: `var _ = db.Main.secret`, want: "secret"},
		{name: "promoted method", body: `var _ = db.Main.Danger()`},
		{name: "excluded function", filter: Filter{Exclude: []string{"Op*"}}, body: `var _ = db.Open`, want: "undefined"},
		{name: "excluded method", filter: Filter{Exclude: []string{"DB.Exec"}}, body: `var _ = db.Main.Exec`, want: "Exec"},
		{name: "excluded field", filter: Filter{Exclude: []string{"DB.Name"}}, body: `var _ = db.Main.Name`, want: "Name"},
		{name: "excluded everywhere", filter: Filter{Exclude: []string{"Ask"}}, body: `var _ = db.Main.Ask`, want: "Ask"},
		{name: "excluded below", filter: Filter{Exclude: []string{"base.Danger"}}, body: `var _ = db.Main.Danger`, want: "Danger"},
		{name: "beside excluded below", filter: Filter{Exclude: []string{"base.Danger"}}, body: `var _ = db.Main.Safe()`},
		{name: "promoted through a script's type", filter: Filter{Exclude: []string{"base.Danger"}}, body: `type w struct{ *db.DB }; var _ = w{}.Danger`, want: "Danger"},
		{name: "method expression", filter: Filter{Exclude: []string{"DB.Exec"}}, body: `var _ = (*db.DB).Exec`, want: "Exec"},
		{name: "included", filter: Filter{Include: []string{"Main", "DB.Get*"}}, body: `var _ = db.Main.GetName(); var _ *db.DB`},
		{name: "not included", filter: Filter{Include: []string{"Main", "DB.Get*"}}, body: `var _ = db.Main.Exec`, want: "Exec"},
		{name: "not included function", filter: Filter{Include: []string{"Main", "DB.Get*"}}, body: `var _ = db.Open`, want: "undefined"},
		{name: "predicate", filter: Filter{Keep: func(n string) bool { return !strings.HasPrefix(n, "E") }}, body: `var _ = db.Main.Exec`, want: "Exec"},
		{name: "interface", body: `type s struct{}; func (s) Get(string) string { return "" }; func (s) Drop() {}; var _ db.Store = s{}`},
		{name: "filtered interface", filter: Filter{Exclude: []string{"Store.Drop"}}, body: `type s struct{}; func (s) Get(string) string { return "" }; func (s) Drop() {}; var _ db.Store = s{}`, want: "hidden"},
		{name: "call on filtered interface", filter: Filter{Exclude: []string{"Store.Drop"}}, body: `func f(s db.Store) { s.Get("x") }`},
		{name: "no call on filtered interface", filter: Filter{Exclude: []string{"Store.Drop"}}, body: `func f(s db.Store) { s.Drop() }`, want: "Drop"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			src := "package main\nimport \"example.com/db\"\n" + tc.body + "\nvar _ = db.Main\n"
			msgs := check(t, hostTable(t, tc.filter), src)
			if tc.want == "" && len(msgs) > 0 || tc.want != "" && (len(msgs) == 0 || !strings.Contains(msgs[0], tc.want)) {
				t.Errorf("got %q, want %q", msgs, tc.want)
			}
		})
	}
}

func TestHostValues(t *testing.T) {
	table := hostTable(t, Filter{Exclude: []string{"DB.Exec", "base.Danger"}})
	env := &Env{Context: context.WithValue(context.Background(), ctxKey{}, "run ")}
	get := func(r Ref) any {
		t.Helper()
		r.Path = "example.com/db"
		v, err := table.Value(env, r)
		if err != nil {
			t.Fatal(err)
		}
		return v.Interface()
	}
	if got := get(Ref{Name: "Ask"}).(func(string) string)("q"); got != "run q" {
		t.Errorf("Ask: got %q", got)
	}
	if got := get(Ref{Name: "Sum"}).(func(...int) int)(1, 2, 3); got != 6 {
		t.Errorf("Sum: got %d", got)
	}
	if got := get(Ref{Kind: abi.BindMethod, Owner: "DB", Name: "Ask", Pointer: true}).(func(*db, string) string)(&db{}, "q"); got != "run q" {
		t.Errorf("DB.Ask: got %q", got)
	}
	if got := get(Ref{Kind: abi.BindVar, Name: "Main"}).(func() *db)().Name; got != "main" {
		t.Errorf("Main: got %q", got)
	}
	if got := get(Ref{Kind: abi.BindVar, Name: "Count"}).(func() int)(); got != 7 {
		t.Errorf("Count: got %d", got)
	}
	if got := get(Ref{Name: "Fail"}).(func() error)(); !errors.Is(got, io.EOF) {
		t.Errorf("Fail: got %v", got)
	}
	for _, r := range []Ref{
		{Kind: abi.BindMethod, Owner: "DB", Name: "Exec", Pointer: true},
		{Kind: abi.BindMethod, Owner: "DB", Name: "Danger", Pointer: true},
		{Kind: abi.BindField, Owner: "DB", Name: "secret", Pointer: true},
		{Kind: abi.BindField, Owner: "DB", Name: "Level", Pointer: true},
	} {
		r.Path = "example.com/db"
		if v, err := table.Value(env, r); err == nil {
			t.Errorf("%v: got %v, want an error", r, v)
		}
	}
}

func TestHostRefuses(t *testing.T) {
	var f func()
	for _, tc := range []struct {
		path   string
		member string
		value  any
		want   string
	}{
		{path: "", want: "not an import path"},
		{path: "a b", want: "not an import path"},
		{path: "sandtrap/gate", want: "reserved"},
		{path: "main", want: "reserved"},
		{path: "x", member: "lower", value: 1, want: "x.lower: the name is not exported"},
		{path: "x", member: "F", value: f, want: "x.F: the function is nil"},
		{path: "x", member: "N", want: "x.N: the value is nil"},
		{path: "x", member: "S", value: (*[]int)(nil), want: "has no name"},
		{path: "x", member: "V", value: Variable{1}, want: "needs a pointer"},
	} {
		members := map[string]any{}
		if tc.member != "" {
			members[tc.member] = tc.value
		}
		if _, err := Host(tc.path, "", members); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%q %s: got %v, want %q", tc.path, tc.member, err, tc.want)
		}
	}
}

func TestSelectRefuses(t *testing.T) {
	p, err := Host("x", "", hostMembers())
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"Exce", "DB.Exce", "[", "Nothing.*"} {
		if _, err := p.Select(Filter{Exclude: []string{pattern}}); err == nil || !strings.Contains(err.Error(), pattern) {
			t.Errorf("%q: got %v, want an error that names it", pattern, err)
		}
	}
}

// TestSelectStd takes from the curated packages, generic ones too.
func TestSelectStd(t *testing.T) {
	for _, tc := range []struct {
		path, exclude, gone, stays string
	}{
		{"strings", "Repeat", "Repeat", "ToUpper"},
		{"strings", "Builder.Grow", "Builder.Grow", "Builder.Len"},
		{"slices", "Sort*", "SortFunc", "Index"},
		{"time", "No*", "Now", "Since"},
		{"io", "Writer.Write", "Writer.Write", "Reader"},
	} {
		p := Std(tc.path)[0]
		p, err := p.Select(Filter{Exclude: []string{tc.exclude}})
		if err != nil {
			t.Errorf("%s: %v", tc.exclude, err)
			continue
		}
		table := tableOf(t, p)
		if _, err := table.Import(tc.path); err != nil {
			t.Errorf("%s: %v", tc.path, err)
		}
		if got := table.Explain(tc.path, tc.gone); !got.Exists || got.Why != rows.Excluded {
			t.Errorf("%s.%s: got %+v", tc.path, tc.gone, got)
		}
		if got := table.Explain(tc.path, tc.stays); got.Exists {
			t.Errorf("%s.%s: got %+v", tc.path, tc.stays, got)
		}
	}
}

func TestPredeclare(t *testing.T) {
	p, err := Predeclare(map[string]any{"fetch": func(s string) string { return s }, "Limit": 3})
	if err != nil {
		t.Fatal(err)
	}
	table := tableOf(t, p)
	var names []string
	for _, obj := range table.Predeclared() {
		names = append(names, obj.Name())
	}
	if want := []string{"Limit", "fetch"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	if _, err := table.Import(predeclaredPath); err == nil {
		t.Errorf("the package of predeclared members can be imported")
	}
	v, err := table.Value(&Env{}, Ref{Path: predeclaredPath, Name: "fetch"})
	if err != nil || v.Interface().(func(string) string)("x") != "x" {
		t.Errorf("fetch: %v", err)
	}
	if _, err := Predeclare(map[string]any{"a-b": 1}); err == nil {
		t.Errorf("a-b: got no error")
	}
}
