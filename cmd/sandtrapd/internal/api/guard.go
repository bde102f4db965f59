package api

import (
	"io"
	"net"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
)

// bodyTimeout bounds how long a client may take to send a body. Tests set a shorter one.
var bodyTimeout = 30 * time.Second

// guarded serves what does not come from a page of somebody else in a browser, and bounds how long its body may take.
func (s *Server) guarded(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	origin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		problem.New(problem.Forbidden, "the request comes from a page of another origin").Write(w)
	}))
	next = origin.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Body != http.NoBody {
			end := time.Now().Add(bodyTimeout)
			out := http.NewResponseController(w)
			_ = out.SetReadDeadline(end) // a recorder in a test has none
			q.Body = &timedBody{ReadCloser: q.Body, out: out}
		}
		if !clean(q.URL.Path) {
			notFound().Write(w)
			return
		}
		if !s.answersTo(q) {
			problem.New(problem.Forbidden, "the header Host names another server; --host adds a name of this one").Write(w)
			return
		}
		next.ServeHTTP(w, q)
	})
}

// clean reports that no part of a path is empty, or leads elsewhere: net/http would redirect it.
func clean(at string) bool {
	return path.Clean(at) == at || path.Clean(at)+"/" == at
}

// answersTo reports that a request was meant for this server. A name that its owner makes lead to this machine (DNS rebinding) turns a
// page of his into one of the same origin: at a loopback address only an address, localhost and the names in Hosts are answered. If
// there are such names, they are needed at other addresses too.
func (s *Server) answersTo(q *http.Request) bool {
	name := strings.ToLower(hostname(q.Host))
	if name == "localhost" || slices.Contains(s.Hosts, name) {
		return true
	}
	if _, err := netip.ParseAddr(name); err == nil { // nobody makes an address lead elsewhere
		return true
	}
	return len(s.Hosts) == 0 && !toLoopback(q)
}

// hostname is host without its port, and without the brackets of IPv6.
func hostname(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// toLoopback reports that a request came to a loopback address.
func toLoopback(q *http.Request) bool {
	addr, ok := q.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return true
	}
	at, err := netip.ParseAddrPort(addr.String())
	return err != nil || at.Addr().Unmap().IsLoopback()
}

// A timedBody is one whose deadline is lifted at its end: from then on the server reads to see whether the client is there.
type timedBody struct {
	io.ReadCloser
	out *http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err == io.EOF {
		_ = b.out.SetReadDeadline(time.Time{})
	}
	return n, err
}
