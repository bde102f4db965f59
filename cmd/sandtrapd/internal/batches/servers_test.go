package batches_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/ledger"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// join is a server that shares a ledger and a queue with others.
func join(t *testing.T, conn *nats.Conn) *server { return joinFrom(t, conn, t.TempDir()) }

// joinFrom is join for a server with a data directory.
func joinFrom(t *testing.T, conn *nats.Conn, dir string) *server { return joinWith(t, conn, dir, 0) }

// joinWith is joinFrom with a bound of the lines of a tenant, in bytes.
func joinWith(t *testing.T, conn *nats.Conn, dir string, queued int64) *server {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := ledger.Open(t.Context(), conn, st, 1, log)
	if err != nil {
		t.Fatal(err)
	}
	table, err := limits.Parse("limits", nil)
	if err != nil {
		t.Fatal(err)
	}
	limit, err := limits.New(t.Context(), table, st)
	if err != nil {
		t.Fatal(err)
	}
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8})
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: kept, ID: kept.RunID, Stop: kept.Stop, Limits: limit, Log: log, AtOnce: 4})
	if err != nil {
		t.Fatal(err)
	}
	if err := kept.Serve(m.Recover, m.Stop); err != nil {
		t.Fatal(err)
	}
	q := shared(t, conn)
	if err := q.Adopt(t.Context(), st); err != nil {
		t.Fatal(err)
	}
	s := &server{batches.New(batches.Options{Store: kept, Runs: m, Limits: limit, Queue: q, Log: log, InFlight: 4, Queued: queued}), st, m, nil}
	s.stop = sync.OnceFunc(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		s.Stop()
		m.Drain(ctx)
		s.Close()
		q.Close()
		_ = kept.Close()
		set.Close()
		st.Close()
	})
	t.Cleanup(s.stop)
	return s
}

// two are servers with one ledger.
func two(t *testing.T) [2]*server {
	connect := serveNATS(t, t.TempDir())
	return [2]*server{join(t, connect()), join(t, connect())}
}

// results are those that a server has of a batch, each line once and in order.
func (s *server) results(t *testing.T, id string, lines int) (list []batches.Result) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for r, err := range s.Results(ctx, "alpha", id, 0, true) {
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, r); r.Line != len(list) {
			t.Errorf("result %d is of line %d", len(list), r.Line)
		}
	}
	if len(list) != lines {
		t.Errorf("%d results of %d lines", len(list), lines)
	}
	return list
}

// TestTwoServers: servers share the lines of a batch, each line is one run, and both servers have the results of all.
func TestTwoServers(t *testing.T) {
	both := two(t)
	var scripts []string
	for i := range 200 {
		scripts = append(scripts, fmt.Sprintf("time.Sleep(time.Millisecond); fmt.Print(%d)", i))
	}
	b := both[0].create(t, scripts...)
	for _, s := range both {
		for i, r := range s.results(t, b.ID, len(scripts)) {
			if r.State != store.Done || !strings.Contains(string(r.Result), fmt.Sprintf(`"stdout":"%d"`, i)) {
				t.Errorf("line %d: %+v", i+1, r)
			}
		}
		now, err := s.Get(t.Context(), "alpha", b.ID)
		if err != nil || now.State != batches.Done || now.Counts != (batches.Counts{Done: 200}) {
			t.Errorf("%+v, %v", now, err)
		}
	}
	if list, _, err := both[1].List(t.Context(), store.Page{Tenant: "alpha", Limit: 10}); err != nil || len(list) != 1 || list[0].ID != b.ID {
		t.Errorf("%+v, %v", list, err)
	}
	if err := both[1].Delete(t.Context(), "alpha", b.ID); err != nil {
		t.Error(err)
	}
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		if _, err := both[0].Get(t.Context(), "alpha", b.ID); err != nil {
			break
		}
		if time.Since(began) > time.Minute {
			t.Fatal("a batch that another server has deleted is there")
		}
	}
}

// TestKeyAtTwoServers: of servers that are sent a batch with one key at a time one makes it, and all answer with it.
func TestKeyAtTwoServers(t *testing.T) {
	both := two(t)
	for i := range 10 {
		ids, group := make([]string, 8), sync.WaitGroup{}
		for n := range ids {
			group.Go(func() {
				left := 3
				b, err := both[n%2].Create(t.Context(), "alpha", fmt.Sprint("key", i), func() (*batches.Line, error) {
					if left--; left < 0 {
						return nil, io.EOF
					}
					return &batches.Line{Code: "1"}, nil
				})
				if err != nil {
					t.Error(err)
				}
				ids[n] = b.ID
			})
		}
		group.Wait()
		if slices.Sort(ids); ids[0] != ids[len(ids)-1] || ids[0] == "" {
			t.Errorf("batches %q", ids)
		}
	}
}

// TestCancelElsewhere: a batch that is cancelled at one server ends when no server has a line of it, and each line has one result at both.
func TestCancelElsewhere(t *testing.T) {
	both := two(t)
	b := both[0].create(t, slices.Repeat([]string{"time.Sleep(time.Hour)"}, 60)...)
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		now, err := both[1].Get(t.Context(), "alpha", b.ID)
		if err == nil && now.Counts.Running > 4 { // at both, as one has four at most
			break
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("%+v, %v", now, err)
		}
	}
	if now, err := both[1].Cancel(t.Context(), "alpha", b.ID); err != nil || now.State != batches.Cancelled {
		t.Errorf("%+v, %v", now, err)
	}
	if now, err := both[0].Get(t.Context(), "alpha", b.ID); err != nil || now.State != batches.Cancelled {
		t.Errorf("%+v, %v", now, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if now, err := both[1].Wait(ctx, "alpha", b.ID); err != nil || now.Ended == nil || now.Counts != (batches.Counts{Cancelled: 60}) {
		t.Fatalf("%+v, %v", now, err)
	}
	first, second := both[0].results(t, b.ID, 60), both[1].results(t, b.ID, 60)
	for i := range first {
		if i < len(second) && (first[i].Run != second[i].Run || first[i].State != store.Cancelled) {
			t.Errorf("%+v, %+v", first[i], second[i])
		}
	}
}

// TestAdopted: a batch that a server has begun before it joins a cluster ends there, with lines done by others.
func TestAdopted(t *testing.T) {
	dir, connect := t.TempDir(), serveNATS(t, t.TempDir())
	other := join(t, connect())
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]byte
	for i := range 50 {
		lines = append(lines, fmt.Appendf(nil, `{"code":"fmt.Print(%d)"}`, i+1))
	}
	if err := st.AddLines("alpha", "batch_x", 1, lines); err != nil {
		t.Fatal(err)
	}
	if err := st.AddBatch(&store.Batch{ID: "batch_x", Tenant: "alpha", Lines: len(lines), Created: time.Now()}, 100); err != nil {
		t.Fatal(err)
	}
	row := &store.Run{ID: "run_7", Tenant: "alpha", State: store.Done, Created: time.Now(), Ended: time.Now(), Policy: "default@builtin", Code: "x", Request: lines[6],
		Result: []byte(`{"stdout":"before"}`), Key: "\x01batch_x\x017", Batch: "batch_x", Line: 7}
	if err := errors.Join(st.AddRuns(row), st.RemoveLine("alpha", "batch_x", 7), st.Close()); err != nil {
		t.Fatal(err)
	}
	s := joinFrom(t, connect(), dir)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, one := range []*server{s, other} {
		b, err := one.Wait(ctx, "alpha", "batch_x")
		if err != nil || b.State != batches.Done || b.Counts != (batches.Counts{Done: len(lines)}) {
			t.Fatalf("%+v, %v", b, err)
		}
		n := 0
		for r, err := range one.Results(ctx, "alpha", "batch_x", 0, true) {
			n++
			want := fmt.Sprintf(`"stdout":"%d"`, n)
			if n == 7 {
				want = `"stdout":"before"`
			}
			if err != nil || r.Line != n || !strings.Contains(string(r.Result), want) {
				t.Errorf("%+v %v", r, err)
			}
		}
		if n != len(lines) {
			t.Errorf("%d results", n)
		}
	}
	if left, err := s.store.LinesOf(ctx, "alpha", "batch_x", 0, 100); err != nil || len(left) > 0 {
		t.Errorf("%d lines are left, %v", len(left), err)
	}
}
