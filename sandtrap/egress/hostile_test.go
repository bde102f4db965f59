package egress_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// readRequest reads a request on a raw connection.
func readRequest(c net.Conn) bool {
	req, err := http.ReadRequest(bufio.NewReader(c))
	if err == nil {
		io.Copy(io.Discard, req.Body)
	}
	return err == nil
}

// slowly writes a text byte by byte, without end if it is repeated.
func slowly(c net.Conn, text string, forever bool) {
	for {
		for i := range len(text) {
			if _, err := io.WriteString(c, text[i:i+1]); err != nil {
				return
			}
			time.Sleep(2 * time.Millisecond)
		}
		if !forever {
			return
		}
	}
}

// TestHostilePeers: a server that does not end at some stage ends in the error of a limit, in time, and without memory of the host.
func TestHostilePeers(t *testing.T) {
	leavesNothing(t)
	const answer = "HTTP/1.1 200 OK\r\n"
	forever := func(c net.Conn, text string) {
		for {
			if _, err := io.WriteString(c, text); err != nil {
				return
			}
		}
	}
	hang := func(c net.Conn) { io.Copy(io.Discard, c) }
	for name, test := range map[string]struct {
		serve func(c net.Conn)
		limit egress.Limit // empty: any error that is no limit
	}{
		"no answer":          {hang, egress.FirstByte},
		"half a status":      {func(c net.Conn) { io.WriteString(c, "HTTP/1.1 2"); hang(c) }, egress.FirstByte},
		"slow status":        {func(c net.Conn) { slowly(c, answer+strings.Repeat("X: y\r\n", 1000), false) }, egress.FirstByte},
		"slow header":        {func(c net.Conn) { io.WriteString(c, answer); slowly(c, "X: y\r\n", true) }, egress.FirstByte},
		"endless headers":    {func(c net.Conn) { io.WriteString(c, answer); forever(c, strings.Repeat("X: y\r\n", 1000)) }, egress.Header},
		"a million headers":  {func(c net.Conn) { io.WriteString(c, answer); forever(c, "A:\r\n") }, egress.Header},
		"one endless header": {func(c net.Conn) { io.WriteString(c, answer+"X: "); forever(c, strings.Repeat("x", 1000)) }, egress.Header},
		"endless status":     {func(c net.Conn) { forever(c, strings.Repeat("x", 1000)) }, ""},
		"endless 100":        {func(c net.Conn) { forever(c, "HTTP/1.1 100 Continue\r\n\r\n") }, ""},
		"endless 103":        {func(c net.Conn) { forever(c, "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n") }, ""},
		"slow body":          {func(c net.Conn) { io.WriteString(c, answer+"\r\n"); slowly(c, "x", true) }, egress.Total},
		"slow chunks": {func(c net.Conn) {
			io.WriteString(c, answer+"Transfer-Encoding: chunked\r\n\r\n")
			slowly(c, "1\r\nx\r\n", true)
		}, egress.Total},
		"body that hangs": {func(c net.Conn) { io.WriteString(c, answer+"Content-Length: 9\r\n\r\nx"); hang(c) }, egress.Total},
		"endless body":    {func(c net.Conn) { io.WriteString(c, answer+"\r\n"); forever(c, strings.Repeat("x", 1000)) }, egress.Received},
		"10 GB announced": {func(c net.Conn) {
			io.WriteString(c, answer+"Content-Length: 10000000000\r\n\r\n")
			forever(c, strings.Repeat("x", 1000))
		}, egress.Received},
		"endless chunks": {func(c net.Conn) {
			io.WriteString(c, answer+"Transfer-Encoding: chunked\r\n\r\n")
			forever(c, strings.Repeat("1\r\nx\r\n", 1000))
		}, ""},
		"endless extension": {func(c net.Conn) {
			io.WriteString(c, answer+"Transfer-Encoding: chunked\r\n\r\n1;")
			forever(c, strings.Repeat("x", 1000))
		}, ""},
		"garbage chunk":  {func(c net.Conn) { io.WriteString(c, answer+"Transfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n") }, ""},
		"negative chunk": {func(c net.Conn) { io.WriteString(c, answer+"Transfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n") }, ""},
		"huge chunk": {func(c net.Conn) {
			io.WriteString(c, answer+"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nx\r\n")
		}, ""},
		"two lengths":     {func(c net.Conn) { io.WriteString(c, answer+"Content-Length: 1\r\nContent-Length: 2\r\n\r\nxy") }, ""},
		"negative length": {func(c net.Conn) { io.WriteString(c, answer+"Content-Length: -1\r\n\r\nxy") }, ""},
		"unknown coding":  {func(c net.Conn) { io.WriteString(c, answer+"Transfer-Encoding: x\r\n\r\nxy") }, ""},
		"short body":      {func(c net.Conn) { io.WriteString(c, answer+"Content-Length: 9\r\n\r\nxy") }, ""},
		"no HTTP":         {func(c net.Conn) { io.WriteString(c, "SSH-2.0-OpenSSH\r\n") }, ""},
		"HTTP/0.9":        {func(c net.Conn) { io.WriteString(c, "<html>") }, ""},
		"another protocol": {func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
			hang(c)
		}, ""},
		"gzip that is none": {func(c net.Conn) { io.WriteString(c, answer+"Content-Encoding: gzip\r\n\r\nno gzip at all") }, ""},
		"endless trailer": {func(c net.Conn) {
			io.WriteString(c, answer+"Transfer-Encoding: chunked\r\n\r\n0\r\n")
			forever(c, "X: y\r\n")
		}, ""},
		"closed at once":      {func(c net.Conn) {}, ""},
		"header without end":  {func(c net.Conn) { io.WriteString(c, answer+"X: y\r\n") }, ""},
		"a line without name": {func(c net.Conn) { io.WriteString(c, answer+": y\r\n\r\n") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.raw("a.example", func(c net.Conn) {
				if readRequest(c) {
					test.serve(c)
				}
			})
			p := listOf(t, "GET http://a.example/**")
			p.Limits = egress.Limits{FirstByte: 300 * time.Millisecond, Total: 600 * time.Millisecond, Run: egress.Quota{Received: 8 << 20}}
			g := l.gate(p)
			defer g.Close()
			before, began := heap(), time.Now()
			resp, err := g.Begin(decide.Subject{}).RoundTrip(request(t, "GET", "http://a.example/", nil))
			if err == nil {
				_, err = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			took := time.Since(began)
			e, reached := errors.AsType[*egress.LimitError](err)
			if err == nil || test.limit != "" && (!reached || e.Limit != test.limit) {
				t.Errorf("%v; want %q", err, test.limit)
			}
			if took > 3*time.Second {
				t.Errorf("it took %v", took)
			}
			if now := heap(); now > before+16<<20 {
				t.Errorf("the heap has grown by %d MiB", (now-before)>>20)
			}
			if ends := l.told(egress.KindEnd); len(ends) != 1 || ends[0].Error == "" {
				t.Errorf("%+v", ends)
			}
		})
	}
}

// heap is the memory that is in use, and what is not freed yet.
func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestClosedAtEachByte: an answer that is cut after any byte is an error, or what net/http makes of it, and never hangs.
func TestClosedAtEachByte(t *testing.T) {
	leavesNothing(t)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	io.WriteString(z, "hello")
	z.Close()
	for _, answer := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: y\r\n\r\nhello",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\nX: y\r\n\r\n",
		fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", zipped.Len(), zipped.String()),
	} {
		l := newLab(t)
		cut := make(chan int, 1)
		l.raw("a.example", func(c net.Conn) {
			if readRequest(c) {
				io.WriteString(c, answer[:<-cut])
			}
		})
		r := l.run("GET http://a.example/**")
		for n := range len(answer) + 1 {
			cut <- n
			_, body, err := get(r, "http://a.example/")
			if (err == nil) != (n == len(answer)) || err == nil && body != "hello" {
				t.Errorf("cut at %d of %d: %q, %v", n, len(answer), body, err)
			}
		}
		if got, want := len(l.told(egress.KindEnd)), len(answer)+1; got != want {
			t.Errorf("%d of %d ends were told", got, want)
		}
	}
}

// TestGzip: a compressed body is decompressed as by net/http, within its ratio.
func TestGzip(t *testing.T) {
	leavesNothing(t)
	l := newLab(t)
	l.plain("a.example", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Accepts", r.Header.Get("Accept-Encoding"))
		var n int64
		fmt.Sscan(r.URL.RawQuery, &n)
		w.Header().Set("Content-Encoding", "gzip")
		z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
		io.Copy(z, io.LimitReader(zeros{}, n))
		z.Close()
	})
	r := l.run("GET,HEAD http://a.example/**")
	resp, body, err := get(r, "http://a.example/?500000")
	if err != nil || len(body) != 500_000 || !resp.Uncompressed || resp.ContentLength != -1 || resp.Header.Get("Content-Encoding") != "" || resp.Header.Get("X-Accepts") != "gzip" {
		t.Errorf("%v, %d bytes, %+v", err, len(body), resp)
	}
	before := heap()
	resp, err = r.RoundTrip(request(t, "GET", "http://a.example/?1000000000", nil))
	if err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, resp.Body)
	reaches(t, err, egress.Ratio, "", 100)
	if n > 8<<20 || heap() > before+16<<20 {
		t.Errorf("%d bytes were given, and the heap has grown by %d", n, heap()-before)
	}
	for _, header := range []string{"Accept-Encoding", "Range"} { // the script wants the bytes as they are
		req := request(t, "GET", "http://a.example/?1000000", nil)
		req.Header.Set(header, "gzip")
		resp, body, err := do(r, req)
		if err != nil || len(body) > 100_000 || resp.Uncompressed || resp.Header.Get("Content-Encoding") != "gzip" {
			t.Errorf("%s: %v, %d bytes, %+v", header, err, len(body), resp)
		}
	}
	resp, _, err = send(r, "HEAD", "http://a.example/?10", nil)
	if err != nil || resp.Header.Get("X-Accepts") != "" {
		t.Errorf("%v, %+v", err, resp)
	}
}

// TestContinue: a body waits for 100 Continue if the script wants that, and is sent after a second without it.
func TestContinue(t *testing.T) {
	l := newLab(t)
	l.plain("a.example", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/no" {
			w.WriteHeader(http.StatusExpectationFailed)
			return
		}
		io.Copy(w, r.Body)
	})
	r := l.run("POST http://a.example/**")
	for path, want := range map[string]string{"/yes": "body", "/no": ""} {
		body := &closed{Reader: strings.NewReader("body")}
		req := request(t, "POST", "http://a.example"+path, body)
		req.Header.Set("Expect", "100-continue")
		if _, got, err := do(r, req); err != nil || got != want {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
}

// TestStreams: bodies are streamed in both directions, without being kept.
func TestStreams(t *testing.T) {
	leavesNothing(t)
	l := newLab(t)
	handler := func(w http.ResponseWriter, r *http.Request) {
		http.NewResponseController(w).EnableFullDuplex()
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		buf := make([]byte, 4)
		for {
			n, err := io.ReadFull(r.Body, buf)
			if n > 0 {
				w.Write(bytes.ToUpper(buf[:n]))
				w.(http.Flusher).Flush()
			}
			if err != nil {
				return
			}
		}
	}
	l.plain("a.example", handler)
	l.secure("b.example", handler)
	for _, url := range []string{"http://a.example/", "https://b.example/"} {
		r := l.run("POST http://a.example/**", "POST https://b.example/**")
		pr, pw := io.Pipe()
		resp, err := r.RoundTrip(request(t, "POST", url, pr))
		if err != nil {
			t.Fatal(err)
		}
		for i := range 10 { // each is answered before the next one is sent
			part := fmt.Sprintf("ab%02d", i)
			if _, err := io.WriteString(pw, part); err != nil {
				t.Fatal(err)
			}
			got := make([]byte, 4)
			if _, err := io.ReadFull(resp.Body, got); err != nil || string(got) != strings.ToUpper(part) {
				t.Fatalf("%q, %v", got, err)
			}
		}
		pw.Close()
		if rest, err := io.ReadAll(resp.Body); err != nil || len(rest) > 0 {
			t.Errorf("%q, %v", rest, err)
		}
		resp.Body.Close()
	}
	for _, e := range l.told(egress.KindEnd) {
		if e.Sent < 40 || e.Received < 40 || e.Error != "" {
			t.Errorf("%+v", e)
		}
	}
}
