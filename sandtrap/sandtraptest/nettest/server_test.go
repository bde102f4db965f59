package nettest

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A server is the one of the tests, with the connections that it has.
type server struct {
	*httptest.Server

	mu    sync.Mutex
	conns map[net.Conn]http.ConnState
	seen  int
}

func newServer(t testing.TB) *server {
	s := &server{conns: map[net.Conn]http.ConnState{}}
	s.Server = httptest.NewUnstartedServer(handler())
	s.Config.ConnState = func(c net.Conn, state http.ConnState) {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch state {
		case http.StateNew:
			s.seen++
			s.conns[c] = state
		case http.StateClosed, http.StateHijacked:
			delete(s.conns, c)
		default:
			s.conns[c] = state
		}
	}
	s.Start()
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// busy is how many connections have a request, after those that end have had the time for it.
func (s *server) busy() (n int) {
	for range 300 {
		n = 0
		s.mu.Lock()
		for _, state := range s.conns {
			if state == http.StateActive {
				n++
			}
		}
		s.mu.Unlock()
		if n == 0 {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return n
}

// gate allows all requests to the server, and none else.
func (s *server) gate(t testing.TB) *egress.Gate {
	rule, err := egress.ParseRule("GET,HEAD,POST,PUT,PATCH,DELETE,OPTIONS " + s.URL + "/** loopback")
	if err != nil {
		t.Fatal(err)
	}
	g, err := egress.New(egress.Policy{Rules: []egress.Rule{rule}}, egress.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

// number is a number of the query.
func number(r *http.Request, name string) int {
	n, _ := strconv.Atoi(r.URL.Query().Get(name))
	return n
}

func handler() http.Handler {
	mux := http.NewServeMux()
	handle := func(path string, f func(w http.ResponseWriter, r *http.Request)) { mux.HandleFunc(path, f) }
	handle("/text", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, "hello") })
	handle("/status", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(number(r, "code")) })
	handle("/json", func(w http.ResponseWriter, r *http.Request) {
		json.NewEncoder(w).Encode(map[string]any{"name": "x", "tags": []string{"a", "b"}, "n": 3})
	})
	handle("/page", func(w http.ResponseWriter, r *http.Request) {
		next := ""
		if n := number(r, "n"); n < 4 {
			next = fmt.Sprintf("/page?n=%d", n+1)
		}
		json.NewEncoder(w).Encode(map[string]any{"Items": []int{1, 2, 3}, "Next": next})
	})
	handle("/echo", func(w http.ResponseWriter, r *http.Request) {
		b, err := io.ReadAll(r.Body)
		fmt.Fprint(w, r.Method, " ", string(b), " ", err, " ", r.Header.Get("Content-Type"), " ", r.ContentLength)
	})
	handle("/form", func(w http.ResponseWriter, r *http.Request) {
		err := r.ParseForm()
		fmt.Fprint(w, r.PostForm, err, r.Header.Get("Content-Type"))
	})
	handle("/headers", func(w http.ResponseWriter, r *http.Request) {
		w.Header()["X-Answer"] = []string{"1", "2"}
		var lines []string
		for name, values := range r.Header {
			lines = append(lines, name+": "+strings.Join(values, ","))
		}
		slices.Sort(lines)
		fmt.Fprintln(w, strings.Join(lines, "\n"))
	})
	handle("/redirect", func(w http.ResponseWriter, r *http.Request) {
		if n := number(r, "n"); n > 0 {
			http.Redirect(w, r, fmt.Sprintf("/redirect?n=%d", n-1), http.StatusFound)
			return
		}
		fmt.Fprint(w, "arrived")
	})
	handle("/redirectto", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/echo", number(r, "code")) })
	handle("/touser", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://other:word@"+r.Host+"/headers", http.StatusFound)
	})
	handle("/setcookie", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "abc", Path: "/", MaxAge: 100, HttpOnly: true})
		http.SetCookie(w, &http.Cookie{Name: "second", Value: "d e"})
	})
	handle("/cookies", func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, r.Cookies(), r.Header["Cookie"]) })
	handle("/chunked", func(w http.ResponseWriter, r *http.Request) {
		for i := range number(r, "n") {
			fmt.Fprintf(w, "line %d\n", i)
			w.(http.Flusher).Flush()
		}
	})
	handle("/slow", func(w http.ResponseWriter, r *http.Request) {
		for i := range number(r, "n") {
			fmt.Fprintf(w, "part %d;", i+number(r, "i"))
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(time.Duration(number(r, "ms")) * time.Millisecond):
			}
		}
	})
	handle("/big", func(w http.ResponseWriter, r *http.Request) {
		line := []byte(strings.Repeat("0123456789", 100))
		for left := number(r, "n"); left > 0; left -= len(line) {
			if _, err := w.Write(line[:min(left, len(line))]); err != nil {
				return
			}
		}
	})
	handle("/sum", func(w http.ResponseWriter, r *http.Request) {
		h := sha256.New()
		n, err := io.Copy(h, r.Body)
		if err != nil {
			return
		}
		fmt.Fprintf(w, "%d %x %d %v", n, h.Sum(nil), r.ContentLength, r.TransferEncoding)
	})
	handle("/refuse", func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "too large", http.StatusRequestEntityTooLarge)
	})
	handle("/lengths", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		fmt.Fprintln(w, len(b), r.ContentLength, r.TransferEncoding)
	})
	handle("/hang", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(20 * time.Second):
		}
	})
	handle("/flaky", func(w http.ResponseWriter, r *http.Request) {
		if number(r, "try") < 2 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	handle("/drip", func(w http.ResponseWriter, r *http.Request) {
		for b := make([]byte, 256<<10); ; time.Sleep(20 * time.Millisecond) {
			if _, err := r.Body.Read(b); err != nil {
				return
			}
		}
	})
	handle("/late", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Duration(number(r, "ms")) * time.Millisecond)
	})
	handle("/drop", func(w http.ResponseWriter, r *http.Request) {
		c, _, _ := w.(http.Hijacker).Hijack()
		c.Close()
	})
	handle("/truncate", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		fmt.Fprint(w, "short")
		panic(http.ErrAbortHandler)
	})
	handle("/gzip", func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			fmt.Fprint(w, "plain")
			return
		}
		w.Header().Set("Content-Encoding", "gzip")
		zw := gzip.NewWriter(w)
		fmt.Fprint(zw, strings.Repeat("hello ", 1000))
		zw.Close()
	})
	handle("/trailer", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Trailer", "X-Sum")
		fmt.Fprint(w, "body")
		w.(http.Flusher).Flush()
		w.Header().Set("X-Sum", "42")
	})
	mux.HandleFunc("/run/{run}/", serveAPI)
	return mux
}
