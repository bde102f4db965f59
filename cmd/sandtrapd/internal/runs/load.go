package runs

import (
	"fmt"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// The bounds of what goes on and waits for its turn, of a server and of each tenant: a tenant that reaches its own leaves room for
// others.
const (
	maxLive, maxTenantLive   = 10_000, 2_500
	maxBytes, maxTenantBytes = 512 << 20, 128 << 20
)

// A load is how much goes on and waits for its turn.
type load struct {
	all     burden
	tenants map[string]burden
}

// A burden is a number of runs, and the bytes of what they hold until they begin.
type burden struct {
	runs  int
	bytes int64
}

func burdenOf(row *store.Run) burden {
	return burden{1, int64(len(row.Code) + len(row.Request) + len(row.Journal) + len(row.Answers) + len(row.Events))}
}

func (b burden) plus(c burden) burden  { return burden{b.runs + c.runs, b.bytes + c.bytes} }
func (b burden) minus(c burden) burden { return burden{b.runs - c.runs, b.bytes - c.bytes} }

// room reports whether there is room for one more run.
func (l *load) room(row *store.Run) error {
	b := burdenOf(row)
	all, own := l.all.plus(b), l.tenants[row.Tenant].plus(b)
	switch {
	case own.runs > maxTenantLive || own.bytes > maxTenantBytes && own.runs > 1:
		return fmt.Errorf("%w: %d of this tenant go on or wait for their turn", ErrBusy, own.runs-1)
	case all.runs > maxLive || all.bytes > maxBytes && all.runs > 1:
		return ErrBusy
	}
	return nil
}

func (l *load) add(row *store.Run) {
	b := burdenOf(row)
	l.all, l.tenants[row.Tenant] = l.all.plus(b), l.tenants[row.Tenant].plus(b)
}

func (l *load) remove(row *store.Run) {
	b := burdenOf(row)
	l.all, l.tenants[row.Tenant] = l.all.minus(b), l.tenants[row.Tenant].minus(b)
	if l.tenants[row.Tenant].runs == 0 {
		delete(l.tenants, row.Tenant)
	}
}
