package batches_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// serveNATS is a server of NATS that keeps streams in a directory, and what connects to it.
func serveNATS(t *testing.T, dir string) func() *nats.Conn {
	t.Helper()
	connect, _ := startNATS(t, dir)
	return connect
}

// startNATS is serveNATS; stop ends the server.
func startNATS(t *testing.T, dir string) (connect func() *nats.Conn, stop func()) {
	t.Helper()
	n, err := natsserver.NewServer(&natsserver.Options{NoSigs: true, NoLog: true, DontListen: true, JetStream: true, StoreDir: dir, SyncAlways: true})
	if err != nil {
		t.Fatal(err)
	}
	n.Start()
	if !n.ReadyForConnections(time.Minute) {
		t.Fatal("it does not start")
	}
	stop = sync.OnceFunc(func() { n.Shutdown(); n.WaitForShutdown() })
	t.Cleanup(stop)
	return func() *nats.Conn {
		conn, err := nats.Connect("", nats.InProcessServer(n))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Close)
		return conn
	}, stop
}

func shared(t *testing.T, conn *nats.Conn) *batches.Shared {
	t.Helper()
	q, err := batches.NewShared(t.Context(), conn, 1, slog.New(slog.NewTextHandler(t.Output(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// TestQueues: each queue gives each line once, and again to who comes after its process, until that says that it is done.
func TestQueues(t *testing.T) {
	t.Run("local", func(t *testing.T) {
		dir := t.TempDir()
		var st *store.Store
		testQueue(t, func() (batches.Queue, func()) {
			var err error
			if st, err = store.Open(dir); err != nil {
				t.Fatal(err)
			}
			return batches.NewLocal(st), func() { st.Close() }
		}, func(of batches.Name, lines int) { // else the next process sweeps them
			if err := st.AddBatch(&store.Batch{Tenant: of.Tenant, ID: of.Batch, Lines: lines, Created: time.Now()}, 100); err != nil {
				t.Fatal(err)
			}
		})
	})
	t.Run("shared", func(t *testing.T) {
		connect := serveNATS(t, t.TempDir())
		testQueue(t, func() (batches.Queue, func()) {
			q := shared(t, connect())
			return q, q.Close
		}, func(batches.Name, int) {})
	})
}

func testQueue(t *testing.T, open func() (batches.Queue, func()), made func(of batches.Name, lines int)) {
	q, end := open()
	a, b := batches.Name{Tenant: "alpha", Batch: "batch_a"}, batches.Name{Tenant: "beta", Batch: "batch_b"}
	add := func(of batches.Name, first, n int) {
		var lines [][]byte
		for i := range n {
			lines = append(lines, fmt.Appendf(nil, `{"code":"%s %d"}`, of.Batch, first+i))
		}
		if err := q.Add(t.Context(), of, first, lines); err != nil {
			t.Fatal(err)
		}
	}
	add(a, 1, 30)
	add(a, 31, 10)
	add(b, 1, 3)
	made(a, 40)
	made(b, 3)
	items := takeAll(t, q, a, 7)
	for i, it := range items {
		if it.Number != i+1 || string(it.Data) != fmt.Sprintf(`{"code":"batch_a %d"}`, i+1) {
			t.Errorf("line %d is %d, %s", i+1, it.Number, it.Data)
		}
	}
	if len(items) != 40 {
		t.Fatalf("%d lines", len(items))
	}
	for _, it := range items[:39] {
		if err := it.Done(); err != nil {
			t.Error(err)
		}
	}
	end() // as of a server that ends: the line without a result is given again, and maybe others with it
	q, end = open()
	defer func() { end() }()
	again := takeAll(t, q, a, 7)
	if !slices.ContainsFunc(again, func(it batches.Item) bool { return it.Number == 40 }) || len(again) > 16 {
		t.Errorf("%d lines are given again", len(again))
	}
	for _, it := range again {
		if err := it.Done(); err != nil {
			t.Error(err)
		}
	}
	if left, err := q.Discard(t.Context(), a); left || err != nil {
		t.Error(left, err)
	}
	if left, err := q.Discard(t.Context(), b); left || err != nil {
		t.Error(left, err)
	}
	if err := errors.Join(q.Drop(t.Context(), a), q.Drop(t.Context(), b)); err != nil {
		t.Error(err)
	}
	for _, of := range []batches.Name{a, b} {
		if n := takeAll(t, q, of, 7); len(n) != 0 {
			t.Errorf("%d lines", len(n))
		}
	}
}

func takeAll(t *testing.T, q batches.Queue, of batches.Name, n int) (all []batches.Item) {
	t.Helper()
	for {
		items, err := q.Take(t.Context(), of, n)
		if err != nil {
			t.Fatal(err)
		}
		if len(items) == 0 {
			return all
		}
		if all = append(all, items...); len(items) > n {
			t.Errorf("%d lines of %d", len(items), n)
		}
	}
}

// TestSharedLines: of two servers one has a line; a message is in the stream until all of its lines have results, as a client of NATS sees, so
// that a batch that is cancelled has lines left as long as another server has begun some.
func TestSharedLines(t *testing.T) {
	connect := serveNATS(t, t.TempDir())
	one, other := shared(t, connect()), shared(t, connect())
	defer one.Close()
	defer other.Close()
	of := batches.Name{Tenant: "alpha", Batch: "batch_x"}
	lines := slices.Repeat([][]byte{[]byte(`{"code":"1"}`)}, 40)
	if err := one.Add(t.Context(), of, 1, lines); err != nil {
		t.Fatal(err)
	}
	js, err := jetstream.New(connect())
	if err != nil {
		t.Fatal(err)
	}
	messages := func() uint64 {
		s, err := js.Stream(t.Context(), "sandtrap_1_batches")
		if err != nil {
			t.Fatal(err)
		}
		return s.CachedInfo().State.Msgs
	}
	mine, err := one.Take(t.Context(), of, 1)
	if err != nil || len(mine) != 1 {
		t.Fatal(len(mine), err)
	}
	seen := map[int]bool{mine[0].Number: true}
	for _, it := range takeAll(t, other, of, 100) {
		if seen[it.Number] {
			t.Errorf("line %d is taken twice", it.Number)
		}
		seen[it.Number] = true
		if err := it.Done(); err != nil {
			t.Error(err)
		}
	}
	if n := messages(); n != 1 || len(seen) != 25 {
		t.Errorf("%d messages, %d lines", n, len(seen))
	}
	if left, err := other.Discard(t.Context(), of); err != nil || !left {
		t.Errorf("%v, %v: one server has a line", left, err)
	}
	if left, err := one.Discard(t.Context(), of); err != nil || !left {
		t.Errorf("%v, %v: a line has begun", left, err)
	}
	if err := mine[0].Done(); err != nil {
		t.Error(err)
	}
	if left, err := other.Discard(context.Background(), of); err != nil || left || messages() != 0 {
		t.Errorf("%v, %v, %d messages", left, err, messages())
	}
}
