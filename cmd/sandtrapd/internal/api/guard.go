package api

import (
	"net"
	"net/http"
	"net/netip"
	"path"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
)

// guarded serves what does not come from a page of somebody else in a browser.
func (s *Server) guarded(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	origin.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		problem.New(problem.Forbidden, "the request comes from a page of another origin").Write(w)
	}))
	next = origin.Handler(next)
	return s.Named(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if !clean(q.URL.Path) {
			notFound().Write(w)
			return
		}
		next.ServeHTTP(w, q)
	}))
}

// Named serves what names this server in its header Host, and tells the others which flag adds a name. It is for the pages too: without the
// API they do nothing.
func (s *Server) Named(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
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
