package durabletest

import (
	"flag"
	"go/build"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/paused"
)

var (
	spliceSeed = flag.Uint64("spliceseed", 1, "what chooses the places where programs wait, and the sample of programs")
	spliceAll  = flag.Bool("spliceall", false, "have all programs wait, not a sample")
)

// Of all programs the test takes each twentieth without -spliceall. Of those that it takes, each tenth goes on in all isolations,
// and each twentieth in new processes.
const (
	sample   = 20
	isolated = 10
	afresh   = 20
)

// TestSpliced: programs of the corpora and of Go's own tests that wait at calls within main, goroutines, deferred functions,
// loops, callbacks, cases and methods go on as if they had not waited.
func TestSpliced(t *testing.T) {
	own := corpora(t)
	list := append(own, goPrograms(t)...)
	var c paused.Count
	n := 0
	t.Run("programs", func(t *testing.T) {
		for i, p := range list {
			if !*spliceAll && (uint64(i)+*spliceSeed)%sample != 0 {
				continue
			}
			n++
			modes, fresh := isolations(), n%afresh == 0
			if n%isolated != 0 {
				modes = modes[:1]
			}
			t.Run(p.Name, func(t *testing.T) {
				t.Parallel()
				c.Check(t, p, *spliceSeed, fresh, modes...)
			})
		}
	})
	t.Log(&c)
	if least := int64(n) * 3 / 4; c.Programs.Load() < least || c.Pauses.Load() < 3*least {
		t.Errorf("%v, of %d", &c, n)
	}
	if most := 2 + int64(n)/25; c.Depend.Load() > most {
		t.Errorf("%v, and there may be %d", &c, most)
	}
	if len(list) == len(own) {
		t.Skip("the programs that Go is tested with are not here")
	}
}

// corpora are the programs of testdata.
func corpora(t *testing.T) (list []paused.Program) {
	const root = "../../../"
	for _, dir := range []string{"testdata/accept", "testdata/regress", "docs/examples"} {
		cases, err := sandtraptest.Load(root + dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			out := c.Sections["stdout"]
			p := paused.Program{Name: dir + "/" + c.Name, Text: c.Script, Stdin: c.Sections["stdin"], Files: c.Files, Stdout: &out}
			if c.Name == "evalorder/prog.go" {
				p.Stdout = nil // for small functions Go evaluates some operands in another order
			}
			list = append(list, p)
		}
	}
	return list
}

// goPrograms are programs that Go is tested with, if they are there.
func goPrograms(t *testing.T) (list []paused.Program) {
	root := filepath.Join(build.Default.GOROOT, "test")
	files, err := filepath.Glob(filepath.Join(root, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(root, "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, more...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		if strings.TrimSpace(first) != "// run" {
			continue
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, paused.Program{Name: "go/" + name, Text: string(text)})
	}
	return list
}
