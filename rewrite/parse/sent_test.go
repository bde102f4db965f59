package parse

import (
	"errors"
	"flag"
	"fmt"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestSent parses the texts of the archives in testdata/sent. After each text comes what becomes of it: the syntax
// and what is noted beside it, or the rejections.
func TestSent(t *testing.T) {
	paths, err := filepath.Glob("testdata/sent/*.txtar")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d archives, error %v", len(paths), err)
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Files)%2 != 0 {
			t.Fatalf("%s: a text without its end", path)
		}
		for i := 0; i < len(a.Files); i += 2 {
			sent, want := a.Files[i], &a.Files[i+1]
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar")+"/"+sent.Name, func(t *testing.T) {
				got := becomes(t, string(sent.Data))
				if *update {
					want.Data = []byte(got)
				}
				if got != string(want.Data) {
					t.Errorf("got\n%swant\n%s", got, want.Data)
				}
			})
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(a), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// becomes describes what Parse makes of a text.
func becomes(t *testing.T, text string) string {
	var b strings.Builder
	p, err := Parse(Source{Name: "s.go", Text: text}, Bounds{})
	var rs diag.Rejections
	if errors.As(err, &rs) {
		for _, r := range rs {
			fmt.Fprintf(&b, "%v %v %q: %s\n", r.Pos, r.Code, r.Name, r.Message)
			if r.Hint != "" {
				fmt.Fprintf(&b, "\t%s\n", r.Hint)
			}
		}
		checkRejections(t, err, text)
		return b.String()
	}
	checkPositions(t, p, text)
	if err := (&printer.Config{Mode: printer.UseSpaces | printer.TabIndent, Tabwidth: 8}).Fprint(&b, token.NewFileSet(), p.File); err != nil {
		t.Fatal(err)
	}
	for _, top := range p.Tops {
		for _, a := range top.Assign {
			fmt.Fprintf(&b, "// %v: %s = %s\n", p.Position(a.To.Pos()), a.To.Name, a.Temp.Name)
		}
	}
	for i, e := range p.Echoes {
		fmt.Fprintf(&b, "// %v: echo %d, last %v\n", p.Position(e.Pos), i, e.Last)
	}
	for _, w := range p.Warnings {
		fmt.Fprintf(&b, "// %s\n", w)
	}
	if p.Snippet && p.Body == nil {
		b.WriteString("// no statements\n")
	}
	return b.String()
}
