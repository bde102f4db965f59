package ledger

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestLostEndOfObjects: a ledger that has lost its end, and the object of an entry that it still has, gets both from a server that has the run,
// and the server starts.
func TestLostEndOfObjects(t *testing.T) {
	n := serve(t, t.TempDir())
	a, other := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	long := `"` + strings.Repeat("x", 300<<10) + `"`
	r := a.add(run("run_0"))
	a.must(a.become(r, store.Done, long))
	now := a.sees("run_0", has(store.Done, long))
	a.close()
	s, err := store.Open(a.dir)
	other.must(err)
	marks, _, err := s.Marks(t.Context())
	other.must(err)
	marks = append(marks, store.Mark{Revision: now.Revision + 100})
	for _, m := range marks {
		other.must(s.Mark(store.Mark{Revision: m.Revision, Time: time.Unix(1, 0)})) // the ledger has other entries there now
	}
	other.must(s.Close())
	other.spoil(now.Object, true)
	conn, err := nats.Connect("", nats.InProcessServer(n))
	other.must(err)
	defer conn.Close()
	if s, err = store.Open(a.dir); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l, err := Open(t.Context(), conn, s, 1, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatalf("the server that has the run, and could bring it, does not start: %v", err)
	}
	defer l.Close()
	if got, err := other.Run(t.Context(), "acme", "run_0"); err != nil || string(got.Result) != long {
		t.Errorf("%v", err)
	}
}
