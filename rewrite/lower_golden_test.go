package rewrite

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestLowerGolden lowers input.go of each archive and wants what lowered.go and
// bindings say.
func TestLowerGolden(t *testing.T) {
	paths, err := filepath.Glob("../testdata/lower/*.txtar")
	if err != nil || len(paths) < 15 {
		t.Fatalf("%d golden files, error %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			testGolden(t, path)
		})
	}
}

func testGolden(t *testing.T, path string) {
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := lower(t, fileOf(a, "input.go"))
	if err := recheck(p); err != nil {
		t.Error(err)
	}
	if err := buildSSA(p); err != nil {
		t.Error(err)
	}
	var section strings.Builder
	for _, b := range p.Bindings() {
		fmt.Fprintf(&section, "%d %s %s\n", b.Index, b.Kind, b)
	}
	if *update {
		setFile(a, "lowered.go", p.Text())
		setFile(a, "bindings", section.String())
		if err := os.WriteFile(path, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := p.Text(), fileOf(a, "lowered.go"); got != want {
		t.Errorf("lowered:\n%s\nwant:\n%s", got, want)
	}
	if got, want := section.String(), fileOf(a, "bindings"); got != want {
		t.Errorf("bindings:\n%s\nwant:\n%s", got, want)
	}
}

func fileOf(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func setFile(a *txtar.Archive, name, text string) {
	for i, f := range a.Files {
		if f.Name == name {
			a.Files[i].Data = []byte(text)
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
}
