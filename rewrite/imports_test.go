package rewrite

import (
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// TestImportsMended: a script gets the imports that it left out, and is told of those that nothing uses; a name of the
// script's own is never taken for a package.
func TestImportsMended(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		imports    string // of the checked file, sorted, but for the gate package
		warnings   string
	}{
		{"none needed", "x := 1", "", ""},
		{"left out of a snippet", "fmt.Println(strings.ToUpper(\"a\"))", "fmt strings", ""},
		{"left out of a program", "package main\nfunc main() { fmt.Println(strings.ToUpper(\"a\")) }", "fmt strings", ""},
		{"one of two left out", "package main\nimport \"fmt\"\nfunc main() { fmt.Println(strconv.Itoa(1)) }", "fmt strconv", ""},
		{"by its members", "rand.IntN(1)", "math/rand/v2", ""},
		{"by its members, the other one", "rand.Intn(1)", "math/rand", ""},
		{"not used in a snippet", "import \"strings\"\nx := 1", "strings", `script.go:1:8: "strings" is imported and not used; the import is left out`},
		{"not used in a program", "package main\nimport (\n\t\"fmt\"\n\ts \"strings\"\n)\nfunc main() { fmt.Println() }", "fmt strings",
			`script.go:4:2: "strings" is imported and not used; the import is left out`},
		{"twice", "package main\nimport \"fmt\"\nimport f \"fmt\"\nfunc main() { f.Println() }", "fmt fmt", `script.go:2:8: "fmt" is imported and not used; the import is left out`},
		{"a variable of that name", "strings := struct{ N int }{1}\nstrings.N", "", ""},
		{"a variable in another function", "func f() { fmt := struct{ N int }{1}; _ = fmt.N }\nfmt.Println(1)", "fmt", ""},
	} {
		parsed, err := parse.Parse(parse.Source{Text: tc.text}, parse.Bounds{})
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		checked, err := check.Check(parsed, newTestUniverse(), nil)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		var paths []string
		for _, spec := range checked.File.Imports {
			if path := parse.ImportPath(spec); !strings.HasPrefix(path, "sandtrap/") {
				paths = append(paths, path)
			}
		}
		slices.Sort(paths)
		if got := strings.Join(paths, " "); got != tc.imports {
			t.Errorf("%s: imports %q, want %q", tc.name, got, tc.imports)
		}
		if got := strings.Join(checked.Warnings, "\n"); got != tc.warnings {
			t.Errorf("%s: warnings %q, want %q", tc.name, got, tc.warnings)
		}
		if p, err := Lower(checked); err != nil {
			t.Errorf("%s: lowered: %v", tc.name, err)
		} else if strings.Contains(tc.warnings, "strings") && strings.Contains(p.Text(), "\"strings\"") {
			t.Errorf("%s: the import is left in\n%s", tc.name, p.Text())
		}
	}
}
