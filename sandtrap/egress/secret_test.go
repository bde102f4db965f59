package egress_test

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// secretly is a run with these secrets in a lab.
func (l *lab) secretly(p egress.Policy, list ...egress.Secret) *egress.Run {
	l.t.Helper()
	for i := range list {
		list[i].Value = egress.NewValue(theSecret)
	}
	p.Secrets = list
	r := l.gate(p).Begin(decide.Subject{})
	l.t.Cleanup(func() { r.Close() })
	return r
}

// TestSecretIsSent: a secret is in its header of the requests that it is for, and in no other.
func TestSecretIsSent(t *testing.T) {
	leavesNothing(t)
	l := newLab(t)
	seen := map[string]string{} // by request: the headers
	handler := func(w http.ResponseWriter, r *http.Request) {
		seen[r.Method+" "+r.Host+r.URL.Path] = fmt.Sprint(r.Header["Authorization"], r.Header["X-Key"], r.Header["X-Asked"], r.Header["X-Mine"])
	}
	for _, name := range []string{"api.example", "other.example", "a.wild.example"} {
		l.secure(name, handler)
		l.plain(name, handler)
	}
	r := l.secretly(listOf(t, "GET,POST,PUT https://api.example/**", "GET http://api.example/**", "GET https://other.example/**", "GET https://*.wild.example/**"),
		egress.Secret{Name: "first", Hosts: []string{"API.example."}, Methods: []string{"GET", "POST"}, Paths: []string{"/v1/**"}, Scheme: "Bearer"},
		egress.Secret{Name: "second", Hosts: []string{"api.example", "*.wild.example"}, Header: "x-key", Methods: []string{"GET"}},
		egress.Secret{Name: "third", Hosts: []string{"api.example"}, Header: "X-Asked", OnRequest: true},
	)
	const bearer = "[Bearer " + theSecret + "]"
	for request, want := range map[string]string{
		"GET https://api.example/v1/x":       bearer + " [" + theSecret + "] [] [mine]",
		"POST https://api.example/v1/x":      bearer + " [] [] [mine]",
		"PUT https://api.example/v1/x":       "[script] [] [] [mine]",
		"GET https://api.example/v2":         "[script] [" + theSecret + "] [] [mine]",
		"GET https://api.example/v1/../v1/x": "[script] [" + theSecret + "] [] [mine]",
		"GET http://api.example/v1/x":        "[script] [] [] [mine]",
		"GET https://other.example/v1/x":     "[script] [] [] [mine]",
		"GET https://a.wild.example/v1/x":    "[script] [" + theSecret + "] [] [mine]",
	} {
		method, url, _ := strings.Cut(request, " ")
		clear(seen)
		req := request_(t, method, url)
		if _, _, err := do(r, req); err != nil {
			t.Errorf("%s: %v", request, err)
		}
		if text := fmt.Sprint(seen); len(seen) != 1 || !strings.Contains(strings.ReplaceAll(text, "][", "] ["), want) {
			t.Errorf("%s: %v, want %s", request, text, want)
		}
		if fmt.Sprint(req.Header) != "map[Authorization:[script] X-Mine:[mine]]" {
			t.Errorf("%s: the script sees %v", request, req.Header)
		}
	}
	for _, e := range l.told(egress.KindAttached) {
		if e.Secret != "first" && e.Secret != "second" {
			t.Errorf("%+v", e)
		}
	}
	if n := len(l.told(egress.KindAttached)); n != 6 {
		t.Errorf("%d secrets were sent", n)
	}
}

// request_ is a request with headers of the script's own.
func request_(t *testing.T, method, url string) *http.Request {
	req := request(t, method, url, nil)
	req.Header.Set("Authorization", "script")
	req.Header.Set("X-Mine", "mine")
	return req
}

// TestSecretOnRequest: a secret that a request asks for is sent with it, or the request is refused.
func TestSecretOnRequest(t *testing.T) {
	l := newLab(t)
	got := ""
	handler := func(w http.ResponseWriter, r *http.Request) { got = r.Header.Get("Authorization") }
	l.secure("api.example", handler)
	l.plain("api.example", handler)
	l.secure("other.example", handler)
	r := l.secretly(listOf(t, "GET,POST https://api.example/**", "GET http://api.example/**", "GET https://other.example/**"),
		egress.Secret{Name: "github", Hosts: []string{"api.example"}, Methods: []string{"GET"}, Paths: []string{"/repos/*"}, Scheme: "token", OnRequest: true})
	for request, want := range map[string]string{
		"GET https://api.example/repos/x github":      "",
		"GET https://api.example/repos/x":             "unsent",
		"GET https://api.example/repos/x gitub":       `there is no secret "gitub" (did you mean "github"?)`,
		"POST https://api.example/repos/x github":     `the secret "github" is for GET https://api.example/repos/*`,
		"GET https://api.example/repos/../x github":   `the secret "github" is for`,
		"GET https://api.example/orgs/x github":       `the secret "github" is for`,
		"GET http://api.example/repos/x github":       `the secret "github" is for`,
		"GET https://other.example/repos/x github":    `the secret "github" is for`,
		"GET https://api.example.:443/repos/x github": "",
	} {
		words := strings.Fields(request)
		req := requestWith(t, words[0], words[1], words[2:]...)
		got = "none"
		dialed := len(l.reached())
		_, _, err := do(r, req)
		switch denied, ok := errors.AsType[*decide.Denied](err); {
		case want == "" && (err != nil || got != "token "+theSecret), want == "unsent" && (err != nil || got != ""):
			t.Errorf("%s: %v, %q", request, err, got)
		case want != "" && want != "unsent" && (!ok || !strings.Contains(denied.Error(), want) || got != "none" || len(l.reached()) != dialed):
			t.Errorf("%s: %v, %q", request, err, got)
		case ok && strings.Contains(denied.Error(), "loopback"): // which a secret does not open
			t.Errorf("%s: %v", request, err)
		}
	}
}

// requestWith is a request that asks for secrets.
func requestWith(t *testing.T, method, url string, names ...string) *http.Request {
	req := request(t, method, url, nil)
	return req.WithContext(egress.WithSecret(req.Context(), names...))
}

// TestSecretAndRedirects: no secret is sent after a redirect to another host, whoever asks for it.
func TestSecretAndRedirects(t *testing.T) {
	l := newLab(t)
	var location string
	seen := map[string]bool{}
	handler := func(w http.ResponseWriter, r *http.Request) {
		seen[r.Host+r.URL.Path] = r.Header.Get("Authorization") == theSecret || r.Header.Get("X-Asked") == theSecret
		if r.URL.Path == "/go" {
			http.Redirect(w, r, location, http.StatusFound)
		}
		if r.URL.Path == "/back" {
			http.Redirect(w, r, "https://a.example/back-again", http.StatusFound)
		}
	}
	for _, name := range []string{"a.example", "b.example"} {
		l.secure(name, handler)
		l.plain(name, handler)
	}
	r := l.secretly(listOf(t, "GET https://a.example/**", "GET https://b.example/**", "GET http://a.example/**"),
		egress.Secret{Name: "always", Hosts: []string{"a.example", "b.example"}},
		egress.Secret{Name: "asked", Hosts: []string{"a.example", "b.example"}, Header: "X-Asked", OnRequest: true})
	client := &http.Client{Transport: r}
	for to, want := range map[string]map[string]bool{
		"/x":                     {"a.example/go": true, "a.example/x": true},
		"https://A.example:443/": {"a.example/go": true, "a.example/": true},
		"https://b.example/x":    {"a.example/go": true, "b.example/x": false},
		"http://a.example/x":     {"a.example/go": true, "a.example/x": false},
		"https://b.example/back": {"a.example/go": true, "b.example/back": false, "a.example/back-again": false},
	} {
		location = to
		clear(seen)
		resp, err := client.Do(requestWith(t, "GET", "https://a.example/go", "asked"))
		if err != nil {
			t.Errorf("%s: %v", to, err)
			continue
		}
		resp.Body.Close()
		if fmt.Sprint(seen) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", to, seen, want)
		}
	}
	if len(l.told(egress.KindWithheld)) < 6 {
		t.Errorf("%+v", l.told(egress.KindWithheld))
	}
}

// TestSecretNeedsVerifiedServer: a server without a valid certificate gets no secret.
func TestSecretNeedsVerifiedServer(t *testing.T) {
	l := newLab(t)
	l.secure("api.example", func(_ http.ResponseWriter, r *http.Request) { t.Errorf("it was asked with %v", r.Header) }, "other.example")
	r := l.secretly(listOf(t, "GET https://api.example/**"), egress.Secret{Name: "key", Hosts: []string{"api.example"}})
	if _, _, err := get(r, "https://api.example/"); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("%v", err)
	}
}

// TestSecretEchoed: what a server echoes of a secret, in any form, in status, header, body and trailer, now or later, is replaced.
func TestSecretEchoed(t *testing.T) {
	leavesNothing(t)
	l := newLab(t)
	var keeps string
	echo := func(w http.ResponseWriter, r *http.Request) {
		if v := r.Header.Get("Authorization"); v != "" {
			keeps = strings.TrimPrefix(v, "Bearer ")
		}
		form := encodings[r.URL.Query().Get("form")](keeps)
		w.Header().Set("Trailer", "X-Last")
		w.Header().Set("X-Echo", strings.NewReplacer("\r", "", "\n", "").Replace(form))
		w.Header()["X-"+strings.Map(func(r rune) rune {
			if strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", r) {
				return r
			}
			return -1
		}, form)] = []string{"name"}
		var to io.Writer = w
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			defer z.Close()
			to = z
		}
		for i := range len(form) { // in small pieces
			io.WriteString(to, form[i:i+1])
			w.(http.Flusher).Flush()
		}
		w.Header().Set("X-Last", strings.NewReplacer("\r", "", "\n", "").Replace(form))
	}
	l.secure("api.example", echo)
	l.plain("log.example", echo)
	r := l.secretly(listOf(t, "GET https://api.example/**", "GET http://log.example/**"), egress.Secret{Name: "key", Hosts: []string{"api.example"}, Scheme: "Bearer"})
	for name, encode := range encodings {
		for _, host := range []string{"https://api.example/", "http://log.example/"} {
			req := request(t, "GET", host, nil)
			req.URL.RawQuery = "form=" + strings.ReplaceAll(strings.ReplaceAll(name, "+", "%2B"), " ", "+")
			resp, body, err := do(r, req)
			if err != nil {
				t.Fatal(err)
			}
			all := fmt.Sprint(resp.Status, resp.Header, body, resp.Trailer, resp.Request.Header)
			if form := encode(theSecret); strings.Contains(strings.ToLower(all), strings.ToLower(form)) || strings.Contains(all, form[:len(form)/2]) || strings.Count(all, "[redacted]") < 3 {
				t.Errorf("%s of %s: %s", name, host, all)
			}
		}
	}
	list := l.told(egress.KindRedacted)
	if len(list) < 2*len(encodings) || list[0].Secret != "key" {
		t.Errorf("%d events: %+v", len(list), list)
	}
	text, err := json.Marshal(l.events)
	if err != nil || strings.Contains(string(text), theSecret) {
		t.Errorf("%s, %v", text, err)
	}
}

// TestSecretInOtherEncoding: a body in which secrets cannot be found is not given to the script, whatever it asks for.
func TestSecretInOtherEncoding(t *testing.T) {
	l := newLab(t)
	accepts := ""
	l.secure("api.example", func(w http.ResponseWriter, r *http.Request) {
		accepts = r.Header.Get("Accept-Encoding")
		w.Header().Set("Content-Encoding", r.URL.Path[1:])
		io.WriteString(w, "xyz")
	})
	r := l.secretly(listOf(t, "GET https://api.example/**"), egress.Secret{Name: "key", Hosts: []string{"api.example"}})
	for _, encoding := range []string{"br", "zstd", "deflate", "gzip, gzip", "x"} {
		req := request(t, "GET", "https://api.example/", nil)
		req.URL.Path = "/" + encoding
		req.Header.Set("Accept-Encoding", encoding)
		if _, body, err := do(r, req); err == nil || body != "" || accepts != "gzip" || !strings.Contains(err.Error(), "secrets cannot be found") {
			t.Errorf("%s: %q, %v; accepts %s", encoding, body, err, accepts)
		}
	}
	if _, body, err := get(r, "https://api.example/identity"); err != nil || body != "xyz" {
		t.Errorf("%q, %v", body, err)
	}
}

// TestSecretInError: an error with what a server has sent has no secret.
func TestSecretInError(t *testing.T) {
	l := newLab(t)
	l.secure("api.example", hello)
	l.raw("log.example", func(c net.Conn) {
		readRequest(c)
		io.WriteString(c, "HTTP/1.1 "+theSecret+" OK\r\n\r\n")
	})
	r := l.secretly(listOf(t, "GET https://api.example/**", "GET http://log.example/**"), egress.Secret{Name: "key", Hosts: []string{"api.example"}})
	if _, _, err := get(r, "http://log.example/"); err == nil || strings.Contains(err.Error(), theSecret) || !strings.Contains(err.Error(), "[redacted]") {
		t.Errorf("%v", err)
	}
	if ends := l.told(egress.KindEnd); len(ends) != 1 || strings.Contains(ends[0].Error, theSecret) {
		t.Errorf("%+v", ends)
	}
}

// TestValuePrints: the value of a secret is in no text of a policy.
func TestValuePrints(t *testing.T) {
	p := egress.Policy{Secrets: []egress.Secret{{Name: "key", Value: egress.NewValue(theSecret)}}}
	hidden := struct{ v egress.Value }{p.Secrets[0].Value} // of which fmt calls no method
	var text strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%p"} {
		fmt.Fprintf(&text, strings.Repeat(verb, 6), p, p.Secrets[0].Value, &p.Secrets[0], &p.Secrets[0].Value, hidden, &hidden)
	}
	data, err := json.Marshal(map[string]any{"policy": p, "value": p.Secrets[0].Value})
	if err != nil {
		t.Fatal(err)
	}
	text.Write(data)
	slog.New(slog.NewJSONHandler(&text, nil)).Info("x", "value", p.Secrets[0].Value, "policy", p)
	slog.New(slog.NewTextHandler(&text, nil)).Info("x", "value", p.Secrets[0].Value, "policy", p)
	for name, encode := range encodings {
		if strings.Contains(text.String(), encode(theSecret)) {
			t.Errorf("%s: %s", name, text.String())
		}
	}
}

// TestSecretErrors: each wrong secret is an error that says what to do, without its value.
func TestSecretErrors(t *testing.T) {
	good := egress.Secret{Name: "key", Value: egress.NewValue(theSecret), Hosts: []string{"api.example"}}
	change := func(f func(*egress.Secret)) egress.Secret {
		s := good
		f(&s)
		return s
	}
	for want, s := range map[string]egress.Secret{
		"it has no name":                    change(func(s *egress.Secret) { s.Name = "" }),
		"its value is not of 8":             change(func(s *egress.Secret) { s.Value = egress.NewValue("1234567") }),
		"its value is not of 8 to 4096":     change(func(s *egress.Secret) { s.Value = egress.NewValue(strings.Repeat("x", 4097)) }),
		"visible ASCII":                     change(func(s *egress.Secret) { s.Value = egress.NewValue(theSecret + "\r\nX: y") }),
		"other than % and":                  change(func(s *egress.Secret) { s.Value = egress.NewValue(theSecret + "%") }),
		"header and scheme are words":       change(func(s *egress.Secret) { s.Header = "X: y" }),
		"header and scheme are":             change(func(s *egress.Secret) { s.Scheme = "a b" }),
		"header Host is the gate's":         change(func(s *egress.Secret) { s.Header = "host" }),
		"header Connection is the gate's":   change(func(s *egress.Secret) { s.Header = "Connection" }),
		"it has no hosts":                   change(func(s *egress.Secret) { s.Hosts = nil }),
		"no rule allows https requests to":  change(func(s *egress.Secret) { s.Hosts = []string{"api.example", "apl.example"} }),
		"requests to api.example:8443":      change(func(s *egress.Secret) { s.Hosts = []string{"api.example:8443"} }),
		"requests to plain.example":         change(func(s *egress.Secret) { s.Hosts = []string{"plain.example"} }),
		"two labels":                        change(func(s *egress.Secret) { s.Hosts = []string{"*.example"} }),
		"its host is neither":               change(func(s *egress.Secret) { s.Hosts = []string{"127.1"} }),
		`method "GTE"; did you mean "GET"?`: change(func(s *egress.Secret) { s.Methods = []string{"GTE"} }),
		"is not sent with CONNECT":          change(func(s *egress.Secret) { s.Methods = []string{"GET", "CONNECT"} }),
		"requests to tunnel.example":        change(func(s *egress.Secret) { s.Hosts = []string{"tunnel.example"} }),
		`path "x" is not of the form`:       change(func(s *egress.Secret) { s.Paths = []string{"x"} }),
	} {
		p := listOf(t, "GET https://api.example/**", "GET http://plain.example/**", "CONNECT https://tunnel.example/**")
		p.Secrets = []egress.Secret{s}
		if _, err := egress.New(p, egress.Options{}); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), theSecret) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	p := listOf(t, "GET https://api.example/**")
	p.Secrets = []egress.Secret{good, good}
	if _, err := egress.New(p, egress.Options{}); err == nil || !strings.Contains(err.Error(), "there are two of this name") {
		t.Errorf("%v", err)
	}
}

// TestSecretAnnounced: the names of trailers, which come before the body, tell no secret either.
func TestSecretAnnounced(t *testing.T) {
	leavesNothing(t)
	l := newLab(t)
	l.secure("api.example", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Trailer", fmt.Sprintf("X-%x", r.Header.Get("Authorization")))
		io.WriteString(w, "x")
	})
	r := l.secretly(listOf(t, "GET https://api.example/x"), egress.Secret{Name: "key", Hosts: []string{"api.example"}})
	req, _ := http.NewRequestWithContext(t.Context(), "GET", "https://api.example/x", nil)
	resp, err := r.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text := strings.ToLower(fmt.Sprint(resp.Trailer)); strings.Contains(text, fmt.Sprintf("%x", theSecret)) {
		t.Errorf("the secret is in the names of trailers: %s", text)
	}
	if len(l.told(egress.KindRedacted)) != 1 {
		t.Error("no event says that it was there")
	}
}
