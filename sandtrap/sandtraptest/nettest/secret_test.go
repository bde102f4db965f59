package nettest

import (
	"context"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// theSecret returns the value of the tests. It is not a constant, so that no process has it but this one.
func theSecret() string {
	key, err := os.ReadFile("/proc/sys/kernel/random/uuid")
	if err != nil {
		return fmt.Sprintf("s3cr3t-%d-%d", os.Getpid(), os.Getppid())
	}
	return "s3cr3t-" + strings.TrimSpace(string(key))
}

// A keyed server wants a key, and tells it to all.
type keyed struct {
	*httptest.Server
	secret string
	gate   *egress.Gate
	told   func() []egress.Event

	mu   sync.Mutex
	seen []string // host, path, and the headers Authorization and X-Auto of each request
}

func newKeyed(t *testing.T) *keyed {
	s := &keyed{secret: theSecret()}
	s.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		host, _, _ := strings.Cut(r.Host, ":")
		s.seen = append(s.seen, strings.TrimSpace(host+r.URL.Path+" "+r.Header.Get("Authorization")+" "+r.Header.Get("X-Auto")))
		s.mu.Unlock()
		key := r.Header.Get("Authorization")
		switch {
		case r.URL.Path == "/away":
			http.Redirect(w, r, strings.Replace(s.at("example.com"), "/v1", "/v1/next", 1), http.StatusFound)
		case r.URL.Path == "/leave":
			http.Redirect(w, r, s.at("127.0.0.1")+"/next", http.StatusFound)
		case r.URL.Path == "/here":
			http.Redirect(w, r, "/v1/next", http.StatusFound)
		default:
			w.Header().Set("X-Echo", key)
			fmt.Fprint(w, "marker-in-body ", key, base64.StdEncoding.EncodeToString([]byte(key)), hex.EncodeToString([]byte(key)), url.QueryEscape(key))
		}
	}))
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	policy := egress.Policy{}
	for _, host := range []string{"127.0.0.1", "example.com"} {
		rule, err := egress.ParseRule("GET,POST " + strings.TrimSuffix(s.at(host), "/v1") + "/** loopback")
		if err != nil {
			t.Fatal(err)
		}
		policy.Rules = append(policy.Rules, rule)
	}
	u, _ := url.Parse(s.URL)
	policy.Secrets = []egress.Secret{{
		Name: "github", Value: egress.NewValue(s.secret), Hosts: []string{"example.com:" + u.Port()}, Methods: []string{"GET"},
		Paths: []string{"/v1/**", "/here", "/leave"}, Scheme: "Bearer", OnRequest: true,
	}, {Name: "auto", Value: egress.NewValue("by-itself"), Hosts: []string{"example.com:" + u.Port()}, Paths: []string{"/v1/**"}, Header: "X-Auto"}}
	var mu sync.Mutex
	var events []egress.Event
	s.told = func() []egress.Event {
		mu.Lock()
		defer mu.Unlock()
		return events
	}
	var err error
	s.gate, err = egress.New(policy, egress.Options{
		Roots: roots,
		Resolve: func(context.Context, string) ([]netip.Addr, error) {
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		},
		Observe: func(e egress.Event) { mu.Lock(); events = append(events, e); mu.Unlock() },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.gate.Close() })
	return s
}

// at is the URL of the API at a host.
func (s *keyed) at(host string) string { return strings.Replace(s.URL, "127.0.0.1", host, 1) + "/v1" }

// took are the requests that came since the last call.
func (s *keyed) took() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := strings.ReplaceAll(strings.Join(s.seen, "\n"), s.secret, "SECRET")
	s.seen = nil
	return text
}

func (s *keyed) run(t *testing.T, box *sandtrap.Sandbox, text string) *sandtrap.Result {
	t.Helper()
	const begin = "api, other := os.Args[1], os.Args[2]\n_ = other\nreq, _ := http.NewRequest(\"GET\", api + \"/x\", nil)\n" +
		"key, err := secrets.Get(\"github\")\nif err != nil { panic(err) }\n" +
		"send := func(r *http.Request) { resp, err := http.DefaultClient.Do(r); if err != nil { fmt.Println(err); return }\nb, err := io.ReadAll(resp.Body); fmt.Println(resp.StatusCode, resp.Header, string(b), err) }\n_ = send\n"
	res, err := box.Run(t.Context(), sandtrap.Script{Text: begin + text, Args: []string{"x", s.at("example.com"), s.at("127.0.0.1")}})
	if err != nil {
		t.Fatalf("%v: %s", err, res.Stdout)
	}
	return res
}

// TestSecret: a script has a secret sent with a request that it names, in the header of the secret, and with no other; a redirect to
// another host, or from one, does not have it.
func TestSecret(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		s := newKeyed(t)
		p.Std = append(p.Std, "encoding/json", "encoding/gob")
		box := mustBox(t, p, s.gate)
		for name, tc := range map[string]struct{ script, seen, out string }{
			"not set":        {`send(req)`, "example.com/v1/x  by-itself", "200"},
			"set":            {`key.Set(req); key.Set(req); send(req)`, "example.com/v1/x Bearer SECRET by-itself", "200"},
			"in its header":  {`req.Header.Set("Authorization", "mine"); key.Set(req); send(req); fmt.Println(req.Header)`, "example.com/v1/x Bearer SECRET by-itself", "map[Authorization:[mine]]"},
			"once":           {`r := req.Clone(req.Context()); key.Set(req); send(req); send(r)`, "example.com/v1/x Bearer SECRET by-itself\nexample.com/v1/x  by-itself", "200"},
			"clone":          {`key.Set(req); send(req.Clone(req.Context()))`, "example.com/v1/x Bearer SECRET by-itself", "200"},
			"by hand":        {`req.Header.Set("Authorization", fmt.Sprint(key)); send(req)`, "example.com/v1/x secret github by-itself", "200"},
			"another host":   {`req, _ = http.NewRequest("GET", other, nil); key.Set(req); send(req)`, "", `the secret "github" is for GET https://example.com`},
			"another method": {`req.Method = "POST"; key.Set(req); send(req)`, "", `the secret "github" is for GET`},
			"stays":          {`req.URL.Path = "/here"; key.Set(req); send(req)`, "example.com/here Bearer SECRET\nexample.com/v1/next Bearer SECRET by-itself", "200"},
			"leaves":         {`req.URL.Path = "/leave"; key.Set(req); send(req)`, "example.com/leave Bearer SECRET\n127.0.0.1/v1/next", "200"},
			"comes":          {`req, _ = http.NewRequest("GET", strings.Replace(other, "/v1", "/away", 1), nil); send(req)`, "127.0.0.1/away\nexample.com/v1/next", "200"},
			"unknown":        {`_, err = secrets.Get("gitub"); fmt.Println(err); _, err = secrets.Get("zzzzzzzz"); fmt.Println(err)`, "", "secrets: there is no secret \"gitub\"; did you mean \"github\"?\nsecrets: there is no secret \"zzzzzzzz\"; there are [\"github\"]\n"},
			"zero":           {`var k secrets.Secret; k.Set(req); send(req)`, "", `there is no secret ""`},
			"prints": {`for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%T"} { fmt.Printf(verb + " ", key) }
				b, err := json.Marshal(map[string]any{"k": key}); fmt.Println(string(b), err, fmt.Errorf("no %v", key))`, "",
				"secret github secret github secret github secret github secret github secret github secret github secrets.Secret {\"k\":\"secret github\"} <nil> no secret github\n"},
		} {
			res := s.run(t, box, tc.script)
			if seen := s.took(); seen != tc.seen || !strings.Contains(res.Stdout, tc.out) {
				t.Errorf("%s: the server saw %q, want %q; the script printed %s", name, seen, tc.seen, res.Stdout)
			}
			if strings.Contains(res.Stdout+res.Stderr, s.secret) {
				t.Errorf("%s: the script has the secret: %s", name, res.Stdout)
			}
		}
	})
}

// TestWithoutSecrets: the package is there with secrets that scripts can use, and it can be excluded.
func TestWithoutSecrets(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		const script = `fmt.Println(secrets.Get("github"))`
		if _, err := mustBox(t, p, newServer(t).gate(t)).Run(t.Context(), sandtrap.Script{Text: script}); err == nil {
			t.Error("there is a package without secrets")
		}
		p.Exclude = []string{"secrets"}
		if _, err := mustBox(t, p, newKeyed(t).gate).Run(t.Context(), sandtrap.Script{Text: script}); err == nil {
			t.Error("the package was not excluded")
		}
	})
}

// TestSecretInNoSink: a secret that a server echoes is in no record, event, result, error or output, in no form.
func TestSecretInNoSink(t *testing.T) {
	eachIsolation(t, func(t *testing.T, p sandtrap.Policy) {
		s := newKeyed(t)
		var l ledger
		var out strings.Builder
		path := t.TempDir() + "/record"
		log, err := record.Open(path, record.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p.Guard = &guard.Policy{Record: record.Tee(l.sink(), log)}
		p.Echo = sandtrap.EchoLast
		box := mustBox(t, p, s.gate)
		events := make(chan sandtrap.Event, 1000)
		res, err := box.Run(t.Context(), sandtrap.Script{
			Text: `key, _ := secrets.Get("github")
			for _, u := range []string{os.Args[1] + "/x?key=1", os.Args[2], "http" + os.Args[1][5:]} {
				req, _ := http.NewRequest("GET", u, nil)
				key.Set(req)
				resp, err := http.DefaultClient.Do(req)
				fmt.Println(resp, err)
				if err == nil { io.Copy(os.Stdout, resp.Body) }
			}
			panic(fmt.Sprint(key))`,
			Args: []string{"x", s.at("example.com"), s.at("127.0.0.1")}, Events: events, Stdout: &out,
		})
		if err == nil || !strings.Contains(s.took(), "SECRET") || !strings.Contains(res.Stdout, "[redacted]") {
			t.Errorf("%v: %s", err, res.Stdout)
		}
		log.Close()
		file, _ := os.ReadFile(path)
		whole, _ := json.Marshal(res)
		sinks := map[string]string{
			"output": out.String() + res.Stdout + res.Stderr, "result": string(whole), "error": fmt.Sprintf("%+v %#v", err, err), "record": l.text(t),
			"file": string(file), "gate": fmt.Sprintf("%+v %+v", s.told(), s.gate.Secrets()),
		}
		close(events)
		for e := range events {
			sinks["events"] += fmt.Sprintf("%+v", e)
		}
		for name, text := range sinks {
			if text == "" {
				t.Errorf("%s is empty", name)
			}
			for _, form := range []string{s.secret, base64.StdEncoding.EncodeToString([]byte("Bearer " + s.secret))[:30], hex.EncodeToString([]byte(s.secret)), url.QueryEscape("Bearer " + s.secret)} {
				if strings.Contains(text, form) {
					t.Errorf("the secret is in %s, as %s", name, form)
				}
			}
		}
		noted := false
		for _, e := range l.events {
			noted = noted || e.Kind == record.KindReturn && e.Reason == "the response had a secret, which was replaced: github"
		}
		if !noted {
			t.Errorf("the record does not say that the response had the secret: %+v", l.events)
		}
	})
}
