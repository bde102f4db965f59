package clone

import (
	"context"
	"sync"
)

// Slots bound how many clones go on at a time, of all tenants and, where there are two or more, of each: one tenant leaves one for others.
type slots struct {
	all  chan struct{}
	most int // of a tenant

	mu      *sync.Mutex
	tenants map[string]*share
}

// A share is the slots of a tenant.
type share struct {
	slots chan struct{}
	users int // that have one, or wait
}

func newSlots(n int) slots {
	return slots{all: make(chan struct{}, n), most: max(1, n-1), mu: &sync.Mutex{}, tenants: map[string]*share{}}
}

// take waits for a slot of a tenant, which give gives back.
func (s *slots) take(ctx context.Context, tenant string) (give func(), err error) {
	own := s.enter(tenant)
	for i, slot := range []chan struct{}{own.slots, s.all} { // who waits for its share holds nobody up
		select {
		case slot <- struct{}{}:
		case <-ctx.Done():
			if i > 0 {
				<-own.slots
			}
			s.leave(tenant)
			return nil, ctx.Err()
		}
	}
	return func() {
		<-s.all
		<-own.slots
		s.leave(tenant)
	}, nil
}

func (s *slots) enter(tenant string) *share {
	s.mu.Lock()
	defer s.mu.Unlock()
	own := s.tenants[tenant]
	if own == nil {
		own = &share{slots: make(chan struct{}, s.most)}
		s.tenants[tenant] = own
	}
	own.users++
	return own
}

func (s *slots) leave(tenant string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tenants[tenant].users--; s.tenants[tenant].users == 0 {
		delete(s.tenants, tenant)
	}
}
