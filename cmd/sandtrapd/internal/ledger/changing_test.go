package ledger

import (
	"bytes"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestChangedAllTheTime: a server that changes an entry whenever others want to has them try again, and not in hot loops.
func TestChangedAllTheTime(t *testing.T) {
	n := listen(t, t.TempDir(), -1)
	a, h := hook(t, n)
	b := open(t, n, t.TempDir())
	begun, waits := a.add(run("run_1")), a.add(run("run_2"))
	a.must(a.become(waits, store.Pending, ""))
	a.must(a.AddBatch(&store.Batch{ID: "batch_1", Tenant: "acme", Lines: 1, Created: time.Now()}, 100))
	a.begins("ses_1", "head")
	a.must(a.AddKey(key(1)))
	for _, tc := range []struct {
		name, id string
		do       func() error
	}{
		{"Finish", "run_1", func() error { return a.become(begun, store.Done, `"x"`) }},
		{"Cancel", "run_2", func() error { return a.Cancel("acme", "run_2", "cancelled", nil) }},
		{"CancelBatch", "batch_1", func() error { return a.CancelBatch("acme", "batch_1", time.Now()) }},
		{"DeleteSession", "ses_1", func() error { return a.DeleteSession("acme", "ses_1", "cancelled", nil) }},
		{"RemoveKey", keyID(key(1).Hash), func() error { return a.RemoveKey(key(1).Hash) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			of := subject("acme", tc.id)
			if strings.HasPrefix(tc.id, "key_") {
				of = subject(ofAll, tc.id)
			}
			var tries atomic.Int64
			h.set(func(data []byte) {
				if !bytes.Contains(data, []byte("HPUB "+of)) {
					return
				}
				tries.Add(1)
				if m, err := b.lastMsg(t.Context(), of); err == nil {
					_, _ = b.js.Publish(t.Context(), of, m.Data)
				}
			})
			done := make(chan error, 1)
			go func() { done <- tc.do() }()
			select {
			case err := <-done:
				h.set(nil)
				t.Fatal("nobody has changed it meanwhile:", err)
			case <-time.After(time.Second):
			}
			h.set(nil)
			if err := <-done; err != nil {
				t.Error(err)
			}
			if n := tries.Load(); n < 3 || n > int64(time.Second/(askEach/10))+1 {
				t.Errorf("in a second it has tried %d times", n)
			}
		})
	}
}
