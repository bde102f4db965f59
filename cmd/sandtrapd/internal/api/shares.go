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
	maxTenantAnswers  = 2_550     // with those that answer calls: their runs end a wait
	maxTenantEnds     = 2_600     // with those that end or delete something: a tenant can always free what it holds
	maxTenantBodies   = 128 << 20 // bytes of bodies that are read and not understood yet
)

// mostOf is how many requests of a tenant may be open with one to this route.
func mostOf(r *route) int64 {
	switch r.name {
	case "answerRun":
		return maxTenantAnswers
	case "cancelRun", "deleteRun", "deleteSession", "deleteSnapshot", "deleteKey", "deleteMCP", "cancelBatch", "deleteBatch":
		return maxTenantEnds
	}
	return maxTenantRequests
}

// shares are what the requests of each tenant hold. The zero shares are of none. They are safe for concurrent use.
type shares struct {
	mu      sync.Mutex
	tenants map[string]*share
}

type share struct{ requests, bytes int64 }

// open takes a request of a tenant, if fewer than most are open. The error is *limits.Error: then nothing is taken.
func (s *shares) open(tenant string, most int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.of(tenant)
	if t.requests >= most {
		return &limits.Error{Name: "requests_at_once", Limit: most, Used: t.requests, After: time.Second}
	}
	t.requests++
	return nil
}

// read takes n bytes of the body of a request that is open. The error is *limits.Error: then nothing is taken.
func (s *shares) read(tenant string, n int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.of(tenant)
	if t.bytes+n > maxTenantBodies {
		return &limits.Error{Name: "bytes_of_bodies", Limit: maxTenantBodies, Used: t.bytes, After: time.Second}
	}
	t.bytes += n
	return nil
}

// of is the share of a tenant. The lock is held.
func (s *shares) of(tenant string) *share {
	if s.tenants == nil {
		s.tenants = map[string]*share{}
	}
	t := s.tenants[tenant]
	if t == nil {
		t = &share{}
		s.tenants[tenant] = t
	}
	return t
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
	if shareErr := b.shares.read(b.tenant, int64(n)); shareErr != nil {
		return 0, shareErr
	}
	b.taken += int64(n)
	return n, err
}

func (b *sharedBody) letGo() {
	b.shares.give(b.tenant, 0, b.taken)
	b.taken = 0
}
