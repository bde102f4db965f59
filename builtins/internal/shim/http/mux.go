package http

import (
	"errors"
	"net/http"
	"regexp"
	"sync"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// A ServeMux stands for http.ServeMux, and remembers how much there is to compare a pattern or a path with.
type ServeMux struct {
	env  *shim.Env
	size int // of its patterns
	mux  http.ServeMux
}

// What a pattern takes, for each byte of it, in memory and beside the comparison with another pattern.
const (
	patternCopies = 20
	patternBytes  = 1 << 10
)

// placed is how Go says where a pattern was registered: places are the host's here.
var placed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(` \(registered at [^)]*\)`) })

// register registers h. Conflicts panic as in Go, but for the places.
func (m *ServeMux) register(pattern string, h http.Handler) {
	m.made()
	size := len(pattern) + headerEntry
	m.env.PayText(requestRate, m.size+size)
	m.env.PayCopies(patternCopies, len(pattern))
	m.env.Charge(patternBytes)
	defer func() {
		switch p := recover().(type) {
		case nil:
		case error:
			panic(errors.New(placed().ReplaceAllString(p.Error(), "")))
		default:
			panic(p)
		}
	}()
	m.mux.Handle(pattern, h)
	m.size += size
}

// Handle and the other methods are as the documentation of http.ServeMux says.
func (m *ServeMux) Handle(pattern string, h http.Handler) { m.register(pattern, h) }

func (m *ServeMux) HandleFunc(pattern string, f func(http.ResponseWriter, *http.Request)) {
	if f == nil {
		panic("http: nil handler")
	}
	m.register(pattern, http.HandlerFunc(f))
}

func (m *ServeMux) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.payMatch(r)
	m.env.Enter()
	defer m.env.Leave()
	m.mux.ServeHTTP(w, r)
}

func (m *ServeMux) Handler(r *http.Request) (http.Handler, string) {
	m.payMatch(r)
	h, pattern := m.mux.Handler(r)
	if _, ok := h.(http.HandlerFunc); !ok && pattern == "" { // one of Go's own, which scripts have no type for
		return http.HandlerFunc(h.ServeHTTP), pattern
	}
	return h, pattern
}

// payMatch asks for the time of comparing r with all patterns, and for a path that is made clean.
func (m *ServeMux) payMatch(r *http.Request) {
	m.made()
	payURL(m.env, r)
	m.env.PayText(requestRate, m.size)
}

// made panics for a mux that NewServeMux has not made: it has no run.
func (m *ServeMux) made() {
	if m.env == nil {
		panic("http: a ServeMux of its own: make it with http.NewServeMux")
	}
}

func NewServeMux(e *shim.Env) func() *ServeMux {
	return func() *ServeMux {
		e.Charge(patternBytes)
		return &ServeMux{env: e}
	}
}
