package proxy

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A Grant lets processes make requests in the name of a run, until it is closed or its time is over. Whoever has the token and may
// connect to the socket has the network of the run. It is safe for concurrent use.
type Grant struct {
	server *Server
	run    *egress.Run
	token  string
	sum    [sha256.Size]byte // of the token
	pid    atomic.Int64      // of the one process that is served; 0 for any
	ctx    context.Context
	close  context.CancelFunc
	expiry *time.Timer
}

// defaultTTL is that of grants.
const defaultTTL = time.Hour

// Grant begins a run of the gate on behalf of of, for processes that show the token. It ends after ttl, by default after an hour.
func (s *Server) Grant(of decide.Subject, ttl time.Duration) (*Grant, error) {
	ttl, err := checkTTL(ttl)
	if err != nil {
		return nil, err
	}
	g := &Grant{server: s, token: rand.Text()}
	g.sum = sha256.Sum256([]byte(g.token))
	g.ctx, g.close = context.WithCancel(s.ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ctx.Err() != nil {
		return nil, ErrClosed
	}
	g.run = s.gate.Begin(of)
	g.expiry = time.AfterFunc(ttl, func() { g.Close() })
	s.grants = append(s.grants, g)
	return g, nil
}

func checkTTL(ttl time.Duration) (time.Duration, error) {
	switch {
	case ttl < 0:
		return 0, fmt.Errorf("proxy: a grant for %v", ttl)
	case ttl == 0:
		return defaultTTL, nil
	}
	return ttl, nil
}

// Token is what a client shows, as the password of the proxy's user, whose name does not matter, or as Bearer.
func (g *Grant) Token() string { return g.token }

// Only says that one process alone is served, by its id; 0 is any. It counts for requests that come later. An id is used again
// when its process has ended: close the grant then.
func (g *Grant) Only(pid int) { g.pid.Store(int64(pid)) }

// Renew has the grant end after ttl from now, by default after an hour.
func (g *Grant) Renew(ttl time.Duration) error {
	ttl, err := checkTTL(ttl)
	if err != nil {
		return err
	}
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	if g.ctx.Err() != nil {
		return ErrClosed
	}
	g.expiry.Reset(ttl)
	return nil
}

// Close revokes the token, and ends the requests and tunnels of the grant.
func (g *Grant) Close() error {
	g.server.mu.Lock()
	g.server.grants = slices.DeleteFunc(slices.Clone(g.server.grants), func(o *Grant) bool { return o == g })
	g.expiry.Stop()
	g.close()
	g.server.mu.Unlock()
	return g.run.Close()
}

// grantOf is the grant whose token a request shows; nil if there is none for this process. It compares with each, in
// constant time.
func (s *Server) grantOf(h http.Header, pid int) (found *Grant) {
	token, ok := shownToken(h["Proxy-Authorization"])
	if !ok {
		return nil
	}
	sum := sha256.Sum256([]byte(token))
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.grants {
		if subtle.ConstantTimeCompare(sum[:], g.sum[:]) == 1 {
			found = g
		}
	}
	if found == nil {
		return nil
	}
	if only := found.pid.Load(); only != 0 && only != int64(pid) {
		return nil
	}
	return found
}

// shownToken is the token of the one header that has it.
func shownToken(values []string) (token string, ok bool) {
	if len(values) != 1 {
		return "", false
	}
	scheme, text, _ := strings.Cut(values[0], " ")
	text = strings.Trim(text, " ")
	switch strings.ToLower(scheme) {
	case "bearer":
		return text, true
	case "basic":
		plain, err := base64.StdEncoding.DecodeString(text)
		_, password, ok := strings.Cut(string(plain), ":")
		return password, ok && err == nil
	}
	return "", false
}
