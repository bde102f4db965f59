package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// Types of a host that it lists nowhere.
type (
	Invoice struct {
		ID    int
		Total float64
		Lines []InvoiceLine
		Due   time.Time
		Stage Stage
		Notes map[string]*InvoiceLine
	}
	InvoiceLine struct {
		Name  string
		Count int
	}
	Stage     int
	account   struct{ Owner string }
	Strongbox struct {
		Name string
		key  string
	}
	Door struct{ Open func() }
)

func (i Invoice) Sum() float64 { return i.Total }
func (i *Invoice) Void()       { i.Total = 0 }

func invoiceTools() map[string]any {
	return map[string]any{
		"invoice": func(id int) (*Invoice, error) {
			if id == 0 {
				return nil, errors.New("no such invoice")
			}
			return &Invoice{ID: id, Total: 9.5, Lines: []InvoiceLine{{"paper", 2}}, Stage: 3}, nil
		},
		"pay":       func(_ context.Context, i Invoice) (string, error) { return fmt.Sprintf("%+v", i.Lines), nil },
		"stage":     func(s Stage) int { return int(s) + 1 },
		"owner":     func() account { return account{"eve"} },
		"strongbox": func() Strongbox { return Strongbox{"v", "secret"} },
		"door":      func() Door { return Door{} },
	}
}

// TestDataTypes: types of plain data that functions of the host take and give are known to scripts, with their fields.
func TestDataTypes(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("engine yaegi knows types that are listed alone")
		}
		box := b.Box(sandtrap.Policy{Std: []string{"fmt", "time"}, Funcs: invoiceTools()})
		for _, tc := range []struct{ text, want string }{
			{`i, err := invoice(7); fmt.Println(i.ID, i.Total, i.Lines[0].Name, err)`, "7 9.5 paper <nil>"},
			{`_, err := invoice(0); fmt.Println(err)`, "no such invoice"},
			{`s, _ := pay(Invoice{ID: 1, Lines: []InvoiceLine{{"ink", 3}, {Name: "pen"}}, Due: time.Now()}); fmt.Println(s)`, "[{Name:ink Count:3} {Name:pen Count:0}]"},
			{`var i Invoice; i.Lines = append(i.Lines, InvoiceLine{Count: 2}); s, _ := pay(i); fmt.Println(s, i.Due.IsZero())`, "[{Name: Count:2}] true"},
			{`i := &Invoice{Notes: map[string]*InvoiceLine{"a": {Name: "n"}}}; fmt.Println(i.Notes["a"].Name)`, "n"},
			{`fmt.Println(stage(4), stage(Stage(1)), Stage(2) + 1)`, "5 2 3"},
			{`fmt.Println(owner().Owner)`, "eve"},
			{`func late(list []Invoice) (n int) { for _, i := range list { n += i.ID }; return n }; fmt.Println(late([]Invoice{{ID: 1}, {ID: 2}}))`, "3"},
			{`type Invoice struct{ X int }; fmt.Println(Invoice{2})`, "{2}"},
		} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: tc.text})
			if err != nil || strings.TrimSpace(res.Stdout) != tc.want {
				b.Errorf("%s\n\tprinted %q and ended with %v, want %q", tc.text, res.Stdout, err, tc.want)
			}
		}
	})
}

// TestDataTypesRefused: a field that such a type has not is an error of the script's author; what the policy keeps is denied.
func TestDataTypesRefused(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("engine yaegi knows types that are listed alone")
		}
		box := b.Box(sandtrap.Policy{Std: []string{"fmt"}, Funcs: invoiceTools()})
		for _, tc := range []struct {
			text string
			kind sandtrap.Kind
			want string
		}{
			{"i, _ := invoice(1); i.Totl", sandtrap.KindType, "there is no Invoice.Totl (did you mean Total?)"},
			{"i, _ := invoice(1); i.Lines[0].Nme", sandtrap.KindType, "there is no InvoiceLine.Nme (did you mean Name?)"},
			{"Invoice{Totl: 1}", sandtrap.KindType, "there is no Invoice.Totl (did you mean Total?)"},
			{"i, _ := invoice(1); i.Sum()", sandtrap.KindDenied, "Invoice.Sum is not allowed"},
			{"i, _ := invoice(1); i.Void()", sandtrap.KindDenied, "Invoice.Void is not allowed"},
			{"f := (*Invoice).Void; f(nil)", sandtrap.KindDenied, "Invoice.Void is not allowed"},
			{"strongbox().Name", sandtrap.KindDenied, "Strongbox.Name is not allowed"},
			{"strongbox().key", sandtrap.KindDenied, "Strongbox.key is not allowed"},
			{"var v Strongbox", sandtrap.KindType, "undefined: Strongbox"},
			{"door().Open()", sandtrap.KindDenied, "Door.Open is not allowed"},
		} {
			_, err := box.Run(b.Context(), sandtrap.Script{Text: tc.text})
			var e *sandtrap.Error
			if !errors.As(err, &e) || e.Kind != tc.kind || !strings.Contains(e.Error(), tc.want) {
				b.Errorf("%s\n\tended with %v, want %s: %s", tc.text, err, tc.kind, tc.want)
			}
		}
	})
}

// TestDataTypesListed: what a host lists itself stays as it says: with methods, under another name, or of a package.
func TestDataTypesListed(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("engine yaegi knows types that are listed alone")
		}
		tools := invoiceTools()
		tools["Bill"] = (*Invoice)(nil)
		tools["Stage"] = "a text of that name"
		box := b.Box(sandtrap.Policy{Std: []string{"fmt"}, Funcs: tools, Packages: []sandtrap.Package{{Path: "shop", Members: map[string]any{"Line": (*InvoiceLine)(nil)}}}})
		text := `import "shop"
i, _ := invoice(1)
var same *Bill = i
fmt.Println(same.Sum(), Stage, shop.Line{Name: "x"}.Name)`
		res, err := box.Run(b.Context(), sandtrap.Script{Text: text})
		if want := "9.5 a text of that name x\n"; err != nil || res.Stdout != want {
			b.Errorf("printed %q and ended with %v, want %q", res.Stdout, err, want)
		}
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: "var i Invoice"}); err == nil || !strings.Contains(err.Error(), "undefined: Invoice") {
			b.Errorf("a type with another name: %v", err)
		}
	})
}

// TestImportsAsTheyAre: imports that nothing uses are left out with a warning, and those that are missing are added, in
// snippets and in programs.
func TestImportsAsTheyAre(t *testing.T) {
	eachMode(t, func(b bench) {
		box := b.Box(sandtrap.Policy{Std: []string{"fmt", "strings", "math/rand"}})
		for _, tc := range []struct{ text, want, warning string }{
			{"import (\"strings\"; \"fmt\")\nfmt.Println(1)", "1\n", `1:9: "strings" is imported and not used; the import is left out`},
			{"package main\n\nimport (\n\t\"fmt\"\n\ts \"strings\"\n)\n\nfunc main() { fmt.Println(2) }\n", "2\n", `5:2: "strings" is imported and not used; the import is left out`},
			{"package main\n\nfunc main() { fmt.Println(strings.ToUpper(\"a\")) }\n", "A\n", ""},
			{"package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(rand.Intn(1)) }\n", "0\n", ""},
		} {
			res, err := box.Run(b.Context(), sandtrap.Script{Text: tc.text})
			if err != nil || res.Stdout != tc.want {
				b.Errorf("%q: printed %q and ended with %v, want %q", tc.text, res.Stdout, err, tc.want)
			}
			if got := strings.Join(res.Warnings, "\n"); !strings.HasSuffix(got, tc.warning) || (got == "") != (tc.warning == "") {
				b.Errorf("%q: the warnings are %q, want %q", tc.text, got, tc.warning)
			}
		}
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: "package main\nimport \"os/exec\"\nfunc main() {}"}); err == nil || !strings.Contains(err.Error(), "not allowed") {
			b.Errorf("an import that is denied and not used: %v", err)
		}
	})
}

// TestDataTypesTime: a script that may not import package time can pass a time on, and reads why it can do no more.
func TestDataTypesTime(t *testing.T) {
	eachMode(t, func(b bench) {
		if b.Engine == "yaegi" {
			b.Skip("engine yaegi shows types of the host to scripts without their fields")
		}
		type visit struct{ At time.Time }
		p := sandtrap.Policy{Limits: limits, Funcs: map[string]any{
			"last": func() visit { return visit{time.Unix(1, 0)} }, "unix": func(t time.Time) int64 { return t.Unix() },
		}}
		if res, err := b.RunOnce(p, "n := unix(last().At)"); err != nil || res.Vars["n"] != int64(1) {
			b.Error(res.Vars, err)
		}
		_, err := b.RunOnce(p, "last().At.Unix()")
		if want := "time.Time.Unix is not allowed by this policy, which does not list package time: scripts can hold a time.Time and pass it on"; err == nil || !strings.Contains(err.Error(), want) {
			b.Errorf("%v, want %s", err, want)
		}
	})
}

// TestNoTypesOfOurs: what the worker's type for one of the host is made of is no type of scripts.
func TestNoTypesOfOurs(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Funcs = map[string]any{"strongbox": invoiceTools()["strongbox"]}
		if _, err := b.RunOnce(p, "var s State\n_ = s"); !errors.Is(err, sandtrap.ErrRefused) {
			b.Errorf("error %v, want State to be unknown", err)
		}
	})
}
