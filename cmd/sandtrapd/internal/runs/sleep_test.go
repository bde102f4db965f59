package runs_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestSleepWithTools: the clock of a run with tools jumps where it sleeps, so that no time counts for its limit, and stands while it waits for answers.
func TestSleepWithTools(t *testing.T) {
	s := open(t, t.TempDir())
	r, err := s.Start(t.Context(), "alpha", runs.Request{TimeoutMS: 2000, Tools: tools, Code: "began := time.Now()\ntime.Sleep(time.Hour)\n_ = Ask(`?`)\nfmt.Println(time.Since(began))"})
	if err != nil {
		t.Fatal(err)
	}
	if v := s.wait(t, r.ID()); v.State != store.Pending {
		t.Fatalf("%s: %s", v.State, v.Result)
	}
	time.Sleep(2100 * time.Millisecond) // longer than its limit
	s.answer(t, r.ID(), 1, `"yes"`)
	if v := s.wait(t, r.ID()); v.State != store.Done || !strings.Contains(string(v.Result), `"stdout":"1h0m0s\n"`) {
		t.Errorf("%s: %s", v.State, v.Result)
	}
	r, err = s.Start(t.Context(), "alpha", runs.Request{TimeoutMS: 100, Code: "time.Sleep(time.Hour)"})
	if err != nil {
		t.Fatal(err)
	}
	if v := s.wait(t, r.ID()); v.Kind != "timeout" {
		t.Errorf("without tools: %s: %s", v.State, v.Result)
	}
}
