package ledger

import (
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestCurrent: a server that the ledger does not answer is not current some seconds later.
func TestCurrent(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	if !a.Current() {
		t.Error("it has just read all")
	}
	a.mu.Lock()
	a.current = time.Now().Add(-staleFor)
	a.mu.Unlock()
	for began := time.Now(); !a.Current(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("it reaches the ledger, and is not current")
		}
	}
	n.Shutdown()
	n.WaitForShutdown()
	a.mu.Lock()
	a.current = time.Now().Add(lookEach - staleFor) // not to wait for it
	a.mu.Unlock()
	for began := time.Now(); a.Current(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("it is current without a ledger")
		}
	}
}

// TestNewerFormat: a ledger of a newer format is refused, and stays as it is.
func TestNewerFormat(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	cfg := a.stream.CachedInfo().Config
	cfg.Metadata = map[string]string{formatKey: "2"}
	if _, err := a.js.UpdateStream(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := Open(t.Context(), a.conn, s, 1, a.log); err == nil || !strings.Contains(err.Error(), "use a newer one") {
		t.Errorf("%v", err)
	}
	now, err := a.js.Stream(t.Context(), Stream)
	if err != nil || now.CachedInfo().Config.Metadata[formatKey] != "2" {
		t.Errorf("%v", err)
	}
}

// TestNewerEntry: a server leaves an entry alone that it does not know, with what it has of that.
func TestNewerEntry(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	r := a.add(run("run_0"))
	b.sees(r.ID, has(store.Running, ""))
	newer := []byte{0xa1, 0x18, 0x63, 0x01} // {99: 1} in CBOR
	at, err := a.js.Publish(t.Context(), subject("acme", r.ID), newer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.js.Publish(t.Context(), subject("acme", "thing_1"), newer); err != nil {
		t.Fatal(err)
	}
	b.add(run("run_1"))
	a.sees("run_1", has(store.Running, ""))
	if _, err := b.Store.Run(t.Context(), "acme", r.ID); err != nil {
		t.Error(err)
	}
	if err := a.become(r, store.Done, `"over it"`); err == nil {
		t.Error("it was written over")
	}
	b.close()
	open(t, n, b.dir)
	m, err := a.stream.GetLastMsgForSubject(t.Context(), subject("acme", r.ID))
	if err != nil || m.Sequence != at.Sequence || string(m.Data) != string(newer) {
		t.Errorf("%+v, %v", m, err)
	}
}
