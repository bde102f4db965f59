package batches_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/batches"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A failing store does not take runs that have failed, some times.
type failing struct {
	*store.Store
	times atomic.Int64
}

func (f *failing) AddRuns(list ...*store.Run) error {
	if list[0].State == store.Failed && f.times.Add(-1) >= 0 {
		return errors.New("not now")
	}
	return f.Store.AddRuns(list...)
}

// ends waits for the end of a batch, and gives its dead lines.
func (s *server) ends(t *testing.T, id string) (batches.Batch, []batches.Result) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	b, err := s.Wait(ctx, "alpha", id)
	if err != nil || b.Ended == nil {
		t.Fatalf("it does not end: %+v, %v", b, err)
	}
	var dead []batches.Result
	for r, err := range s.Dead(t.Context(), "alpha", id) {
		if err != nil {
			t.Fatal(err)
		}
		dead = append(dead, r)
	}
	return b, dead
}

// TestMalformedLine: a line that cannot be read is dead, also where that cannot be written at first, and its batch ends.
func TestMalformedLine(t *testing.T) {
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	good := []byte(`{"code":"fmt.Print(1)","policy":"default@builtin"}`)
	if err := st.AddLines("alpha", "batch_x", 1, [][]byte{[]byte(`"text"`), good, []byte(`{`)}); err != nil {
		t.Fatal(err)
	}
	if err := st.AddBatch(&store.Batch{ID: "batch_x", Tenant: "alpha", Lines: 3, Created: time.Now()}, 100); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8})
	defer set.Close()
	f := &failing{Store: st}
	f.times.Store(1)
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: f, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	s := &server{batches.New(batches.Options{Store: st, Runs: m, Queue: batches.NewLocal(st), Log: log}), st, m, nil}
	defer s.Close()
	defer m.Drain(t.Context())
	b, dead := s.ends(t, "batch_x")
	if b.Counts != (batches.Counts{Done: 1, Dead: 2}) || len(dead) != 2 || !strings.Contains(string(dead[0].Result), "malformed") {
		t.Errorf("%+v %+v", b, dead)
	}
}

// TestLostLines: lines that the queue does not have any more are dead, and the others have their results.
func TestLostLines(t *testing.T) {
	connect := serveNATS(t, t.TempDir())
	both := [2]*server{join(t, connect()), join(t, connect())}
	js, err := jetstream.New(connect())
	if err != nil {
		t.Fatal(err)
	}
	var scripts []string
	for i := range 100 {
		scripts = append(scripts, fmt.Sprintf("time.Sleep(100*time.Millisecond); fmt.Print(%d)", i))
	}
	b := both[0].create(t, scripts...)
	lines, err := js.Stream(t.Context(), "sandtrap_1_batches")
	if err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) { // until some have begun
		if list, err := both[0].store.RunsOf(t.Context(), "alpha", b.ID, 0); err != nil || time.Since(began) > time.Minute {
			t.Fatal(list, err)
		} else if len(list) > 0 {
			break
		}
	}
	if err := lines.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, s := range both {
		b, dead := s.ends(t, b.ID)
		if b.Counts.Done == 0 || b.Counts.Dead == 0 || b.Counts.Done+b.Counts.Dead != 100 || len(dead) != b.Counts.Dead {
			t.Errorf("%+v, %d dead", b, len(dead))
		}
		s.results(t, b.ID, 100)
	}
}

// large are lines of some bytes each.
func large(n, size int) func() (*batches.Line, error) {
	return func() (*batches.Line, error) {
		if n--; n < 0 {
			return nil, io.EOF
		}
		return &batches.Line{Code: "time.Sleep(time.Hour) // " + strings.Repeat("x", size)}, nil
	}
}

// TestQueuedBytes: a tenant does not fill the queue of all, neither with many batches nor with one, and what was refused is not there.
func TestQueuedBytes(t *testing.T) {
	connect := serveNATS(t, t.TempDir())
	a, b := joinWith(t, connect(), t.TempDir(), 4<<20), joinWith(t, connect(), t.TempDir(), 4<<20)
	js, err := jetstream.New(connect())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Create(t.Context(), "alpha", "", large(60, 100_000)); !errors.Is(err, runs.ErrBusy) {
		t.Errorf("a large batch: %v", err)
	}
	var made int
	for ; err == nil && made < 20; made++ {
		_, err = []*server{a, b}[made%2].Create(t.Context(), "alpha", "", large(10, 100_000))
		time.Sleep(100 * time.Millisecond) // that the other one has it
	}
	if !errors.Is(err, runs.ErrBusy) || made < 4 {
		t.Errorf("%d batches, %v", made, err)
	}
	info, err := js.Stream(t.Context(), "sandtrap_1_batches")
	if err != nil {
		t.Fatal(err)
	}
	if n := info.CachedInfo().State.Bytes; n > 5<<20 {
		t.Errorf("the queue has %d bytes", n)
	}
	if _, err := a.Create(t.Context(), "beta", "", large(10, 100_000)); err != nil {
		t.Errorf("another tenant: %v", err)
	}
}

// TestAddStalls: lines that the queue does not take are refused, with an error that says to try again.
func TestAddStalls(t *testing.T) {
	n, err := natsserver.NewServer(&natsserver.Options{NoSigs: true, NoLog: true, DontListen: true, JetStream: true, StoreDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	n.Start()
	if !n.ReadyForConnections(time.Minute) {
		t.Fatal("it does not start")
	}
	conn, err := nats.Connect("", nats.InProcessServer(n), nats.MaxReconnects(-1))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	q := shared(t, conn)
	n.Shutdown()
	n.WaitForShutdown()
	ended := make(chan error, 1)
	go func() {
		ended <- q.Add(context.Background(), batches.Name{Tenant: "alpha", Batch: "batch_1"}, 1, [][]byte{[]byte("1")})
	}()
	select {
	case err := <-ended:
		if !errors.Is(err, store.ErrDisk) {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Error("it waits for a server of NATS that is gone")
	}
}

// TestSweepLines: lines of a batch that never came go, when they are old; those of others stay.
func TestSweepLines(t *testing.T) {
	q := shared(t, serveNATS(t, t.TempDir())())
	for _, batch := range []string{"batch_there", "batch_never"} {
		for i := range 3 {
			if err := q.Add(t.Context(), batches.Name{Tenant: "alpha", Batch: batch}, 1+i, [][]byte{[]byte("1")}); err != nil {
				t.Fatal(err)
			}
		}
	}
	has := func(batch string) (bool, error) { return batch == "batch_there", nil }
	if n, err := q.Sweep(t.Context(), time.Hour, has); n != 0 || err != nil {
		t.Error("young ones", n, err)
	}
	if n, err := q.Sweep(t.Context(), 0, has); n != 1 || err != nil {
		t.Error(n, err)
	}
	for batch, want := range map[string]bool{"batch_there": true, "batch_never": false} {
		if left, err := q.Left(t.Context(), batches.Name{Tenant: "alpha", Batch: batch}); left != want || err != nil {
			t.Errorf("%s: %v, %v", batch, left, err)
		}
	}
}

// TestStoppedElsewhere: a server forgets a batch that was cancelled, when another one has noted its end.
func TestStoppedElsewhere(t *testing.T) {
	both := two(t)
	b := both[0].create(t, "time.Sleep(time.Hour)", "time.Sleep(time.Hour)")
	if _, err := both[1].Cancel(t.Context(), "alpha", b.ID); err != nil {
		t.Fatal(err)
	}
	for _, s := range both {
		s.ends(t, b.ID)
		for began := time.Now(); s.Stopped() > 0; time.Sleep(20 * time.Millisecond) {
			if time.Since(began) > 10*time.Second {
				t.Fatal("it is still noted")
			}
		}
	}
}
