package check

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// emptyUniverse holds no packages.
type emptyUniverse struct{}

func (emptyUniverse) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("no package %q", path)
}
func (emptyUniverse) Named(string) []string                 { return nil }
func (emptyUniverse) Predeclared() []types.Object           { return nil }
func (emptyUniverse) Handle(*types.TypeName) bool           { return false }
func (emptyUniverse) Replaced(*types.TypeName, string) bool { return false }
func (emptyUniverse) Settable(*types.Var) bool              { return false }
func (emptyUniverse) Standard(string) bool                  { return false }
func (emptyUniverse) Engine(_, _, _ string) string          { return "" }
func (emptyUniverse) Explain(string, string) Explanation    { return Explanation{} }

// checkImporting checks a program of packages that do nothing but import each other blankly, and returns the
// paths that the finder was asked for.
func checkImporting(t *testing.T, imports map[string]string) (*Checked, []string, error) {
	t.Helper()
	text := func(name, imported string) string {
		src := "package " + name
		for path := range strings.FieldsSeq(imported) {
			src += fmt.Sprintf("; import _ %q", path)
		}
		return src
	}
	var asked []string
	find := func(path string) ([]parse.Source, error) {
		asked = append(asked, path)
		imported, ok := imports[path]
		if !ok {
			return nil, nil
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		return []parse.Source{{Name: path + ".go", Text: text(name, imported)}}, nil
	}
	p, err := parse.Parse(parse.Source{Text: text("main", imports["main"]) + "; func main() {}", Find: find}, parse.Bounds{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := Check(p, emptyUniverse{}, nil)
	return c, asked, err
}

// TestInitializationOrder: the language sorts packages by their paths and initializes, again and again, the first
// whose imports are initialized. The orders are those of the compiled programs.
func TestInitializationOrder(t *testing.T) {
	for _, tc := range []struct {
		name    string
		imports map[string]string
		want    string
	}{
		{"by path, not as imported", map[string]string{"main": "b a", "a": "", "b": ""}, "a b"},
		{"imports first", map[string]string{"main": "a z", "a": "z", "z": ""}, "z a"},
		{"diamond", map[string]string{"main": "l r", "l": "z", "r": "z", "z": ""}, "z l r"},
		{"freed by one that comes later", map[string]string{"main": "a b c", "a": "c", "b": "", "c": ""}, "b c a"},
		{"back to the first", map[string]string{"main": "d a", "a": "c", "b": "", "c": "b", "d": ""}, "b c a d"},
		{"whole paths", map[string]string{"main": "b/a a/z", "b/a": "", "a/z": ""}, "a/z b/a"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, asked, err := checkImporting(t, tc.imports)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, own := range c.Packages.List {
				got = append(got, own.Path)
			}
			if strings.Join(got, " ") != tc.want {
				t.Errorf("order %v, want %s", got, tc.want)
			}
			slices.Sort(asked)
			if len(asked) != len(slices.Compact(slices.Clone(asked))) {
				t.Errorf("the finder was asked twice for a package: %v", asked)
			}
		})
	}
}

// TestPackageDepth: chains of imports are bounded, and the rejection is at the import that goes too far.
func TestPackageDepth(t *testing.T) {
	chain := func(n int) map[string]string {
		imports := map[string]string{"main": "p1"}
		for i := 1; i < n; i++ {
			imports[fmt.Sprintf("p%d", i)] = fmt.Sprintf("p%d", i+1)
		}
		imports[fmt.Sprintf("p%d", n)] = ""
		return imports
	}
	if c, _, err := checkImporting(t, chain(maxPackageDepth-1)); err != nil || len(c.Packages.List) != maxPackageDepth-1 {
		t.Errorf("a chain at the bound: %v", err)
	}
	_, asked, err := checkImporting(t, chain(10*maxPackageDepth))
	var r *diag.Rejection
	if !errors.As(err, &r) || r.Code != diag.TooComplex || r.Name != "p100" || r.Pos.Name != "p99.go" {
		t.Errorf("a chain above the bound: %v", err)
	}
	if len(asked) > maxPackageDepth {
		t.Errorf("%d packages were read for a chain that is refused", len(asked))
	}
}
