package corpora

import (
	"flag"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest"
)

// runKnown is for those who mend what is known to fail. Some of these cases take
// the process down, which is why they are not run without it.
var runKnown = flag.Bool("known", false, "run the cases that are known to fail, too")

// mostKnown only goes down.
const mostKnown = 0

// TestCorpora runs every case on every engine, all in this process: a case that
// takes the process down fails the test of all.
func TestCorpora(t *testing.T) {
	for _, engine := range []string{"vm", "yaegi"} {
		dirs := []string{"testdata/accept", "docs/examples", "testdata/snippets", "testdata/reject", "testdata/escape"}
		if engine == "vm" {
			dirs = append(dirs, "testdata/regress")
		}
		for _, dir := range dirs {
			t.Run(engine+"/"+dir, func(t *testing.T) {
				if testing.Short() && dir == "testdata/escape" {
					t.Skip("waits for many timeouts")
				}
				runAll(t, engine, load(t, dir))
			})
		}
	}
}

func runAll(t *testing.T, engine string, cases []sandtraptest.Case) {
	refused, known := 0, 0
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			if why := c.Known.On(engine); why != "" && !*runKnown {
				known++
				t.Skip("known to fail: " + why)
			}
			out := sandtraptest.Run(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: engine}, c)
			if out.Refused {
				refused++
			}
			for _, f := range out.Failures {
				t.Error(f)
			}
		})
	}
	t.Logf("%d cases, %d refused by the engine, %d known to fail", len(cases), refused, known)
}

// TestKnown keeps the cases that are known to fail from becoming more.
func TestKnown(t *testing.T) {
	known := 0
	for _, c := range load(t, "testdata/accept", "docs/examples", "testdata/snippets", "testdata/reject", "testdata/escape") {
		if len(c.Known) > 0 {
			known++
		}
	}
	if known > mostKnown {
		t.Errorf("%d cases are known to fail, want at most %d", known, mostKnown)
	}
}

func TestCorpusReads(t *testing.T) {
	hostile := load(t, "testdata/escape", "testdata/reject")
	if len(hostile) < 200 {
		t.Errorf("%d hostile programs, want at least 200", len(hostile))
	}
	seen := map[string]bool{}
	for _, c := range hostile {
		if seen[c.Name] {
			t.Errorf("two cases are named %s", c.Name)
		}
		seen[c.Name] = true
	}
}
