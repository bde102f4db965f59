package sandtrap_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// loadFile names a saved session for a process that is to load it.
const loadFile = "SANDTRAP_TEST_LOAD"

// TestLoadInOtherProcess: what one process has saved another one loads.
func TestLoadInOtherProcess(t *testing.T) {
	if name := os.Getenv(loadFile); name != "" {
		s := loadedFrom(t, name)
		defer s.Close()
		runSteps(t, s, []step{{"x.f() + x.f()", "= 3"}, {"fmt.Println(n, x.next == x, mv(), len(m), e)", "2 true 1 3 e"}})
		os.Stdout.WriteString("loaded\n")
		return
	}
	name := filepath.Join(t.TempDir(), "session")
	if err := os.WriteFile(name, savedBytes(t, richCells...), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestLoadInOtherProcess$")
	cmd.Env = append(os.Environ(), loadFile+"="+name)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "loaded") {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestSessionPackages: packages of the script's own are initialised once, and keep their
// variables, also where the session is loaded and their files are gone.
func TestSessionPackages(t *testing.T) {
	files := func(text string) func(*sandtrap.Policy) {
		return func(p *sandtrap.Policy) {
			p.Files = &sandtrap.Files{ModuleRoot: "lib", Open: func() (afero.Fs, error) {
				fs := afero.NewMemMapFs()
				if text == "" {
					return fs, nil
				}
				return fs, afero.WriteFile(fs, "/lib/count/count.go", []byte(text), 0o600)
			}}
		}
	}
	s := newSession(t, files("package count\nvar n = 10\nvar Last []int\nfunc Next() int { n++; Last = append(Last, n); return n }\nfunc Twice[T any](x T) []T { return []T{x, x} }"))
	runSteps(t, s, []step{{"import \"count\"\ncount.Next()", "= 11"}, {"next := count.Next\nnext()", "= 12"}})
	s = reloaded(t, s, files(""))
	runSteps(t, s, []step{{"count.Next() + next()", "= 27"}, {"count.Last", "= []int{11, 12, 13, 14}"}, {"count.Twice(\"a\")", "= []string{\"a\", \"a\"}"}})
}

// cycleFile names a saved session for a process that is to load it, to run a cell, and to
// save it there again; cycleCell is the cell.
const (
	cycleFile = "SANDTRAP_TEST_CYCLE"
	cycleCell = "SANDTRAP_TEST_CELL"
)

// TestProcessCycles: a session each cell of which another process runs, and saves for the
// next, does what one does that stays where it is. SESSION_CYCLES is how many to run.
func TestProcessCycles(t *testing.T) {
	if name := os.Getenv(cycleFile); name != "" {
		cycle(t, name, os.Getenv(cycleCell))
		return
	}
	name := filepath.Join(t.TempDir(), "session")
	cells := generated(rand.New(rand.NewPCG(11, 3)), count(t, "SESSION_CYCLES", 12))
	stays := newSession(t, nil)
	runCell(t, stays, cells[0])
	if err := os.WriteFile(name, savedBytes(t, cells[0]), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, cell := range cells[1:] {
		cmd := exec.Command(os.Args[0], "-test.run=^TestProcessCycles$")
		cmd.Env = append(os.Environ(), cycleFile+"="+name, cycleCell+"="+cell)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("cycle %d: %v\n%s", i, err, out)
		}
		res, _ := stays.Run(context.Background(), sandtrap.Script{Text: cell})
		if got, _, _ := strings.Cut(string(out), cycleEnd); got != shown(res) {
			t.Fatalf("cycle %d:\n%s\ngot\n%s\nwant\n%s", i, cell, got, shown(res))
		}
	}
}

const cycleEnd = "\nend of the cell\n"

func cycle(t *testing.T, name, cell string) {
	s := loadedFrom(t, name)
	defer s.Close()
	res, _ := s.Run(context.Background(), sandtrap.Script{Text: cell})
	var out bytes.Buffer
	if _, err := s.Save(&out); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString(shown(res) + cycleEnd)
}

// loadedFrom is the session that a file has.
func loadedFrom(t *testing.T, name string) *sandtrap.Session {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	box, err := sandtrap.New(context.Background(), sandtrap.Policy{Std: sandtrap.StdDefault(), Echo: sandtrap.EchoLast})
	if err != nil {
		t.Fatal(err)
	}
	s, err := box.LoadSession(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
