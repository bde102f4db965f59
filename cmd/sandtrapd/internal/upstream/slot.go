package upstream

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// idleAfter is how long a connection is kept without a call.
const idleAfter = 10 * time.Minute

// A slot is the connection of one tenant: a server that remembers what one says tells it no other.
type slot struct {
	users  int // under the mutex of the server
	used   time.Time
	calls  chan struct{} // those that go on
	turn   chan struct{} // for conn
	conn   *conn         // nil if there is none
	starts *rate.Limiter
	idle   *time.Timer
}

// slots are those of a server.
type slots struct {
	mu     sync.Mutex
	of     map[string]*slot
	closed bool
}

// acquire is the slot of a tenant, for one call.
func (s *Server) acquire(tenant string) (*slot, error) {
	s.slots.mu.Lock()
	defer s.slots.mu.Unlock()
	if s.slots.closed {
		return nil, ErrOver
	}
	own := s.slots.of[tenant]
	if own == nil {
		if len(s.slots.of) >= s.c.Tenants && !s.evict() {
			return nil, ErrTenants
		}
		own = &slot{
			calls: make(chan struct{}, s.c.AtOnce), turn: make(chan struct{}, 1),
			starts: rate.NewLimiter(rate.Every(time.Minute/time.Duration(s.c.Restarts)), s.c.Restarts),
		}
		own.idle = time.AfterFunc(idleAfter, func() { s.drop(own) })
		s.slots.of[tenant] = own
	}
	own.users++
	return own, nil
}

// evict takes the slot that was used least, and that nobody uses, from its tenant.
func (s *Server) evict() bool {
	var oldest string
	var at *slot
	for tenant, o := range s.slots.of {
		if o.users == 0 && (at == nil || o.used.Before(at.used)) {
			oldest, at = tenant, o
		}
	}
	if at == nil {
		return false
	}
	delete(s.slots.of, oldest)
	at.idle.Stop()
	at.close(ErrClosed)
	return true
}

// drop closes the connection of a slot that nobody has used for a while.
func (s *Server) drop(own *slot) {
	s.slots.mu.Lock()
	defer s.slots.mu.Unlock()
	if own.users == 0 {
		own.close(ErrClosed)
	}
}

func (s *Server) release(own *slot) {
	s.slots.mu.Lock()
	defer s.slots.mu.Unlock()
	own.users--
	own.used = time.Now()
	own.idle.Reset(idleAfter)
	if s.slots.closed && own.users == 0 {
		own.close(ErrOver)
	}
}

// close ends the connection of a slot that has no users.
func (o *slot) close(why error) {
	if o.conn != nil {
		o.conn.end(why)
		o.conn = nil
	}
}

// close ends all connections: those in use when their calls have ended, which is now.
func (s *Server) close() {
	s.over(ErrOver)
	s.slots.mu.Lock()
	s.slots.closed = true
	for _, own := range s.slots.of {
		own.idle.Stop()
		if own.users == 0 {
			own.close(ErrOver)
		}
	}
	s.slots.mu.Unlock()
	s.running.Wait()
}

// get is the connection of a slot, which is made if there is none.
func (s *Server) get(ctx context.Context, own *slot) (*conn, error) {
	select {
	case own.turn <- struct{}{}:
		defer func() { <-own.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if c := own.conn; c != nil {
		select {
		case <-c.over:
			own.conn = nil
		default:
			return c, s.unchanged(ctx, c)
		}
	}
	if !own.starts.Allow() {
		return nil, ErrStarts
	}
	c, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	c.changed.Store(true)
	if err := s.unchanged(ctx, c); err != nil {
		c.end(err)
		return nil, err
	}
	own.conn = c
	return c, nil
}
