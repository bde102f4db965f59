package pace_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/pace"
)

// dial connects to a server. No test waits longer than a minute.
func dial(t *testing.T, s *httptest.Server) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return conn.(*net.TCPConn)
}

// TestBodyThatNobodyReads: a request whose body does not come ends, also if its handler does not read it.
func TestBodyThatNobodyReads(t *testing.T) {
	s := httptest.NewServer(pace.Handler(http.NotFoundHandler(), pace.Bounds{Body: 100 * time.Millisecond}))
	t.Cleanup(s.Close) // after the connections
	for _, length := range []string{"Content-Length: 1000", "Transfer-Encoding: chunked"} {
		conn := dial(t, s)
		fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: localhost\r\n%s\r\n\r\n", length)
		if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("%s: the server waits", length)
		}
	}
}

// TestNobodyReads: a client that sends requests and reads no response is given up.
func TestNobodyReads(t *testing.T) {
	text := strings.Repeat("x", 1<<20)
	ended := make(chan error, 1000)
	s := httptest.NewServer(pace.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, err := io.WriteString(w, text)
		ended <- err
	}), pace.Bounds{Part: 100 * time.Millisecond}))
	t.Cleanup(s.Close) // after the connection
	conn := dial(t, s)
	if err := conn.SetReadBuffer(4096); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(conn, strings.Repeat("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 100))
	for end := time.After(time.Minute); ; {
		select {
		case err := <-ended:
			if err != nil {
				return
			}
		case <-end:
			t.Fatal("the server waits")
		}
	}
}

// TestLater: a connection has further requests after the time of a part, and a handler may take longer than that before it answers.
func TestLater(t *testing.T) {
	const part = 50 * time.Millisecond
	s := httptest.NewServer(pace.Handler(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_, _ = io.Copy(io.Discard, q.Body)
		time.Sleep(3 * part)
		switch q.URL.Path {
		case "/status":
			w.WriteHeader(http.StatusNoContent)
		case "/flush":
			if err := http.NewResponseController(w).Flush(); err != nil {
				t.Error(err)
			}
			time.Sleep(3 * part)
			_, _ = io.WriteString(w, "x")
		}
	}), pace.Bounds{Body: part, Part: part}))
	defer s.Close()
	conn := dial(t, s)
	in := bufio.NewReader(conn)
	for _, path := range []string{"/", "/status", "/flush", "/"} {
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx", path)
		for {
			res, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatal(path, err)
			}
			_, _ = io.Copy(io.Discard, res.Body)
			if res.StatusCode != http.StatusContinue {
				break
			}
		}
		time.Sleep(3 * part)
	}
}
