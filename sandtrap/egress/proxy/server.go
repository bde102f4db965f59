package proxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/peercred"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// Options of a Server. What is 0 has its default; what is negative is an error.
type Options struct {
	// UID is the user whose processes are served, and who gets the file of the socket; nil is the effective user of this
	// process. Processes of root are served too.
	UID *int

	// Head is the time for the header of a request, and for an answer of the proxy's own to be taken; default 10 s.
	Head time.Duration

	// Idle is how long a connection may have no byte in either direction; default 1 min.
	Idle time.Duration

	// AtOnce is how many connections there may be; default 512. The limits of the gate are for each run and tenant.
	AtOnce int
}

// ErrClosed is the error for a Server or a Grant that is closed.
var ErrClosed = errors.New("proxy: closed")

// A Server serves child programs on a unix socket, by a gate. It is safe for concurrent use.
type Server struct {
	gate    *egress.Gate
	options Options
	uid     int
	socket  *net.UnixListener
	ctx     context.Context
	close   context.CancelFunc
	serving sync.WaitGroup
	slots   chan struct{} // has one element for each connection

	mu     sync.Mutex
	grants []*Grant
}

// Listen makes a socket at path, which is to be free, and serves it until Close. The file has mode 0600. Where the system does not say
// whose a process is, as Linux does, the error is errors.ErrUnsupported.
func Listen(path string, g *egress.Gate, o Options) (*Server, error) {
	if !peercred.Known {
		return nil, fmt.Errorf("proxy: this system does not say who connects to a socket: %w", errors.ErrUnsupported)
	}
	if o.Head < 0 || o.Idle < 0 || o.AtOnce < 0 {
		return nil, fmt.Errorf("proxy: Head, Idle or AtOnce is negative")
	}
	if o.Head == 0 {
		o.Head = 10 * time.Second
	}
	if o.Idle == 0 {
		o.Idle = time.Minute
	}
	if o.AtOnce == 0 {
		o.AtOnce = 512
	}
	s := &Server{gate: g, options: o, uid: os.Geteuid(), slots: make(chan struct{}, o.AtOnce)}
	if o.UID != nil {
		s.uid = *o.UID
	}
	var err error
	if s.socket, err = net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"}); err != nil {
		return nil, fmt.Errorf("proxy: %w", err)
	}
	if err = os.Chmod(path, 0o600); err == nil && s.uid != os.Geteuid() {
		err = os.Chown(path, s.uid, -1)
	}
	if err != nil {
		s.socket.Close()
		return nil, fmt.Errorf("proxy: %w", err)
	}
	s.ctx, s.close = context.WithCancel(context.Background())
	s.serving.Go(s.accept)
	return s, nil
}

// Close ends all grants and connections, removes the socket, and waits until nothing is served any more. The gate stays open.
func (s *Server) Close() error {
	s.close()
	err := s.socket.Close()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	s.mu.Lock()
	grants := s.grants
	s.mu.Unlock()
	for _, g := range grants {
		g.Close()
	}
	s.serving.Wait()
	return err
}

// acceptPause is the time after which the next connection is waited for if one could not be accepted: there are too many files, say.
const acceptPause = 10 * time.Millisecond

func (s *Server) accept() {
	for {
		c, err := s.socket.AcceptUnix()
		if s.ctx.Err() != nil {
			if err == nil {
				c.Close()
			}
			return
		}
		if err != nil {
			select {
			case <-s.ctx.Done():
			case <-time.After(acceptPause):
			}
			continue
		}
		peer, err := peercred.Of(c)
		if err != nil || peer.UID != s.uid && peer.UID != 0 {
			c.Close()
			continue
		}
		k := &client{server: s, conn: c, peer: peer}
		select {
		case s.slots <- struct{}{}:
			s.serving.Go(func() {
				defer func() { <-s.slots }()
				defer c.Close()
				defer context.AfterFunc(s.ctx, func() { c.Close() })()
				k.serve()
			})
		default:
			k.write(http.StatusServiceUnavailable, fmt.Sprintf("the proxy serves %d connections at a time, and all are in use", s.options.AtOnce))
			c.Close()
		}
	}
}
