package ledger

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// parts is the stream of objects.
func (e *end) parts() jetstream.Stream {
	e.t.Helper()
	s, err := e.js.Stream(e.t.Context(), "OBJ_"+large)
	e.must(err)
	return s
}

// messages are how many the stream of objects has.
func (e *end) messages() uint64 {
	e.t.Helper()
	return e.parts().CachedInfo().State.Msgs
}

// TestNoMarkers: nothing is left of an object that is deleted, nor of that of a change that was refused.
func TestNoMarkers(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	long := strings.Repeat("x", 300<<10)
	r := a.add(run("run_0"))
	a.must(a.become(r, store.Done, `"`+long+`"`))
	a.begins("ses_1", "head", long)
	a.must(a.Keep(kept("ses_1", time.Now(), "head", long+"y")))
	if got := b.sees("run_0", has(store.Done, `"`+long+`"`)); got.Object == "" {
		t.Fatal("it is no object")
	}
	before := a.messages()
	one := *r
	one.Result = []byte(`"` + long + `z"`)
	if err := b.put(t.Context(), &one, 1); !errors.Is(err, store.ErrState) {
		t.Error(err)
	}
	if after := a.messages(); after != before {
		t.Errorf("a change that was refused leaves %d messages", after-before)
	}
	a.must(a.DeleteRun("acme", "run_0"))
	a.must(a.DeleteSession("acme", "ses_1", "cancelled", nil))
	if n := a.messages(); n != 0 {
		t.Errorf("%d messages are left of objects that are deleted", n)
	}
}

// TestSweep: objects go that no entry names, when they are old; others stay.
func TestSweep(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	long := strings.Repeat("x", 300<<10)
	a.begins("ses_1", "head", long)
	r := a.add(run("run_0"))
	a.must(a.become(r, store.Done, `"`+long+`"`))
	named := a.messages()
	lost := objectOf("ses_1", store.HashOf([]byte("of one that has lost")))
	for _, name := range []string{lost, "run_0.LOST", "run_none.LOST", "gone.1"} {
		a.must(a.putObject(t.Context(), name, []byte(long)))
	}
	if n, err := a.objects.Sweep(t.Context(), time.Hour, a.namedBy); n != 0 || err != nil {
		t.Errorf("%d young objects went, %v", n, err)
	}
	if n, err := a.objects.Sweep(t.Context(), 0, a.namedBy); n != 4 || err != nil {
		t.Errorf("%d objects went, %v; want 4", n, err)
	}
	if n := a.messages(); n != named {
		t.Errorf("%d messages are left, want the %d that entries name", n, named)
	}
	for _, name := range []string{a.sees("run_0", has(store.Done, `"`+long+`"`)).Object, objectOf("ses_1", store.HashOf([]byte(long)))} {
		if _, err := a.object(t.Context(), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSweepNewer: the objects of an entry of a newer build stay.
func TestSweepNewer(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	a.must(a.putObject(t.Context(), "thing_1.x", []byte("one")))
	data, err := encoding.Marshal(map[int]string{99: "new"})
	a.must(err)
	_, err = a.js.Publish(t.Context(), subject("acme", "thing_1"), data)
	a.must(err)
	if n, err := a.objects.Sweep(t.Context(), 0, a.namedBy); n != 0 || err != nil {
		t.Error(n, err)
	}
	if _, err := a.object(t.Context(), "thing_1.x"); err != nil {
		t.Error(err)
	}
}
