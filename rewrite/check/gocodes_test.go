package check

import (
	"go/ast"
	"go/build"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"testing"
)

// TestGoCodes compares the table of codes with those of the toolchain.
func TestGoCodes(t *testing.T) {
	fset := token.NewFileSet()
	name := filepath.Join(build.Default.GOROOT, "src", "internal", "types", "errors", "codes.go")
	f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{}).Check("errors", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range pkg.Scope().Names() {
		c, ok := pkg.Scope().Lookup(name).(*types.Const)
		if !ok || name == "Test" {
			continue
		}
		number, _ := constant.Int64Val(c.Val())
		if got := goCodes[int(number)].name; got != name {
			t.Errorf("code %d is %q, want %s", number, got, name)
		}
		found++
	}
	if found != len(goCodes) {
		t.Errorf("%d codes in the toolchain, %d in the table", found, len(goCodes))
	}
	for name := range explanations {
		if pkg.Scope().Lookup(name) == nil {
			t.Errorf("explanation for %s, which is no code", name)
		}
	}
}
