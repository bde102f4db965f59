package ledger

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestRefusedAndBegunElsewhere: a run with a key that was refused here, and that another server has begun then, has begun if it comes here.
func TestRefusedAndBegunElsewhere(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	var calls, anew atomic.Int64
	a.must(a.Serve(func(_ context.Context, _, _ string, begun bool) error {
		if !begun {
			anew.Add(1)
		}
		if calls.Add(1) == 1 {
			return unreachable{errors.New("the ledger: timeout")} // as Finish of interrupt says
		}
		return nil
	}, func(string, string) {}))
	refused := run("run_0")
	a.Ledger.begins(refused)
	a.doubt(refused.Tenant, refused.ID) // as putEntry does if nobody answers
	a.takeBack([]*store.Run{refused})
	b.add(run("run_0")) // its client asks another server
	a.sees("run_0", has(store.Running, ""))
	b.conn.Close()
	if !in(time.Minute, func() bool { return calls.Load() > 1 }) {
		t.Fatal("it does not go on")
	}
	if anew.Load() > 0 {
		t.Error("a run that has begun at another server goes on as one that has not: what it did there is done again")
	}
}
