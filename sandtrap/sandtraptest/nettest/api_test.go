package nettest

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestAPIs: programs as models write them against services do the same, compiled by Go and as scripts.
func TestAPIs(t *testing.T) {
	s := newServer(t)
	file, names, texts := program(t, "testdata/api")
	want := map[string]string{}
	for _, name := range names {
		base := s.URL + "/run/go-" + name
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		out, err := exec.CommandContext(ctx, file, base, name).CombinedOutput()
		cancel()
		if err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
		want[name] = strings.NewReplacer(base, "BASE", "p"+name+".", "main.").Replace(string(out))
	}
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		p.Limits.Timeout, p.Limits.Ticks = time.Minute, 0
		box := mustBox(t, p, s.gate(t))
		for _, name := range names {
			base := s.URL + "/run/" + string(p.Isolation) + "-" + name
			res, err := box.Run(t.Context(), sandtrap.Script{Text: texts[name], Args: []string{"script", base}})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if got := strings.ReplaceAll(res.Stdout+res.Stderr, base, "BASE"); got != want[name] {
				t.Errorf("%s:\ngot  %s\nwant %s", name, got, want[name])
			}
		}
	})
	if n := s.busy(); n > 0 {
		t.Errorf("%d requests go on", n)
	}
}
