package ledger

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// messages are how many the stream of objects has.
func (e *end) messages() uint64 {
	e.t.Helper()
	info, err := e.parts.Info(e.t.Context())
	e.must(err)
	return info.State.Msgs
}

// TestNoMarkers: nothing is left of an object that is deleted, nor of that of a change that was refused.
func TestNoMarkers(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	large := strings.Repeat("x", 300<<10)
	r := a.add(run("run_0"))
	a.must(a.become(r, store.Done, `"`+large+`"`))
	a.begins("ses_1", "head", large)
	a.must(a.Keep(kept("ses_1", time.Now(), "head", large+"y")))
	if got := b.sees("run_0", has(store.Done, `"`+large+`"`)); got.Object == "" {
		t.Fatal("it is no object")
	}
	before := a.messages()
	one := *r
	one.Result = []byte(`"` + large + `z"`)
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
	large := strings.Repeat("x", 300<<10)
	a.begins("ses_1", "head", large)
	r := a.add(run("run_0"))
	a.must(a.become(r, store.Done, `"`+large+`"`))
	named := a.messages()
	lost := objectOf("ses_1", store.HashOf([]byte("of one that has lost")))
	for _, name := range []string{lost, "run_0.LOST", "run_none.LOST", "gone.1"} {
		a.must(a.putObject(t.Context(), name, []byte(large)))
	}
	a.must(a.objects.Delete(t.Context(), "gone.1")) // as an earlier version did
	_, err := a.js.Publish(t.Context(), partSubject+"killed", []byte("amid an object"))
	a.must(err)
	if n, err := a.sweepOnce(t.Context(), time.Hour); n != 0 || err != nil {
		t.Errorf("%d young objects went, %v", n, err)
	}
	if n, err := a.sweepOnce(t.Context(), 0); n != 5 || err != nil {
		t.Errorf("%d objects went, %v; want 5", n, err)
	}
	if n := a.messages(); n != named {
		t.Errorf("%d messages are left, want the %d that entries name", n, named)
	}
	for _, name := range []string{a.sees("run_0", has(store.Done, `"`+large+`"`)).Object, objectOf("ses_1", store.HashOf([]byte(large)))} {
		if _, err := a.object(t.Context(), name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestErasedAnew: an object that is written again while the one before is deleted stays.
func TestErasedAnew(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	a.must(a.putObject(t.Context(), "ses_1.x", []byte("one")))
	before, err := a.meta(t.Context(), "ses_1.x")
	a.must(err)
	a.must(a.putObject(t.Context(), "ses_1.x", []byte("two")))
	a.must(a.erase("ses_1.x", before))
	if data, err := a.object(t.Context(), "ses_1.x"); err != nil || string(data) != "two" {
		t.Errorf("%q, %v", data, err)
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
	if n, err := a.sweepOnce(t.Context(), 0); n != 0 || err != nil {
		t.Error(n, err)
	}
	if _, err := a.objects.GetInfo(context.Background(), "thing_1.x"); errors.Is(err, jetstream.ErrObjectNotFound) {
		t.Error(err)
	}
}
