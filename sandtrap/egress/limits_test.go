package egress_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// reaches fails unless err is that of a limit.
func reaches(t *testing.T, err error, limit egress.Limit, of string, most int64) {
	t.Helper()
	e, ok := errors.AsType[*egress.LimitError](err)
	if !ok || e.Limit != limit || e.Of != of || e.Max != most || !errors.Is(err, egress.ErrLimit) || !strings.Contains(err.Error(), string(limit)) {
		t.Errorf("%#v (%v); want limit %s of %q, %d", err, err, limit, of, most)
	}
}

// limited is a gate with limits in a lab whose a.example answers with a body of as many bytes as the query says.
func limited(t *testing.T, limits egress.Limits) (*lab, *egress.Gate) {
	l := newLab(t)
	l.plain("a.example", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		var n int
		fmt.Sscan(r.URL.RawQuery, &n)
		w.Header()["Date"] = nil
		io.Copy(w, io.LimitReader(zeros{}, int64(n)))
	})
	p := listOf(t, "GET,POST http://a.example/**")
	p.Limits = limits
	return l, l.gate(p)
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestRunLimits: a run makes as many requests, at a time and in all, and sends and receives as many bytes as it may. Another run
// of the tenant is not concerned.
func TestRunLimits(t *testing.T) {
	leavesNothing(t)
	_, g := limited(t, egress.Limits{Run: egress.Quota{Requests: 5, AtOnce: 2, Sent: 1000, Received: 5000}})
	begin := func() *egress.Run { return g.Begin(decide.Subject{}) }

	r := begin()
	for i := range 5 {
		if _, _, err := get(r, "http://a.example/"); err != nil {
			t.Fatalf("request %d: %v", i, err)
		}
	}
	_, _, err := get(r, "http://a.example/")
	reaches(t, err, egress.Requests, "run", 5)

	r = begin()
	var open []*http.Response
	for range 2 {
		resp, err := r.RoundTrip(request(t, "GET", "http://a.example/?100", nil))
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, resp)
	}
	_, _, err = get(r, "http://a.example/")
	reaches(t, err, egress.AtOnce, "run", 2)
	open[0].Body.Close()
	if _, _, err = get(r, "http://a.example/"); err != nil { // read to its end
		t.Error(err)
	}
	if _, _, err = get(r, "http://a.example/"); err != nil {
		t.Error(err)
	}
	open[1].Body.Close()

	r = begin()
	_, _, err = send(r, "POST", "http://a.example/", strings.NewReader(strings.Repeat("x", 1000)))
	reaches(t, err, egress.Sent, "run", 1000)
	_, _, err = send(r, "POST", "http://a.example/", io.MultiReader(io.LimitReader(zeros{}, 2000))) // of unknown length
	reaches(t, err, egress.Sent, "run", 1000)

	r = begin()
	_, _, err = get(r, "http://a.example/?"+strings.Repeat("9", 999))
	reaches(t, err, egress.Sent, "run", 1000)
	req := request(t, "GET", "http://a.example/", nil)
	req.Header.Set("X", strings.Repeat("x", 999))
	_, _, err = do(r, req)
	reaches(t, err, egress.Sent, "run", 1000)

	if _, body, err := get(r, "http://a.example/?4000"); err != nil || len(body) != 4000 {
		t.Errorf("%d bytes, %v", len(body), err)
	}
	_, body, err := get(r, "http://a.example/?4000")
	reaches(t, err, egress.Received, "run", 5000)
	if len(body) > 1000 {
		t.Errorf("%d bytes beyond the limit", len(body))
	}
	_, _, err = get(r, "http://a.example/")
	reaches(t, err, egress.Received, "run", 5000)
}

func request(t *testing.T, method, url string, body io.Reader) *http.Request {
	t.Helper()
	req, err := http.NewRequest(method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// TestTenantLimits: the runs of a tenant share a quota, which is whole again after an hour. Another tenant has its own.
func TestTenantLimits(t *testing.T) {
	l := newLab(t)
	l.plain("a.example", hello)
	now := time.Now()
	o := l.options()
	o.Clock = func() time.Time { return now }
	p := listOf(t, "GET http://a.example/**")
	p.Limits.Tenant.Requests = 3
	g, err := egress.New(p, o)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	one := func(tenant string) error {
		r := g.Begin(decide.Subject{Tenant: tenant})
		defer r.Close()
		_, _, err := get(r, "http://a.example/")
		return err
	}
	for range 3 {
		if err := one("a"); err != nil {
			t.Fatal(err)
		}
	}
	reaches(t, one("a"), egress.Requests, "tenant", 3)
	if err := one("b"); err != nil {
		t.Error(err)
	}
	now = now.Add(59 * time.Minute)
	reaches(t, one("a"), egress.Requests, "tenant", 3)
	held := g.Begin(decide.Subject{Tenant: "held"})
	now = now.Add(time.Minute)
	if err := one("a"); err != nil {
		t.Error(err)
	}
	now = now.Add(3 * time.Hour)
	if err := one("c"); err != nil {
		t.Error(err)
	}
	if n := egress.Tenants(g); n != 2 { // c, and held, whose run goes on
		t.Errorf("%d tenants are remembered", n)
	}
	held.Close()
}

// TestHeaderLimit: a header of a request, and of a response, has as many bytes as it may.
func TestHeaderLimit(t *testing.T) {
	l := newLab(t)
	handler := func(w http.ResponseWriter, r *http.Request) {
		for i := range 100 {
			w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", len(r.URL.RawQuery)))
		}
	}
	l.plain("a.example", handler)
	l.secure("b.example", handler)
	p := listOf(t, "GET http://a.example/**", "GET https://b.example/**")
	p.Limits.Header = 8 << 10
	r := l.gate(p).Begin(decide.Subject{})
	for _, url := range []string{"http://a.example/", "https://b.example/"} {
		if _, _, err := get(r, url+"?x"); err != nil {
			t.Error(err)
		}
		_, _, err := get(r, url+"?"+strings.Repeat("x", 200))
		reaches(t, err, egress.Header, "", 8<<10)
		sent := len(l.reached())
		req := request(t, "GET", url, nil)
		req.Header.Set("X", strings.Repeat("x", 8<<10))
		_, _, err = do(r, req)
		reaches(t, err, egress.Header, "", 8<<10)
		if len(l.reached()) != sent {
			t.Error("it was sent")
		}
	}
}

// TestHeaderIsNotRead: of a header that does not end no more is read than may be, and what the kernel holds: net/http by itself
// reads 10 MiB.
func TestHeaderIsNotRead(t *testing.T) {
	l := newLab(t)
	sent := make(chan int, 1)
	l.raw("a.example", func(c net.Conn) {
		n, err := io.WriteString(c, "HTTP/1.1 200 OK\r\nX: ")
		for err == nil {
			var more int
			more, err = io.WriteString(c, strings.Repeat("x", 1000))
			n += more
		}
		sent <- n
	})
	p := listOf(t, "GET http://a.example/**")
	p.Limits.Header = 8 << 10
	_, _, err := get(l.gate(p).Begin(decide.Subject{}), "http://a.example/")
	reaches(t, err, egress.Header, "", 8<<10)
	if n := <-sent; n > 9<<20 {
		t.Errorf("the server could send %d bytes", n)
	}
}

// TestAtOnceTogether: however many requests are made at the same time, the servers see as many as may be.
func TestAtOnceTogether(t *testing.T) {
	l := newLab(t)
	var mu sync.Mutex
	open, most := 0, 0
	l.plain("a.example", func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		open++
		most = max(most, open)
		mu.Unlock()
		time.Sleep(5 * time.Millisecond)
		mu.Lock()
		open--
		mu.Unlock()
	})
	p := listOf(t, "GET http://a.example/**")
	p.Limits.Run.AtOnce, p.Limits.Tenant.AtOnce = 4, 6
	g := l.gate(p)
	var all sync.WaitGroup
	var refused, made int
	for range 4 {
		r := g.Begin(decide.Subject{})
		for range 50 {
			all.Go(func() {
				_, _, err := get(r, "http://a.example/")
				mu.Lock()
				defer mu.Unlock()
				switch e, ok := errors.AsType[*egress.LimitError](err); {
				case ok && e.Limit == egress.AtOnce:
					refused++
				case err == nil:
					made++
				default:
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	if most > 6 || refused == 0 || made == 0 {
		t.Errorf("%d at a time, %d refused, %d made", most, refused, made)
	}
}
