package egress_test

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// listOf is a policy of rules as the command has them.
func listOf(t testing.TB, texts ...string) egress.Policy {
	t.Helper()
	p := egress.Policy{}
	for _, text := range texts {
		r, err := egress.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		p.Rules = append(p.Rules, r)
	}
	return p
}

// TestRules: what rules allow, and nothing else.
func TestRules(t *testing.T) {
	d, err := egress.NewDecider(listOf(t,
		"GET,POST https://api.example.com/v1/*",
		"https://files.example.com",
		"DELETE https://files.example.com/tmp/**",
		"GET https://*.cdn.example.com/**",
		"GET http://plain.example.com:8080,8081/**",
		"GET https://exact.cdn.example.com/only",
		"GET https://root.example.com/",
		"PUT https://[2606:4700::1111]/**",
		"GET https://bücher.example/kä*/**",
	))
	if err != nil {
		t.Fatal(err)
	}
	for request, want := range map[string]int{ // the number of the rule, from 1; 0 is refused
		"GET https://api.example.com/v1/x": 1, "POST https://API.example.com.:443/v1/x?y=../..": 1, "GET https://api.example.com/v1/x/": 1, "GET https://api.example.com/v1/%78": 1,
		"PUT https://api.example.com/v1/x": 0, "get https://api.example.com/v1/x": 0, "GET http://api.example.com/v1/x": 0, "GET https://api.example.com:8443/v1/x": 0,
		"GET https://api.example.com/v1": 0, "GET https://api.example.com/v1/": 0, "GET https://api.example.com/v1/x/y": 0, "GET https://api.example.com/V1/x": 0, "GET https://api.example.com/": 0,
		"GET https://api.example.com/v1/..": 0, "GET https://api.example.com/v1/.": 0, "GET https://api.example.com/v1/%2e%2e": 0, "GET https://api.example.com/x/../v1/x": 0,
		"GET https://api.example.com//v1/x": 0, "GET https://api.example.com/v1//x": 0, "GET https://api.example.com/v1/a%2fb": 0, "GET https://api.example.com/v1/a%5cb": 0,
		"GET https://api.example.com/v1/a;b": 0, "GET https://api.example.com/v1/%252e": 0, "GET https://api.example.com/v1/%00": 0, "GET https://api.example.com/v1/x%0d%0a": 0,
		"GET https://api.example.com.evil.org/v1/x": 0, "GET https://evil.org/api.example.com/v1/x": 0, "GET https://xapi.example.com/v1/x": 0, "GET https://example.com/v1/x": 0,

		"GET https://files.example.com/any/where/../../x": 2, "HEAD https://files.example.com/": 2, "GET https://files.example.com/a%2fb;c": 2, "POST https://files.example.com/": 0,
		"DELETE https://files.example.com/tmp/a/b": 3, "DELETE https://files.example.com/tmp": 3, "DELETE https://files.example.com/": 0, "DELETE https://files.example.com/tmp/../x": 0,

		"GET https://a.cdn.example.com/x": 4, "GET https://a-b.cdn.example.com/": 4, "GET https://cdn.example.com/": 0, "GET https://a.b.cdn.example.com/": 0, "GET https://xcdn.example.com/": 0,
		"GET https://a.cdn.example.com.evil.org/": 0,
		"GET https://exact.cdn.example.com/only":  6, "GET https://exact.cdn.example.com/other": 4,

		"GET http://plain.example.com:8080/": 5, "GET http://plain.example.com:8081/": 5, "GET http://plain.example.com/": 0, "GET https://plain.example.com:8080/": 0,
		"GET https://root.example.com": 7, "GET https://root.example.com/?x": 7, "GET https://root.example.com/x": 0,
		"PUT https://[2606:4700:0::1111]/x":             8,
		"GET https://xn--bcher-kva.example/k%C3%A4se/x": 9, "GET https://BÜCHER.example/käse": 9, "GET https://bucher.example/käse": 0,
		"CONNECT https://api.example.com/v1/x": 0, "\x00 https://api.example.com/v1/x": 0,
	} {
		method, url, _ := strings.Cut(request, " ")
		rule, err := d.Decide(method, url)
		if (err == nil) != (want > 0) {
			t.Errorf("%s: %q, %v; want rule %d", request, rule, err, want)
			continue
		}
		if list := []string{"", "GET,POST https://api.", "GET,HEAD https://files.", "DELETE", "GET https://*.cdn", "GET http://plain", "GET https://exact", "GET https://root", "PUT", "GET https://bü"}; !strings.HasPrefix(rule, list[want]) {
			t.Errorf("%s: rule %q, want %d", request, rule, want)
		}
	}
}

// TestModes: none allows nothing, public allows public hosts on the usual ports, and what rules allow besides.
func TestModes(t *testing.T) {
	public := listOf(t, "POST http://db.corp:8080/** private=10.1.0.0/16")
	public.Mode = egress.Public
	for _, test := range []struct {
		policy  egress.Policy
		request string
		want    bool
	}{
		{egress.Policy{}, "GET https://example.com/", false},
		{egress.Policy{Mode: egress.None}, "GET https://example.com/", false},
		{public, "GET https://example.com/", true},
		{public, "DELETE http://example.com/a/../b", true},
		{public, "GET https://example.com:8443/", false},
		{public, "GET http://example.com:22/", false},
		{public, "CONNECT https://example.com/", false},
		{public, "POST http://db.corp:8080/x", true},
		{public, "GET http://db.corp:8080/x", false},
	} {
		d, err := egress.NewDecider(test.policy)
		if err != nil {
			t.Fatal(err)
		}
		method, url, _ := strings.Cut(test.request, " ")
		if _, err := d.Decide(method, url); (err == nil) != test.want {
			t.Errorf("mode %q, %s: %v", test.policy.Mode, test.request, err)
		}
	}
}

// TestRefusals: a refusal says what is listed, in one line and as JSON.
func TestRefusals(t *testing.T) {
	many := egress.Policy{}
	for i := range 9 {
		many.Rules = append(many.Rules, egress.Rule{Host: fmt.Sprintf("h%d.example.com", i), Path: "/"})
	}
	public := egress.Policy{Mode: egress.Public}
	for _, test := range []struct {
		policy        egress.Policy
		request, want string
	}{
		{listOf(t, "GET https://api.github.com/repos/*"), "GET https://x.y/", `GET https://x.y/ is not allowed: the policy lists GET https://api.github.com/repos/*`},
		{listOf(t, "GET https://api.github.com/repos/*"), "GET https://x.y/p?token=geheim#f", `GET https://x.y/p is not allowed: the policy lists GET https://api.github.com/repos/*`},
		{listOf(t, "GET https://api.github.com/repos/*"), "GET https://api.github.con/repos/x", `GET https://api.github.con/repos/x is not allowed: the policy lists GET https://api.github.com/repos/* (did you mean api.github.com?)`},
		{listOf(t, "GET https://a.example/x", "GET https://b.example/y", "PUT https://b.example/z"), "POST https://b.example/y", `POST https://b.example/y is not allowed: the policy lists GET https://b.example/y, PUT https://b.example/z`},
		{listOf(t, "GET https://a.example/x/*"), "GET https://a.example/x/../y", `GET https://a.example/x/../y is not allowed: the policy lists GET https://a.example/x/* (servers do not all read its path alike: write it without ., .., //, ; and encoded separators)`},
		{egress.Policy{}, "GET https://x.y/", `GET https://x.y/ is not allowed: the policy allows no network`},
		{public, "GET https://x.y:22/", `GET https://x.y:22/ is not allowed: the policy lists all public addresses on ports 80 and 443`},
		{many, "GET https://x.y/", `GET https://x.y/ is not allowed: the policy lists GET,HEAD https://h0.example.com/, GET,HEAD https://h1.example.com/, GET,HEAD https://h2.example.com/, GET,HEAD https://h3.example.com/, GET,HEAD https://h4.example.com/, GET,HEAD https://h5.example.com/, and 3 more`},
		{many, "GET /\r\nX: y https://x.y/", `"GET /\r\nX: y" https://x.y/`},
	} {
		d, err := egress.NewDecider(test.policy)
		if err != nil {
			t.Fatal(err)
		}
		i := strings.LastIndex(test.request, " ")
		_, err = d.Decide(test.request[:i], test.request[i+1:])
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || strings.Contains(err.Error(), "geheim") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", test.request, err)
		}
		denied, ok := err.(*decide.Denied)
		if !ok || denied.Code != decide.PolicyRefuses {
			t.Fatalf("%#v", err)
		}
		text, err := json.Marshal(denied)
		var back map[string]string
		if err != nil || json.Unmarshal(text, &back) != nil || back["code"] != "policy" || back["member"] != denied.Member || back["reason"] != denied.Reason {
			t.Errorf("%s, %v", text, err)
		}
	}
}

// TestRuleText: ParseRule and String are each other's inverse, and so are the keys of policy files.
func TestRuleText(t *testing.T) {
	for text, want := range map[string]string{
		"GET,POST https://api.example.com/v1/*":            "",
		"GET https://*.example.com/**":                     "",
		"GET http://localhost:8080/** loopback":            "",
		"GET https://db.corp:8443/x private=10.1.0.0/16":   "",
		"GET https://a.example:443,8443/**":                "",
		"GET http://[::1]:8080/** loopback":                "",
		"PUT https://[fd00::1]/** private=fd00::/16":       "",
		"https://api.example.com":                          "GET,HEAD https://api.example.com/**",
		"HTTPS://api.example.com:443/x":                    "GET,HEAD https://api.example.com/x",
		"  GET   https://a.example/x  loopback ":           "GET https://a.example/x loopback",
		"GET https://a.corp/x private":                     "GET https://a.corp/x private=10.0.0.0/8 private=172.16.0.0/12 private=192.168.0.0/16 private=fc00::/7",
		"GET https://a.corp/x loopback private=10.0.0.0/8": "",
	} {
		if want == "" {
			want = text
		}
		r, err := egress.ParseRule(text)
		if err != nil || r.String() != want {
			t.Errorf("%q: %q, %v; want %q", text, r.String(), err, want)
			continue
		}
		again, err := egress.ParseRule(r.String())
		if err != nil || again.String() != want {
			t.Errorf("%q: %q, %v", r.String(), again.String(), err)
		}
		data, err := json.Marshal(r)
		var file egress.Rule
		if err != nil || json.Unmarshal(data, &file) != nil || !reflect.DeepEqual(file, r) {
			t.Errorf("%s: %v, %+v", data, err, file)
		}
	}
	for text, want := range map[string]string{
		"":                                 "there is no URL with a scheme",
		"GET":                              "there is no URL with a scheme",
		"GET api.example.com":              "there is no URL with a scheme",
		"GET https://a.example/ lopback":   `unknown word "lopback"; did you mean "loopback"?`,
		"GET https://a.example/ x":         `unknown word "x"; there are loopback, private`,
		"GET https://a.example/ private=x": `"x" is not a range of addresses; write private=10.0.0.0/8`,
		"GET https://a.example:x/":         `port "x" is not a number`,
		"GET https://a.example:80,/":       `port "" is not a number`,
		"GET https://a.example:70000/":     `port "70000" is not a number`,
		"GTE https://a.example/":           `method "GTE"; did you mean "GET"?`,
		"GET http://localhost/":            "localhost is this machine; add loopback",
		"GET POST https://a.example/":      "methods are one word, with commas and no spaces",
		"GET, POST https://a.example/":     "methods are one word, with commas and no spaces",
		"GET https://a.example:80?x=1":     "queries and fragments are not compared; write the URL without ? and #",
		"GET https://a.example/p?x=1":      "queries and fragments are not compared",
		"GET https://user:key@a.example/":  "a rule has no user",
	} {
		if r, err := egress.ParseRule(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want %q", text, r.String(), err, want)
		}
	}
}

// TestCompileErrors: each wrong rule is named, with the way forward.
func TestCompileErrors(t *testing.T) {
	prefix := netip.MustParsePrefix
	rule := func(r egress.Rule) egress.Policy { return egress.Policy{Rules: []egress.Rule{r}} }
	for want, p := range map[string]egress.Policy{
		`mode "lst"; did you mean "list"?`:                                             {Mode: "lst"},
		"mode none allows nothing, but there are rules":                                {Mode: egress.None, Rules: []egress.Rule{{Host: "a.example"}}},
		"mode list has no rules":                                                       {Mode: egress.List},
		"its host is neither a name nor an IP":                                         rule(egress.Rule{Host: "127.1"}),
		`host "https://a.example" is more than a name or an IP address; scheme, ports`: rule(egress.Rule{Host: "https://a.example"}),
		`host "a.example/v1" is more than a name`:                                      rule(egress.Rule{Host: "a.example/v1"}),
		"it has no host":                                                                rule(egress.Rule{}),
		"for all public hosts use mode public":                                          rule(egress.Rule{Host: "*"}),
		"behind the *. there are at least two labels":                                   rule(egress.Rule{Host: "*.com"}),
		"behind the *. there are at least two labels, as":                               rule(egress.Rule{Host: "*.10.0.0.1", Private: []netip.Prefix{prefix("10.0.0.0/8")}}),
		"a host is a name, or *. and at least":                                          rule(egress.Rule{Host: "a*.example.com"}),
		"a host is a name, or *. and":                                                   rule(egress.Rule{Host: "*.*.example.com"}),
		"has a port; ports are a field":                                                 rule(egress.Rule{Host: "a.example:80"}),
		"localhost is this machine; add loopback":                                       rule(egress.Rule{Host: "LocalHost."}),
		"127.0.0.1 is loopback (RFC 1122); add loopback":                                rule(egress.Rule{Host: "127.0.0.1"}),
		"10.0.0.1 is private (RFC 1918); add private=10.0.0.1/32":                       rule(egress.Rule{Host: "10.0.0.1"}),
		"fd00::1 is unique local, which is private (RFC 4193); add private=fd00::1/128": rule(egress.Rule{Host: "fd00::1"}),
		"169.254.169.254 is the metadata service of clouds; no rule can open it":        rule(egress.Rule{Host: "169.254.169.254", Loopback: true}),
		"fd00:ec2::254 is the metadata and credentials services of AWS; no rule":        rule(egress.Rule{Host: "fd00:ec2::254", Private: []netip.Prefix{prefix("fc00::/7")}}),
		"no rule can open 169.254.0.0/16":                                               rule(egress.Rule{Host: "a.example", Private: []netip.Prefix{prefix("169.254.0.0/16")}}),
		"no rule can open 127.0.0.0/8":                                                  rule(egress.Rule{Host: "a.example", Private: []netip.Prefix{prefix("127.0.0.0/8")}}),
		"8.8.8.0/24 is not within a private range":                                      rule(egress.Rule{Host: "a.example", Private: []netip.Prefix{prefix("8.8.8.0/24")}}),
		"no rule can open 0.0.0.0/0":                                                    rule(egress.Rule{Host: "a.example", Private: []netip.Prefix{prefix("0.0.0.0/0")}}),
		"did you mean 10.1.0.0/16?":                                                     rule(egress.Rule{Host: "a.example", Private: []netip.Prefix{prefix("10.1.2.3/16")}}),
		`scheme "htps"; did you mean "https"?`:                                          rule(egress.Rule{Host: "a.example", Scheme: "htps"}),
		`method "GTE"; did you mean "GET"?`:                                             rule(egress.Rule{Host: "a.example", Methods: []string{"GTE"}}),
		`method "get"; did you mean "GET"?`:                                             rule(egress.Rule{Host: "a.example", Methods: []string{"get"}}),
		`method "Connect"; did you mean "CONNECT"?`:                                     rule(egress.Rule{Host: "a.example", Methods: []string{"Connect"}}),
		"CONNECT shows host and port alone":                                             rule(egress.Rule{Host: "a.example", Methods: []string{"CONNECT"}, Path: "/v1/**"}),
		"CONNECT shows host and port alone: write":                                      rule(egress.Rule{Host: "a.example", Methods: []string{"GET", "CONNECT"}, Scheme: "http"}),
		"there is no port 0":                                                            rule(egress.Rule{Host: "a.example", Ports: []uint16{0}}),
		"queries and fragments are not compared":                                        rule(egress.Rule{Host: "a.example", Path: "/x?y=*"}),
		`path "v1/*" is not of the form`:                                                rule(egress.Rule{Host: "a.example", Path: "v1/*"}),
		`path "/v1/../*" is not of the form`:                                            rule(egress.Rule{Host: "a.example", Path: "/v1/../*"}),
		`** is a whole part`:                                                            rule(egress.Rule{Host: "a.example", Path: "/v1/a**"}),
		"limit first_byte is negative":                                                  {Limits: egress.Limits{FirstByte: -1}},
		"limit tenant.sent is negative":                                                 {Limits: egress.Limits{Tenant: egress.Quota{Sent: -1}}},
	} {
		g, err := egress.New(p, egress.Options{})
		if err == nil || !strings.Contains(err.Error(), want) || g != nil {
			t.Errorf("%+v: %v; want %q", p, err, want)
		}
	}
	_, err := egress.New(egress.Policy{Rules: []egress.Rule{
		{Host: "a.example", Methods: []string{"GTE"}, Path: "/"}, {Host: "b.example"}, {Host: "*.com", Methods: []string{"GET"}, Path: "/"},
	}}, egress.Options{})
	if err == nil || strings.Count(err.Error(), "\n") != 1 || !strings.Contains(err.Error(), "rule 1 (GTE https://a.example/)") || !strings.Contains(err.Error(), "rule 3 (GET https://*.com/)") {
		t.Errorf("%v: not each wrong rule is named", err)
	}
}
