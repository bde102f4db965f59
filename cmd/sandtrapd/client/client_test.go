package client_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/client"
)

// TestRuns: forks, cancelled runs, sources and artifacts are those of the server, and a list has them over pages.
func TestRuns(t *testing.T) {
	ctx := t.Context()
	mark := rand.Text() // the list is of all runs of the server
	code := "v := Ask(); fmt.Println(v) // " + mark
	run, err := server.Run(ctx, client.RunRequest{Code: code, Tools: "package tools\nfunc Ask() int"})
	if err != nil || run.State != client.Pending {
		t.Fatalf("%+v, %v", run, err)
	}
	forks, err := server.Fork(ctx, run.ID, 3)
	if err != nil || len(forks) != 3 || forks[0].Parent != run.ID {
		t.Fatalf("%+v, %v", forks, err)
	}
	for i, f := range forks {
		r, err := server.Answer(ctx, f.ID, client.Answer{ID: f.Pending[0].ID, Value: i})
		if err != nil || r.Result.Stdout != fmt.Sprintln(i) {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if r, err := server.Cancel(ctx, run.ID); err != nil || r.State != client.Cancelled {
		t.Errorf("%+v, %v", r, err)
	}
	dropped, err := server.Run(ctx, client.RunRequest{Code: code, Tools: "package tools\nfunc Ask() int"})
	if err != nil {
		t.Fatal(err)
	}
	if err := server.DeleteRun(ctx, dropped.ID); codeOf(err) != "conflict" {
		t.Errorf("a run that waits: %v", err)
	}
	if _, err := server.Cancel(ctx, dropped.ID); err != nil {
		t.Error(err)
	}
	if err := server.DeleteRun(ctx, dropped.ID); err != nil {
		t.Error(err)
	}
	if _, err := server.Source(ctx, dropped.ID); codeOf(err) != "not_found" {
		t.Errorf("the source of a run that was deleted: %v", err)
	}
	if text, err := server.Source(ctx, run.ID); err != nil || text != code {
		t.Errorf("%q, %v", text, err)
	}
	var ids []string
	all := client.Query{Text: mark, Page: 1, Since: time.Now().Add(-time.Hour)}
	for r, err := range server.Runs(ctx, all) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.ID)
	}
	slices.Reverse(ids)
	want := []string{run.ID, forks[0].ID, forks[1].ID, forks[2].ID}
	if !slices.Equal(ids, want) {
		t.Errorf("the list has %q, want %q", ids, want)
	}
	done := 0
	finished := client.Query{Text: mark, States: []client.State{client.Done}}
	for r, err := range server.Runs(ctx, finished) {
		if err != nil || r.State != client.Done {
			t.Errorf("%+v, %v", r, err)
		}
		done++
	}
	if done != 3 {
		t.Errorf("%d are done", done)
	}
	if _, _, err := server.Artifact(ctx, run.ID, "../none"); codeOf(err) != "not_found" {
		t.Errorf("an artifact that is missing: %v", err)
	}
	if err := errors.Join(server.Health(ctx), server.Ready(ctx)); err != nil {
		t.Error(err)
	}
}

func codeOf(err error) string {
	if p, ok := errors.AsType[*client.Problem](err); ok {
		return p.Code
	}
	return ""
}

// TestWait: a run that was started is waited for.
func TestWait(t *testing.T) {
	run, err := server.Start(t.Context(), client.RunRequest{Code: "time.Sleep(50 * time.Millisecond); fmt.Print(7)"})
	if err == nil {
		run, err = server.Wait(t.Context(), run.ID)
	}
	if err != nil || run.State != client.Done || run.Result.Stdout != "7" {
		t.Fatalf("%+v, %v", run, err)
	}
	if run, err = server.Wait(t.Context(), run.ID); err != nil || run.State != client.Done {
		t.Errorf("again: %+v, %v", run, err)
	}
}

// TestResume: a stream whose connection breaks off again and again has each event once, in order.
func TestResume(t *testing.T) {
	target, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	var cut atomic.Int64
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		FlushInterval: -1,
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) {},
	}
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if n := cut.Add(1); q.URL.Query().Has("after") && n < 12 {
			w = &cutting{ResponseWriter: w, left: 300} // some events
		}
		defer func() { recover() }() // the proxy aborts what it cannot write
		proxy.ServeHTTP(w, q)
	}))
	defer broken.Close()
	c := &client.Client{URL: broken.URL, Key: server.Key}
	run, err := c.Start(t.Context(), client.RunRequest{Code: `for i := range 20 { fmt.Println(i) }`})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	var last int64
	for e, err := range c.Stream(t.Context(), run.ID, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if e.ID != last+1 {
			t.Errorf("the event %d follows %d", e.ID, last)
		}
		last = e.ID
		if e.Kind == "stdout" {
			text.WriteString(e.Text())
		}
	}
	var want bytes.Buffer
	for i := range 20 {
		fmt.Fprintln(&want, i)
	}
	if text.String() != want.String() || cut.Load() < 4 {
		t.Errorf("%q over %d requests", text.String(), cut.Load())
	}
}

// TestRestart: a stream goes on with the server that starts again, after the time that the one that ends has named.
func TestRestart(t *testing.T) {
	var asked atomic.Int64
	var began time.Time
	h := http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch asked.Add(1) {
		case 1:
			began = time.Now()
			fmt.Fprint(w, "id: 1\nevent: start\ndata: {}\n\nevent: other\ndata: {}\n\nretry: 100\nevent: restart\ndata: {}\n\n")
		case 2: // it is not there yet
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		default:
			if after := q.FormValue("after"); after != "1" || time.Since(began) < 200*time.Millisecond {
				t.Errorf("after the event %s and %v", after, time.Since(began))
			}
			fmt.Fprint(w, "id: 2\nevent: result\ndata: {}\n\n")
		}
	})
	s := httptest.NewServer(h)
	defer s.Close()
	var kinds []string
	for e, err := range (&client.Client{URL: s.URL}).Stream(t.Context(), "run_1", 0) {
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, e.Kind)
	}
	if !slices.Equal(kinds, []string{"start", "result"}) || asked.Load() != 3 {
		t.Errorf("%q over %d requests", kinds, asked.Load())
	}
}

// cutting is a response that breaks off after some bytes.
type cutting struct {
	http.ResponseWriter
	left int
}

func (c *cutting) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p[:min(len(p), max(0, c.left))])
	if c.left -= n; n < len(p) {
		_ = http.NewResponseController(c.ResponseWriter).Flush()
		conn, _, hijacked := http.NewResponseController(c.ResponseWriter).Hijack()
		if hijacked == nil {
			conn.Close()
		}
		return n, net.ErrClosed
	}
	return n, err
}

func (c *cutting) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// TestRetry: a server that is busy is asked again after the time that it names, and not beyond the end of the context.
func TestRetry(t *testing.T) {
	var asked atomic.Int64
	after := "0"
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if asked.Add(1) <= 2 || after != "0" {
			w.Header().Set("Retry-After", after)
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusTooManyRequests)
			fmt.Fprint(w, `{"title":"Too Many Requests","status":429,"code":"limit","detail":"too many runs at a time"}`)
			return
		}
		fmt.Fprint(w, `{"id":"run_1","state":"done","pending":[]}`)
	}))
	defer busy.Close()
	c := &client.Client{URL: busy.URL + "/", Key: "k"}
	if run, err := c.Run(t.Context(), client.RunRequest{Code: "1"}); err != nil || run.ID != "run_1" || asked.Load() != 3 {
		t.Errorf("%+v, %v, %d requests", run, err, asked.Load())
	}
	after = "3600"
	asked.Store(0)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	if _, err := c.Run(ctx, client.RunRequest{Code: "1"}); codeOf(err) != "limit" || asked.Load() != 1 {
		t.Errorf("the context ends before: %v, %d requests", err, asked.Load())
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := c.Run(ctx, client.RunRequest{Code: "1"}); err == nil {
		t.Error("a request whose context has ended has no error")
	}
}

// TestErrors: answers of other servers are errors that show what came.
func TestErrors(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		fmt.Fprint(w, "<html>no server</html>")
	}))
	defer other.Close()
	_, err := (&client.Client{URL: other.URL}).GetRun(t.Context(), "x")
	if p, ok := errors.AsType[*client.Problem](err); !ok || p.Status != 502 || p.Code != "http" {
		t.Errorf("%v", err)
	}
	wrong := &client.Client{URL: server.URL, Key: "wrong"}
	if _, err := wrong.GetRun(t.Context(), "x"); codeOf(err) != "unauthorized" {
		t.Errorf("%v", err)
	}
	none := client.Query{}
	for _, err := range wrong.Runs(t.Context(), none) {
		if codeOf(err) != "unauthorized" {
			t.Errorf("%v", err)
		}
	}
}
