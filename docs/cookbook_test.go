package docs

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/cookbook.md")

const cookbookHead = `# Cookbook

Tasks of a host, which is the program that runs scripts, with a program and its output for each. The programs are the
bodies of tested examples in [cookbook](cookbook), whose files have all imports. All import

` + "```go" + `
import "github.com/sandtrap-go/sandtrap/sandtrap"
` + "```" + `

In a program with isolation process or kernel ` + "`worker.Init()`" + ` comes first in main, see
[quickstart.md](quickstart.md#before-strangers-use-it). Larger programs are in [hosts](hosts).

`

// TestCookbook: docs/cookbook.md is made of the examples in docs/cookbook; go test ./docs -run TestCookbook -update
// writes it.
func TestCookbook(t *testing.T) {
	var index, body strings.Builder
	recipes := 0
	for _, path := range []string{"answers", "tools", "network", "runs", "walls"} {
		path = filepath.Join("cookbook", path+"_test.go")
		fset, src := token.NewFileSet(), read(t, path)
		file, err := parser.ParseFile(fset, path, src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(fn.Name.Name, "Example_") {
				continue
			}
			recipes++
			_, doc, found := strings.Cut(strings.Join(strings.Fields(fn.Doc.Text()), " "), fn.Name.Name+": ")
			if !found {
				t.Fatalf("%s has no title", fn.Name.Name)
			}
			title, rest, _ := strings.Cut(doc, ". ")
			title = strings.TrimSuffix(title, ".")
			fmt.Fprintf(&index, "- [%s](#%s)\n", title, anchor(title))
			fmt.Fprintf(&body, "\n## %s\n\n", title)
			if rest != "" {
				fmt.Fprintf(&body, "%s\n\n", rest)
			}
			fmt.Fprintf(&body, "```go\n%s\n```\n\nIt prints\n\n```\n%s```\n", strings.TrimSpace(exampleBody(t, path, fn.Name.Name)), outputOf(file, fn))
		}
	}
	want := cookbookHead + index.String() + body.String()
	if *update {
		if err := os.WriteFile("cookbook.md", []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if read(t, "cookbook.md") != want {
		t.Error("docs/cookbook.md is not what docs/cookbook says: go test ./docs -run TestCookbook -update")
	}
	if recipes < 20 {
		t.Errorf("%d recipes, want 20", recipes)
	}
}

// anchor is that of a heading.
func anchor(title string) string {
	keep := func(r rune) rune {
		if r == ' ' {
			return '-'
		}
		if strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789-", r) {
			return r
		}
		return -1
	}
	return strings.Map(keep, strings.ToLower(title))
}

// outputOf is what an example says that it prints.
func outputOf(file *ast.File, fn *ast.FuncDecl) string {
	i := slices.IndexFunc(file.Comments, func(c *ast.CommentGroup) bool {
		return c.Pos() > fn.Body.Pos() && c.End() < fn.Body.End() && strings.HasPrefix(c.List[0].Text, "// Output:")
	})
	var b strings.Builder
	for _, c := range file.Comments[i].List {
		line := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(c.Text, "//"), " "), "Output:")
		if line = strings.TrimPrefix(line, " "); line != "" || b.Len() > 0 {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
