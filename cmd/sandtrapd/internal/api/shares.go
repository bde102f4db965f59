package api

import (
	"io"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
)

// What the requests of one tenant may hold at a time: it leaves connections and memory to others.
const (
	maxTenantRequests = 2_500     // that are open, with the streams of events
	maxTenantBodies   = 128 << 20 // bytes of bodies that are read and not understood yet
)

// shares are what the requests of each tenant hold. The zero shares are of none. They are safe for concurrent use.
type shares struct {
	mu      sync.Mutex
	tenants map[string]*share
}

type share struct{ requests, bytes int64 }

// take takes a request, and n bytes of bodies. The error is *limits.Error if that is too much for the tenant: then nothing is taken.
func (s *shares) take(tenant string, requests, n int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tenants == nil {
		s.tenants = map[string]*share{}
	}
	t := s.tenants[tenant]
	if t == nil {
		t = &share{}
		s.tenants[tenant] = t
	}
	switch {
	case t.requests+requests > maxTenantRequests:
		return &limits.Error{Name: "requests_at_once", Limit: maxTenantRequests, Used: t.requests, After: time.Second}
	case t.bytes+n > maxTenantBodies:
		return &limits.Error{Name: "bytes_of_bodies", Limit: maxTenantBodies, Used: t.bytes, After: time.Second}
	}
	t.requests += requests
	t.bytes += n
	return nil
}

// give gives back what was taken.
func (s *shares) give(tenant string, requests, n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tenants[tenant]
	t.requests -= requests
	t.bytes -= n
	if *t == (share{}) {
		delete(s.tenants, tenant)
	}
}

// A sharedBody is the body of a request, of which all that was read is taken from the share of its tenant until it is let go.
type sharedBody struct {
	io.ReadCloser
	shares *shares
	tenant string
	taken  int64
}

func (b *sharedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if shareErr := b.shares.take(b.tenant, 0, int64(n)); shareErr != nil {
		return 0, shareErr
	}
	b.taken += int64(n)
	return n, err
}

func (b *sharedBody) letGo() {
	b.shares.give(b.tenant, 0, b.taken)
	b.taken = 0
}
