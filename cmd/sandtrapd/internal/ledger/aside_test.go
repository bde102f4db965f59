package ledger

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// spoil takes something of an object away, and gives the subject of its parts.
func (e *end) spoil(name string, parts bool) (of string) {
	e.t.Helper()
	all, err := e.js.ObjectStore(e.t.Context(), large)
	e.must(err)
	info, err := all.GetInfo(e.t.Context(), name)
	e.must(err)
	of = "$O." + large + ".C." + info.NUID
	gone := of
	if !parts {
		gone = "$O." + large + ".M." + base64.URLEncoding.EncodeToString([]byte(name))
	}
	e.must(e.parts().Purge(e.t.Context(), jetstream.WithPurgeSubject(gone)))
	return of
}

// TestMissingObject: entries whose objects are missing, in whole or in part, hold up no others. Who reads one is told soon; it is here when its
// object is, and can be deleted.
func TestMissingObject(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	const many = 20
	text := func(i int) string { return fmt.Sprint(i) + strings.Repeat("x", 300<<10) }
	for i := range many {
		ses, id := fmt.Sprint("ses_", i), fmt.Sprint("run_", i)
		a.begins(ses, "head", text(i))
		a.must(a.become(a.add(run(id)), store.Done, `"`+text(i)+`"`))
		a.spoil(objectOf(ses, store.HashOf([]byte(text(i)))), i%2 == 0)
		a.spoil(a.sees(id, has(store.Done, `"`+text(i)+`"`)).Object, i%2 == 0)
	}
	a.begins("ses_last", "last", text(many))
	a.add(run("run_last"))
	began := time.Now()
	b := open(t, n, t.TempDir())
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("a server begins in %v beside %d entries whose objects are missing", took, 2*many)
	}
	b.headed("ses_last", "last")
	b.sees("run_last", has(store.Running, ""))
	for i := range many {
		began := time.Now()
		_, err := b.Session(t.Context(), "acme", fmt.Sprint("ses_", i))
		if took := time.Since(began); !errors.Is(err, store.ErrCorrupt) || took > 5*time.Second {
			t.Errorf("a session whose content is missing: %v, in %v", err, took)
		}
		if _, err := b.Lease(t.Context(), "acme", fmt.Sprint("ses_", i)); i == 0 && !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("and its lease: %v", err)
		}
		if _, err := b.Run(t.Context(), "acme", fmt.Sprint("run_", i)); i < 2 && !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("and a run: %v", err)
		}
	}
	a.must(a.putObject(t.Context(), objectOf("ses_1", store.HashOf([]byte(text(1)))), []byte(text(1))))
	if !in(20*time.Second, func() bool { _, err := b.Store.Session(t.Context(), "acme", "ses_1"); return err == nil }) {
		t.Error("an object is there again, and its session does not come")
	}
	b.headed("ses_1", "head")
	a.must(b.DeleteSession("acme", "ses_2", "cancelled", nil))
	if _, err := b.Session(t.Context(), "acme", "ses_2"); !errors.Is(err, store.ErrNone) {
		t.Error(err)
	}
}

// TestAwaitedAgain: an entry whose object is missing is here when that is there, also if the server has started again meanwhile.
func TestAwaitedAgain(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	text := strings.Repeat("x", 300<<10)
	a.begins("ses_1", "head", text)
	name := objectOf("ses_1", store.HashOf([]byte(text)))
	a.spoil(name, true)
	b := open(t, n, t.TempDir())
	a.add(run("run_1"))
	b.sees("run_1", has(store.Running, ""))
	b.close()
	a.must(a.putObject(t.Context(), name, []byte(text)))
	b = open(t, n, b.dir)
	if !in(20*time.Second, func() bool { _, err := b.Store.Session(t.Context(), "acme", "ses_1"); return err == nil }) {
		t.Error("it does not come")
	}
}

// TestDamagedObject: an object that is another one than was written is told from a ledger that cannot be reached.
func TestDamagedObject(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	text := strings.Repeat("x", 300<<10)
	a.begins("ses_1", "head", text)
	name := objectOf("ses_1", store.HashOf([]byte(text)))
	of := a.spoil(name, true)
	for _, data := range []string{strings.Repeat("y", 300<<10), strings.Repeat("x", 301<<10)} {
		_, err := a.js.Publish(t.Context(), of, []byte(data))
		a.must(err)
		if _, err := a.object(t.Context(), name); !errors.Is(err, store.ErrCorrupt) || errors.Is(err, store.ErrDisk) {
			t.Errorf("%v", err)
		}
	}
	b := open(t, n, t.TempDir())
	if _, err := b.Session(t.Context(), "acme", "ses_1"); !errors.Is(err, store.ErrCorrupt) {
		t.Error(err)
	}
}
