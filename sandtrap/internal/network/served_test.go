package network

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// A net is a network of a function, which counts the requests that it makes at a time.
type testNet struct {
	trip        func(*http.Request) (*http.Response, error)
	made, busy  atomic.Int64
	most, ended atomic.Int64
}

func (n *testNet) Open(decide.Subject, egress.Watch) egress.Transport { return n }

func (n *testNet) Secrets() []string { return nil }

func (n *testNet) Close() error {
	n.ended.Add(1)
	return nil
}

func (n *testNet) RoundTrip(req *http.Request) (*http.Response, error) {
	n.made.Add(1)
	busy := n.busy.Add(1)
	defer n.busy.Add(-1)
	for most := n.most.Load(); busy > most && !n.most.CompareAndSwap(most, busy); most = n.most.Load() {
	}
	return n.trip(req)
}

// echoes answers with the request's body, or a text.
func echoes(req *http.Request) (*http.Response, error) {
	switch req.URL.Path {
	case "/hang":
		<-req.Context().Done()
		return nil, req.Context().Err()
	case "/fail":
		return nil, errors.New("it fails")
	case "/long":
		return &http.Response{StatusCode: 200, ContentLength: -1, Body: io.NopCloser(strings.NewReader(strings.Repeat("x", 100_000)))}, nil
	case "/none":
		return &http.Response{StatusCode: 204, Body: http.NoBody}, nil
	case "/stuck":
		r, w := io.Pipe()
		context.AfterFunc(req.Context(), func() { w.CloseWithError(req.Context().Err()) })
		return &http.Response{StatusCode: 200, Header: http.Header{"X": {"y"}}, Body: r}, nil
	}
	text := []byte("body")
	if req.Body != nil {
		var err error
		if text, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
	}
	return &http.Response{
		StatusCode: 200, Header: http.Header{"X": {"y", "z"}}, Body: io.NopCloser(bytes.NewReader(text)), Trailer: http.Header{"T": {"1"}},
	}, nil
}

// done does one operation. One that is answered by neither an error nor anything else is a success.
func done(s *Served, op Op) (Answer, error) {
	got, err := s.Do(context.Background(), op)
	if err == nil && got.Err != nil {
		err = got.Err
	}
	return got, err
}

func get(url string) *Header { return &Header{Method: "GET", URL: url} }

// over closes a run and waits until nothing of it is left.
func over(t *testing.T, s *Served, before int) {
	t.Helper()
	s.Close()
	s.Close()
	var n, count, heads int
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		s.mu.Lock()
		n, count, heads = runtime.NumGoroutine(), s.count, s.heads
		s.mu.Unlock()
		if n <= before && count == 0 && heads == 0 {
			return
		}
	}
	t.Errorf("%d goroutines, there were %d; %d requests, headers of %d bytes", n, before, count, heads)
}

// TestLyingOrder: operations that a worker does not ask for in this order, or of this request, are errors, and the requests of others
// go on.
func TestLyingOrder(t *testing.T) {
	before := runtime.NumGoroutine()
	n := &testNet{trip: echoes}
	s := NewServed(n, false)
	wrong := func(what string, op Op) {
		t.Helper()
		if got, err := done(s, op); err == nil {
			t.Errorf("%s: %+v", what, got)
		}
	}
	for _, name := range []string{opBody, opWait, opRead, "", "none", "SEND", strings.Repeat("x", 10_000)} {
		wrong("of an unknown request: "+name, Op{Op: name, ID: 7})
	}
	wrong("without header", Op{Op: opSend, ID: 1})
	wrong("a malformed URL", Op{Op: opSend, ID: 1, Head: get("http://a b\x00/")})
	if got, err := done(s, Op{Op: opSend, ID: 1, Head: get("http://a.example/long")}); err != nil || got.End {
		t.Fatal(got, err)
	}
	wrong("twice", Op{Op: opSend, ID: 1, Head: get("http://a.example/")})
	wrong("unknown", Op{Op: "none", ID: 1})
	wrong("a large part", Op{Op: opRead, ID: 1, Data: make([]byte, part+1)})
	if got, err := done(s, Op{Op: opBody, ID: 1, Data: []byte("x"), More: true}); err != nil || got.Wants {
		t.Errorf("a part of a body that is none: %+v, %v", got, err)
	}
	for _, size := range []int{math.MinInt, -1, 0, 1} {
		if got, err := done(s, Op{Op: opRead, ID: 1, N: size}); err != nil || len(got.Data) != 1 {
			t.Errorf("reading %d: %+v, %v", size, got, err)
		}
	}
	if _, err := done(s, Op{Op: opRead, ID: 1, N: math.MaxInt}); err != nil {
		t.Error(err)
	}
	for range 3 {
		done(s, Op{Op: opClose, ID: 1})
	}
	wrong("read after close", Op{Op: opRead, ID: 1})
	wrong("wait after close", Op{Op: opWait, ID: 1})

	if _, err := done(s, Op{Op: opSend, ID: 2, More: true, Head: get("http://a.example/hang")}); err != nil {
		t.Fatal(err)
	}
	wrong("read before the response", Op{Op: opRead, ID: 2})
	waiting := make(chan error)
	go func() {
		_, err := done(s, Op{Op: opWait, ID: 2})
		waiting <- err
	}()
	for busy := false; !busy; time.Sleep(time.Millisecond) {
		s.mu.Lock()
		busy = s.requests[2].busy
		s.mu.Unlock()
	}
	for _, name := range []string{opBody, opRead, "none"} {
		if _, err := done(s, Op{Op: name, ID: 2}); err != errBusy {
			t.Errorf("%s beside another operation: %v", name, err)
		}
	}
	done(s, Op{Op: opClose, ID: 2})
	if err := <-waiting; err == nil {
		t.Error("a request that is closed was answered")
	}
	s.Close()
	wrong("after the end", Op{Op: opSend, ID: 3, Head: get("http://a.example/")})
	if made := n.made.Load(); made != 2 {
		t.Errorf("%d requests were made", made)
	}
	over(t, s, before)
}

// TestLyingShare: a worker has no more than its share of requests, also of those that it closes and whose transport does not return.
func TestLyingShare(t *testing.T) {
	before := runtime.NumGoroutine()
	release := make(chan struct{})
	n := &testNet{trip: func(*http.Request) (*http.Response, error) { <-release; return nil, errors.New("released") }}
	s := NewServed(n, false)
	refused := 0
	for id := range uint64(10_000) {
		if _, err := done(s, Op{Op: opSend, ID: id, More: true, Head: get("http://a.example/")}); err != nil {
			if refused++; err.Error() != errTooMany.Error() {
				t.Fatal(err)
			}
		}
		for range 3 {
			done(s, Op{Op: opClose, ID: id})
		}
	}
	if refused != 10_000-maxRequests || n.most.Load() > maxRequests || runtime.NumGoroutine() > before+3*maxRequests {
		t.Errorf("%d were refused, %d made at a time, by %d goroutines", refused, n.most.Load(), runtime.NumGoroutine()-before)
	}
	close(release)
	over(t, s, before)
	for range 1_000_000 {
		done(s, Op{Op: opRead, ID: uint64(refused)})
	}
	if len(s.requests) > 0 || n.ended.Load() == 0 {
		t.Errorf("%d requests, %d ends", len(s.requests), n.ended.Load())
	}
}

// fields are names as a liar sends them.
func fields(names int) Fields {
	var f Fields
	for i := range names {
		f = append(f, 3, byte(i), byte(i>>7), byte(i>>14), 0)
	}
	return f
}

// TestLyingHeaders: what a header takes in memory counts before it is made, and headers together have a bound.
func TestLyingHeaders(t *testing.T) {
	before := runtime.NumGoroutine()
	n := &testNet{trip: func(req *http.Request) (*http.Response, error) {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}}
	s := NewServed(n, false)
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	heap := m.HeapAlloc
	for _, f := range []Fields{fields(1_000_000), fields(40_000), binary.AppendUvarint(Fields{0}, 1<<60), append(Fields{0, 0xff, 0xff, 7}, make(Fields, 190_000)...)} {
		_, err := done(s, Op{Op: opSend, ID: uint64(len(f)), More: true, Head: &Header{URL: "http://a.example/", Header: f}})
		if (err == nil) != (f.count() < 40_000) {
			t.Errorf("a header of %d bytes that says %d: %v", len(f), f.count(), err)
		}
	}
	for i := range uint64(300) {
		done(s, Op{Op: opSend, ID: i, More: true, Head: &Header{URL: "http://a.example/", Header: fields(7_000)}})
	}
	runtime.GC()
	runtime.ReadMemStats(&m)
	if made := n.made.Load(); made > 8 || m.HeapAlloc > heap+16<<20 {
		t.Errorf("%d were made, the heap has grown by %d MiB", made, (m.HeapAlloc-heap)>>20)
	}
	over(t, s, before)
}

// TestFields: a header is the same after its way, and each text is a header or a part of one.
func TestFields(t *testing.T) {
	for _, h := range []http.Header{{}, {"A": {"1", "2"}, "b": {""}, "": {strings.Repeat("x", 1000)}}, {"None": {}}, {"é\x00\r\n": {"\xff"}}} {
		if got := packed(h).header(); fmt.Sprint(got) != fmt.Sprint(h) {
			t.Errorf("%q became %q", h, got)
		}
	}
	all := packed(http.Header{"Name": {"one", "two"}})
	for i := range all {
		if h := all[:i].header(); len(h) > 1 || len(h["Name"]) > 1 && i < len(all)-3 {
			t.Errorf("%q: %q", all[:i], h)
		}
	}
}

// FuzzServed: whatever operations come, some at a time and some after the end of the run, each is answered, nothing is left, and the
// transport has no more requests than were sent.
func FuzzServed(f *testing.F) {
	f.Add([]byte("\x00\x00\x01\x02\x03\x04"))
	f.Add([]byte("\x10\x21\x31\x41\x51\x61\x71\x81\x91\xa1\xb1\xc1\xd1\xe1\xf1"))
	f.Add([]byte("\x05\x15\x25\x35\x45\x55\x65\x00\x10\x20\x30\x40\x50\x60"))
	names := []string{opSend, opSend, opBody, opWait, opRead, opClose, "none"}
	paths := []string{"/", "/hang", "/fail", "/none", "/stuck", "/long", "/%zz"}
	f.Fuzz(func(t *testing.T, script []byte) {
		n := &testNet{trip: echoes}
		s := NewServed(n, false)
		ctx, cancel := context.WithCancel(context.Background())
		var all sync.WaitGroup
		sent := int64(0)
		for i, b := range script[:min(len(script), 300)] {
			op := Op{Op: names[int(b)%len(names)], ID: uint64(b>>4) % 3, More: b&8 != 0, Fail: b&16 != 0, N: int(b) - 100, Data: script[i:min(len(script), i+int(b))]}
			if op.Op == opSend {
				sent++
				op.Head = &Header{Method: string(script[i:min(len(script), i+3)]), URL: "http://a.example" + paths[int(b>>2)%len(paths)], Header: Fields(op.Data), Length: int64(b) - 8}
			}
			one := func() {
				if got, err := s.Do(ctx, op); err == nil && got.End && got.Err != nil {
					t.Errorf("%+v", got)
				}
			}
			if b%5 == 0 {
				all.Go(one)
				runtime.Gosched()
			} else {
				timed, stop := context.WithCancel(context.Background())
				all.Go(func() { s.Do(timed, op); stop() })
				select {
				case <-timed.Done():
				case <-time.After(time.Millisecond):
					all.Go(func() { <-timed.Done() })
				}
			}
		}
		cancel()
		s.Close()
		all.Wait()
		if n.made.Load() > sent {
			t.Errorf("%d sent, %d made", sent, n.made.Load())
		}
		over(t, s, math.MaxInt) // the engine of the fuzzer has goroutines of its own
	})
}
