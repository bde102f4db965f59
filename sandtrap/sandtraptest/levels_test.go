package sandtraptest

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// TestLevels: each level of isolation kernel has the layers that docs/security.md lists.
func TestLevels(t *testing.T) {
	if machine.Raced {
		t.Skip("the race detector makes system calls that no worker may make")
	}
	want := []string{}
	for _, level := range []isolate.Level{isolate.Standard, isolate.Strict, isolate.Maximum} {
		want = append(want, documentedLevel(t, level)...)
		slices.Sort(want)
		t.Run(string(level), func(t *testing.T) {
			box, err := sandtrap.New(t.Context(), sandtrap.Policy{Isolation: sandtrap.Kernel, Level: level})
			rig.NoKernel(t, err)
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			res, err := box.Run(t.Context(), sandtrap.Script{Text: "x := 1"})
			if err != nil || res.Isolation.Level != level || len(res.Isolation.Missing) > 0 {
				t.Fatalf("%v, %+v", err, res.Isolation)
			}
			got := []string{}
			for _, l := range res.Isolation.Layers {
				if l.State != "applied" {
					t.Errorf("%s is %s", l.Name, l.State)
				}
				got = append(got, l.Name)
			}
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("documented, and there:\n%s", diff)
			}
		})
	}
}

// TestAuditIsQuiet: a script makes no system call that the filter refuses, whatever it does.
func TestAuditIsQuiet(t *testing.T) {
	if machine.Raced {
		t.Skip("the race detector makes system calls that no worker may make")
	}
	told := make(chan audit.Refusal, 1)
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{
		Std: sandtrap.StdDefault(), Isolation: sandtrap.Kernel, Audit: func(c audit.Refusal) { told <- c }, // more would stand still
		Files: &sandtrap.Files{Open: func() (afero.Fs, error) { return vfs.Mem(), nil }},
	})
	rig.NoKernel(t, err)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	res, err := box.Run(t.Context(), sandtrap.Script{Text: `
var wg sync.WaitGroup
for range 100 { wg.Go(func() { time.Sleep(time.Millisecond) }) }
wg.Wait()
os.WriteFile("a", make([]byte, 1<<20), 0o600)
text, err := os.ReadFile("a")
var kept [][]byte
for range 100 { kept = append(kept, make([]byte, 1<<18)) }
_, missing := os.Open("/etc/passwd")
fmt.Println(len(text), err, len(kept), missing, rand.Int() >= 0, time.Now().IsZero())
panic("the end")`})
	if want := "1048576 <nil> 100 open /etc/passwd: no such file or directory true false\n"; res.Stdout != want || !errors.Is(err, sandtrap.KindPanic) {
		t.Errorf("%q, %v", res.Stdout, err)
	}
	select {
	case c := <-told:
		t.Errorf("refused: %+v", c)
	default:
	}
}

// documentedLevel is the row of a level.
func documentedLevel(t *testing.T, level isolate.Level) []string {
	t.Helper()
	text, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if row, ok := strings.CutPrefix(line, "| "+string(level)+" | "); ok {
			return strings.Fields(strings.Trim(row, " |\n"))
		}
	}
	t.Fatalf("docs/security.md has no level %s", level)
	return nil
}
