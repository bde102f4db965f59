package sessions_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/ledger"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// join has the sessions and the runs of a rig be in the ledger of a server of NATS.
func (r *rig) join(n *cluster.Server, o *sessions.Options, of *runs.Options) {
	r.t.Helper()
	var err error
	if r.conn, err = n.Connect(); err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(r.conn.Close)
	if r.ledger, err = ledger.Open(r.t.Context(), r.conn, r.store, 1, of.Log); err != nil {
		r.t.Fatal(err)
	}
	o.Store, of.Store, of.ID, of.Stop = r.ledger, r.ledger, r.ledger.RunID, r.ledger.Stop
}

// together are n servers that share a ledger.
func together(t *testing.T, n int) (list []*rig) {
	t.Helper()
	s, err := cluster.Start(cluster.ServerOptions{Roster: cluster.Roster(t.TempDir()), Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for range n {
		list = append(list, newServer(t, t.TempDir(), sandtrap.None, sessions.Options{}, s))
	}
	return list
}

// TestShared: a session goes on in each server from what it has become in another one, also if it has much.
func TestShared(t *testing.T) {
	list := together(t, 3)
	a, b := list[0], list[1]
	for _, size := range []int{0, 100_000, 3 << 20} {
		id := a.create("x")
		a.prints("x", id, fmt.Sprintf("n := 0\nbig := bytes.Repeat([]byte(\"x\"), %d)\nif err := os.WriteFile(\"f\", big, 0o600); err != nil { panic(err) }", size), "")
		for i := range 6 {
			list[i%3].prints("x", id, "n++\nfmt.Print(n, len(big))", fmt.Sprint(i+1, size))
		}
		if _, err := b.sessions.WriteFile(t.Context(), "x", id, "g", strings.NewReader("new"), 0o600); err != nil {
			t.Fatal(err)
		}
		a.prints("x", id, "g, err := os.ReadFile(\"g\")\nfmt.Print(string(g), err)", "new<nil>")
		_, data, release, err := list[2].sessions.ReadFile(t.Context(), "x", id, "f")
		if err != nil || !bytes.Equal(data, bytes.Repeat([]byte("x"), size)) {
			t.Errorf("%d bytes, %v", len(data), err)
		}
		release()
		snap, err := b.sessions.Save(t.Context(), "x", id)
		if err != nil {
			t.Fatal(err)
		}
		a.prints("x", id, "n = 100", "")
		if _, err := list[2].sessions.Load(t.Context(), "x", id, snap); err != nil {
			t.Fatal(err)
		}
		a.prints("x", id, "fmt.Print(n)", "6")
		forks, err := b.sessions.Fork(t.Context(), "x", id, 2)
		if err != nil {
			t.Fatal(err)
		}
		b.prints("x", forks[0].ID, "n++", "")
		a.prints("x", forks[0].ID, "fmt.Print(n, len(big))", fmt.Sprint(7, size))
		a.prints("x", forks[1].ID, "fmt.Print(n)", "6")
		if err := list[2].sessions.Delete(t.Context(), "x", id); err != nil {
			t.Fatal(err)
		}
		if err := b.sessions.DeleteSnapshot(t.Context(), "x", snap); err != nil {
			t.Fatal(err)
		}
		for i, r := range list {
			if _, err := r.sessions.Get(t.Context(), "x", id); !errors.Is(err, store.ErrNone) {
				t.Errorf("server %d: the session: %v", i, err)
			}
			if _, err := r.sessions.Get(t.Context(), "y", forks[0].ID); !errors.Is(err, store.ErrNone) {
				t.Errorf("server %d: the session of another tenant: %v", i, err)
			}
		}
		for _, f := range forks {
			if err := a.sessions.Delete(t.Context(), "x", f.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, r := range list {
		r.settles(fmt.Sprint("contents of server ", i), "SELECT count(*) FROM blob", 0)
		r.settles(fmt.Sprint("sessions of server ", i), "SELECT (SELECT count(*) FROM session) + (SELECT count(*) FROM snapshot)", 0)
	}
	js, err := jetstream.New(a.conn)
	if err != nil {
		t.Fatal(err)
	}
	objects, err := js.ObjectStore(t.Context(), "sandtrap_1_objects")
	if err != nil {
		t.Fatal(err)
	}
	if left, err := objects.List(t.Context()); !errors.Is(err, jetstream.ErrNoObjectsFound) {
		for _, o := range left {
			if !strings.HasPrefix(o.Name, "run_") { // the runs stay
				t.Errorf("an object is left: %s, of %d bytes", o.Name, o.Size)
			}
		}
	}
}

// settles waits until the database says so.
func (r *rig) settles(what, query string, want int) {
	r.t.Helper()
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		n := r.query(query)
		if n == want {
			return
		}
		if time.Since(began) > time.Minute {
			r.t.Fatalf("%s: %d, want %d", what, n, want)
		}
	}
}

// TestOneAtATime: cells of one session at several servers at once come one after the other, each from what the one before has left.
func TestOneAtATime(t *testing.T) {
	list := together(t, 3)
	id := list[0].create("x")
	list[0].prints("x", id, "n := 0", "")
	var all sync.WaitGroup
	const each = 20
	for _, r := range list {
		all.Go(func() {
			for range each {
				if state, result := r.run("x", id, "n++"); state != store.Done {
					t.Error(state, result)
				}
			}
		})
	}
	all.Wait()
	list[1].prints("x", id, "fmt.Print(n)", fmt.Sprint(3*each))
}

// TestNamesShared: of servers that make a session of one name at a time one does, and the name is free when that is deleted.
func TestNamesShared(t *testing.T) {
	list := together(t, 3)
	for range 30 {
		made := make(chan string, 3)
		var all sync.WaitGroup
		for _, r := range list {
			all.Go(func() {
				v, err := r.sessions.Create(t.Context(), "x", sessions.Request{Name: "main"})
				if err == nil {
					made <- v.ID
				} else if !errors.Is(err, store.ErrExists) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if len(made) != 1 {
			t.Fatalf("%d sessions have one name", len(made))
		}
		if err := list[1].sessions.Delete(t.Context(), "x", <-made); err != nil {
			t.Fatal(err)
		}
	}
}

// TestServerGone: the sessions of a server that is gone go on in another one from what they had, and its late cell is not kept.
func TestServerGone(t *testing.T) {
	list := together(t, 2)
	a, b := list[0], list[1]
	var ids []string
	for i := range 20 {
		ids = append(ids, a.create("x"))
		a.prints("x", ids[i], fmt.Sprintf("n := %d", i), "")
	}
	late, err := a.runs.Start(t.Context(), "x", runs.Request{Session: ids[0], Code: "fmt.Println(1)\ntime.Sleep(3 * time.Second)\nn = 100"})
	if err != nil {
		t.Fatal(err)
	}
	a.printed(late)
	a.conn.Close()
	began := time.Now()
	for i, id := range ids {
		b.prints("x", id, "n++\nfmt.Print(n)", fmt.Sprint(i+1))
		if i == 0 {
			t.Logf("the first one has moved in %v", time.Since(began))
		}
	}
	t.Logf("all have moved in %v", time.Since(began))
	b.settlesRun(late.ID(), store.Failed, string(runs.KindInterrupted))
	b.prints("x", ids[0], "fmt.Print(n)", "1")
}

// printed waits until a run has printed.
func (r *rig) printed(run *runs.Run) {
	r.t.Helper()
	log, err := run.Events()
	if err != nil {
		r.t.Fatal(err)
	}
	for after := int64(0); ; {
		list := log.After(r.t.Context(), after)
		if after = list[len(list)-1].ID; list[len(list)-1].Kind == runs.EventStdout {
			return
		}
	}
}

// settlesRun waits until a run is in a state.
func (r *rig) settlesRun(id string, state store.State, text string) {
	r.t.Helper()
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		run, err := r.runs.Get(r.t.Context(), "x", id)
		if err != nil {
			r.t.Fatal(err)
		}
		if v := run.View(); v.State == state && strings.Contains(string(v.Result), text) {
			return
		}
		if time.Since(began) > time.Minute {
			r.t.Fatalf("%+v", run.View())
		}
	}
}

// TestDeletedElsewhere: a session that another server deletes ends its cell, and its run that waits.
func TestDeletedElsewhere(t *testing.T) {
	list := together(t, 2)
	a, b := list[0], list[1]
	id := a.create("x")
	a.prints("x", id, "n := 1", "")
	run, err := a.runs.Start(t.Context(), "x", runs.Request{Session: id, Code: "time.Sleep(time.Hour)"})
	if err != nil {
		t.Fatal(err)
	}
	waits, v := a.waiting("x")
	for _, s := range []string{id, waits} {
		if err := b.sessions.Delete(t.Context(), "x", s); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range list {
		r.settlesRun(run.ID(), store.Failed, `"kind":"cancelled"`)
		r.settlesRun(v.ID, store.Cancelled, "the session was deleted")
	}
}

// TestWaitsElsewhere: a run that waits in its session goes on in the server that gets its answers.
func TestWaitsElsewhere(t *testing.T) {
	list := together(t, 2)
	a, b := list[0], list[1]
	id, v := a.waiting("x")
	if _, err := b.runs.Start(t.Context(), "x", runs.Request{Session: id, Code: "n = 3"}); !errors.Is(err, store.ErrState) {
		t.Errorf("a cell beside a run that waits: %v", err)
	}
	if v = b.answered(v, true); v.State != store.Done {
		t.Errorf("%s %s", v.State, v.Result)
	}
	a.prints("x", id, "f, err := os.ReadFile(\"f\")\nfmt.Print(n, string(f), err)", "2after<nil>")
}
