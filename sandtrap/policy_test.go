package sandtrap

import (
	"cmp"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// A wrong is a value of a field that New refuses with an error that names it, or why there is none.
type wrong struct {
	policy Policy
	want   string // in the error; the field's name if it is empty
	any    string
}

func filesOf(f Files) Policy {
	if f.Open == nil {
		f.Open = func() (afero.Fs, error) { return vfs.Mem(), nil }
	}
	return Policy{Files: &f}
}

func packageOf(p Package) Policy {
	if p.Path == "" {
		p.Path = "corp/p"
	}
	if p.Members == nil {
		p.Members = map[string]any{"F": func() {}}
	}
	return Policy{Packages: []Package{p}}
}

// TestEveryPolicyField: each field that can be wrong has an error of its own, which names it and
// says more; a new one has to have a row.
func TestEveryPolicyField(t *testing.T) {
	for typ, rows := range map[reflect.Type]map[string]wrong{
		reflect.TypeFor[Policy](): {
			"Limits":        {any: "TestLimitsValidated has its fields"},
			"Std":           {policy: Policy{Std: []string{"strngs"}}},
			"Exclude":       {policy: Policy{Std: []string{"strings"}, Exclude: []string{"strings.Repeet"}}},
			"Packages":      {policy: packageOf(Package{Path: "a b"})},
			"Funcs":         {policy: Policy{Funcs: map[string]any{"no name": 1}}},
			"Docs":          {policy: Policy{Docs: map[string]string{"none": "of what is not there"}}},
			"Files":         {policy: filesOf(Files{Quota: vfs.Quota{Files: -1}})},
			"Env":           {policy: Policy{Env: map[string]string{"A=B": ""}}},
			"Network":       {policy: Policy{Network: &egress.Gate{}, Engine: "yaegi"}},
			"Wrappers":      {policy: Policy{Wrappers: []any{1}}},
			"Echo":          {policy: Policy{Echo: "loud"}},
			"Seed":          {any: "each number is a seed"},
			"Epoch":         {any: "each time is one"},
			"Engine":        {policy: Policy{Engine: "v8"}},
			"Isolation":     {policy: Policy{Isolation: "moat"}},
			"Level":         {policy: Policy{Isolation: Kernel, Level: "utter"}},
			"Worker":        {any: "what is no worker is an error of the isolation: TestIsolationNotAvailable"},
			"Audit":         {policy: Policy{Audit: func(audit.Refusal) {}}},
			"AllowDegraded": {any: "both mean something"},
			"Guard":         {policy: Policy{Guard: wrongGuard{}}},
			"Uncalled":      {any: "a function, or none"},
		},
		reflect.TypeFor[Files](): {
			"Open":       {any: "without it files are in memory"},
			"Paths":      {policy: filesOf(Files{Paths: []string{"/no/such/directory"}})},
			"Secrets":    {any: "both mean something"},
			"Cwd":        {any: "it is made if it is missing"},
			"Quota":      {policy: filesOf(Files{Quota: vfs.Quota{Bytes: -1}})},
			"ModuleRoot": {any: "where nothing is, nothing can be imported"},
		},
		reflect.TypeFor[Package](): {
			"Path":      {policy: packageOf(Package{Path: "../up"}), want: `"../up" is not an import path`},
			"Name":      {policy: packageOf(Package{Name: "no name"})},
			"Members":   {policy: packageOf(Package{Members: map[string]any{"F": nil}}), want: "corp/p.F: the value is nil"},
			"Docs":      {policy: packageOf(Package{Docs: map[string]string{"G": "of what is not there"}})},
			"Object":    {policy: packageOf(Package{Object: 5})},
			"Network":   {any: "both mean something"},
			"HostFiles": {any: "both mean something"},
			"Include":   {policy: packageOf(Package{Include: []string{"Nothing"}}), want: `"Nothing" matches nothing in package corp/p`},
			"Exclude":   {policy: packageOf(Package{Exclude: []string{"Nothing"}}), want: `"Nothing" matches nothing in package corp/p`},
			"Keep":      {any: "it is asked, and says what it likes"},
		},
	} {
		for f := range typ.Fields() {
			row, ok := rows[f.Name]
			delete(rows, f.Name)
			if row.any != "" {
				continue
			}
			_, err := New(t.Context(), row.policy)
			if !ok || !errors.Is(err, ErrPolicy) || !strings.Contains(err.Error(), "Policy.") || !strings.Contains(err.Error(), cmp.Or(row.want, f.Name)) {
				t.Errorf("%v.%s: %v", typ, f.Name, err)
			}
		}
		for name := range rows {
			t.Errorf("%v has no field %s", typ, name)
		}
	}
}

// A wrongGuard has a fault.
type wrongGuard struct{}

func (wrongGuard) Compile([]decide.Member) (decide.Gate, error) {
	return nil, errors.New("no such member")
}
