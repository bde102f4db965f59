package sandtrap

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var saysWhatItMayNot = regexp.MustCompile(`(?m)^It may not \S.*`)

// TestPackagesSayWhatTheyMayNot: each package of the ladder has one comment, which says what the package is and what
// it may not do.
func TestPackagesSayWhatTheyMayNot(t *testing.T) {
	comments := map[string][]string{}
	for file := range moduleImports(t, "..") {
		dir := path.Dir(file)
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", file), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if dir != "docs" && !strings.HasPrefix(dir, "docs/") {
			comments[dir] = append(comments[dir], packageComments(parsed)...)
		}
	}
	if len(comments) < 50 {
		t.Fatalf("found only %d packages: the test does not read the module", len(comments))
	}
	for dir, list := range comments {
		if len(list) != 1 {
			t.Errorf("%s has %d comments of the package, want 1", dir, len(list))
		} else if !saysWhatItMayNot.MatchString(list[0]) {
			t.Errorf("the comment of package %s does not say what it may not do", dir)
		}
	}
}

func packageComments(f *ast.File) []string {
	if text := f.Doc.Text(); strings.HasPrefix(text, "Package ") || strings.HasPrefix(text, "Command ") {
		return []string{text}
	}
	return nil
}

// TestPackagesInArchitecture: each package of the ladder has a row in docs/architecture.md. Those below
// builtins/internal/shim share one.
func TestPackagesInArchitecture(t *testing.T) {
	page, err := os.ReadFile("../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n## Packages\n")
	rows := regexp.MustCompile(`(?m)^\| ([a-z][^|]*) \|`).FindAllStringSubmatch(table, -1)
	for name := range wholeLadder() {
		if strings.HasPrefix(name, "builtins/internal/shim/") || strings.HasPrefix(name, "docs") || name == "testdata" {
			continue
		}
		if !slices.ContainsFunc(rows, func(row []string) bool { return slices.Contains(strings.Split(row[1], ", "), name) }) {
			t.Errorf("docs/architecture.md has no row for %s", name)
		}
	}
}
