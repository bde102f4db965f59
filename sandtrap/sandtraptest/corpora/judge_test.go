package corpora

import (
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest"
)

// refusals are the kinds of programs that do not run.
var refusals = []string{"syntax", "rejected", "type", "denied"}

func runs(c sandtraptest.Case) bool {
	return strings.HasSuffix(c.Name, ".go") && !slices.ContainsFunc(c.Wants, func(w sandtraptest.Want) bool {
		return slices.ContainsFunc(w.Kinds, func(k string) bool { return slices.Contains(refusals, k) })
	})
}

// TestHostileIsGo checks that a program which is expected to run is Go: one
// with a slip in it would be refused for the slip, and prove nothing.
func TestHostileIsGo(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks the standard library from source")
	}
	fset := token.NewFileSet()
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	checked := 0
	for _, c := range load(t, "testdata/escape", "testdata/reject") {
		if !runs(c) {
			continue
		}
		checked++
		file, err := parser.ParseFile(fset, c.Name, c.Script, 0)
		if err == nil {
			_, err = conf.Check("main", fset, []*ast.File{file}, nil)
		}
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
	if checked < 200 {
		t.Errorf("checked %d programs only", checked)
	}
}

// TestEndGo runs the programs that end by themselves, and compares how Go says
// they end.
func TestEndGo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every program with the Go toolchain")
	}
	var cases []sandtraptest.Case
	for _, c := range load(t, "testdata/escape") {
		if runs(c) && len(c.Wants) == 1 && len(c.Wants[0].Kinds) == 1 &&
			slices.Contains([]string{"panic", "exit", "deadlock"}, c.Wants[0].Kinds[0]) {
			cases = append(cases, c)
		}
	}
	bin := buildAll(t, cases)
	for i, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			got := goEnding(filepath.Join(bin, "p"+strconv.Itoa(i)))
			if w := c.Wants[0]; !endsLike(w, got) {
				t.Errorf("Go ends it with %v, want %v", got, w)
			}
		})
	}
}

// goEnding is what the Go runtime says of a program.
func goEnding(binary string) sandtraptest.Want {
	err := exec.Command(binary).Run()
	var exit *exec.ExitError
	if err == nil {
		return sandtraptest.Want{Kinds: []string{"ok"}}
	}
	out, _ := exec.Command(binary).CombinedOutput()
	text := string(out)
	switch {
	case strings.Contains(text, "all goroutines are asleep"):
		return sandtraptest.Want{Kinds: []string{"deadlock"}}
	case strings.Contains(text, "panic: "):
		return sandtraptest.Want{Kinds: []string{"panic"}, Text: text}
	case errors.As(err, &exit):
		return sandtraptest.Want{Kinds: []string{"exit"}, Text: strconv.Itoa(exit.ExitCode())}
	}
	return sandtraptest.Want{Text: err.Error()}
}

func endsLike(w, got sandtraptest.Want) bool {
	return slices.Equal(w.Kinds, got.Kinds) && strings.Contains(got.Text, w.Text)
}
