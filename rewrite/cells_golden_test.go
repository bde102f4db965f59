package rewrite

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// TestCells compiles the cells of each archive of testdata/cells in order. After each cell comes what it is lowered to, or why
// it is refused; at the end, what names mean and what is saved once the statements of all cells are over. A session that is
// restored, before or after that, gives names the same meanings.
func TestCells(t *testing.T) {
	paths, err := filepath.Glob("testdata/cells/*.txtar")
	if err != nil || len(paths) < 5 {
		t.Fatalf("%d archives, error %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { testCells(t, path) })
	}
}

func testCells(t *testing.T, path string) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSession(newTestUniverse(), parse.Bounds{})
	got := &txtar.Archive{Comment: a.Comment}
	note := func(name, text string) {
		got.Files = append(got.Files, txtar.File{Name: name, Data: []byte(text)})
	}
	var list []*Program
	for _, f := range a.Files {
		if !strings.HasSuffix(f.Name, ".go") {
			continue
		}
		note(f.Name, string(f.Data))
		p, err := s.Compile(parse.Source{Name: f.Name, Text: string(f.Data)}, nil)
		if err != nil {
			note("refused", err.Error()+"\n")
			continue
		}
		if err := Verify(p); err != nil {
			t.Errorf("%s: verified again: %v", f.Name, err)
		}
		s.Declare(p)
		list = append(list, p)
		note("lowered", p.Text()+strings.Join(slices.Concat(p.Warnings(true), []string{""}), "\n"))
	}
	note("names", strings.Join(append(namesOf(s), ""), "\n"))
	wantRestored(t, s)
	for _, p := range list {
		p.Cell().Linked = over{}
	}
	s.Tidy()
	note("saved", savedText(saved(t, s)))
	wantRestored(t, s)
	if *update {
		if err := os.WriteFile(path, txtar.Format(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if g, w := string(txtar.Format(got)), string(txtar.Format(a)); g != w {
		t.Errorf("%s\ngot\n%s", firstDifference(g, w), g)
	}
}

func wantRestored(t *testing.T, s *Session) {
	t.Helper()
	back, _, err := restored(saved(t, s))
	if err != nil {
		t.Error(err)
		return
	}
	if got, want := typesOf(back), typesOf(s); got != want {
		t.Errorf("restored: %s", firstDifference(got, want))
	}
}

// typesOf are the names of s with their types, without the names of parameters.
func typesOf(s *Session) string {
	var b strings.Builder
	for _, obj := range s.Names() {
		fmt.Fprintf(&b, "%T %s %s\n", obj, obj.Name(), typeText(obj.Type()))
	}
	return b.String()
}

// savedText is a saved session for readers.
func savedText(s *SavedSession) string {
	var b strings.Builder
	for i, c := range s.Cells {
		fmt.Fprintf(&b, "%d %s", i+1, c.Name)
		for _, name := range slices.Sorted(maps.Keys(c.Uses)) {
			fmt.Fprintf(&b, " uses %s of %d", name, c.Uses[name])
		}
		for _, name := range slices.Sorted(maps.Keys(c.Inputs)) {
			fmt.Fprintf(&b, " var %s", name)
		}
		b.WriteString("\n")
		for line := range strings.Lines(c.Text) {
			if line = strings.TrimRight(line, " \n"); line != "" {
				b.WriteString("\t" + line + "\n")
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Names)) {
		fmt.Fprintf(&b, "%s is of %d\n", name, s.Names[name])
	}
	for _, name := range slices.Sorted(maps.Keys(s.Imports)) {
		fmt.Fprintf(&b, "%s is %s\n", name, s.Imports[name])
	}
	return b.String()
}
