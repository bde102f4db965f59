package limits_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestParse: a tenant has its own limits, those of default for what it does not name, and those of Default for what nobody names.
func TestParse(t *testing.T) {
	for _, text := range []string{
		"default:\n  runs_at_once: 7\n  bytes: 1000\ntenants:\n  alpha: {bytes: 0, pending_runs: 3}\n",
		`{"default":{"runs_at_once":7,"bytes":1000},"tenants":{"alpha":{"bytes":0,"pending_runs":3}}}`,
	} {
		table, err := limits.Parse("f", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		others := limits.Default()
		others.RunsAtOnce, others.Bytes = 7, 1000
		alpha := others
		alpha.Bytes, alpha.PendingRuns = 0, 3
		if table.Of("alpha") != alpha || table.Of("beta") != others {
			t.Errorf("%+v, %+v", table.Of("alpha"), table.Of("beta"))
		}
	}
	for _, text := range []string{"", "\n", "# nothing\n"} {
		if table, err := limits.Parse("f", []byte(text)); err != nil || table.Of("x") != limits.Default() {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestMalformed: an error has the file and the line.
func TestMalformed(t *testing.T) {
	for text, want := range malformed {
		if _, err := limits.Parse("f", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func newSet(t *testing.T, dir, file string) (*limits.Set, *store.Store) {
	t.Helper()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	table, err := limits.Parse("f", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	set, err := limits.New(t.Context(), table, st)
	if err != nil {
		t.Fatal(err)
	}
	return set, st
}

// TestWeight: a weight is that of the tenant, or of all; it is never none.
func TestWeight(t *testing.T) {
	set, _ := newSet(t, t.TempDir(), "default: {weight: 2}\ntenants:\n  alpha: {weight: 1000}\n  beta: {bytes: 1}\n")
	for tenant, want := range map[string]int{"alpha": 1000, "beta": 2, "gamma": 2} {
		if got := set.Weight(tenant); got != want {
			t.Errorf("%s: %d, want %d", tenant, got, want)
		}
	}
	if (*limits.Set)(nil).Weight("alpha") != 1 {
		t.Error("without limits")
	}
	for _, weight := range []string{"0", "-1", "1001", "1.5", "x"} {
		if _, err := limits.Parse("f", []byte("default: {weight: "+weight+"}")); err == nil || !strings.Contains(err.Error(), "from 1 to 1000") {
			t.Errorf("%s: %v", weight, err)
		}
	}
}

// TestRunSeconds: the time that runs took holds across restarts, for 60 minutes, and the error says when there is some again.
func TestRunSeconds(t *testing.T) {
	dir := t.TempDir()
	set, st := newSet(t, dir, `default: {run_seconds_per_hour: 10}`)
	slot, err := set.Begin(t.Context(), "alpha")
	if err != nil {
		t.Fatal(err)
	}
	row := &store.Run{ID: "run_1", Tenant: "alpha", Policy: "p", State: store.Running, Created: time.Now(), Request: []byte("{}")}
	if err := st.AddRuns(row); err != nil {
		t.Fatal(err)
	}
	row.State, row.Ended, row.Spent = store.Done, time.Now(), 11*time.Second
	if err := st.Finish(row); err != nil {
		t.Fatal(err)
	}
	if err := slot.Turn(); err != nil {
		t.Error(err)
	}
	slot.End(row.Spent)
	refused := func() {
		t.Helper()
		_, err := set.Begin(t.Context(), "alpha")
		e, ok := errors.AsType[*limits.Error](err)
		if !ok || e.Name != "run_seconds_per_hour" || e.Limit != 10 || e.Used != 11 || e.After < 58*time.Minute || e.After > 61*time.Minute {
			t.Errorf("%+v, %v", e, err)
		}
		if _, err := set.Begin(t.Context(), "beta"); err != nil {
			t.Errorf("another tenant: %v", err)
		}
	}
	refused()
	if err := slot.Turn(); err == nil {
		t.Error("a run whose turn comes goes on")
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	set, st = newSet(t, dir, `default: {run_seconds_per_hour: 10}`)
	defer st.Close()
	refused()
	if slot := set.Recover("alpha"); slot == nil {
		t.Error("a run that was acknowledged did not go on")
	}
}

// TestRetryAfter: after the time that an error names there is room, and not before.
func TestRetryAfter(t *testing.T) {
	set, st := newSet(t, t.TempDir(), `default: {runs_per_minute: 60}`) // one each second
	defer st.Close()
	for range 60 {
		if _, err := set.Begin(t.Context(), "alpha"); err != nil {
			t.Fatal(err)
		}
	}
	_, err := set.Begin(t.Context(), "alpha")
	e, ok := errors.AsType[*limits.Error](err)
	if !ok || e.After <= 0 || e.After > time.Second {
		t.Fatalf("%+v, %v", e, err)
	}
	time.Sleep(e.After + time.Millisecond)
	if _, err := set.Begin(t.Context(), "alpha"); err != nil {
		t.Error(err)
	}
}

// TestRefuse: a run that was not begun after all takes no place.
func TestRefuse(t *testing.T) {
	set, st := newSet(t, t.TempDir(), `default: {runs_at_once: 1, pending_runs: 1}`)
	defer st.Close()
	for i := range 20 {
		slot, err := set.Begin(t.Context(), "alpha")
		if err == nil {
			err = slot.Wait(t.Context())
		}
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		why := fmt.Errorf("why: %w", store.ErrExists)
		if err := slot.Refuse(why); err != why {
			t.Error(err)
		}
	}
	if use, err := set.Use(t.Context(), "alpha"); err != nil || use.RunsAtOnce.Used != 0 {
		t.Errorf("%+v, %v", use, err)
	}
}

// TestSetTable: limits that were read again are those of runs from then on.
func TestSetTable(t *testing.T) {
	set, st := newSet(t, t.TempDir(), `default: {runs_per_minute: 1}`)
	defer st.Close()
	if _, err := set.Begin(t.Context(), "alpha"); err != nil {
		t.Fatal(err)
	}
	if _, err := set.Begin(t.Context(), "alpha"); err == nil {
		t.Fatal("no limit")
	}
	table, err := limits.Parse("f", []byte(`tenants: {alpha: {runs_at_once: 0, runs_per_minute: 2}}`))
	if err != nil {
		t.Fatal(err)
	}
	set.SetTable(table)
	if use, err := set.Use(t.Context(), "alpha"); err != nil || use.RunsPerMinute.Used != 1 {
		t.Errorf("%+v, %v: one run has begun", use.RunsPerMinute, err)
	}
	_, err = set.Begin(t.Context(), "alpha")
	if e, ok := errors.AsType[*limits.Error](err); !ok || e.Name != "runs_at_once" {
		t.Error(err)
	}
}
