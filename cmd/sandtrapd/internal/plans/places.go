package plans

import (
	"context"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// defaultWorkers is how many workers a plan has if nobody says how many.
const defaultWorkers = 8

// A set of tools is one of many: clients make them, each has a plan of its own, and most are run for some minutes, by one tenant. So fewer
// workers wait for their tenants than in other plans, and they end sooner.
const (
	toolsPlaces = 2
	toolsIdle   = time.Minute
)

// A places keeps the workers of tenants from one run to the next. A pool ends the workers of a tenant whose last sandbox is closed, so a
// tenant that has a place has a sandbox that is open and runs nothing. Its workers serve no other tenant: the pool sees to that, and ends
// those that wait too long, or whose place another tenant needs.
type places struct {
	most int // the tenant that came first gives way

	mu   sync.Mutex
	list []place // the one that came last is the last
}

type place struct {
	tenant  string
	sandbox *sandtrap.Sandbox
}

// hold gives a tenant a place, if it has none.
func (p *places) hold(ctx context.Context, tenant string, open func(context.Context) (*sandtrap.Sandbox, error)) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, one := range p.list {
		if one.tenant == tenant {
			copy(p.list[i:], p.list[i+1:])
			p.list[len(p.list)-1] = one
			return nil
		}
	}
	box, err := open(ctx)
	if err != nil {
		return err
	}
	p.list = append(p.list, place{tenant, box})
	if len(p.list) > p.most {
		_ = p.list[0].sandbox.Close() // it returns no error
		p.list = append([]place(nil), p.list[1:]...)
	}
	return nil
}
