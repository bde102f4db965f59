package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// listen is a server of NATS on a port, -1 for any.
func listen(t testing.TB, dir string, port int) *server.Server {
	t.Helper()
	return serveBy(t, &server.Options{Host: "127.0.0.1", Port: port, StoreDir: dir})
}

// dial is a server with a data directory, which connects again when NATS has ended.
func dial(t testing.TB, url, dir string) *end {
	t.Helper()
	conn, err := nats.Connect(url, nats.MaxReconnects(-1), nats.ReconnectWait(20*time.Millisecond), nats.ReconnectJitter(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return openBy(t, conn, dir)
}

// copyOf is a copy of a directory that is in use, as a power cut would leave it.
func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// late writes an entry as one of a server whose answer is lost: the server does not know that it is there.
func (e *end) late(of *end, tenant, id string, one entry) {
	e.t.Helper()
	data, err := encoding.Marshal(one)
	e.must(err)
	_, err = e.js.PublishMsg(e.t.Context(), &nats.Msg{Subject: subject(tenant, id), Data: data, Header: nats.Header{ofServer: {of.id}}})
	e.must(err)
}

// TestLostEndRunning: a ledger that loses its end while servers run gets it from them, and they get what comes instead of it, however much
// that is.
func TestLostEndRunning(t *testing.T) {
	for _, more := range []int{1, 60} {
		t.Run(fmt.Sprint(more), func(t *testing.T) {
			dir := t.TempDir()
			n := listen(t, dir, -1)
			url := n.ClientURL()
			a, b := dial(t, url, t.TempDir()), dial(t, url, t.TempDir())
			a.must(a.AddKey(key(1)))
			a.must(a.AddKey(key(2)))
			old := a.add(run("run_old"))
			a.begins("ses_old", "one")
			b.sees(old.ID, has(store.Running, ""))
			b.knows(1, 2)
			early := copyOf(t, dir)
			a.must(a.become(old, store.Done, `"kept"`))
			b.must(b.RemoveKey(key(1).Hash))
			a.must(a.Keep(kept("ses_old", time.Now(), "two")))
			for i := range 20 {
				r := b.add(run(fmt.Sprint("run_lost_", i)))
				b.must(b.become(r, store.Done, `"too"`))
			}
			a.sees("run_lost_19", has(store.Done, `"too"`))
			b.headed("ses_old", "two")

			port := netip.MustParseAddrPort(n.Addr().String()).Port()
			n.Shutdown()
			n.WaitForShutdown()
			n = listen(t, early, int(port))
			fresh, err := nats.Connect(n.ClientURL())
			a.must(err)
			c := openBy(t, fresh, t.TempDir()) // it writes at once
			c.must(c.RemoveKey(key(2).Hash))
			for i := range more {
				r := c.add(run(fmt.Sprint("run_new_", i)))
				c.must(c.become(r, store.Done, `"new"`))
			}
			for _, e := range []*end{a, b, c, openBy(t, fresh, t.TempDir())} {
				e.sees(old.ID, has(store.Done, `"kept"`))
				for i := range 20 {
					e.sees(fmt.Sprint("run_lost_", i), has(store.Done, `"too"`))
				}
				for i := range more {
					e.sees(fmt.Sprint("run_new_", i), has(store.Done, `"new"`))
				}
				e.knows()
				e.headed("ses_old", "two")
			}
			for _, e := range []*end{a, b} {
				if !in(time.Minute, e.Current) {
					t.Error("it is not current")
				}
				r := e.add(run("run_" + e.id))
				e.must(e.become(r, store.Done, `"on"`))
				c.sees(r.ID, has(store.Done, `"on"`))
			}
		})
	}
}

// TestLostEndHidden: a server that starts notices that the ledger has lost its end, though another one has written more since.
func TestLostEndHidden(t *testing.T) {
	dir := t.TempDir()
	n := serve(t, dir)
	a := open(t, n, t.TempDir())
	old := a.add(run("run_old"))
	a.begins("ses_old", "one")
	a.sees(old.ID, has(store.Running, ""))
	early := copyOf(t, dir)
	a.must(a.become(old, store.Done, `"kept"`))
	a.must(a.Keep(kept("ses_old", time.Now(), "two")))
	a.close()
	n.Shutdown()
	n.WaitForShutdown()
	n = serve(t, early)
	c := open(t, n, t.TempDir())
	for i := range 20 {
		c.add(run(fmt.Sprint("run_new_", i)))
	}
	a = open(t, n, a.dir)
	for _, e := range []*end{a, c} {
		e.sees(old.ID, has(store.Done, `"kept"`))
		e.headed("ses_old", "two")
		for i := range 20 {
			e.sees(fmt.Sprint("run_new_", i), has(store.Running, ""))
		}
	}
}

// TestLateOwn: what a server wrote, and was told of an error, is here if it is in the ledger after all.
func TestLateOwn(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	a.must(a.Serve(func(context.Context, string, string, bool) error { return nil }, func(string, string) {}))
	a.must(a.AddKey(key(1)))
	b.knows(1)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	revoked := store.Key{Hash: key(1).Hash, Revoked: true}
	if err := a.shareKey(over, revoked); !errors.Is(err, store.ErrDisk) {
		t.Fatal(err)
	}
	if _, _, err := a.putEntry(over, ofAll, keyID(revoked.Hash), entry{Key: &revoked}, "", 1); !errors.Is(err, store.ErrDoubt) {
		t.Fatal(err)
	}
	batch := &store.Batch{ID: "batch_1", Tenant: "acme", Created: time.Now(), Lines: 1}
	if _, _, err := a.putEntry(over, "acme", batch.ID, entry{Batch: batch}, "", 0); !errors.Is(err, store.ErrDoubt) {
		t.Fatal(err)
	}
	b.late(a, ofAll, keyID(revoked.Hash), entry{Key: &revoked})
	b.late(a, "acme", batch.ID, entry{Batch: batch})
	a.knows()
	if !in(time.Minute, func() bool { _, err := a.Store.Batch(t.Context(), "acme", batch.ID); return err == nil }) {
		t.Error("it has no batch")
	}
}

// TestKilledBetween: a server that ends after it has written to the ledger, and before that is here, has it when it starts again.
func TestKilledBetween(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	a.must(a.AddKey(key(1)))
	r := a.add(run("run_1"))
	b.sees(r.ID, has(store.Running, ""))
	done := *r
	done.State, done.Result, done.Ended, done.Owner, done.Part = store.Done, []byte(`"end"`), time.Now(), "", 1
	b.late(a, ofAll, keyID(key(1).Hash), entry{Key: &store.Key{Hash: key(1).Hash, Revoked: true}})
	b.late(a, "acme", r.ID, entry{Run: &done})
	for i := range 4 { // the feed goes on
		b.add(run(fmt.Sprint("run_more_", i)))
		a.sees(fmt.Sprint("run_more_", i), has(store.Running, ""))
		time.Sleep(store.MarkEach)
	}
	dir := copyOf(t, a.dir)
	a.conn.Close()
	again := open(t, n, dir)
	again.knows()
	again.sees(r.ID, has(store.Done, `"end"`))
}

// TestHereLater: what could be written to the ledger and not here, as of a disk that is full, is here when that can be.
func TestHereLater(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	a.must(a.Serve(func(context.Context, string, string, bool) error { return nil }, func(string, string) {}))
	a.must(a.AddKey(key(1)))
	db, err := sql.Open("sqlite", "file:"+filepath.Join(a.dir, "sandtrapd.db")+"?_pragma=busy_timeout(10000)")
	a.must(err)
	defer db.Close()
	_, err = db.Exec(`CREATE TRIGGER refused BEFORE INSERT ON revoked BEGIN SELECT raise(ABORT, 'no'); END`)
	a.must(err)
	if err := a.RemoveKey(key(1).Hash); err == nil {
		t.Fatal("it was written")
	}
	a.knows(1)
	_, err = db.Exec(`DROP TRIGGER refused`)
	a.must(err)
	a.knows()
}

// TestDeletedMeanwhile: a server that was killed does not bring back what another one has deleted since.
func TestDeletedMeanwhile(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	r := a.add(run("run_1"))
	a.must(a.become(r, store.Done, `"end"`))
	a.begins("ses_1", "one")
	b.sees(r.ID, has(store.Done, `"end"`))
	b.headed("ses_1", "one")
	dir := copyOf(t, a.dir) // no mark is saved yet
	a.conn.Close()
	b.must(b.DeleteRun("acme", r.ID))
	b.must(b.DeleteSession("acme", "ses_1", "", nil))
	a = open(t, n, dir)
	for _, e := range []*end{a, b, open(t, n, t.TempDir())} {
		e.sees(r.ID, gone)
		if s, err := e.Session(t.Context(), "acme", "ses_1"); !errors.Is(err, store.ErrNone) {
			t.Errorf("%+v, %v", s, err)
		}
	}
}
