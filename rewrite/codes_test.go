package rewrite

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// TestCodeExamples takes the example in each code's comment through the stages,
// and wants just that code.
func TestCodeExamples(t *testing.T) {
	docs := codeDocs(t)
	left := maps.Clone(docs)
	for code := diag.Code(0); code < 1000; code++ {
		name := code.String()
		if name == "" {
			continue
		}
		delete(left, name)
		t.Run(name, func(t *testing.T) { testCodeExample(t, code, docs[name]) })
	}
	for name := range left {
		t.Errorf("%s has no row", name)
	}
}

func testCodeExample(t *testing.T, code diag.Code, doc string) {
	if !strings.HasPrefix(doc, code.String()+": ") {
		t.Fatalf("comment %q, want one that starts with the name", doc)
	}
	example, ok := exampleIn(doc)
	if !ok {
		if !strings.Contains(doc, "No example") {
			t.Error("the comment has no example and does not say why")
		}
		return
	}
	bounds := parse.Bounds{}
	if code == diag.TooDeep {
		bounds.Nesting = 20
	}
	err := compileExample(example, bounds)
	var rs diag.Rejections
	if !errors.As(err, &rs) {
		t.Fatalf("%q: error %v, want a rejection", example, err)
	}
	for _, r := range rs {
		if r.Code != code {
			t.Errorf("%q: got %v %v", example, r.Code, r)
		}
	}
}

func compileExample(example string, b parse.Bounds) error {
	_, err := Compile(parse.Source{Text: example}, b, newTestUniverse(), nil)
	return err
}

func exampleIn(doc string) (string, bool) {
	_, example, ok := strings.Cut(doc, "Example: ")
	example = strings.TrimSpace(example)
	if s, err := strconv.Unquote(example); err == nil {
		example = s
	}
	return example, ok
}

// codeDocs reads the comments of the constants in the files of codes.
func codeDocs(t *testing.T) map[string]string {
	names, err := filepath.Glob("diag/*.go")
	if err != nil {
		t.Fatal(err)
	}
	docs := map[string]string{}
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if ok && spec.Doc != nil && spec.Names[0].IsExported() {
				docs[spec.Names[0].Name] = spec.Doc.Text()
			}
			return true
		})
	}
	return docs
}
