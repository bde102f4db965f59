package page_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/pace"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/page"
)

// TestCookie: the cookie is no token, no script of a page and no page of another site gets it, and it is the key until the logout.
func TestCookie(t *testing.T) {
	r := newRig(t, nil)
	header, c := r.login(t, keys.User)
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Secure || c.Path != "/" || strings.Contains(c.Value, r.tokens[keys.User]) || len(c.Value) < 26 {
		t.Errorf("%v", c)
	}
	if res, text := r.send(t, "GET", "/v1/runs", "", "Cookie", header); res.StatusCode != 200 || res.Header.Get("Cross-Origin-Resource-Policy") != "same-origin" {
		t.Errorf("%d: %s", res.StatusCode, text)
	}
	if res, text := r.send(t, "GET", "/v1/runs", "", "Cookie", header, "Authorization", "Bearer "+strings.Repeat("x", 20)); res.StatusCode != 401 {
		t.Errorf("the cookie goes before a wrong token: %d: %s", res.StatusCode, text)
	}
	if res, _ := r.send(t, "POST", "/logout", "", "Cookie", header); res.StatusCode != http.StatusSeeOther || res.Cookies()[0].MaxAge >= 0 {
		t.Errorf("%d: %v", res.StatusCode, res.Cookies())
	}
	if res, _ := r.send(t, "GET", "/v1/runs", "", "Cookie", header); res.StatusCode != 401 {
		t.Errorf("after the logout: %d", res.StatusCode)
	}
	before, _ := r.login(t, keys.User)
	r.login(t, keys.User, "Cookie", before)
	if res, _ := r.send(t, "GET", "/v1/runs", "", "Cookie", before); res.StatusCode != 401 {
		t.Errorf("the login before another one of the same browser: %d", res.StatusCode)
	}
	_, c = r.login(t, keys.User, "X-Forwarded-Proto", "https")
	if !c.Secure || !strings.HasPrefix(c.Name, "__Host-") {
		t.Errorf("over HTTPS: %v", c)
	}
}

// TestWrongKey: a key that the server does not know begins no login, whatever it looks like, and is not shown.
func TestWrongKey(t *testing.T) {
	r := newRig(t, nil)
	for _, key := range []string{"", "wrong", `"><script>alert(1)</script>`, strings.Repeat("k", 100_000)} {
		res, text := r.send(t, "POST", "/login", url.Values{"key": {key}, "next": {`"><img src=x>`}}.Encode(), "Content-Type", form)
		if res.StatusCode != 401 || len(res.Cookies()) != 0 || strings.Contains(text, "<script>alert") || strings.Contains(text, "<img") {
			t.Errorf("%.30q: %d %v: %s", key, res.StatusCode, res.Cookies(), text)
		}
	}
	large := url.Values{"key": {r.tokens[keys.User]}, "other": {strings.Repeat("k", 100_000)}}.Encode()
	if res, _ := r.send(t, "POST", "/login", large, "Content-Type", form); res.StatusCode != 401 {
		t.Errorf("a form of %d bytes: %d", len(large), res.StatusCode)
	}
}

// TestForeign: with the cookie, only pages of this server use the API, change something, or log in and out. A port of the same host
// is another server, and gets the cookie from the browser nevertheless.
func TestForeign(t *testing.T) {
	r := newRig(t, nil)
	header, _ := r.login(t, keys.User)
	for _, q := range []struct{ method, path, body string }{
		{"POST", "/v1/runs", `{"code":"1"}`}, {"GET", "/v1/runs", ""}, {"POST", "/v1/runs/run_x/cancel", ""}, {"POST", "/logout", ""},
		{"POST", "/login", "key=" + r.tokens[keys.User]},
	} {
		for _, from := range [][]string{
			{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Site", "cross-site", "Origin", r.URL},
			{"Origin", "http://127.0.0.1:1"}, {"Origin", "null"}, {"Origin", "https://example.com"},
		} {
			if q.method == "GET" && from[0] == "Origin" {
				continue // it changes nothing, and without headers of CORS nobody else can read the response
			}
			res, text := r.send(t, q.method, q.path, q.body, append(from, "Cookie", header, "Content-Type", form)...)
			if res.StatusCode != 403 || len(res.Cookies()) != 0 {
				t.Errorf("%s %s from %v: %d: %s", q.method, q.path, from, res.StatusCode, text)
			}
		}
	}
	for _, from := range [][]string{{}, {"Sec-Fetch-Site", "same-origin"}, {"Origin", r.URL}} {
		if res, text := r.send(t, "POST", "/v1/runs", `{"code":"1"}`, append(from, "Cookie", header)...); res.StatusCode != 200 {
			t.Errorf("from %v: %d: %s", from, res.StatusCode, text)
		}
	}
}

// TestPages: each page needs a login, comes with the headers that keep foreign scripts and frames out, and only those of a role have
// the page of the machine.
func TestPages(t *testing.T) {
	r := newRig(t, nil)
	user, _ := r.login(t, keys.User)
	operator, _ := r.login(t, keys.Operator)
	for _, path := range []string{"/", "/runs", "/runs/run_x", "/sessions", "/sessions/s", "/policies", "/policies/p", "/machine"} {
		res, _ := r.send(t, "GET", path+"?a=b", "")
		if want := "/login?next=" + url.QueryEscape(path+"?a=b"); res.StatusCode != 303 || res.Header.Get("Location") != want {
			t.Errorf("%s without a login: %d to %s", path, res.StatusCode, res.Header.Get("Location"))
		}
		res, text := r.send(t, "GET", path, "", "Cookie", operator)
		if res.StatusCode != 200 || !strings.Contains(text, `data-role="operator"`) {
			t.Errorf("%s: %d: %s", path, res.StatusCode, text)
		}
		hardened(t, path, res)
		if got := res.Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s: a cache may keep it: %q", path, got)
		}
		want := 200
		if path == "/machine" {
			want = 403
		}
		if res, text := r.send(t, "GET", path, "", "Cookie", user); res.StatusCode != want || strings.Contains(text, `href="/machine"`) {
			t.Errorf("%s as user: %d", path, res.StatusCode)
		}
	}
	for _, path := range []string{"/login", "/assets/dom.js", "/assets/base.css", "/assets/icon.svg"} {
		res, _ := r.send(t, "GET", path, "")
		if res.StatusCode != 200 {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
		hardened(t, path, res)
	}
	for _, path := range []string{"/assets/", "/assets/page.go", "/assets/..%2fpage.go"} {
		if res, _ := r.send(t, "GET", path, ""); res.StatusCode != 404 {
			t.Errorf("%s: %d", path, res.StatusCode)
		}
	}
	if res, text := r.send(t, "GET", "/v1/absent", ""); res.StatusCode != 404 || !strings.Contains(text, `"code":"not_found"`) {
		t.Errorf("what is no page is the API's: %d: %s", res.StatusCode, text)
	}
}

func hardened(t *testing.T, path string, res *http.Response) {
	t.Helper()
	h := res.Header
	csp := h.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "script-src 'self';", "style-src 'self';", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'", "require-trusted-types-for 'script'"} {
		if !strings.Contains(csp, part) {
			t.Errorf("%s: the policy %q lacks %s", path, csp, part)
		}
	}
	if strings.Contains(csp, "unsafe") || strings.Contains(csp, "*") || strings.Contains(csp, "http") || strings.Contains(csp, "data:") {
		t.Errorf("%s: %s", path, csp)
	}
	for name, want := range map[string]string{"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin"} {
		if h.Get(name) != want {
			t.Errorf("%s: %s is %q", path, name, h.Get(name))
		}
	}
}

// TestEscaped: what an address has in it is text in the page.
func TestEscaped(t *testing.T) {
	r := newRig(t, nil)
	header, _ := r.login(t, keys.User)
	for _, id := range []string{`"><script>alert(1)</script>`, "' onload=alert(1) x='", "javascript:alert(1)", "\u202e</main>", "{{.Tenant}}"} {
		res, text := r.send(t, "GET", "/runs/"+url.PathEscape(id), "", "Cookie", header)
		if res.StatusCode != 200 || strings.Contains(text, "<script>alert") || strings.Contains(text, `"' onload`) || strings.Count(text, "</main>") != 1 {
			t.Errorf("%q: %d: %s", id, res.StatusCode, text)
		}
	}
}

// TestNext: a login goes on to a page of this server, and to no other.
func TestNext(t *testing.T) {
	r := newRig(t, nil)
	for next, want := range map[string]string{
		"/runs?state=done": "/runs?state=done", "": "/", "https://example.com/": "/", "//example.com": "/", "///example.com": "/", `/\example.com`: "/", "/\t/example.com": "/",
		"javascript:alert(1)": "/", "runs": "/",
	} {
		res, _ := r.send(t, "POST", "/login", url.Values{"key": {r.tokens[keys.User]}, "next": {next}}.Encode(), "Content-Type", form)
		if got := res.Header.Get("Location"); got != want {
			t.Errorf("%q: to %q, want %q", next, got, want)
		}
	}
}

// TestLogins: a key has a bounded number of logins, and does not end those of another.
func TestLogins(t *testing.T) {
	r := newRig(t, nil)
	other, _ := r.login(t, keys.Admin)
	var all []string
	for range 20 {
		header, _ := r.login(t, keys.User)
		all = append(all, header)
	}
	live := 0
	for _, header := range all {
		if res, _ := r.send(t, "GET", "/v1/runs", "", "Cookie", header); res.StatusCode == 200 {
			live++
		}
	}
	if live != 16 {
		t.Errorf("%d logins of a key", live)
	}
	for name, header := range map[string]string{"the newest": all[19], "of another key": other} {
		if res, _ := r.send(t, "GET", "/v1/runs", "", "Cookie", header); res.StatusCode != 200 {
			t.Errorf("%s: %d", name, res.StatusCode)
		}
	}
}

// TestLoginEnds: a login ends after half a day, and with its key.
func TestLoginEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		token, key, err := keys.New("alpha", keys.User)
		if err != nil {
			t.Fatal(err)
		}
		ring := &keys.Ring{}
		ring.Add(key)
		var got string
		h := page.Handler(ring, http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) { got = q.Header.Get("Authorization") }), pace.Bounds{})
		cookie := loginAt(t, h, token)
		for _, tc := range []struct {
			wait time.Duration
			want string
		}{{12*time.Hour - time.Second, "Bearer " + token}, {2 * time.Second, ""}} {
			time.Sleep(tc.wait)
			got = ""
			if ask(h, "/v1/runs", cookie); got != tc.want {
				t.Errorf("after %v: %q", tc.wait, got)
			}
		}
		cookie = loginAt(t, h, token)
		got = ""
		if ask(h, "/metrics", cookie); got != "" {
			t.Errorf("the cookie is for more than the API: %q", got)
		}
		*ring = keys.Ring{} // the key is gone
		if ask(h, "/v1/runs", cookie); got != "" {
			t.Errorf("without the key: %q", got)
		}
		if status := ask(h, "/runs", cookie); status != http.StatusSeeOther {
			t.Errorf("without the key: %d", status)
		}
	})
}

// ask makes a request without a network, and gives the status of the response.
func ask(h http.Handler, path string, cookie *http.Cookie) int {
	q := httptest.NewRequest("GET", path, nil)
	q.AddCookie(cookie)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, q)
	return w.Code
}

func loginAt(t *testing.T, h http.Handler, token string) *http.Cookie {
	t.Helper()
	q := httptest.NewRequest("POST", "/login", strings.NewReader("key="+token))
	q.Header.Set("Content-Type", form)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, q)
	if len(w.Result().Cookies()) != 1 {
		t.Fatalf("%d", w.Code)
	}
	return w.Result().Cookies()[0]
}

// TestSlowBody: a request to a page whose body does not come ends, without a key.
func TestSlowBody(t *testing.T) {
	s := httptest.NewServer(page.Handler(&keys.Ring{}, http.NotFoundHandler(), pace.Bounds{Body: 200 * time.Millisecond}))
	defer s.Close()
	conns := map[string]net.Conn{}
	for _, line := range []string{"GET /", "GET /login", "GET /runs/x", "GET /assets/page.css", "POST /login", "POST /logout", "GET /healthz"} {
		conn, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n", line)
		conns[line] = conn
	}
	for line, conn := range conns {
		if _, err := io.Copy(io.Discard, conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: the server waits", line)
		}
	}
}
