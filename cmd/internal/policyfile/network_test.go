package policyfile

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// networkFile has all keys of network.
const networkFile = `
network:
  mode: list
  rules:
  - GET,POST https://api.example.com/v1/*
  - http://localhost:8080 loopback
  limits:
    run: {requests: 10, at_once: 2, sent: 1MiB, received: 2MiB}
    tenant: {requests: 20, at_once: 4, sent: 3MiB, received: 4MiB}
    header: 8KiB
    first_byte: 3s
    total: 1m
    ratio: 7
  secrets:
  - name: one
    env: SANDTRAP_TEST_SECRET
    hosts: [api.example.com]
    methods: [GET, POST]
    paths: [/v1/*]
    header: X-Api-Key
    scheme: Token
    on_request: true
  - {name: two, file: two.txt, hosts: ["api.example.com"]}
`

// TestNetwork: all keys are read, and make a gate.
func TestNetwork(t *testing.T) {
	f, err := read(t, networkFile, "two.txt", "the-second-value\r\n")
	if err != nil {
		t.Fatal(err)
	}
	rule := func(text string) egress.Rule {
		r, err := egress.ParseRule(text)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	want := egress.Policy{
		Mode:  egress.List,
		Rules: []egress.Rule{rule("GET,POST https://api.example.com/v1/*"), rule("http://localhost:8080 loopback")},
		Limits: egress.Limits{
			Run: egress.Quota{Requests: 10, AtOnce: 2, Sent: 1 << 20, Received: 2 << 20}, Tenant: egress.Quota{Requests: 20, AtOnce: 4, Sent: 3 << 20, Received: 4 << 20},
			Header: 8 << 10, FirstByte: 3 * time.Second, Total: time.Minute, Ratio: 7,
		},
		Secrets: []egress.Secret{
			{Name: "one", Hosts: []string{"api.example.com"}, Methods: []string{"GET", "POST"}, Paths: []string{"/v1/*"}, Header: "X-Api-Key", Scheme: "Token", OnRequest: true},
			{Name: "two", Hosts: []string{"api.example.com"}},
		},
	}
	if d := cmp.Diff(want, f.Network.Policy, cmp.Comparer(func(a, b egress.Rule) bool { return a.String() == b.String() }), cmpopts.IgnoreFields(egress.Secret{}, "Value")); d != "" {
		t.Error(d)
	}
	if _, err := f.Gate(egress.Options{}); err == nil || !strings.HasPrefix(err.Error(), "p.yaml: line 15: network.secrets: one: the variable SANDTRAP_TEST_SECRET of the environment is not set") {
		t.Errorf("without the variable: %v", err)
	}
	t.Setenv("SANDTRAP_TEST_SECRET", "")
	if _, err := f.Gate(egress.Options{}); err == nil || !strings.HasSuffix(err.Error(), "one: the variable SANDTRAP_TEST_SECRET of the environment is empty") {
		t.Errorf("with an empty variable: %v", err)
	}
	t.Setenv("SANDTRAP_TEST_SECRET", "the-first-value")
	gate, err := f.Gate(egress.Options{})
	if err != nil || gate == nil {
		t.Fatal(gate, err)
	}
	gate.Close()
	for _, s := range f.Network.Secrets {
		if !reflect.ValueOf(s.Value).IsZero() {
			t.Errorf("%s: its value stays in the file", s.Name)
		}
	}
	for text, want := range map[string]string{"": "two.txt is empty", "  \n": "two.txt is empty", "short": "8 to 4096"} {
		if err := os.WriteFile("two.txt", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Gate(egress.Options{}); err == nil || !strings.HasPrefix(err.Error(), "p.yaml: line 23: network") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if err := os.Remove("two.txt"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Gate(egress.Options{}); err == nil || !strings.Contains(err.Error(), "two: open two.txt: no such file") {
		t.Errorf("without the file: %v", err)
	}
}

// TestSecretFileUnseen: a file with a secret is in no directory that scripts see, by whatever way.
func TestSecretFileUnseen(t *testing.T) {
	const network = "network: {rules: [GET https://a.example], secrets: [{name: s, file: %s, hosts: [a.example]}]}\n"
	for _, tc := range []struct {
		name, text, file string
		seen             bool
	}{
		{"memory", "fs: mem\n", "d/token", false},
		{"fs", "fs: dir:d\n", "d/token", true},
		{"fs above", "fs: dir:.\n", "d/token", true},
		{"fs beside", "fs: dir:e\n", "d/token", false},
		{"path", "allow_paths: [d]\n", "d/token", true},
		{"writable", "allow_paths: [\"d:rw\"]\n", "d/token", true},
		{"like it", "allow_paths: [e]\n", "ee/token", false},
		{"link to it", "allow_paths: [d]\n", "e/link", true},
		{"link to the directory", "allow_paths: [e/dir]\n", "d/token", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, dir := range []string{"d", "e", "ee"} {
				if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(dir+"/token", []byte("geheim-0123"), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			if err := errors.Join(os.Symlink("../d/token", "e/link"), os.Symlink("../d", "e/dir")); err != nil {
				t.Skip(err)
			}
			if err := os.WriteFile("p.yaml", fmt.Appendf(nil, tc.text+network, tc.file), 0o600); err != nil {
				t.Fatal(err)
			}
			p := Default()
			f := New(&p)
			if err := f.Read("p.yaml"); err != nil {
				t.Fatal(err)
			}
			_, err := f.Gate(egress.Options{})
			if (err != nil) != tc.seen || err != nil && !strings.HasPrefix(err.Error(), "p.yaml: line 2: network.secrets: s: scripts can read "+tc.file+", since they see ") {
				t.Error(err)
			}
		})
	}
}

// TestNetworkErrors: what is wrong is an error with its line, when the file is read or, if it is about several keys, when the gate is made.
func TestNetworkErrors(t *testing.T) {
	t.Setenv("SANDTRAP_TEST_SECRET", "the-first-value")
	const secret = "network:\n  rules: [GET https://a.example]\n  secrets:\n  - name: s\n"
	for _, tc := range []struct{ name, text, want string }{
		{"key", "network:\n  ruels: []\n", `line 2: no key "ruels" in network; did you mean "rules"?`},
		{"shape", "network: public\n", "line 1: network: want keys and values"},
		{"mode", "network:\n  mode: pubic\n", `line 2: mode: no mode "pubic"; there are none, list, public; did you mean "public"?`},
		{"rule", "network:\n  rules:\n  - GET https://a.example/\n  - GTE https://b.example/\n", `line 4: network.rules: rule "GTE https://b.example/": method "GTE"; did you mean "GET"?`},
		{"no URL", "network:\n  rules:\n  - a.example\n", `line 3: network.rules: rule "a.example": there is no URL with a scheme; write GET https://api.example.com/**, or "mode: public" beside "rules"`},
		{"object", "network:\n  rules:\n  - {host: a.example}\n", "rules: want one value"},
		{"limit", "network:\n  limits:\n    run:\n      request: 1\n", `line 4: no key "request" in network.limits.run; did you mean "requests"?`},
		{"negative", "network:\n  limits:\n    ratio: -1\n", "line 3: ratio: a limit cannot be negative"},
		{"duration", "network:\n  limits: {total: 5}\n", "line 2: total: want a duration such as 5s"},
		{"size", "network:\n  limits: {header: x}\n", "line 2: header: want a size such as 64MiB"},
		{"secret key", secret + "    vale: x\n", `line 5: no key "vale" in network.secrets`},
		{"value", secret + "    value: x\n", `line 5: no key "value" in network.secrets`},
		{"no value", secret + "    hosts: [a.example]\n", "line 4: network.secrets: s: its value is in env: VARIABLE or in file: PATH; want one of them"},
		{"two values", secret + "    env: A\n    file: b\n", "line 4: network.secrets: s: its value is in env: VARIABLE or in file: PATH; want one of them"},
		{"name", "network:\n  secrets:\n  - env: A\n", "line 3: network.secrets: name is missing"},
		{"hosts", secret + "    env: SANDTRAP_TEST_SECRET\n", `line 4: network: secret "s": it has no hosts, so it is never sent`},
		{"other host", secret + "    env: SANDTRAP_TEST_SECRET\n    hosts: [b.example]\n", `line 4: network: secret "s": no rule allows https requests to b.example`},
		{"twice", secret + "    env: SANDTRAP_TEST_SECRET\n    hosts: [a.example]\n  - {name: s, env: SANDTRAP_TEST_SECRET, hosts: [a.example]}\n", `network: secret "s": there are two of this name`},
		{"none", "network:\n  mode: none\n  rules: [GET https://a.example]\n", "line 2: network: mode none allows nothing, but there are rules"},
		{"list", "network:\n  mode: list\n", "line 2: network: mode list has no rules"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, err := read(t, tc.text)
			if err == nil {
				_, err = f.Gate(egress.Options{})
			}
			if err == nil || !strings.HasPrefix(err.Error(), "p.yaml: ") || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v, want %s", err, tc.want)
			}
		})
	}
}

// TestNetworkExtends: a list takes the place of that of the other file, so that a file can narrow it; limits are set one by one; a
// profile takes the place of all.
func TestNetworkExtends(t *testing.T) {
	const base = "network:\n  rules: [GET https://a.example/**, PUT https://b.example/x]\n  limits: {ratio: 3, run: {requests: 5}}\n  secrets: [{name: s, env: SANDTRAP_TEST_SECRET, hosts: [a.example]}]\n"
	for _, tc := range []struct {
		name, text  string
		rules       string
		secrets     int
		mode        egress.Mode
		ratio, runs int64
	}{
		{"nothing", "echo: last\n", "GET https://a.example/**, PUT https://b.example/x", 1, "", 3, 5},
		{"narrowed", "network: {rules: [GET https://a.example/v1/*]}\n", "GET https://a.example/v1/*", 1, "", 3, 5},
		{"limits", "network: {limits: {run: {requests: 4, sent: 1KB}}}\n", "GET https://a.example/**, PUT https://b.example/x", 1, "", 3, 4},
		{"secrets", "network: {secrets: []}\n", "GET https://a.example/**, PUT https://b.example/x", 0, "", 3, 5},
		{"none", "network: {mode: none}\n", "", 0, egress.None, 3, 5},
		{"public", "network: {mode: public}\n", "GET https://a.example/**, PUT https://b.example/x", 1, egress.Public, 3, 5},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f, err := read(t, "extends: base.yaml\n"+tc.text, "base.yaml", base)
			if err != nil {
				t.Fatal(err)
			}
			var rules []string
			for _, r := range f.Network.Rules {
				rules = append(rules, r.String())
			}
			n := f.Network
			if got := strings.Join(rules, ", "); got != tc.rules || len(n.Secrets) != tc.secrets || len(n.Sources) != tc.secrets || n.Mode != tc.mode || n.Limits.Ratio != tc.ratio || n.Limits.Run.Requests != tc.runs {
				t.Errorf("%s, %+v", got, n)
			}
			t.Setenv("SANDTRAP_TEST_SECRET", "the-first-value")
			gate, err := f.Gate(egress.Options{})
			if err != nil || (gate == nil) != (tc.mode == egress.None) {
				t.Errorf("%v, %v", gate, err)
			}
		})
	}
	f, err := read(t, "network: {rules: [GET https://a.example/**]}\n")
	if err != nil {
		t.Fatal(err)
	}
	if at := f.From("network.rules GET https://a.example/**"); at != (Place{"p.yaml", 1}) {
		t.Errorf("the rule comes from %v", at)
	}
	if err := f.Extend("agent"); err != nil || f.Network != nil {
		t.Errorf("a profile has %+v, %v", f.Network, err)
	}
}

// TestAddNetwork: flags add rules to those of files, or remove them.
func TestAddNetwork(t *testing.T) {
	f, err := read(t, "network: {rules: [GET https://a.example/**], limits: {ratio: 3}}\n")
	if err != nil {
		t.Fatal(err)
	}
	add := func(text string) {
		t.Helper()
		if err := f.AddNetwork(text, "--net"); err != nil {
			t.Fatal(err)
		}
	}
	add("PUT https://b.example/x")
	if n := f.Network; len(n.Rules) != 2 || f.From("network.rules PUT https://b.example/x") != (Place{File: "--net"}) {
		t.Errorf("%+v", n)
	}
	add("none")
	if gate, err := f.Gate(egress.Options{}); gate != nil || err != nil || f.Network.Limits.Ratio != 3 {
		t.Errorf("%+v, %v", f.Network, err)
	}
	add("GET https://c.example/")
	if gate, err := f.Gate(egress.Options{}); gate == nil || err != nil || len(f.Network.Rules) != 1 {
		t.Errorf("%+v, %v", f.Network, err)
	}
	add(" public ")
	if f.Network.Mode != egress.Public || len(f.Network.Rules) != 1 {
		t.Errorf("%+v", f.Network)
	}
	if f.From("network.mode") != (Place{File: "--net"}) {
		t.Errorf("the mode comes from %v", f.From("network.mode"))
	}
}
