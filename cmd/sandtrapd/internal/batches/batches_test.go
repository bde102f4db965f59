package batches_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A server has batches in a directory.
type server struct {
	*batches.Manager
	store *store.Store
	runs  *runs.Manager
	stop  func() // of one of several; nil for others
}

func open(t *testing.T, dir, file string) *server {
	t.Helper()
	return openWith(t, dir, file, func(st *store.Store) batches.Queue { return batches.NewLocal(st) })
}

// openWith is open with a queue.
func openWith(t *testing.T, dir, file string, queue func(*store.Store) batches.Queue) *server {
	t.Helper()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	table, err := limits.Parse("limits", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	limit, err := limits.New(t.Context(), table, st)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8})
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: st, Limits: limit, Log: log, AtOnce: 4})
	if err != nil {
		t.Fatal(err)
	}
	s := &server{batches.New(batches.Options{Store: st, Runs: m, Limits: limit, Queue: queue(st), Log: log, InFlight: 4}), st, m, nil}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		s.Stop()
		m.Drain(ctx)
		s.Close()
		set.Close()
		st.Close()
	})
	return s
}

// create makes a batch of lines with these scripts.
func (s *server) create(t *testing.T, scripts ...string) batches.Batch {
	t.Helper()
	i := 0
	b, err := s.Create(t.Context(), "alpha", "", func() (*batches.Line, error) {
		if i++; i > len(scripts) {
			return nil, io.EOF
		}
		return &batches.Line{Code: scripts[i-1]}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestBegins: a line that was in the middle when its server was killed is begun again, three times at most; then it is dead, and the others have
// their results. One that may have had effects is not begun again.
func TestBegins(t *testing.T) {
	dir := t.TempDir()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]byte
	for n := range 4 {
		policy := policies.Default + "@builtin"
		if n == 2 {
			policy = "of-a-file@1" // whose runs may have had effects
		}
		request := fmt.Appendf(nil, `{"code":"fmt.Print(%d)","policy":%q}`, n, policy)
		lines = append(lines, request)
		if n == 3 { // it has not begun
			continue
		}
		row := &store.Run{
			ID: fmt.Sprint("run_", n), Tenant: "alpha", State: store.Running, Created: time.Now(), Policy: policy, Code: "x", Request: request,
			Key: fmt.Sprintf("\x01batch_x\x01%d", n+1), Batch: "batch_x", Line: n + 1,
		}
		if err := st.AddRuns(row); err != nil {
			t.Fatal(err)
		}
		if err := st.SetBegins("alpha", row.ID, []int{2, 3, 1}[n]); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.AddLines("alpha", "batch_x", 1, lines); err != nil {
		t.Fatal(err)
	}
	if err := st.AddBatch(&store.Batch{ID: "batch_x", Tenant: "alpha", Lines: 4, Created: time.Now()}, 100); err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, "")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	b, err := s.Wait(ctx, "alpha", "batch_x")
	if err != nil || b.State != batches.Done || b.Counts != (batches.Counts{Done: 2, Dead: 2}) {
		t.Fatalf("%+v, %v", b, err)
	}
	var dead []int
	for r, err := range s.Dead(ctx, "alpha", "batch_x") {
		if err != nil {
			t.Fatal(err)
		}
		dead = append(dead, r.Line)
	}
	if !slices.Equal(dead, []int{2, 3}) {
		t.Errorf("lines %d are dead", dead)
	}
	n, err := s.store.LinesOf(ctx, "alpha", "batch_x", 0, 10)
	if err != nil || len(n) != 0 {
		t.Errorf("%d lines are kept, %v", len(n), err)
	}
}

// TestRoom: lines that go on leave room for runs that somebody waits for, in the limits of their tenant, and few of them have begun.
func TestRoom(t *testing.T) {
	s := open(t, t.TempDir(), "default: {runs_at_once: 4}")
	b := s.create(t, slices.Repeat([]string{"time.Sleep(time.Hour)"}, 50)...)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		now, err := s.Get(t.Context(), "alpha", b.ID)
		if err != nil || now.Counts.Running > 2 || time.Now().After(deadline) {
			t.Fatalf("%+v, %v", now, err)
		}
		if now.Counts.Running == 2 {
			break
		}
	}
	for range 2 {
		r, err := s.runs.Start(t.Context(), "alpha", runs.Request{Code: "1"})
		if err != nil {
			t.Fatal(err)
		}
		if v, err := r.Wait(t.Context()); err != nil || v.State != store.Done {
			t.Errorf("%+v, %v", v, err)
		}
	}
	if now, err := s.Get(t.Context(), "alpha", b.ID); err != nil || now.Counts.Running != 2 {
		t.Errorf("%+v, %v", now, err)
	}
	if _, err := s.Cancel(t.Context(), "alpha", b.ID); err != nil {
		t.Error(err)
	}
}

// TestKept: runs of a batch are kept as long as it is, however many may be kept of others, and go with it.
func TestKept(t *testing.T) {
	s := open(t, t.TempDir(), "")
	b := s.create(t, slices.Repeat([]string{"1"}, 5)...)
	if _, err := s.Wait(t.Context(), "alpha", b.ID); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.store.Retain(t.Context(), time.Now(), store.Retention{Age: time.Hour, Count: 1}); err != nil {
		t.Fatal(err)
	}
	if now, err := s.Get(t.Context(), "alpha", b.ID); err != nil || now.Counts.Done != 5 {
		t.Errorf("%+v, %v", now, err)
	}
	if _, _, err := s.store.Retain(t.Context(), time.Now().Add(2*time.Hour), store.Retention{Age: time.Hour}); err != nil {
		t.Fatal(err)
	}
	if n, err := s.store.Bytes(t.Context(), "alpha"); err != nil || n != 0 {
		t.Errorf("%d bytes are kept, %v", n, err)
	}
}
