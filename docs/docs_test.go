// Package docs holds no code: its tests keep the documents true.
package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/gates/abi"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestGatesDocumented: the table of gates.md is that of package abi.
func TestGatesDocumented(t *testing.T) {
	var want strings.Builder
	for _, g := range abi.Table {
		fmt.Fprintf(&want, "| `%s.%s` | `%s` | %s |\n", abi.Name, g.Name, g.Signature, g.Why)
	}
	if doc := read(t, "gates.md"); !strings.Contains(doc, "|---|---|---|\n"+want.String()+"\n") {
		t.Errorf("gates.md does not have the table of package abi, which is\n%s", want.String())
	}
}

var testName = regexp.MustCompile("`((?:Test|Fuzz|Example)[A-Za-z0-9_]*)`")

// TestClaimsHaveTests: every test that a document names exists, and security.md
// names some.
func TestClaimsHaveTests(t *testing.T) {
	known := testsOfModule(t)
	for _, path := range pages(t) {
		named := testName.FindAllStringSubmatch(read(t, path), -1)
		if path == "security.md" && len(named) < 10 {
			t.Errorf("security.md names only %d tests", len(named))
		}
		for _, m := range named {
			if !known[m[1]] {
				t.Errorf("%s: there is no %s", path, m[1])
			}
		}
	}
}

// pages are the documents.
func pages(t *testing.T) (all []string) {
	for _, pattern := range []string{"../*.md", "../testdata/*.md", "*.md"} {
		some, err := filepath.Glob(pattern)
		if err != nil || len(some) == 0 {
			t.Fatal(pattern, err)
		}
		all = append(all, some...)
	}
	return all
}

var (
	link = regexp.MustCompile(`\]\(([^)#: ]+)(#[^) ]*)?\)`)
	here = regexp.MustCompile(`\]\((#[^) ]*)\)`)
)

var headings = regexp.MustCompile(`(?m)^#+ (.*)$`)

// anchors are those of the headings of a document.
func anchors(text string) (all []string) {
	for _, m := range headings.FindAllStringSubmatch(text, -1) {
		all = append(all, anchor(m[1]))
	}
	return all
}

// TestLinks: what a document links to is there, also the heading, and the index of the documents has each of them.
func TestLinks(t *testing.T) {
	for _, page := range pages(t) {
		var prose strings.Builder
		for i, part := range strings.Split(read(t, page), "```") {
			if i%2 == 0 { // what is between is code
				prose.WriteString(part)
			}
		}
		for _, m := range here.FindAllStringSubmatch(prose.String(), -1) {
			if !slices.Contains(anchors(read(t, page)), m[1][1:]) {
				t.Errorf("%s has no heading for %s", page, m[1])
			}
		}
		for _, m := range link.FindAllStringSubmatch(prose.String(), -1) {
			target := filepath.Join(filepath.Dir(page), m[1])
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", page, err)
			} else if m[2] != "" && !slices.Contains(anchors(read(t, target)), m[2][1:]) {
				t.Errorf("%s: %s has no heading for %s", page, target, m[2])
			}
		}
	}
	index := read(t, "README.md")
	for _, page := range pages(t) {
		if filepath.Dir(page) == "." && page != "README.md" && !strings.Contains(index, "]("+page+")") {
			t.Errorf("the index does not have %s", page)
		}
	}
}

// TestEveryClaimNamesATest: each row of the tables of what holds ends with a test.
func TestEveryClaimNamesATest(t *testing.T) {
	_, holds, ok := strings.Cut(read(t, "security.md"), "## What holds")
	if !ok {
		t.Fatal("security.md has no part that says what holds")
	}
	holds, _, _ = strings.Cut(holds, "\n## ")
	rows := 0
	for line := range strings.Lines(holds) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| claim") {
			continue
		}
		rows++
		if !testName.MatchString(line) {
			t.Errorf("no test named in: %s", line)
		}
	}
	if rows < 8 {
		t.Errorf("found %d claims: the test does not read the table", rows)
	}
}

// TestReadmeExamples: the programs of the README and of the quickstart are tested ones.
func TestReadmeExamples(t *testing.T) {
	for _, ex := range []struct {
		page, path, name string
		lines            int // at most
	}{
		{"../README.md", "../sandtrap/example_test.go", "Example", 22},
		{"../README.md", "../sandtrap/example_tools_test.go", "Example_answers", 26},
		{"../README.md", "../sandtrap/example_tools_test.go", "Example_tools", 52}, // a third of them are the scripts
		{"quickstart.md", "../sandtrap/example_test.go", "Example", 22},
		{"quickstart.md", "../sandtrap/example_tools_test.go", "Example_answers", 26},
		{"sessions.md", "../sandtrap/example_session_test.go", "ExampleSandbox_Session", 22},
	} {
		code := exampleBody(t, ex.path, ex.name)
		want := "```go\n" + strings.TrimSpace(code) + "\n```"
		if !strings.Contains(read(t, ex.page), want) {
			t.Errorf("%s does not hold %s, which is\n%s", ex.page, ex.name, want)
		}
		if lines := strings.Count(want, "\n"); lines > ex.lines {
			t.Errorf("%s has %d lines, want %d or fewer", ex.name, lines, ex.lines)
		}
	}
}

// exampleBody is what an example does, without its output.
func exampleBody(t *testing.T, path, name string) string {
	t.Helper()
	fset := token.NewFileSet()
	src := read(t, path)
	file, err := parser.ParseFile(fset, path, src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(file.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Name.Name == name
	})
	if i < 0 {
		t.Fatalf("%s has no %s", path, name)
	}
	body := file.Decls[i].(*ast.FuncDecl).Body
	code := src[fset.Position(body.Lbrace).Offset+2 : fset.Position(body.Rbrace).Offset]
	code, _, _ = strings.Cut(code, "\t// Output:")
	return strings.ReplaceAll("\n"+code, "\n\t", "\n")
}

// testsOfModule is the set of names of tests, fuzz targets and examples.
func testsOfModule(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	decl := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example)[A-Za-z0-9_]*)\(`)
	err := fs.WalkDir(os.DirFS(".."), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		for _, m := range decl.FindAllStringSubmatch(read(t, "../"+path), -1) {
			known[m[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return known
}
