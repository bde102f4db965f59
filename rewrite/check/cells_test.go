package check_test

import (
	"errors"
	"go/types"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/checkcost"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// loaded are the cells of a session whose values are of some types of the host.
type loaded []types.Type

func (loaded) CostsOf(string) (checkcost.Costs, bool)   { return checkcost.Costs{}, false }
func (loaded) MembersOf() checkcost.Members             { return nil }
func (loaded) Declares(string) bool                     { return false }
func (loaded) ImportOf(string) string                   { return "" }
func (loaded) Packages() []*check.Checked               { return nil }
func (loaded) Hosts() map[*types.Package]bool           { return nil }
func (loaded) InputTypes() map[string]types.Type        { return nil }
func (l loaded) LoadedTypes() []types.Type              { return l }
func (loaded) Show(c *check.Checked, _ map[string]bool) { c.Outer = types.NewPackage("main", "main") }

// TestLoadedBring: what methods of the values of a loaded session give out is not overwritten. What lies in the values is the
// session's own, or read-only.
func TestLoadedBring(t *testing.T) {
	u := newUniverse(t)
	of := func(name string) types.Type { return u.packages["vault"].Scope().Lookup(name).Type() }
	slice := func(t types.Type) types.Type { return types.NewSlice(t) }
	pointer := func(t types.Type) types.Type { return types.NewPointer(t) }
	for _, tc := range []struct {
		name    string
		loaded  types.Type
		refused bool
	}{
		{"nothing", nil, false},
		{"another type", of("Other"), false},
		{"the type itself", of("Gold"), false},
		{"a pointer to it", pointer(of("Gold")), false},
		{"a field", of("Box"), false},
		{"a method's result", of("Vault"), true},
		{"a pointer to a type with such a method", pointer(of("Vault")), true},
		{"a list of these", slice(pointer(of("Vault"))), true},
		{"a map to these", types.NewMap(types.Typ[types.Int], of("Vault")), true},
		{"a map from these", types.NewMap(of("Vault"), types.Typ[types.Int]), true},
		{"a field of such a type", of("Bank"), true},
		{"a method of an interface", of("Opener"), true},
		{"a callback", of("Guard"), true},
		{"a method of a method's result", of("Clerk"), true},
		{"a type that holds itself", of("Ring"), true},
		{"an alias", types.NewAlias(types.NewTypeName(0, nil, "A", nil), of("Vault")), true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			cells := loaded{}
			if tc.loaded != nil {
				cells = append(cells, of("Other"), tc.loaded)
			}
			// Package apart has a Gold and gives out no pointer to one.
			p, err := parse.Parse(parse.Source{Text: "import \"apart\"\np := apart.Take\nfunc f(q *apart.Gold) { *q = apart.Gold{} }"}, parse.Bounds{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = check.CheckCell(p, u, nil, cells)
			var r *diag.Rejection
			if got := errors.As(err, &r) && r.Code == diag.HostWrite; got != tc.refused || err != nil && !got {
				t.Errorf("error %v; want it refused: %v", err, tc.refused)
			}
		})
	}
}
