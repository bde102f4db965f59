package ledger

import (
	"crypto/rand"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// kinds are the bytes of the streams of entries and of objects.
func (e *end) kinds() (entries, objects uint64) {
	e.t.Helper()
	for _, one := range []struct {
		name string
		to   *uint64
	}{{Stream, &entries}, {"OBJ_" + large, &objects}} {
		s, err := e.js.Stream(e.t.Context(), one.name)
		e.must(err)
		info, err := s.Info(e.t.Context())
		e.must(err)
		*one.to = info.State.Bytes
	}
	return entries, objects
}

// random is what cannot be made smaller.
func random(n int) string {
	data := make([]byte, n)
	_, _ = rand.Read(data)
	return string(data)
}

// TestBytesOfCopies: each fork and each snapshot counts what it has in the ledger, at all servers, with its list of files.
func TestBytesOfCopies(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	for _, texts := range [][]string{{"head", random(4 << 20)}, {random(1 << 20)}, {"head", random(60 << 10)}} {
		k := kept("ses_1", time.Now(), texts...)
		k.Bytes -= int64(len(texts[0])) // as a manifest does not list itself
		row := &store.Session{ID: "ses_1", Tenant: "acme", Policy: "p@1", Origin: "ses_1", Created: time.Now(), Used: k.Used, Head: k.Head, Bytes: k.Bytes}
		a.must(a.AddSession(row, k))
		one, err := a.Bytes(t.Context(), "acme")
		a.must(err)
		if n := k.Bytes + int64(len(texts[0])); one < n || one > n+10_000 {
			t.Errorf("one session counts %d bytes; it has %d", one, n)
		}
		more := a.CopyBytes(k.Bytes + int64(len(texts[0])))
		for i := range 10 {
			a.must(a.Fork("acme", "ses_1", &store.Session{ID: fmt.Sprint("ses_fork", i), Tenant: "acme", Policy: "p@1", Origin: "ses_1", Parent: "ses_1", Created: time.Now(), Used: time.Now()}))
		}
		snap, err := b.SaveSession("acme", "ses_1", time.Now())
		b.must(err)
		a.must(a.reachNow(t.Context()))
		b.must(b.reachNow(t.Context()))
		entries, objects := a.kinds()
		for _, e := range []*end{a, b} {
			n, err := e.Bytes(t.Context(), "acme")
			e.must(err)
			if n < int64(entries+objects)*97/100 || n > one+11*more+10_000 {
				t.Errorf("%d bytes are kept of the tenant, and counted are %d; want %d at most", entries+objects, n, one+11*more)
			}
		}
		a.must(b.DeleteSnapshot("acme", snap))
		a.must(a.DeleteSession("acme", "ses_1", "cancelled", nil))
		for i := range 10 {
			a.must(b.DeleteSession("acme", fmt.Sprint("ses_fork", i), "cancelled", nil))
		}
		a.must(a.reachNow(t.Context()))
		b.must(b.reachNow(t.Context()))
		for _, e := range []*end{a, b} {
			if n, err := e.Bytes(t.Context(), "acme"); err != nil || n > 10_000 {
				t.Errorf("%d bytes count when all is deleted, %v", n, err)
			}
		}
		if _, objects := a.kinds(); objects > 0 {
			t.Errorf("%d bytes of objects are left", objects)
		}
	}
}

// TestSomeForks: of forks that are made together all are there, or none.
func TestSomeForks(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	a.begins("ses_1", "head", random(100<<10))
	fork := func(id string) *store.Session {
		return &store.Session{ID: id, Tenant: "acme", Policy: "p@1", Origin: "ses_1", Created: time.Now(), Used: time.Now()}
	}
	_, before := a.kinds()
	if err := a.Fork("acme", "ses_1", fork("ses_2"), fork("ses_3"), fork("ses_1")); err == nil {
		t.Fatal("no error")
	}
	for _, id := range []string{"ses_2", "ses_3"} {
		if _, err := a.Session(t.Context(), "acme", id); !errors.Is(err, store.ErrNone) {
			t.Errorf("%s: %v", id, err)
		}
	}
	a.headed("ses_1", "head")
	if _, after := a.kinds(); after != before {
		t.Errorf("%d bytes are left", after-before)
	}
}
