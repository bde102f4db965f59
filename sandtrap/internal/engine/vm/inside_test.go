package vm

import (
	"go/types"
	"slices"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/compile"
)

// TestCalledInside: these members are taken to call a function of the script in no other place than their own
// call, on its goroutine. Whoever finds another one here has to look whether that is so.
func TestCalledInside(t *testing.T) {
	want := []string{
		"bytes.ContainsFunc", "bytes.IndexFunc", "bytes.LastIndexFunc", "bytes.Map", "bytes.TrimFunc", "bytes.TrimLeftFunc",
		"bytes.TrimRightFunc", "os.Expand", "sort.Find", "sort.Search", "strings.ContainsFunc", "strings.FieldsFunc",
		"strings.IndexFunc", "strings.LastIndexFunc", "strings.Map", "strings.TrimFunc", "strings.TrimLeftFunc",
		"strings.TrimRightFunc",
	}
	table, err := builtins.NewTable(builtins.Std()...)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, path := range table.Paths() {
		pkg, err := table.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range pkg.Scope().Names() {
			f, ok := pkg.Scope().Lookup(name).(*types.Func)
			if ok && compile.CallsInside(f.Signature()) && table.Engine(path, "", name) != "keeps" && takesFunction(f.Signature()) {
				got = append(got, path+"."+name)
			}
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func takesFunction(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if _, ok := v.Type().Underlying().(*types.Signature); ok {
			return true
		}
	}
	return false
}
