package runs

import (
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// The bounds of what goes on and waits for its turn, of a server and of each tenant: a tenant that reaches its own leaves room for
// others.
const (
	maxLive, maxTenantLive   = 10_000, 2_500
	maxBytes, maxTenantBytes = 512 << 20, 128 << 20
)

// A Busy is an error about too much that goes on. It matches ErrBusy.
type Busy struct {
	Tenant bool          // of the tenant; else of all
	After  time.Duration // when to try again
	text   string
}

func (b *Busy) Error() string { return b.text }

// Is is for errors.Is.
func (b *Busy) Is(target error) bool { return target == ErrBusy }

// A load is how much goes on and waits for its turn.
type load struct {
	all     burden
	tenants map[string]burden
}

// A burden is a number of runs, and the bytes of what they hold until they begin.
type burden struct {
	runs  int
	bytes int64
	ends  limits.Ends

	unwritten int64 // bytes of rows that the store does not have yet
}

func burdenOf(row *store.Run) burden {
	return burden{runs: 1, bytes: int64(len(row.Code) + len(row.Request) + len(row.Journal) + len(row.Answers) + len(row.Events))}
}

func (b burden) plus(c burden) burden {
	return burden{b.runs + c.runs, b.bytes + c.bytes, b.ends, b.unwritten}
}
func (b burden) minus(c burden) burden {
	return burden{b.runs - c.runs, b.bytes - c.bytes, b.ends, b.unwritten}
}

// room reports whether there is room for one more run.
func (l *load) room(row *store.Run) error {
	b := burdenOf(row)
	all, own := l.all.plus(b), l.tenants[row.Tenant].plus(b)
	switch {
	case own.runs > maxTenantLive || own.bytes > maxTenantBytes && own.runs > 1:
		return &Busy{true, own.ends.After(time.Now()), fmt.Sprintf("%v: %d runs of this tenant go on or wait for their turn", ErrBusy, own.runs-1)}
	case all.runs > maxLive || all.bytes > maxBytes && all.runs > 1:
		return &Busy{false, all.ends.After(time.Now()), fmt.Sprintf("%v: all runs of the server", ErrBusy)}
	}
	return nil
}

func (l *load) add(row *store.Run) {
	b := burdenOf(row)
	l.all, l.tenants[row.Tenant] = l.all.plus(b), l.tenants[row.Tenant].plus(b)
}

// remove is for a run that has ended or was not begun after all: there is room for another one.
func (l *load) remove(row *store.Run) {
	b, now := burdenOf(row), time.Now()
	all, own := l.all.minus(b), l.tenants[row.Tenant].minus(b)
	all.ends.Add(now)
	own.ends.Add(now)
	l.all = all
	if l.tenants[row.Tenant] = own; own.runs == 0 {
		delete(l.tenants, row.Tenant)
	}
}

// unwritten has n be the bytes of a live run that the store does not have yet. It returns those of all runs of the tenant.
func (l *load) unwritten(r *live, n int64) (sum int64) {
	own := l.tenants[r.row.Tenant]
	own.unwritten += n - r.unwritten
	r.unwritten = n
	l.tenants[r.row.Tenant] = own
	return own.unwritten
}
