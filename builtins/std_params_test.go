package builtins

import (
	"flag"
	"fmt"
	"go/types"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/std"
)

var update = flag.Bool("update", false, "write the names of the parameters of the standard library")

// TestParamNames: the names of parameters are those that the sources of the standard library have.
func TestParamNames(t *testing.T) {
	var want strings.Builder
	for _, p := range Std() {
		table := tableOf(t, p)
		pkg, err := table.Import(p.Path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&want, p.Path)
		ours, theirs := functions(pkg), functions(goPackage(t, p.Path))
		for _, name := range sortedKeys(ours) {
			if theirs[name] == nil {
				continue
			}
			names := paramNames(theirs[name])
			if len(names) > 0 && len(names) == ours[name].Params().Len() {
				fmt.Fprintf(&want, " %s %s\n", name, strings.Join(names, " "))
				if got := table.ParamNames(p.Path, name); !*update && !slices.Equal(got, names) {
					t.Errorf("%s.%s: %v, want %v", p.Path, name, got, names)
				}
			}
		}
	}
	const file = "internal/std/params.txt"
	if *update {
		if err := os.WriteFile(file, []byte(want.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want.String() {
		t.Errorf("%s is not what the sources say (go generate ./builtins/internal/std), %v", file, err)
	}
}

func sortedKeys[V any](m map[string]V) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// functions are those of a package, and the methods of its types.
func functions(pkg *types.Package) map[string]*types.Signature {
	all := map[string]*types.Signature{}
	for _, name := range pkg.Scope().Names() {
		switch obj := pkg.Scope().Lookup(name).(type) {
		case *types.Func:
			all[name] = obj.Signature()
		case *types.TypeName:
			if named, ok := obj.Type().(*types.Named); ok && obj.Exported() {
				for m := range named.Methods() {
					all[name+"."+m.Name()] = m.Signature()
				}
			}
		}
	}
	return all
}

// paramNames are those of a signature, nil if one has none.
func paramNames(sig *types.Signature) (names []string) {
	for v := range sig.Params().Variables() {
		if v.Name() == "" || v.Name() == "_" {
			return nil
		}
		names = append(names, v.Name())
	}
	return names
}

// TestParamNamesOfHost: a host names the parameters of its functions and methods; names that do not fit are refused.
func TestParamNamesOfHost(t *testing.T) {
	add := func(a, b int) int { return a + b }
	good, err := Predeclare(map[string]any{"add": Registered{Value: add, Params: []string{"left", "right"}}})
	if err != nil {
		t.Fatal(err)
	}
	if got := tableOf(t, good).ParamNames("", "add"); !slices.Equal(got, []string{"left", "right"}) {
		t.Errorf("%v", got)
	}
	for want, params := range map[string][]string{
		"1 names of parameters for the 2": {"a"}, `"a" is no name`: {"a", "a"}, `"func" is no name`: {"a", "func"}, `"_" is no name`: {"_", "b"},
	} {
		if _, err := Predeclare(map[string]any{"add": Registered{Value: add, Params: params}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", params, err, want)
		}
	}
	if _, err := Predeclare(map[string]any{"n": Registered{Value: 1, Params: []string{"a"}}}); err == nil {
		t.Error("a number has parameters")
	}
	if std.ParamNames("strings", "NoSuchName") != nil {
		t.Error("what is not there has parameters")
	}
}
