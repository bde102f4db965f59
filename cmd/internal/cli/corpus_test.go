package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest"
)

// TestCorpusFails: an attack that does not end as its case says is told of, and is the exit code.
func TestCorpusFails(t *testing.T) {
	cases, err := sandtraptest.LoadFS(fstest.MapFS{"a.txtar": {Data: []byte("About it.\n-- good.go --\n// want: ok\nx := 1\n_ = x\n-- bad.go --\n// want: denied\nx := 1\n_ = x\n")}}, "*")
	if err != nil {
		t.Fatal(err)
	}
	modes := []sandtrap.Isolation{sandtrap.None}
	var out strings.Builder
	if code := (&call{stdout: &out}).runCorpus(cases, modes, false); code != exitPanic {
		t.Errorf("exit code %d, want %d", code, exitPanic)
	}
	for _, want := range []string{"a/good.go", "contained", "FAILED", "    none: want denied, got ok\n", "attacks: 2, runs: 2, runs that did not end as they should: 1\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	out.Reset()
	code := (&call{stdout: &out}).runCorpus(cases, modes, true)
	var got struct {
		Attacks []attack
		Failed  int
	}
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil || code != exitPanic || got.Failed != 1 || len(got.Attacks) != 2 {
		t.Fatalf("exit code %d, %v, %s", code, err, out.String())
	}
	if a := got.Attacks[1]; a.About != "About it." || a.Name != "bad.go" || a.Ends["none"].Expected || a.Ends["none"].Kind != "ok" {
		t.Errorf("%+v, %+v", a, a.Ends["none"])
	}
}

// TestCorpusUnavailable: an isolation that cannot be had is said, and is no success.
func TestCorpusUnavailable(t *testing.T) {
	var stdout, stderr strings.Builder
	c := &call{stdout: &stdout, stderr: &stderr}
	if code := c.runCorpus(nil, []sandtrap.Isolation{sandtrap.None, "moat"}, false); code != exitIsolation || !strings.Contains(stderr.String(), "moat") {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
}
