package ledger

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestTakenOver: the runs of a server that is silent go on in one other server, and its own changes of them are refused then.
func TestTakenOver(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	others := []*end{open(t, n, t.TempDir()), open(t, n, t.TempDir())}
	in := a.add(&store.Run{ID: "run_s", Tenant: "acme", Session: "ses_1", Policy: "p@1", State: store.Running, Created: time.Now(), Code: "1", Request: []byte("{}")})
	list := []*store.Run{in}
	for i := range 20 {
		list = append(list, a.add(run(fmt.Sprint("run_", i))))
	}
	a.conn.Close() // it goes on, and nobody hears it
	adopted := make(chan string, 100)
	for _, e := range others {
		err := e.Serve(func(_ context.Context, tenant, id string, begun bool) error {
			adopted <- id
			r, err := e.Store.Run(t.Context(), tenant, id)
			if err != nil {
				return err
			}
			return e.become(r, store.Done, `"again"`)
		}, func(string, string) {})
		if err != nil {
			t.Fatal(err)
		}
	}
	seen := map[string]bool{}
	for len(seen) < len(list) {
		id := <-adopted
		if seen[id] {
			t.Errorf("%s goes on twice", id)
		}
		seen[id] = true
	}
	for _, r := range list {
		others[0].sees(r.ID, has(store.Done, `"again"`))
		others[1].sees(r.ID, has(store.Done, `"again"`))
	}
	if err := a.become(list[0], store.Done, `"late"`); !errors.Is(err, store.ErrDisk) { // it has no connection
		t.Errorf("%v", err)
	}
}

// TestFenced: a server whose run goes on elsewhere is told so when it writes what became of it.
func TestFenced(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	r := a.add(run("run_0"))
	if err := b.claim(store.Owned{Tenant: "acme", ID: r.ID}, a.id); err != nil {
		t.Fatal(err)
	}
	if err := a.become(r, store.Done, `"late"`); !errors.Is(err, store.ErrState) {
		t.Errorf("%v", err)
	}
	if err := a.SetBegins("acme", r.ID, 2); !errors.Is(err, store.ErrState) {
		t.Fatalf("%v", err)
	}
	now, err := b.Store.Run(t.Context(), "acme", r.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.become(now, store.Done, `"again"`); err != nil {
		t.Error(err)
	}
	a.sees(r.ID, has(store.Done, `"again"`))
}

// TestLostEnd: a ledger that has lost what came last gets it from the servers that have acknowledged it.
func TestLostEnd(t *testing.T) {
	dir := t.TempDir()
	n := serve(t, dir)
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	old := a.add(run("run_old"))
	a.sees(old.ID, has(store.Running, ""))
	b.sees(old.ID, has(store.Running, ""))
	early := t.TempDir()
	if err := os.CopyFS(early, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := a.become(old, store.Done, `"kept"`); err != nil {
		t.Fatal(err)
	}
	young := b.add(run("run_young"))
	young.Artifacts = []store.Artifact{{Name: "f", MediaType: "text/plain", Data: []byte("data")}}
	if err := b.become(young, store.Done, `"too"`); err != nil {
		t.Fatal(err)
	}
	a.close()
	b.close()
	n.Shutdown()
	n.WaitForShutdown()

	n = serve(t, early)
	a, b = open(t, n, a.dir), open(t, n, b.dir)
	for _, e := range []*end{a, b, open(t, n, t.TempDir())} {
		e.sees(old.ID, has(store.Done, `"kept"`))
		e.sees(young.ID, has(store.Done, `"too"`))
		if f, err := e.Artifact(t.Context(), "acme", young.ID, "f"); err != nil || string(f.Data) != "data" {
			t.Errorf("its file is %v, %v", f, err)
		}
	}
}

// TestBefore: the runs that a server had before it shared them are shared.
func TestBefore(t *testing.T) {
	dir := t.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	r := run("run_0")
	if err := s.AddRuns(r); err != nil {
		t.Fatal(err)
	}
	r.State, r.Ended, r.Result = store.Done, time.Now(), []byte(`"before"`)
	if err := errors.Join(s.Finish(r), s.Close()); err != nil {
		t.Fatal(err)
	}
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, dir)
	a.sees(r.ID, has(store.Done, `"before"`))
	b.sees(r.ID, has(store.Done, `"before"`))
}

// TestAtEnd: a run whose client is told at its end is in the ledger then.
func TestAtEnd(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	r := run("run_0")
	r.ToldAtEnd = true
	a.add(r)
	if _, err := b.Run(t.Context(), "acme", r.ID); !errors.Is(err, store.ErrNone) {
		t.Errorf("%v", err)
	}
	if err := a.become(r, store.Done, `"end"`); err != nil {
		t.Fatal(err)
	}
	b.sees(r.ID, has(store.Done, `"end"`))
}

// TestClaimed: of two servers that have the run of a silent one go on, the second one does not.
func TestClaimed(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b, c := open(t, n, t.TempDir()), open(t, n, t.TempDir()), open(t, n, t.TempDir())
	r := a.add(run("run_0"))
	o := store.Owned{Tenant: "acme", ID: r.ID}
	if err := b.claim(o, a.id); err != nil {
		t.Fatal(err)
	}
	if err := c.claim(o, a.id); !errors.Is(err, store.ErrState) {
		t.Errorf("%v", err)
	}
}
