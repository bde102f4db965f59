package page_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/pace"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/page"
)

// skeleton is the elements of a page, with the names of their attributes: all but text and values.
func skeleton(text string) (list []string) {
	for z := html.NewTokenizer(strings.NewReader(text)); z.Next() != html.ErrorToken; {
		token := z.Token()
		if token.Type == html.TextToken {
			continue
		}
		one := token.Type.String() + " " + token.Data
		for _, a := range token.Attr {
			one += " " + a.Key
		}
		list = append(list, one)
	}
	return list
}

// A formRequest is a way in which the text of a client comes into a page.
type formRequest struct {
	method, path string
	in           string // body, query or path
	loggedIn     bool
}

func formRequests() []formRequest {
	return []formRequest{
		{"POST", "/login", "body", false}, {"POST", "/logout", "body", false}, // with a login they would end it
		{"GET", "/login", "query", false}, {"GET", "/", "query", false}, {"GET", "/runs", "query", true},
		{"GET", "/runs/", "path", true}, {"GET", "/sessions/", "path", true}, {"GET", "/policies/", "path", true}, {"GET", "/runs/", "path", false},
	}
}

// FuzzForms sends any text to each form and page, as the bodies of forms and in addresses. The server has no fault, leads nowhere but to
// pages of its own, and shows pages that have the elements which they have for a harmless text.
func FuzzForms(f *testing.F) {
	ring, tokens := &keys.Ring{}, map[string]string{}
	for _, tenant := range []string{"reads", "logs-in"} { // of each key few logins are kept
		token, key, err := keys.New(tenant, keys.User)
		if err != nil {
			f.Fatal(err)
		}
		ring.Add(key)
		tokens[tenant] = token
	}
	token := tokens["logs-in"]
	handler := page.Handler(ring, http.NotFoundHandler(), pace.Bounds{})
	ask := func(r formRequest, text, contentType, site, cookie string) *httptest.ResponseRecorder {
		body := ""
		if r.in == "body" {
			body = text
		}
		q := httptest.NewRequest(r.method, "http://localhost"+r.path, strings.NewReader(body))
		switch r.in {
		case "query":
			q.URL.RawQuery = text
		case "path":
			q.URL = &url.URL{Path: r.path + text}
		}
		q.RequestURI = q.URL.RequestURI()
		q.Header = http.Header{"Content-Type": {contentType}, "Sec-Fetch-Site": {site}, "Cookie": {cookie}}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, q)
		return w
	}
	in := ask(formRequests()[0], "key="+tokens["reads"], form, "same-origin", "")
	if in.Code != http.StatusSeeOther {
		f.Fatalf("%d: %s", in.Code, in.Body)
	}
	login, _, _ := strings.Cut(in.Header().Get("Set-Cookie"), ";")
	harmless := map[string][]string{}
	shape := func(r formRequest, w *httptest.ResponseRecorder) string {
		return r.path + " " + http.StatusText(w.Code)
	}
	for _, r := range formRequests() {
		for _, site := range []string{"same-origin", "cross-site"} {
			if r.in != "body" || r.path == "/login" {
				w := ask(r, "next=a", form, site, map[bool]string{true: login}[r.loggedIn])
				harmless[shape(r, w)] = skeleton(w.Body.String())
			}
		}
	}
	types := []string{form, "multipart/form-data; boundary=b", "text/plain", ""}
	for i := range formRequests() {
		for _, seed := range []string{
			"key=" + token + "&next=/runs", "key=" + token + "&next=//example.com", "key=" + token + "&next=/%5cexample.com", "key=" + token + "&next=/%09/example.com",
			`next="><script>alert(1)</script>`, "next=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E&key=x", "next=javascript:alert(1)", "next=/\r\nSet-Cookie:a=b", "next=/%0d%0aSet-Cookie:a=b",
			`"><script>alert(1)</script>`, "run_a' onload='x", "..%2f..", "\xff\x00", "--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\n" + token + "\r\n--b--\r\n", "%zz", "a;b=c", "",
			strings.Repeat("next=/&", 2000),
		} {
			f.Add(uint8(i), uint8(len(seed)), true, seed)
			f.Add(uint8(i), uint8(0), false, seed)
		}
	}
	f.Fuzz(func(t *testing.T, n, of uint8, same bool, text string) {
		r := formRequests()[int(n)%len(formRequests())]
		site := map[bool]string{true: "same-origin", false: "cross-site"}[same]
		w := ask(r, text, types[int(of)%len(types)], site, map[bool]string{true: login}[r.loggedIn])
		if w.Code >= http.StatusInternalServerError || r.loggedIn && w.Code == http.StatusSeeOther {
			t.Errorf("%+v %q: %d: %s", r, text, w.Code, w.Body)
		}
		if to := w.Header().Get("Location"); to != "" {
			at, err := (&url.URL{Scheme: "http", Host: "localhost", Path: "/"}).Parse(strings.ReplaceAll(to, `\`, "/")) // as browsers read it
			if err != nil || at.Host != "localhost" || at.Scheme != "http" || strings.ContainsAny(to, "\t\r\n") {
				t.Errorf("%+v %q leads to %q, %v", r, text, to, err)
			}
		}
		if cookies := w.Result().Cookies(); len(cookies) > 1 || len(cookies) == 1 && !strings.HasSuffix(cookies[0].Name, "sandtrapd") {
			t.Errorf("%+v %q sets %v", r, text, cookies)
		}
		if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") || w.Code >= 300 && w.Code < 400 {
			return
		}
		if w.Header().Get("Content-Security-Policy") == "" {
			t.Errorf("%+v %q: a page without a policy for its contents", r, text)
		}
		if want, got := harmless[shape(r, w)], skeleton(w.Body.String()); !slices.Equal(got, want) || len(want) == 0 {
			t.Errorf("%+v %q: %d has the elements %q, want %q", r, text, w.Code, got, want)
		}
	})
}
