package ledger

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// TestSameRevision: a ledger that has lost its end, and has given its revisions again to the same runs, is here as it is now, however many
// these are.
func TestSameRevision(t *testing.T) {
	const many = 3 * knownFrom
	dir := t.TempDir()
	n := listen(t, dir, -1)
	a := dial(t, n.ClientURL(), t.TempDir())
	old := a.add(run("run_old"))
	a.must(a.become(old, store.Done, `"kept"`))
	a.sees(old.ID, has(store.Done, `"kept"`))
	early := copyOf(t, dir)
	var list []*store.Run
	for i := range many {
		list = append(list, a.add(run(fmt.Sprint("run_again_", i))))
	}
	port := netip.MustParseAddrPort(n.Addr().String()).Port()
	n.Shutdown()
	n.WaitForShutdown()
	n = listen(t, early, int(port))
	b := dial(t, n.ClientURL(), t.TempDir())
	other := &end{Ledger: &Ledger{id: strings.Repeat("c", 26)}}
	for _, r := range list {
		one := *r
		one.State, one.Result, one.Ended, one.Part, one.Owner = store.Done, []byte(`"other"`), time.Now(), 1, ""
		b.late(other, r.Tenant, r.ID, entry{Run: &one})
	}
	for _, r := range list {
		b.sees(r.ID, func(there *store.Run) bool { return there != nil && there.Revision == r.Revision })
		a.sees(r.ID, has(store.Done, `"other"`))
	}
}
