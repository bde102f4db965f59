package client_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/client"
)

// TestRedirects: a redirection is an error that says where it leads, and nothing goes there: no key, and no script.
func TestRedirects(t *testing.T) {
	var asked atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		asked.Add(1)
		fmt.Fprint(w, `{"id":"run_1","state":"done","pending":[]}`)
	}))
	defer elsewhere.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		lying := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			http.Redirect(w, q, elsewhere.URL+q.URL.Path, status)
		}))
		for _, h := range []*http.Client{nil, {}} {
			c := &client.Client{URL: lying.URL, Key: "secret", HTTP: h}
			if run, err := c.Run(t.Context(), client.RunRequest{Code: "1"}); codeOf(err) != "http" || !strings.Contains(err.Error(), elsewhere.URL) {
				t.Errorf("%d: run: %+v, %v", status, run, err)
			}
			if body, err := c.Tar(t.Context(), "ses_1"); codeOf(err) != "http" {
				t.Errorf("%d: tar: %v, %v", status, body, err)
			}
		}
		lying.Close()
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("%d requests went to the other server", n)
	}
}

// TestEndlessEvent: an event is bounded, be it one line or many, and is not asked for again.
func TestEndlessEvent(t *testing.T) {
	const most = 64 << 20 // bytes that the server sends at most
	for name, between := range map[string]string{"lines": "\ndata: ", "line": ""} {
		var asked, sent atomic.Int64
		lying := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			asked.Add(1)
			fmt.Fprint(w, "id: 1\nevent: stdout\ndata: ")
			part := strings.Repeat("x", 1<<20) + between
			for sent.Load() < most && q.Context().Err() == nil {
				n, _ := fmt.Fprint(w, part)
				sent.Add(int64(n))
			}
			fmt.Fprint(w, "\n\n")
		}))
		c := &client.Client{URL: lying.URL, Key: "k"}
		var last error
		for e, err := range c.Stream(t.Context(), "run_1", 0) {
			if last = err; err == nil {
				t.Errorf("%s: an event of %d bytes", name, len(e.Data))
				break
			}
		}
		if last == nil || !strings.Contains(last.Error(), "an event has more than") || asked.Load() != 1 {
			t.Errorf("%s: %d requests, and then %v", name, asked.Load(), last)
		}
		lying.Close()
	}
}

// TestEndlessList: a list that leads to the same page again, or to empty pages without end, ends with an error.
func TestEndlessList(t *testing.T) {
	var asked atomic.Int64
	for name, cursor := range map[string]func() string{
		"the same cursor": func() string { return "same" },
		"empty pages":     func() string { return fmt.Sprint(asked.Load()) },
	} {
		asked.Store(0)
		lying := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			if asked.Add(1) > 30_000 {
				panic(http.ErrAbortHandler)
			}
			fmt.Fprintf(w, `{"runs":[],"next_cursor":%q}`, cursor())
		}))
		c := &client.Client{URL: lying.URL, Key: "k"}
		var last error
		for _, err := range c.Runs(t.Context(), client.Query{}) {
			last = err
		}
		if last == nil || !strings.Contains(last.Error(), "does not come to its end") {
			t.Errorf("%s: %v after %d pages", name, last, asked.Load())
		}
		lying.Close()
	}
}
