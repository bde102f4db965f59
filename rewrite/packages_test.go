package rewrite

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// withPackages is a source whose packages are the directories of an archive; its
// first file is the script.
func withPackages(text string) parse.Source {
	a := txtar.Parse([]byte(text))
	return parse.Source{Name: a.Files[0].Name, Text: string(a.Files[0].Data), Find: func(path string) ([]parse.Source, error) {
		var files []parse.Source
		for _, f := range a.Files[1:] {
			if dir, name, ok := cutLast(f.Name); ok && dir == path && strings.HasSuffix(name, ".go") {
				files = append(files, parse.Source{Name: f.Name, Text: string(f.Data)})
			}
		}
		if path == "broken" {
			return nil, errors.New("the disk is on fire")
		}
		return files, nil
	}}
}

func cutLast(path string) (dir, name string, ok bool) {
	i := strings.LastIndex(path, "/")
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+1:], true
}

const ownPackages = `
-- main.go --
package main

import (
	"fmt"

	st "helpers/stats"
	"helpers/text"
)

type point struct {
	st.Mean
	name string
}

func main() {
	p := point{name: text.Upper("p")}
	p.Add(1)
	fmt.Println(p.Value(), st.Of(1, 2, 3), text.Last)
}
-- helpers/stats/mean.go --
package stats

import "helpers/text"

type Mean struct {
	Sum float64
	n   int
}

func (m *Mean) Add(f float64) { m.Sum += f; m.n++ }

func (m *Mean) Value() float64 { return m.Sum / float64(m.n) }

var Name = text.Upper("mean")
-- helpers/stats/of.go --
package stats

import "fmt"

func Of[N int | float64](all ...N) string {
	var m Mean
	for _, n := range all {
		m.Add(float64(n))
	}
	return fmt.Sprint(m.Value())
}
-- helpers/text/text.go --
package text

import "strings"

var Last string

func Upper(s string) string { Last = s; return strings.ToUpper(s) }
`

// TestPackages wants a package checked and lowered like the script, before it.
func TestPackages(t *testing.T) {
	p, err := Compile(withPackages(ownPackages), parse.Bounds{}, newTestUniverse(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, u := range p.Units() {
		paths = append(paths, u.Package.Path())
	}
	if got := strings.Join(paths, " "); got != "helpers/text helpers/stats main" {
		t.Errorf("units: %s", got)
	}
	if err := Verify(p); err != nil {
		t.Error(err)
	}
	text := p.Text()
	for _, want := range []string{`st "helpers/stats"`, "// helpers/stats/of.go", "func Of[N int | float64](all ...N) string {\n\t__st.Tick("} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	members := map[string]bool{}
	for _, b := range p.Bindings() {
		if members[b.String()] {
			t.Errorf("%s is bound twice", b)
		}
		members[b.String()] = true
	}
	for _, want := range []string{"fmt.Println", "fmt.Sprint", "strings.ToUpper"} {
		if !members[want] {
			t.Errorf("%s is not bound", want)
		}
	}
}

// TestBlankImport: a blank import of a package of the script's is kept, so that it is initialised.
func TestBlankImport(t *testing.T) {
	p, err := Compile(withPackages("-- main.go --\npackage main\nimport _ \"a\"\nfunc main() {}\n-- a/a.go --\npackage a\nimport _ \"b\"\n-- b/b.go --\npackage b\nimport \"fmt\"\nfunc init() { fmt.Println(1) }"), parse.Bounds{}, newTestUniverse(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, u := range p.Units() {
		paths = append(paths, u.Package.Path())
	}
	if got := strings.Join(paths, " "); got != "b a main" {
		t.Errorf("units: %s", got)
	}
	if err := Verify(p); err != nil {
		t.Error(err)
	}
}

// TestPackagesRefused wants errors where they are, in the file that has them.
func TestPackagesRefused(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
	}{
		{"no such package", "-- main.go --\npackage main\nimport \"a/b\"\nfunc main() { b.F() }", `main.go:2:8: there is no package "a/b" here`},
		{"cycle", "-- main.go --\npackage main\nimport \"a\"\nfunc main() { a.F() }\n-- a/a.go --\npackage a\nimport \"b\"\nfunc F() { b.F() }\n-- b/b.go --\npackage b\nimport \"a\"\nfunc F() { a.F() }",
			"b/b.go:2:8: import cycle: a imports b imports a"},
		{"of itself", "-- main.go --\npackage main\nimport \"a\"\nfunc main() { a.F() }\n-- a/a.go --\npackage a\nimport \"a\"\nfunc F() { a.F() }", "a/a.go:2:8: import cycle: a imports a"},
		{"syntax", "-- main.go --\npackage main\nimport \"a\"\nfunc main() { a.F() }\n-- a/a.go --\npackage a\n\nfunc F( {}", "a/a.go:3:"},
		{"type", "-- main.go --\npackage main\nimport \"a\"\nfunc main() { a.F() }\n-- a/a.go --\npackage a\n\nfunc F() { var x int = \"s\" }", "a/a.go:3:"},
		{"denied", "-- main.go --\npackage main\nimport \"a\"\nfunc main() { a.F() }\n-- a/a.go --\npackage a\n\nimport \"os/exec\"\nfunc F() { exec.Command(\"x\") }", "a/a.go:3:8: "},
		{"unsafe", "-- main.go --\npackage main\nimport \"a\"\nfunc main() { a.F() }\n-- a/a.go --\npackage a\n\nimport \"unsafe\"\nvar P unsafe.Pointer\nfunc F() {}", "a/a.go:3:8: "},
		{"reserved name", "-- main.go --\npackage main\nimport \"a\"\nfunc main() { a.F() }\n-- a/a.go --\npackage a\n\nfunc F() {}\nvar __st int", "a/a.go:4:5: "},
		{"hidden", "-- main.go --\npackage main\nimport \"a\"\nfunc main() { a.f() }\n-- a/a.go --\npackage a\n\nfunc f() {}", "main.go:3:"},
		{"two packages", "-- main.go --\npackage main\nimport \"a\"\nfunc main() { a.F() }\n-- a/a.go --\npackage a\nfunc F() {}\n-- a/b.go --\npackage b", "a/b.go:1:9: package b in a directory of package a"},
		{"main", "-- main.go --\npackage main\nimport \"a\"\nfunc main() { a.F() }\n-- a/a.go --\npackage main\nfunc F() {}\nfunc main() {}", "a/a.go:1:9: package main cannot be imported"},
		{"failure", "-- main.go --\npackage main\nimport \"broken\"\nfunc main() { broken.F() }", "main.go:2:8: the disk is on fire"},
		{"too much", "-- main.go --\npackage main\nimport \"a\"\nfunc main() { a.F() }\n-- a/a.go --\npackage a\n// " + strings.Repeat("x", 300<<10) + "\nfunc F() {}", "a/a.go:1:1: the program and the packages that it imports have 307,272 bytes together, as far as they were read; the limit is 262,144"},
		{"too much together", "-- main.go --\npackage main\nimport \"a\"\nfunc main() { a.F() }\n-- a/a.go --\npackage a\nfunc F() {}\n// " + strings.Repeat("x", 200<<10) + "\n-- a/b.go --\npackage a\n// " + strings.Repeat("x", 100<<10) + "\n",
			"a/b.go:1:1: the program and the packages that it imports have 307,286 bytes together, as far as they were read; the limit is 262,144"},
		{"blank import of the universe's", "-- main.go --\npackage main\nimport _ \"strings\"\nfunc main() {}", "main.go:2:8: blank import of strings is not allowed"},
		{"blank import of what is not there", "-- main.go --\npackage main\nimport _ \"a/b\"\nfunc main() {}", "main.go:2:8: blank import of a/b is not allowed"},
		{"instances", "-- main.go --\npackage main\nimport \"a\"\nfunc main() { a.A[int](9) }\n-- a/a.go --\npackage a\nimport \"b\"\nfunc A[X0 any](n int) { b.A[[]X0](n); b.A[*X0](n) }\n-- b/b.go --\npackage b\n" + multiplying, "too many instances"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Compile(withPackages(tc.text), parse.Bounds{}, newTestUniverse(), nil)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

// multiplying is generic code whose instances double with each function.
var multiplying = func() string {
	var b strings.Builder
	for i := range 24 {
		a, next := string(rune('A'+i)), string(rune('A'+i+1))
		b.WriteString("func " + a + "[X0 any](n int) { " + next + "[[]X0](n); " + next + "[*X0](n) }\n")
	}
	return b.String() + "func Y[X0 any](n int) {}\n"
}()
