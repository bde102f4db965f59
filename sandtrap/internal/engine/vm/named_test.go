package vm

import (
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/call"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

// TestNamedOperations: what rows say to engines is of a member that is there and in a word that means something; each
// operation that rows can name is named by one; and the machine has the functions and methods of package reflect
// that rows say it has.
func TestNamedOperations(t *testing.T) {
	table, err := builtins.NewTable(builtins.Std()...)
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, p := range builtins.Std() {
		pkg, err := table.Import(p.Path)
		if err != nil {
			t.Fatal(err)
		}
		for entry := range strings.FieldsSeq(p.Engine) {
			member, word, _ := strings.Cut(entry, "=")
			_, operation := ir.Named[word]
			if used[word] = true; !operation && !slices.Contains([]string{"keeps", "places", "formats", "reads", "native", "sqrt"}, word) {
				t.Errorf("%s: no engine knows the word %q", p.Path, word)
			}
			owner, name, method := strings.Cut(member, ".")
			if top := pkg.Scope().Lookup(owner); member != "*" && top == nil {
				t.Errorf("%s has no member %s", p.Path, member)
			}
			if !method {
				owner, name = "", owner
			}
			if word == "reflect-func" && mirror.ReflectFuncs[name] == nil {
				t.Errorf("the machine has no reflect.%s", name)
			}
			if name != "*" && !slices.Contains(strings.Fields(table.Engine(p.Path, owner, name)), word) {
				t.Errorf("%s.%s is not said to be %s", p.Path, member, word)
			}
		}
	}
	for _, word := range slices.Sorted(maps.Keys(ir.Named)) {
		if !used[word] {
			t.Errorf("no row names the operation %q", word)
		}
	}
	for _, owner := range []string{"Value", "MapIter"} {
		pkg, err := table.Import("reflect")
		if err != nil {
			t.Fatal(err)
		}
		for m := range types.NewMethodSet(types.NewPointer(pkg.Scope().Lookup(owner).Type())).Methods() {
			name := m.Obj().Name()
			if _, ok := call.Abilities().Value[name]; owner == "Value" && !ok || owner == "MapIter" && mirror.MapIterMethod((*exec.Machine)(nil), name) == nil {
				t.Errorf("the machine has no method %s of reflect.%s", name, owner)
			}
		}
	}
}
