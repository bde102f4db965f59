package rules_test

import (
	"fmt"
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// TestURLForms: forms of one URL are one URL, others are others, and one that clients do not read alike is neither.
func TestURLForms(t *testing.T) {
	c := rules.Condition{Param: "x", URL: []string{"https://api.example.com/v1/**", "http://**.internal/**", "*://[::1]:*/**", "http://127.0.0.1/**"}}
	not := rules.Condition{Not: &c}
	for _, u := range []string{
		"https://api.example.com/v1/x", "HTTPS://API.Example.COM/v1/x", "https://api.example.com:443/v1/x", "https://api.example.com./v1/x",
		"https://api.example.com/a/../v1/x", "https://api.example.com//v1/x", "https://api.example.com/v1", "https://api.example.com/./v1/x?y#z",
		"https://api.example.com/%76%31/x", "https://api.example.com/a/%2e%2e/v1/x", "https://api.example.com/a/.%2E/v1/", "https://api.example.com:/v1/",
		"http://internal/", "http://a.b.internal", "http://a.internal:80?x", "ftp://[::1]:99/x", "http://[0:0:0:0:0:0:0:1]/", "http://127.0.0.1/x",
	} {
		if !fires(t, c, u) || fires(t, not, u) {
			t.Errorf("%s: it does not match", u)
		}
	}
	for _, u := range []string{
		"https://api.example.com/v2/x", "http://api.example.com/v1/x", "https://api.example.com:8443/v1/x", "https://api.example.com.evil.org/v1/x",
		"https://evil.org/api.example.com/v1/x", "https://evil.org/?https://api.example.com/v1/x", "https://evil.org#@api.example.com/v1/x", "http://xinternal/",
		"https://api.example.com/v1/../v2", "https://api.example.com/v1/%2e%2e/v2", "https://api.example.com", "http://127.0.0.2/", "http://[::2]/",
	} {
		if fires(t, c, u) || !fires(t, not, u) {
			t.Errorf("%s: it matches", u)
		}
	}
	for _, u := range []string{
		"", "api.example.com/v1/x", "//api.example.com/v1/x", "https:api.example.com/v1/x", "https:/api.example.com/v1/x", "https:///api.example.com/v1/x",
		"https://evil.org@api.example.com/v1/x", "https://api.example.com@evil.org/v1/x", "https://api.example.com:x@evil.org/v1/x", "https://a:b:c/",
		"https://evil.org\\@api.example.com/v1/x", "https:\\\\api.example.com\\v1\\x", " https://api.example.com/v1/x", "https://api.example.com/v1/x\n/y",
		"https://api\t.example.com/v1/x", "https://api.example.com%2f@evil.org/", "https://ａpi.example.com/v1/x", "https://api。example.com/v1/x",
		"http://0177.0.0.1/x", "http://0x7f.0.0.1/x", "http://2130706433/x", "http://127.1/x", "http://127.0.0.1.1/x", "http://[::1%25eth0]/", "http://[::1/", "http://[127.0.0.1]/x",
		"https://api.example.com/v1%2f..%2fv2", "https://api.example.com/v1/%252e%252e/v2", "https://api.example.com/v1/..%5cv2", "https://api.example.com/v1/..;/v2",
		"https://api.example.com/%zz", "https://api.example.com/%7", "https://api.example.com:0443/v1", "https://api..example.com/v1/", "https://.example.com/", "https://./", "javascript://api.example.com/%0aalert(1)",
	} {
		if !fires(t, c, u) || !fires(t, not, u) {
			t.Errorf("%q: it is not blocked in doubt", u)
		}
	}
}

// TestManyURLs: of many rules about URLs those fire that are about the host, or any host; for an unclear URL each one does.
func TestManyURLs(t *testing.T) {
	var list []rules.Rule
	for i := range 20 {
		list = append(list, rules.Rule{Name: fmt.Sprint(i), On: []string{"fetch"}, Do: rules.Warn, When: []rules.Condition{{Param: "url", URL: []string{fmt.Sprintf("https://h%d.example/a/**", i)}}}})
	}
	list[7].When[0].URL = append(list[7].When[0].URL, "https://**.org/**")
	s := newSession(t, list...)
	for u, want := range map[string]string{"https://H3.example./b/../a/x": "3", "https://h3.example/b": "", "https://x.org/": "7", "https://h7.example/a": "7", "https://h99.example/a": ""} {
		got := ""
		for _, h := range s.call(nil, "fetch", u) {
			got += h.Rule
		}
		if got != want {
			t.Errorf("%s: %q, want %q", u, got, want)
		}
	}
	for _, u := range []string{"x", "https://h3.example@h4.example/a", "https://h3.example/%2f"} {
		if hits := s.call(nil, "fetch", u); len(hits) != len(list) {
			t.Errorf("%s: %d rules fire", u, len(hits))
		}
	}
}

// FuzzURL: a URL that is allowed is the allowed one to net/url, and one that is the forbidden one to net/url is blocked.
func FuzzURL(f *testing.F) {
	for _, u := range []string{"https://a.example/b/../c", "HTTP://A.b.:80/%41%2e/x?y#z", "http://[::ffff:1.2.3.4]:8080/", "http://1.2.3.4", "https://a@b/c", "https://A.example./x/../b/c"} {
		f.Add(u)
	}
	allowed := rules.Condition{Not: &rules.Condition{Param: "x", URL: []string{"https://a.example/b/**"}}}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := url.Parse(text)
		if !fires(t, allowed, text) && (err != nil || u.User != nil || u.Scheme != "https" || strings.TrimSuffix(strings.ToLower(u.Hostname()), ".") != "a.example" ||
			u.Port() != "" && u.Port() != "443" || !strings.HasPrefix(path.Clean(u.Path)+"/", "/b/")) {
			t.Errorf("%q is allowed: %v, %v", text, u, err)
		}
		if err != nil || u.Hostname() == "" || strings.ContainsAny(u.Host, "*?[") {
			return
		}
		host, file := strings.TrimSuffix(strings.ToLower(u.Hostname()), "."), path.Clean("/"+u.Path)
		if strings.ContainsAny(file, "*?[\\%;#") || strings.ContainsAny(host, "/\\: @") || strings.ContainsAny(u.Scheme, "*") || u.Scheme == "" {
			return
		}
		port := u.Port()
		if port == "" {
			port = map[string]string{"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}[u.Scheme]
		}
		if port != "" {
			port = ":" + port
		}
		same := rules.Condition{Param: "x", URL: []string{u.Scheme + "://" + host + port + (&url.URL{Path: file}).EscapedPath()}}
		m := memberOf("f", func(string) {}, "x")
		if _, err := rules.Compile([]rules.Rule{{Name: "r", On: []string{"f"}, When: []rules.Condition{same}, Do: rules.Block}}, []rules.Member{m}); err != nil {
			return
		}
		if !fires(t, same, text) {
			t.Errorf("%q is not %s", text, same.URL)
		}
	})
}
