package handler_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/handler"
)

// hostile is a handler whose paths do harm.
const hostile = `
var keptW http.ResponseWriter
var keptR *http.Request
var Handler http.Handler = http.HandlerFunc(serve)

func nested(n int, around func(http.Handler) http.Handler) http.Handler {
	h := http.Handler(http.NotFoundHandler())
	for range n { h = around(h) }
	return h
}

func serve(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/fine":
		fmt.Fprint(w, "fine")
	case "/loop":
		for {}
	case "/memory":
		var all [][]byte
		for { all = append(all, make([]byte, 1<<20)) }
	case "/large":
		for { if _, err := w.Write(make([]byte, 1<<16)); err != nil { return } }
	case "/headers":
		for i := range 2000 { w.Header().Set(fmt.Sprint("X-", i), "012345678901234567890123456789") }
	case "/header":
		for { w.Header().Add("X-A", strings.Repeat("x", 1<<16)) }
	case "/zero":
		w.WriteHeader(0)
	case "/minus":
		w.WriteHeader(-1)
	case "/thousand":
		w.WriteHeader(1000)
	case "/switch":
		w.WriteHeader(101)
	case "/panic":
		panic("secret of " + os.Args[0])
	case "/abort":
		panic(http.ErrAbortHandler)
	case "/exit":
		os.Exit(0)
	case "/exit1":
		os.Exit(1)
	case "/self":
		Handler.ServeHTTP(w, r)
	case "/mux":
		mux := http.NewServeMux()
		mux.Handle("/", mux)
		mux.ServeHTTP(w, r)
	case "/semicolons":
		nested(20_000, http.AllowQuerySemicolons).ServeHTTP(w, r)
	case "/limits":
		nested(20_000, func(h http.Handler) http.Handler { return http.MaxBytesHandler(h, 1) }).ServeHTTP(w, r)
	case "/bodies":
		for range 20_000 { r.Body = http.MaxBytesReader(w, r.Body, 1<<20) }
		r.Body.Close()
	case "/reads":
		for range 20_000 { r.Body = http.MaxBytesReader(w, r.Body, 1<<20) }
		r.Body.Read(make([]byte, 1))
	case "/race":
		h := w.Header()
		for range 50 { go func() { for { h.Set("X-A", "1"); h.Del("X-A"); r.Header.Set("X-B", "1") } }() }
		time.Sleep(20 * time.Millisecond)
	case "/after":
		go func() { for { fmt.Fprint(w, "later"); w.Header().Set("X-Later", "1"); r.FormValue("a"); time.Sleep(time.Millisecond) } }()
		fmt.Fprint(w, "now")
	case "/keep":
		keptW, keptR = w, r
		fmt.Fprint(w, "kept")
	case "/kept":
		fmt.Fprint(keptW, "more")
		keptW.Header().Set("X-Kept", "1")
		keptW.WriteHeader(500)
		keptR.Header.Set("X-Kept", "1")
		fmt.Fprint(w, "other ", keptR.URL.Path, " ", keptR.Context().Err())
	case "/wait":
		select {}
	case "/sleep":
		time.Sleep(time.Hour)
	case "/print":
		for { fmt.Println(strings.Repeat("x", 1000)) }
	}
}
`

// TestHostile: however a handler ends, the host answers, with nothing of the script in it, and the next request is served.
func TestHostile(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		p.Limits = sandtrap.Limits{Timeout: 5 * time.Second, Ticks: 20_000_000, Memory: 64 << 20, Output: 64 << 10, Depth: 10_000}
		for path, kind := range map[string]error{
			"/loop": sandtrap.KindTicks, "/memory": sandtrap.KindMemory, "/large": handler.ErrTooLarge, "/headers": handler.ErrTooLarge,
			"/header": nil, "/zero": sandtrap.KindPanic, "/minus": sandtrap.KindPanic, "/thousand": sandtrap.KindPanic,
			"/switch": handler.ErrInvalid, "/panic": sandtrap.KindPanic, "/abort": sandtrap.KindPanic, "/exit": handler.ErrInvalid,
			"/exit1": sandtrap.KindExit, "/self": nil, "/mux": nil, "/semicolons": nil, "/limits": nil, "/bodies": nil, "/reads": nil,
			"/wait": sandtrap.KindDeadlock, "/sleep": sandtrap.KindTimeout, "/print": nil,
		} {
			var failed error
			h := serve(t, p, hostile, handler.Options{Done: func(_ handler.Request, _ *sandtrap.Result, err error) { failed = err }})
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
			if w.Code != 500 || w.Body.String() != "Internal Server Error\n" {
				t.Errorf("%s: %d %q", path, w.Code, w.Body)
			}
			if failed == nil || kind != nil && !errors.Is(failed, kind) {
				t.Errorf("%s: error %v, want %v", path, failed, kind)
			}
			fine(t, h, path)
		}
	})
}

func fine(t *testing.T, h *handler.Handler, after string) {
	t.Helper()
	if resp, err := h.Call(t.Context(), handler.Request{URI: "/fine"}); err != nil || resp.Status != 200 || string(resp.Body) != "fine" {
		t.Errorf("after %s: %v, %v", after, resp, err)
	}
}

// TestKept: what a script keeps of a request changes no other one, and nothing of the host's.
func TestKept(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		h := serve(t, p, hostile, handler.Options{})
		for _, tc := range []struct{ path, want string }{
			{"/race", ""}, {"/after", "now"}, {"/fine", "fine"}, {"/keep", "kept"}, {"/kept", "other /keep context canceled"}, {"/fine", "fine"},
		} {
			r := httptest.NewRequest("GET", tc.path, nil)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != 200 || w.Body.String() != tc.want || w.Header().Get("X-Kept") != "" {
				t.Errorf("%s: %d %q", tc.path, w.Code, w.Body)
			}
			if len(r.Header) > 0 {
				t.Errorf("%s: the header of the host's request is %v", tc.path, r.Header)
			}
		}
	})
}

// TestNoFilesOfTheHost: forms with large files write nothing to the host's disk, as net/http does.
func TestNoFilesOfTheHost(t *testing.T) {
	const text = `func Handler(w http.ResponseWriter, r *http.Request) {
		var err error
		switch r.URL.Path {
		case "/parse": err = r.ParseMultipartForm(1)
		case "/value": r.FormValue("a")
		case "/post": r.PostFormValue("a")
		}
		f, head, ferr := r.FormFile("f")
		if err != nil || ferr != nil { panic(fmt.Sprint(err, ferr)) }
		n, err := io.Copy(io.Discard, f)
		fmt.Fprint(w, n == head.Size, err, len(r.MultipartForm.File))
	}`
	var body bytes.Buffer
	mw := multipart.NewWriter(&body)
	part, _ := mw.CreateFormFile("f", "f")
	part.Write(make([]byte, 33<<20)) // net/http keeps 32 MiB in memory
	mw.Close()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		p.Limits.Memory = 1 << 30
		var seen []os.DirEntry
		h := serve(t, p, text, handler.Options{MaxBody: 40 << 20, Done: func(_ handler.Request, _ *sandtrap.Result, err error) {
			seen, _ = os.ReadDir(dir)
			if err != nil {
				t.Error(err)
			}
		}})
		for _, path := range []string{"/parse", "/value", "/post", "/file"} {
			r := handler.Request{Method: "POST", URI: path, Header: http.Header{"Content-Type": {mw.FormDataContentType()}}, Body: body.Bytes()}
			resp, err := h.Call(t.Context(), r)
			if err != nil || string(resp.Body) != "true <nil> 1" {
				t.Errorf("%s: %v", path, err)
			}
			for _, f := range seen {
				if strings.HasPrefix(f.Name(), "multipart-") {
					t.Errorf("%s: the host has a file %s", path, f.Name())
				}
			}
		}
	})
}

// TestClientGone: the context of a request ends its call.
func TestClientGone(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		p.Limits.Timeout = 10 * time.Minute
		h := serve(t, p, hostile, handler.Options{})
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		if _, err := h.Call(ctx, handler.Request{URI: "/loop"}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		fine(t, h, "a client that went away")
	})
}

// TestWaiting: while one request is served a number of others wait, and all others are refused.
func TestWaiting(t *testing.T) {
	p := sandtrap.Policy{Std: append(sandtrap.StdDefault(), "net/http")}
	p.Limits.Timeout = 10 * time.Minute
	h := serve(t, p, hostile, handler.Options{Waiting: 2})
	ctx, cancel := context.WithCancel(t.Context())
	errs := make(chan error, 3)
	for range 3 {
		go func() {
			err := handler.ErrBusy // while the request below has the place
			for err == handler.ErrBusy {
				_, err = h.Call(ctx, handler.Request{URI: "/loop"})
			}
			errs <- err
		}()
	}
	w := httptest.NewRecorder()
	for range 3000 { // until the three have come
		short, stop := context.WithTimeout(ctx, 10*time.Millisecond)
		w = httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/fine", nil).WithContext(short))
		stop()
		if w.Code == 503 {
			break
		}
	}
	if w.Code != 503 || w.Header().Get("Retry-After") == "" {
		cancel()
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	if _, err := h.Call(ctx, handler.Request{}); !errors.Is(err, handler.ErrBusy) {
		t.Errorf("error %v", err)
	}
	cancel()
	for range 3 {
		if err := <-errs; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	}
	fine(t, h, "those that waited")
}

// TestOver: after its session a handler answers that it is not there.
func TestOver(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		s := session(t, p, hostile)
		h, err := handler.New(t.Context(), s, "Handler", handler.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fine(t, h, "New")
		s.Close()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", "/fine", nil))
		if w.Code != 503 {
			t.Errorf("%d %q", w.Code, w.Body)
		}
		if _, err := h.Call(t.Context(), handler.Request{}); !errors.Is(err, sandtrap.ErrRunOver) && !errors.Is(err, sandtrap.ErrClosed) {
			t.Errorf("error %v", err)
		}
	})
}

// TestBounds: requests beyond the bounds do not reach the script.
func TestBounds(t *testing.T) {
	calls := 0
	p := sandtrap.Policy{Std: append(sandtrap.StdDefault(), "net/http")}
	h := serve(t, p, hostile, handler.Options{MaxHeader: 1000, MaxBody: 1000, Done: func(handler.Request, *sandtrap.Result, error) { calls++ }})
	long := strings.Repeat("x", 1001)
	withHeader := httptest.NewRequest("GET", "/fine", nil)
	withHeader.Header.Set("X-Long", long)
	for want, r := range map[int]*http.Request{
		413: httptest.NewRequest("POST", "/fine", strings.NewReader(long)),
		431: withHeader,
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%d %q, want %d", w.Code, w.Body, want)
		}
	}
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, httptest.NewRequest("GET", "/"+long, nil)); w.Code != 431 || calls > 0 {
		t.Errorf("a long path: %d; %d calls", w.Code, calls)
	}
	for _, r := range []handler.Request{{Method: "G T"}, {URI: "no path"}} {
		if _, err := h.Call(t.Context(), r); !errors.Is(err, handler.ErrInvalid) {
			t.Errorf("%v: %v", r, err)
		}
	}
}

// TestClean: no line end of a script's header reaches the host, and no field of the connection.
func TestClean(t *testing.T) {
	p := sandtrap.Policy{Std: append(sandtrap.StdDefault(), "net/http")}
	h := serve(t, p, `func Handler(w http.ResponseWriter, r *http.Request) {
		for _, name := range []string{"Connection", "transfer-encoding", "Upgrade", "A\r\nB", "", "A B", "A:", "X-Ok"} {
			w.Header()[name] = []string{"a\r\nb\x00c\td"}
		}
		w.Header()["Trailer:x\r\ny"] = []string{"1"}
	}`, handler.Options{})
	resp, err := h.Call(t.Context(), handler.Request{})
	if err != nil || len(resp.Header) != 1 || resp.Header.Get("X-Ok") != "a  b c\td" || len(resp.Trailer) != 0 {
		t.Errorf("%v %v", resp, err)
	}
}

// TestLarge: bodies up to the bounds go both ways.
func TestLarge(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		h := serve(t, p, `func Handler(w http.ResponseWriter, r *http.Request) {
			n, err := io.Copy(w, r.Body)
			if err == nil { _, err = w.Write(make([]byte, 3*n)) }
			if err != nil { panic(err) }
		}`, handler.Options{})
		body := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
		resp, err := h.Call(t.Context(), handler.Request{Method: "POST", Body: body})
		if err != nil || len(resp.Body) != 4<<20 || !bytes.HasPrefix(resp.Body, body) {
			t.Errorf("error %v", err)
		}
		if _, err := h.Call(t.Context(), handler.Request{Method: "POST", Body: append(body, 'x')}); !errors.Is(err, handler.ErrTooLarge) {
			t.Errorf("error %v", err)
		}
	})
}

// TestFraming: whatever length a script declares, a server of the host sends one that is true, or closes the connection.
func TestFraming(t *testing.T) {
	p := sandtrap.Policy{Std: append(sandtrap.StdDefault(), "net/http")}
	h := serve(t, p, `func Handler(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/two":
			w.Header()["Content-Length"] = []string{"3", "10"}
		case "/spelling":
			w.Header()["content-length"] = []string{"10"}
		case "/sign":
			w.Header()["Content-Length"] = []string{"+3"}
		case "/trailer":
			w.Header().Set("Trailer:Content-Length", "10")
			w.Header().Set("Trailer:transfer-encoding", "chunked")
			w.Header().Set("Trailer:X-Fine", "1")
			io.WriteString(w, "abc")
			w.(http.Flusher).Flush()
			return
		}
		io.WriteString(w, "abc")
	}`, handler.Options{})
	server := httptest.NewServer(h)
	defer server.Close()
	for _, path := range []string{"/two", "/spelling", "/sign", "/trailer"} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", path)
		raw, err := io.ReadAll(conn)
		conn.Close()
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ToLower(string(raw))
		if n := strings.Count(text, "content-length:"); path != "/trailer" && (n != 1 || !strings.Contains(text, "content-length: 3\r\n")) {
			t.Errorf("%s:\n%s", path, raw)
		}
		if path == "/trailer" && (strings.Contains(text, "content-length:") || strings.Count(text, "transfer-encoding:") != 1 || !strings.Contains(text, "x-fine: 1")) {
			t.Errorf("%s:\n%s", path, raw)
		}
	}
}
