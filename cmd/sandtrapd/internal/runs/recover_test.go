package runs_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A server is a manager on a store, as one process has it.
type server struct {
	*runs.Manager
	store *store.Store
}

func open(t *testing.T, dir string) *server {
	t.Helper()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8})
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: st, Log: slog.New(slog.NewTextHandler(t.Output(), nil)), AtOnce: 4})
	if err != nil {
		t.Fatal(err)
	}
	s := &server{m, st}
	t.Cleanup(s.close)
	return s
}

// close ends the server as SIGTERM does.
func (s *server) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	s.Drain(ctx)
	s.store.Close()
}

func (s *server) wait(t *testing.T, id string) runs.View {
	t.Helper()
	r, err := s.Get(t.Context(), "alpha", id)
	if err != nil {
		t.Fatal(err)
	}
	v, err := r.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// left writes runs into a store as a process leaves them that was killed.
func left(t *testing.T, dir string, rows ...*store.Run) {
	t.Helper()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for _, r := range rows {
		r.Tenant, r.State, r.Created = "alpha", store.Running, time.Now()
		if r.Policy == "" {
			r.Policy = policies.Default + "@builtin"
		}
		if err := st.AddRuns(r); err != nil {
			t.Fatal(err)
		}
		if r.Begins != 1 {
			if err := st.SetBegins(r.Tenant, r.ID, r.Begins); err != nil {
				t.Fatal(err)
			}
		}
	}
}

const tools = "package tools\nfunc Ask(s string) string"

// TestRecovered: each run that went on has an outcome after a kill, however many there are.
func TestRecovered(t *testing.T) {
	dir := t.TempDir()
	request := func(code, tools string) []byte { return fmt.Appendf(nil, `{"code":%q,"tools":%q}`, code, tools) }
	rows := []*store.Run{
		{ID: "run_plain", Code: "x", Request: request("fmt.Println(1)", ""), Begins: 1},
		{ID: "run_kept", Code: "x", Request: request("fmt.Println(1)", ""), Begins: 0},
		{ID: "run_tools", Code: "x", Request: request("fmt.Println(2, Ask(`?`))", tools), Begins: 2},
		{ID: "run_often", Code: "x", Request: request("fmt.Println(3, Ask(`?`))", tools), Begins: 3},
		{ID: "run_broken", Code: "x", Request: []byte("{"), Begins: 0},
		{ID: "run_policy", Code: "x", Policy: "none-such@1", Request: request("1", ""), Begins: 0},
		{ID: "run_session", Code: "x", Session: "s", Request: request("fmt.Println(1)", ""), Begins: 0},
	}
	for i := range 1100 { // more than one page
		rows = append(rows, &store.Run{ID: fmt.Sprint("run_", i), Code: "x", Request: request("fmt.Println(1)", ""), Begins: 1})
	}
	left(t, dir, rows...)
	s := open(t, dir)
	for id, want := range map[string]string{
		"run_plain": "failed interrupted", "run_kept": "done 1\n", "run_tools": "pending 2", "run_often": "failed interrupted",
		"run_broken": "failed interrupted", "run_policy": "failed interrupted", "run_session": "failed interrupted", "run_0": "failed interrupted",
	} {
		v := s.wait(t, id)
		state, text, _ := strings.Cut(want, " ")
		switch {
		case string(v.State) != state:
			t.Errorf("%s is %s, want %s", id, v.State, want)
		case state == "done" && !strings.Contains(string(v.Result), fmt.Sprintf(`"stdout":%q`, text)):
			t.Errorf("%s: %s", id, v.Result)
		case state == "failed" && !strings.Contains(string(v.Result), text):
			t.Errorf("%s: %s", id, v.Result)
		}
	}
	list, _, err := s.store.Runs(t.Context(), store.Query{States: []store.State{store.Running}, Limit: 10})
	if err != nil || len(list) != 0 {
		t.Errorf("%d runs go on, %v", len(list), err)
	}
	// Whoever has seen events of a run that is interrupted sees that there were more, and its end.
	r, err := s.Get(t.Context(), "alpha", "run_plain")
	if err != nil {
		t.Fatal(err)
	}
	log, err := r.Events()
	if err != nil {
		t.Fatal(err)
	}
	if list := log.After(t.Context(), 12345); len(list) != 2 || list[0].Kind != runs.EventGap || list[1].Kind != runs.EventResult {
		t.Errorf("%v", list)
	}
}

// TestAnsweredOnce: a run that waits goes on with the answers of one client, when several answer at once, and when one answers a call
// that the run has left behind.
func TestAnsweredOnce(t *testing.T) {
	s := open(t, t.TempDir())
	r, err := s.Start(t.Context(), "alpha", runs.Request{Code: "for i := range 5 { fmt.Println(i, Ask(`?`)) }", Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	for call := 1; call <= 5; call++ {
		s.wait(t, r.ID())
		errs := make(chan error)
		const clients = 6
		for c := range clients {
			go func() {
				_, err := s.Answer(t.Context(), "alpha", r.ID(), []runs.Answer{{ID: call, Value: fmt.Appendf(nil, `"client %d"`, c)}})
				errs <- err
			}()
		}
		taken := 0
		for range clients {
			if err := <-errs; err == nil {
				taken++
			} else if !errors.Is(err, store.ErrState) && !errors.Is(err, runs.ErrRequest) {
				t.Error(err)
			}
		}
		if taken != 1 {
			t.Errorf("call %d: %d answers were taken", call, taken)
		}
	}
	v := s.wait(t, r.ID())
	if got := strings.Count(string(v.Result), "client "); v.State != store.Done || got != 5 {
		t.Errorf("%s: %s", v.State, v.Result)
	}
}

// TestOutputOfLongRun: a run of whose output the log keeps the end only tells of none twice when it goes on, nor do its forks.
func TestOutputOfLongRun(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	r, err := s.Start(t.Context(), "alpha", runs.Request{
		Code: "line := strings.Repeat(`x`, 1000)\nfor range 2300 { fmt.Println(line) }\nfmt.Println(Ask(`?`), `end`)", Tools: tools,
	})
	if err != nil {
		t.Fatal(err)
	}
	if v := s.wait(t, r.ID()); v.State != store.Pending {
		t.Fatalf("%s: %s", v.State, v.Result)
	}
	forks, err := s.Fork(t.Context(), "alpha", r.ID(), 2)
	if err != nil {
		t.Fatal(err)
	}
	s.close()
	s = open(t, dir)
	for i, id := range []string{r.ID(), forks[0].ID, forks[1].ID} {
		before, err := s.store.Run(t.Context(), "alpha", id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Answer(t.Context(), "alpha", id, []runs.Answer{{ID: 1, Value: fmt.Appendf(nil, `"answer %d"`, i)}}); err != nil {
			t.Fatal(err)
		}
		if v := s.wait(t, id); v.State != store.Done {
			t.Errorf("%s: %s", v.State, v.Result)
		}
		after, err := s.store.Run(t.Context(), "alpha", id)
		if err != nil {
			t.Fatal(err)
		}
		_, known, _ := strings.Cut(string(before.Events[:100]), `"id":`) // of the first one that is kept
		if strings.HasPrefix(known, "1,") {
			t.Fatal("all events are kept")
		}
		end := string(after.Events[strings.LastIndex(string(after.Events), `"kind":"resume"`):])
		if n := strings.Count(end, `"kind":"stdout"`); n != 1 || !strings.Contains(end, fmt.Sprintf("answer %d end", i)) {
			t.Errorf("%d events of output after it went on", n)
		}
	}
}
