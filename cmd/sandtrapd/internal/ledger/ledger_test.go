package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// serve is a server of NATS that keeps streams in a directory.
func serve(t testing.TB, dir string) *server.Server {
	return serveBy(t, &server.Options{DontListen: true, StoreDir: dir})
}

func serveBy(t testing.TB, o *server.Options) *server.Server {
	t.Helper()
	o.NoSigs, o.NoLog, o.JetStream, o.MaxPayload = true, true, true, 8<<20
	n, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	n.Start()
	if !n.ReadyForConnections(time.Minute) {
		t.Fatal("it does not start")
	}
	t.Cleanup(func() { n.Shutdown(); n.WaitForShutdown() })
	return n
}

// An end is what a server of the service has of a ledger.
type end struct {
	*Ledger
	t     testing.TB
	dir   string
	close func()
}

// open is a server with a data directory.
func open(t testing.TB, n *server.Server, dir string) *end {
	t.Helper()
	conn, err := nats.Connect("", nats.InProcessServer(n))
	if err != nil {
		t.Fatal(err)
	}
	return openBy(t, conn, dir)
}

func openBy(t testing.TB, conn *nats.Conn, dir string) *end {
	t.Helper()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	l, err := Open(t.Context(), conn, s, 1, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	e := &end{Ledger: l, t: t, dir: dir, close: func() {
		once.Do(func() {
			if err := errors.Join(l.Close(), s.Close()); err != nil {
				t.Error(err)
			}
			conn.Close()
		})
	}}
	t.Cleanup(e.close)
	return e
}

func run(id string) *store.Run {
	return &store.Run{ID: id, Tenant: "acme", Policy: "default@1", State: store.Running, Created: time.Now(), Code: "1", Request: []byte(`{"code":"1"}`), Begins: 1}
}

func (e *end) add(r *store.Run) *store.Run {
	e.t.Helper()
	if err := e.AddRuns(r); err != nil {
		e.t.Fatal(err)
	}
	return r
}

// become has a run be in a state, with a result.
func (e *end) become(r *store.Run, state store.State, result string) error {
	one := *r
	one.State, one.Result = state, []byte(result)
	if state.Over() {
		one.Ended = time.Now()
	}
	return e.Finish(&one)
}

// sees waits until a server has a run in its own directory as f wants it.
func (e *end) sees(id string, f func(*store.Run) bool) *store.Run {
	e.t.Helper()
	for began := time.Now(); ; time.Sleep(2 * time.Millisecond) {
		r, err := e.Store.Run(context.Background(), "acme", id)
		if err != nil {
			r = nil
		}
		if r == nil && f(nil) || r != nil && f(r) {
			return r
		}
		if time.Since(began) > time.Minute {
			e.t.Fatalf("%s: it has %+v, %v", id, r, err)
		}
	}
}

func has(state store.State, result string) func(*store.Run) bool {
	return func(r *store.Run) bool { return r != nil && r.State == state && string(r.Result) == result }
}

func gone(r *store.Run) bool { return r == nil }

// TestShared: what a server writes of a run another one has, whatever its size, in the same place of lists.
func TestShared(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	large := string(bytes.Repeat([]byte("x"), 3<<20))
	for i, result := range []string{`"small"`, `"` + large + `"`} {
		r := a.add(run(fmt.Sprint("run_", i)))
		got := b.sees(r.ID, has(store.Running, ""))
		if got.Seq != r.Seq || got.Owner != a.id || got.Code != "1" || !got.Created.Equal(r.Created) {
			t.Errorf("it has %+v", got)
		}
		r.Artifacts = []store.Artifact{{Name: "a", MediaType: "text/plain", Data: []byte("data")}}
		if err := a.become(r, store.Done, result); err != nil {
			t.Fatal(err)
		}
		after := b.sees(r.ID, has(store.Done, result))
		if after.Owner != "" || after.Ended.IsZero() {
			t.Errorf("it has %+v", after)
		}
		if f, err := b.Artifact(t.Context(), "acme", r.ID, "a"); err != nil || string(f.Data) != "data" {
			t.Errorf("its file is %v, %v", f, err)
		}
		if _, err := b.Run(t.Context(), "other", r.ID); !errors.Is(err, store.ErrNone) {
			t.Errorf("another tenant gets %v", err)
		}
	}
	list, _, err := b.Runs(t.Context(), store.Query{Tenant: "acme", Limit: 10})
	if err != nil || len(list) != 2 || list[0].ID != "run_1" {
		t.Errorf("the list has %v, %v", list, err)
	}
}

// TestOnce: of servers that change a run at a time one does, and the others are told.
func TestOnce(t *testing.T) {
	n := serve(t, t.TempDir())
	ends := []*end{open(t, n, t.TempDir()), open(t, n, t.TempDir()), open(t, n, t.TempDir())}
	for i := range 60 {
		r := ends[i%3].add(run(fmt.Sprint("run_", i)))
		if err := ends[i%3].become(r, store.Pending, `"waits"`); err != nil {
			t.Fatal(err)
		}
		var won atomic.Int64
		var all sync.WaitGroup
		for _, e := range ends {
			all.Go(func() {
				switch err := e.Answer("acme", r.ID, 1, []byte(`[]`)); {
				case err == nil:
					won.Add(1)
				case !errors.Is(err, store.ErrState):
					t.Error(err)
				}
			})
			all.Go(func() {
				switch err := e.Cancel("acme", r.ID, "cancelled", []byte(`{}`)); {
				case err == nil:
					won.Add(1)
				case !errors.Is(err, store.ErrState):
					t.Error(err)
				}
			})
		}
		all.Wait()
		if won.Load() != 1 {
			t.Errorf("%s was changed %d times", r.ID, won.Load())
		}
	}
}

// TestKey: a run with a key begins at one of the servers that begin it.
func TestKey(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	for i := range 40 {
		key := fmt.Sprint("key", i)
		var begun atomic.Int64
		var all sync.WaitGroup
		for _, e := range []*end{a, b} {
			all.Go(func() {
				r := run(e.RunID("acme", key))
				r.Key = key
				switch err := e.AddRuns(r); {
				case err == nil:
					begun.Add(1)
				case !errors.Is(err, store.ErrExists):
					t.Error(err)
				}
				if got, err := e.RunByKey(t.Context(), "acme", key); err != nil || got.ID != r.ID {
					t.Errorf("it gets %v, %v", got, err)
				}
			})
		}
		all.Wait()
		if begun.Load() != 1 {
			t.Errorf("%d have begun", begun.Load())
		}
	}
	if a.RunID("acme", "k") == a.RunID("other", "k") || a.RunID("acme", "") != "" {
		t.Error("IDs of tenants are the same")
	}
}

// TestDeleted: a run that is deleted at one server is deleted at the others, those that are away too.
func TestDeleted(t *testing.T) {
	n := serve(t, t.TempDir())
	a, away := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	for i := range 3 {
		r := a.add(run(fmt.Sprint("run_", i)))
		if err := a.become(r, store.Done, `"x"`); err != nil {
			t.Fatal(err)
		}
		away.sees(r.ID, has(store.Done, `"x"`))
	}
	if err := a.DeleteRun("acme", "run_0"); err != nil {
		t.Fatal(err)
	}
	away.sees("run_0", gone)
	away.close()
	if err := a.DeleteRun("acme", "run_1"); err != nil {
		t.Fatal(err)
	}
	if removed, _, err := a.Retain(t.Context(), time.Now().Add(time.Hour), store.Retention{Age: time.Minute}); removed != 1 || err != nil {
		t.Fatalf("%d were removed, %v", removed, err)
	}
	if err := a.stream.Purge(t.Context()); err != nil { // as if the markers had gone
		t.Fatal(err)
	}
	a.add(run("run_3"))
	back := open(t, n, away.dir)
	back.sees("run_1", gone)
	back.sees("run_2", gone)
	back.sees("run_3", has(store.Running, ""))
	if _, err := a.Run(t.Context(), "acme", "run_1"); !errors.Is(err, store.ErrNone) {
		t.Errorf("%v", err)
	}
}

// TestExpired: runs that have waited too long end once.
func TestExpired(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	r := a.add(run("run_0"))
	if err := a.become(r, store.Pending, ""); err != nil {
		t.Fatal(err)
	}
	b.sees(r.ID, has(store.Pending, ""))
	keep := store.Retention{Pending: time.Minute, Kind: "expired", Result: []byte(`"late"`)}
	_, first, err := a.Retain(t.Context(), time.Now().Add(time.Hour), keep)
	_, second, err2 := b.Retain(t.Context(), time.Now().Add(time.Hour), keep)
	if first+second != 1 || err != nil || err2 != nil {
		t.Errorf("%d and %d ended, %v, %v", first, second, err, err2)
	}
	b.sees(r.ID, has(store.Failed, `"late"`))
}
