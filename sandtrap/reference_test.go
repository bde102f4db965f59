package sandtrap

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

type referenceOrder struct {
	ID    string  `json:"id"`
	Total float64 `json:"total,omitempty"`
}

type referenceDB struct{ path string }

func (d *referenceDB) Exec(ctx context.Context, query string, args ...any) (int, error) {
	return len(d.path), nil
}

// TestReferenceOfTools: the reference for a model has what a host says of its tools: comments, on fields too, names of
// parameters and tags for JSON.
func TestReferenceOfTools(t *testing.T) {
	plan, err := Compile(Policy{
		Funcs: map[string]any{
			"orders": Member{
				Value:  func(ctx context.Context, customer string, limit int) ([]referenceOrder, error) { return nil, nil },
				Doc:    "orders are the last ones of a customer.",
				Params: []string{"customer", "limit"},
			},
			"plain": strings.ToUpper,
		},
		Docs: map[string]string{"referenceOrder.Total": "in euros", "plain": "plain is loud."},
		Packages: []Package{{Path: "app/db", Members: map[string]any{
			"DB": (*referenceDB)(nil), "DB.Exec": Member{Params: []string{"query", "args"}, Doc: "Exec runs a statement."},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := plan.Reference()
	want := `// There without import:

package main

// orders are the last ones of a customer.
func orders(customer string, limit int) ([]referenceOrder, error)

// plain is loud.
func plain(string) string

type referenceOrder struct {
	ID string ` + "`json:\"id\"`" + `
	// in euros
	Total float64 ` + "`json:\"total,omitempty\"`" + `
}

// import "app/db"

package db

type DB struct {
	// and what is not for scripts
}

// Exec runs a statement.
func (*DB) Exec(query string, args ...any) (int, error)

`
	if err != nil || got != want {
		t.Error(err, cmp.Diff(want, got))
	}
}

// TestDeclarationsNames: functions of the standard library have the names of their parameters.
func TestDeclarationsNames(t *testing.T) {
	plan, err := Compile(Policy{Std: []string{"cmp", "strings", "slices"}})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		"strings": {"\nfunc Replace(s string, old string, new string, n int) string\n", "\nfunc (*Builder) WriteString(s string) (int, error)\n"},
		"slices":  {"\nfunc Index[S ~[]E, E comparable](s S, v E) int\n", "\nfunc Sort[S ~[]E, E cmp.Ordered](x S)\n"},
	} {
		text, err := plan.Declarations(path, nil)
		for _, line := range want {
			if err != nil || !strings.Contains(text, line) {
				t.Errorf("%s: %v, no %q", path, err, line)
			}
		}
	}
}

// TestReferenceField: a struct with a field of a type that scripts cannot name is a type of scripts, which the reference
// shows with the reason at that field alone.
func TestReferenceField(t *testing.T) {
	type visit struct {
		Who string
		At  time.Time
		For time.Duration `json:"for"`
	}
	p := Policy{Funcs: map[string]any{"last": func() visit { return visit{} }}, Docs: map[string]string{"visit.At": "when"}}
	const why = "\t// Scripts can pass a value of type time.%s on, but use nothing of it: the policy does not list package time.\n"
	want := "type visit struct {\n\tWho string\n\t// when\n" + fmt.Sprintf(why, "Time") + "\t// At time.Time\n" +
		fmt.Sprintf(why, "Duration") + "\t// For time.Duration `json:\"for\"`\n}\n"
	plan, err := Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	text, err := plan.Reference()
	if err != nil || !strings.Contains(text, "\n"+want) || !strings.Contains(text, "\nfunc last() visit\n") {
		t.Errorf("%v, got\n%s\nwant\n%s", err, text, want)
	}
	p.Std = []string{"time"}
	if plan, err = Compile(p); err != nil {
		t.Fatal(err)
	}
	if text, err := plan.Reference(); err != nil || !strings.Contains(text, "\tAt  time.Time\n") {
		t.Errorf("with package time: %v\n%s", err, text)
	}
}

// TestParamsRefused: names of parameters that do not fit are errors of the policy.
func TestParamsRefused(t *testing.T) {
	for want, funcs := range map[string]map[string]any{
		"f: 1 names of parameters for the 2": {"f": Member{Value: strings.Repeat, Params: []string{"s"}}},
		"no name of a parameter":             {"f": Member{Value: strings.Repeat, Params: []string{"s", "for"}}},
		"is no function":                     {"f": Member{Value: 1, Params: []string{"s"}}},
	} {
		if _, err := Compile(Policy{Funcs: funcs}); !errors.Is(err, ErrPolicy) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := Compile(Policy{Docs: map[string]string{"Order.Total": "in euros"}}); !errors.Is(err, ErrPolicy) {
		t.Errorf("a comment on nothing: %v", err)
	}
}

type coffer struct {
	Name string
	//lint:ignore U1000 a field that scripts cannot see makes the type opaque
	code int
}

type page[T any] struct{ Items []T }

// TestReferenceOpaque: a function whose type scripts cannot name is there with the reason, and a comment on a field of that
// is refused with the way to have it.
func TestReferenceOpaque(t *testing.T) {
	p := Policy{Funcs: map[string]any{"open": func(string) (*coffer, error) { return nil, nil }, "list": func(map[string][]page[int]) {}}}
	plan, err := Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	text, err := plan.Reference()
	for _, want := range []string{
		"// Scripts can pass a value of type coffer on, but use nothing of it: the type is no plain data, and the policy does not list it.\n// func open(string) (*coffer, error)",
		"// Scripts can pass a value of type page[int] on",
	} {
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%s, %v, no %s", text, err, want)
		}
	}
	for name, want := range map[string]string{
		"coffer.Name": `comments on fields need their type as a member: "coffer": (*coffer)(nil)`, "opne": `did you mean "open"?`, "list.Items": "",
	} {
		p.Docs = map[string]string{name: "it"}
		if _, err := Compile(p); want == "" && err != nil || want != "" && (!errors.Is(err, ErrPolicy) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, no %s", name, err, want)
		}
	}
	p.Docs = map[string]string{"coffer.Name": "its name"}
	p.Funcs["coffer"] = (*coffer)(nil)
	if plan, err = Compile(p); err != nil {
		t.Fatal(err)
	}
	if text, _ := plan.Reference(); !strings.Contains(text, "func open(string) (*coffer, error)") || !strings.Contains(text, "// its name\n") {
		t.Error(text)
	}
}
