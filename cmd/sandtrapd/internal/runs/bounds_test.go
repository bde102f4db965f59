package runs

import (
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// manager is one without isolation.
func manager(t *testing.T) *Manager {
	t.Helper()
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8})
	t.Cleanup(set.Close)
	m, err := New(t.Context(), Options{Plans: set, Store: st, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Drain(t.Context()) })
	return m
}

func ended(t *testing.T, m *Manager, q Request) (View, *store.Run) {
	t.Helper()
	r, err := m.Start(t.Context(), "alpha", q)
	if err != nil {
		t.Fatal(err)
	}
	v, err := r.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	row, err := m.o.Store.Run(t.Context(), "alpha", v.ID)
	if err != nil {
		t.Fatal(err)
	}
	return v, row
}

const getter = "package tools\nfunc Get(text string) int"

// TestLargeRuns: what a script makes that is large is not kept in full length, and the run says so.
func TestLargeRuns(t *testing.T) {
	m := manager(t)
	for name, test := range map[string]struct{ code, tools, want string }{
		"panic":   {`panic(strings.Repeat("\x01", 8<<20))`, "", "(8388"},
		"output":  {`fmt.Print(strings.Repeat("\x01", 4<<20))`, "", `"kind":""`},
		"waiting": {`Get(strings.Repeat("x", 5<<20))`, getter, "of calls that wait, and 4194304 are the limit"},
	} {
		v, row := ended(t, m, Request{Code: test.code, Tools: test.tools})
		if n := len(row.Result) + len(row.Events) + len(row.Pending) + len(row.Journal); n > maxResult+2*maxLog {
			t.Errorf("%s: %d bytes are kept", name, n)
		}
		if test.want == `"kind":""` {
			if v.State != store.Done {
				t.Errorf("%s: %s", name, v.State)
			}
		} else if v.State != store.Failed || !strings.Contains(string(v.Result), test.want) {
			t.Errorf("%s: %s: %.300s", name, v.State, v.Result)
		}
	}
}

// TestResultText: a result that is too long is JSON with the end of its output and the beginning of its error.
func TestResultText(t *testing.T) {
	long := strings.Repeat("é\x01", 2<<20)
	r := runjson.Of(&sandtrap.Result{Stdout: long, Error: &sandtrap.Error{Kind: sandtrap.KindPanic, Message: long}})
	r.Vars["v"] = encode(long)
	var got struct {
		Stdout   string
		Vars     map[string]any
		Warnings []string
		Error    struct{ Kind, Message string }
	}
	text := resultText(r)
	if err := json.Unmarshal(text, &got); err != nil || len(text) > maxResult {
		t.Fatal(len(text), err)
	}
	if len(got.Vars) > 0 || len(got.Warnings) != 1 || got.Error.Kind != "panic" {
		t.Errorf("%v, %q, %s", got.Vars, got.Warnings, got.Error.Kind)
	}
	if !strings.HasSuffix(long, got.Stdout) || len(got.Stdout) < maxStream-4 || !strings.HasPrefix(got.Error.Message, long[:maxMessage-4]) {
		t.Errorf("%d bytes of output, %d of the message", len(got.Stdout), len(got.Error.Message))
	}
}

// TestEventsOfOutput: a long output is several events, none of which breaks a character.
func TestEventsOfOutput(t *testing.T) {
	l := newLog(nil)
	for _, text := range []string{strings.Repeat("é", 50_000), strings.Repeat("x", maxText), strings.Repeat("\xa9", 100_000), "", "€"} {
		first := l.last
		n, err := newStream(l, EventStdout, 0).Write([]byte(text))
		if n != len(text) || err != nil {
			t.Error(n, err)
		}
		var all string
		for _, e := range l.After(t.Context(), first) {
			var data struct{ Text string }
			if err := json.Unmarshal(e.Data, &data); err != nil || len(data.Text) > 3*maxText {
				t.Error(len(data.Text), err)
			}
			all += data.Text
		}
		if utf8.ValidString(text) && len(all) < min(len(text), maxRead/2) || !strings.HasPrefix(strings.ToValidUTF8(text, ""), strings.ToValidUTF8(all, "")) && utf8.ValidString(text) {
			t.Errorf("%d of %d bytes", len(all), len(text))
		}
	}
}

// TestLargeForks: forks that take much are not made at once, so that the writes of others need not wait for them.
func TestLargeForks(t *testing.T) {
	m := manager(t)
	v, _ := ended(t, m, Request{Code: `Get(strings.Repeat("x", 3<<20))`, Tools: getter})
	if _, err := m.Fork(t.Context(), "alpha", v.ID, 20); !errors.Is(err, ErrRequest) {
		t.Errorf("20 forks of a large run: %v", err)
	}
	for _, n := range []int{1, 2} {
		if list, err := m.Fork(t.Context(), "alpha", v.ID, n); err != nil || len(list) != n {
			t.Errorf("%d forks: %v", n, err)
		}
	}
}

// TestRefused: who waits for a run that does not go on after all is told, and a cancel in between is not lost.
func TestRefused(t *testing.T) {
	m := manager(t)
	v, row := ended(t, m, Request{Code: `Get("x")`, Tools: getter})
	l, err := m.begin(row, nil, true, false)
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Get(t.Context(), "alpha", v.ID)
	if err != nil {
		t.Fatal(err)
	}
	log, err := r.Events()
	if err != nil {
		t.Fatal(err)
	}
	cancelled := make(chan store.State, 1)
	go func() {
		r, err := m.Cancel(t.Context(), "alpha", v.ID)
		if err != nil {
			t.Error(err)
			cancelled <- ""
			return
		}
		cancelled <- r.View().State
	}()
	<-l.ctx.Done() // the cancel waits for it
	m.refuse(l, store.ErrState)
	if _, err := r.Wait(t.Context()); !errors.Is(err, store.ErrState) {
		t.Error(err)
	}
	if list := log.After(t.Context(), 1000); len(list) > 0 {
		t.Error(list)
	}
	select {
	case state := <-cancelled:
		if state != store.Cancelled {
			t.Error(state)
		}
	case <-time.After(time.Minute):
		t.Error("the cancel waits for ever")
	}
}
