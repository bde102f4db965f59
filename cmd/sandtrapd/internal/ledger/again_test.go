package ledger

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestSaveWhileDeleted: a snapshot that is acknowledged has its contents, also if the same one is deleted at another server meanwhile.
func TestSaveWhileDeleted(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	texts := []string{"head"}
	for i := range 40 {
		texts = append(texts, fmt.Sprint(i)+strings.Repeat("x", 4<<10))
	}
	a.begins("ses_1", texts...)
	for round := range 30 {
		id, err := a.SaveSession("acme", "ses_1", time.Now())
		a.must(err)
		_, err = b.Snapshot(t.Context(), "acme", id)
		b.must(err)
		var all sync.WaitGroup
		all.Go(func() {
			if err := b.DeleteSnapshot("acme", id); err != nil {
				t.Error(err)
			}
		})
		saved := false
		all.Go(func() {
			time.Sleep(time.Duration(round) * 2 * time.Millisecond)
			_, err := a.SaveSession("acme", "ses_1", time.Now())
			saved = err == nil
		})
		all.Wait()
		e, _, err := a.getEntry(context.Background(), "acme", id)
		if err != nil || !saved {
			continue // it was saved before it was deleted
		}
		missing := 0
		for _, h := range e.Snapshot.Contents.Objects {
			if _, err := a.object(t.Context(), objectOf(e.Snapshot.Contents.under(id), h)); err != nil {
				missing++
			}
		}
		if missing > 0 {
			t.Fatalf("round %d: the ledger has a snapshot that was acknowledged, and %d of its %d contents are deleted", round, missing, len(e.Snapshot.Contents.Objects))
		}
		_ = a.DeleteSnapshot("acme", id)
	}
}

// TestLargeOutcomeTwice: a large outcome whose answer was lost is written when it is written again.
func TestLargeOutcomeTwice(t *testing.T) {
	n := serve(t, t.TempDir())
	a := open(t, n, t.TempDir())
	for _, result := range []string{`"small"`, `"` + strings.Repeat("x", 300<<10) + `"`} {
		r := a.add(run(fmt.Sprint("run_", len(result))))
		one := *r
		one.State, one.Result, one.Ended = store.Done, []byte(result), time.Now()
		first := one
		first.Owner, first.Part, first.Begins = "", r.Part+1, 1
		a.must(a.put(t.Context(), &first, r.Revision)) // as Finish does, whose answer does not come
		if err := a.Finish(&one); err != nil {
			t.Errorf("%d bytes: it is in the ledger, and its client is told: %v", len(result), err)
		}
	}
}
