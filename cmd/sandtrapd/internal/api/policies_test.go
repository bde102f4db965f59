package api_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

const (
	callsTool = `r, err := Get(1)
fmt.Println(strings.ToUpper("got"), r, err)`
	tool = "package tools\nfunc Get(n int) (int, error)"
)

// answer answers the one call of a run.
func (w *world) answer(key, run string, status int, part string) {
	w.t.Helper()
	w.want(key, "POST", "/v1/runs/"+run+"/answers", `{"answers":[{"id":1,"value":7}]}`, status, part)
}

// TestPolicyVersions: a run, and its forks, have the policy with which it began, whatever is sent later, also after a restart.
func TestPolicyVersions(t *testing.T) {
	w := newWorld(t, nil)
	w.want(admin, "PUT", "/v1/policies/mine", "# Two packages.\nstd: [fmt, strings]\n", 201, `"version":"1"`)
	begun := w.run(alpha, runs.Request{Code: callsTool, Tools: tool, Policy: "mine"})
	if begun.State != store.Pending || begun.Policy != "mine@1" {
		t.Fatalf("%+v", begun)
	}
	w.want(admin, "PUT", "/v1/policies/mine", "# One package.\nstd: [fmt]\n", 201, `"version":"2"`)
	forks := w.want(alpha, "POST", "/v1/runs/"+begun.ID+"/fork", `{"n":1}`, 201, `"policy":"mine@1"`)
	w.restart()
	w.answer(alpha, begun.ID, 200, `GOT 7 <nil>`)
	_, fork, _ := strings.Cut(forks, `"id":"`)
	fork, _, _ = strings.Cut(fork, `"`)
	w.answer(alpha, fork, 200, `"state":"done"`)
	script := runs.Request{Code: `fmt.Println(strings.ToUpper("a"))`, Policy: "mine"}
	if v := w.run(alpha, script); v.Policy != "mine@2" || v.State != store.Failed {
		t.Errorf("%s: %s", v.Policy, v.State)
	}
	script.Policy = "mine@1"
	if v := w.run(alpha, script); v.State != store.Done {
		t.Errorf("%s: %s %s", v.Policy, v.State, v.Result)
	}
	w.want(beta, "GET", "/v1/policies", "", 200, `{"name":"mine","version":"2","source":"sent","about":"One package."}`)
	w.want(beta, "GET", "/v1/policies/mine?version=1", "", 200, `"text":"# Two packages.\nstd: [fmt, strings]\n"`)
	w.want(beta, "GET", "/v1/policies/mine/explain", "", 200, `{"name":"timeout","value":"5s"`)
	for asked, part := range map[string]string{
		"mime": `no such policy \"mime\"; did you mean \"mine\"?`, "mine@3": "the newest one is mine@2", "mine@": "the newest one", "agent@1": "the newest one is agent@builtin",
		"../mine": "no such policy", "mine@1@2": "no such policy", "": "",
	} {
		if asked != "" {
			w.refusal(alpha, runs.Request{Code: "1", Policy: asked}, part)
		}
	}
}

// TestPolicyPut: an admin alone sends policies, and none that names the machine or takes a name of the server.
func TestPolicyPut(t *testing.T) {
	w := newWorld(t, map[string]string{"ours.yaml": "std: [fmt]\n"})
	for _, key := range []string{alpha, operator} {
		w.want(key, "PUT", "/v1/policies/mine", "std: [fmt]\n", 403, "this needs the role admin")
	}
	for _, text := range []string{"fs: dir:/", "allow_paths: [/etc]", "isolation: none", "extends: /etc/passwd.yaml", "network: {rules: [\"GET http://localhost:1 loopback\"]}"} {
		w.want(admin, "PUT", "/v1/policies/mine", text, 400, "nothing of the machine")
	}
	w.want(admin, "PUT", "/v1/policies/mine", "std: [fmt]\nstdd: 1\n", 400, "line 2: no key")
	w.want(admin, "PUT", "/v1/policies/mine", "std: [fnt]\n", 400, "fmt")
	w.want(admin, "PUT", "/v1/policies/mine", "std: [fmt]\n#"+strings.Repeat("x", 300<<10), 400, "longer than")
	w.want(admin, "PUT", "/v1/policies/mine", strings.Repeat("#", 2<<20), 413, "")
	w.want(admin, "PUT", "/v1/policies/Mine", "std: [fmt]\n", 400, "is no name")
	for _, name := range []string{"agent", "default", "ours"} {
		w.want(admin, "PUT", "/v1/policies/"+name, "std: [fmt]\n", 409, "a policy of the server")
	}
	w.want(admin, "PUT", "/v1/policies/tooled", "std: [fmt]\nguard: {ask: [Get]}\n", 201, `"warning":"without tools`)
	if _, text := w.do(alpha, "GET", "/v1/policies", ""); strings.Contains(text, `"mine"`) {
		t.Errorf("one that was refused is there: %s", text)
	}
}

// TestPolicyTenants: a policy for some tenants is not there for others, in the same bytes as one that there is not.
func TestPolicyTenants(t *testing.T) {
	w := newWorld(t, map[string]string{"ours.yaml": "std: [fmt]\n", "tenants.yaml": "ours: [beta]\nagent: [beta]\n"})
	w.want(admin, "PUT", "/v1/policies/theirs?tenants=beta", "std: [fmt]\n", 201, `"tenants":["beta"]`)
	for _, name := range []string{"ours", "theirs", "agent"} {
		for _, path := range []string{"/v1/policies/", "/v1/policies/%s/explain"} {
			if !strings.Contains(path, "%s") {
				path += "%s"
			}
			foreign, text := w.do(alpha, "GET", fmt.Sprintf(path, name), "")
			absent, none := w.do(alpha, "GET", fmt.Sprintf(path, "absent"), "")
			if foreign != 404 || foreign != absent || text != none {
				t.Errorf("%s: %d %s; an absent one: %d %s", name, foreign, text, absent, none)
			}
			w.want(beta, "GET", fmt.Sprintf(path, name), "", 200, "")
		}
		if _, list := w.do(alpha, "GET", "/v1/policies", ""); strings.Contains(list, `"`+name+`"`) {
			t.Errorf("%s is in the list of another tenant", name)
		}
		status, text := w.do(alpha, "POST", "/v1/runs", `{"code":"1","policy":"`+name+`"}`)
		if status != 400 || !strings.Contains(text, "no such policy") || strings.Contains(text, "did you mean") {
			t.Errorf("%s: %d %s", name, status, text)
		}
		w.run(beta, runs.Request{Code: "1", Policy: name})
	}
	w.refusal(alpha, runs.Request{Code: "1", Policy: "theirs@1"}, "no such policy")
	w.want(beta, "GET", "/v1/policies/theirs", "", 200, `"version":"1"`)
	if text := w.want(beta, "GET", "/v1/policies/theirs", "", 200, ""); strings.Contains(text, "tenants") {
		t.Errorf("who may use it is for admins: %s", text)
	}
	for _, text := range []string{"", "ours: []\n", "ours: beta\n", "ours: [beta]\n---\nours: [alpha]\n", "ours: [beta]\nours: [alpha]\n", "[beta]\n"} {
		w.file("tenants.yaml", text)
		w.want(beta, "POST", "/v1/runs", `{"code":"1","policy":"ours"}`, 500, "internal")
	}
}

// TestTenantsFileGone: a file of tenants that is missing while the server runs opens no policy to others, and when it is there again all is
// as before.
func TestTenantsFileGone(t *testing.T) {
	const file = "ours: [beta]\n"
	w := newWorld(t, map[string]string{"ours.yaml": "std: [fmt]\n", "tenants.yaml": file})
	w.refusal(alpha, runs.Request{Code: "1", Policy: "ours"}, "no such policy")
	if err := os.Remove(filepath.Join(w.dir, "tenants.yaml")); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{alpha, beta} {
		w.want(key, "POST", "/v1/runs", `{"code":"1","policy":"ours"}`, 500, "internal")
	}
	w.file("tenants.yaml", file)
	w.refusal(alpha, runs.Request{Code: "1", Policy: "ours"}, "no such policy")
	w.run(beta, runs.Request{Code: "1", Policy: "ours"})
}

// TestPolicyFiles: a file that has changed is a new version, a run goes on with that of its begin, and what files name of the machine is
// for admins alone.
func TestPolicyFiles(t *testing.T) {
	seen, token := t.TempDir(), filepath.Join(t.TempDir(), "token.txt")
	if err := os.WriteFile(token, []byte("a-secret-of-some-length"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, map[string]string{
		"base.yaml":   "std: [fmt, strings]\n",
		"web.yaml":    "# The web.\nextends: base.yaml\n",
		"files.yaml":  "std: [fmt, os]\nallow_paths: [" + seen + "]\n",
		"secret.yaml": "std: [fmt, net/http]\nnetwork:\n  rules: [\"GET https://a.example\"]\n  secrets: [{name: k, file: " + token + ", hosts: [a.example]}]\n",
	})
	begun := w.run(alpha, runs.Request{Code: callsTool, Tools: tool, Policy: "web"})
	if begun.State != store.Pending {
		t.Fatalf("%+v", begun)
	}
	w.file("base.yaml", "std: [fmt]\n")
	script := runs.Request{Code: `fmt.Println(strings.ToUpper("a"))`, Policy: "web"}
	after := w.run(alpha, script)
	if after.State != store.Failed || after.Policy == begun.Policy {
		t.Errorf("%s after %s: %s", after.Policy, begun.Policy, after.State)
	}
	w.restart()
	w.answer(alpha, begun.ID, 200, `GOT 7`)
	script.Policy = begun.Policy
	w.refusal(alpha, script, "the newest one is "+after.Policy)

	if err := os.Remove(token); err != nil { // so that the plan cannot be made
		t.Fatal(err)
	}
	var public strings.Builder
	for _, q := range [][3]string{
		{"GET", "/v1/policies"}, {"GET", "/v1/policies/files"}, {"GET", "/v1/policies/files/explain"}, {"GET", "/v1/policies/web/explain"},
		{"GET", "/v1/policies/secret/explain"}, {"POST", "/v1/runs", `{"code":"1","policy":"secret"}`}, {"POST", "/v1/runs", `{"code":"1","policy":"files","tools":"package tools\nfunc F() error"}`},
	} {
		for _, key := range []string{alpha, operator} {
			status, text := w.do(key, q[0], q[1], q[2])
			fmt.Fprintf(&public, "%s: %d %s\n", q[1], status, text)
		}
	}
	for _, canary := range []string{seen, w.dir, w.data, "token.txt"} {
		if strings.Contains(public.String(), canary) {
			t.Errorf("%s is in:\n%s", canary, public.String())
		}
	}
	w.want(admin, "GET", "/v1/policies/files/explain", "", 200, seen)
	w.want(admin, "GET", "/v1/policies/files", "", 200, seen)
	if !strings.Contains(w.log.String(), token) {
		t.Errorf("the log does not say why: %s", w.log.String())
	}
	w.file("web.yaml", "stdd: [fmt]\n")
	if text := w.want(alpha, "POST", "/v1/runs", `{"code":"1","policy":"web"}`, http.StatusInternalServerError, "internal"); strings.Contains(text, w.dir) {
		t.Error(text)
	}
	w.want(alpha, "GET", "/v1/policies", "", 200, "The file is malformed")
	w.run(alpha, runs.Request{Code: "1"})
}

// TestPolicyDroppedIn: a policy that there is not is an error that names the nearest one; a file that comes into the directory is a policy of
// the next run, without a restart, and one that goes is none.
func TestPolicyDroppedIn(t *testing.T) {
	w := newWorld(t, map[string]string{"ours.yaml": "std: [fmt]\n"})
	script := runs.Request{Code: `fmt.Print(strings.ToUpper("dropped"))`, Policy: "flavor"}
	w.refusal(alpha, script, `no such policy \"flavor\"`)
	w.refusal(alpha, runs.Request{Code: "1", Policy: "our"}, `did you mean \"ours\"?`)
	w.want(alpha, "POST", "/v1/sessions", `{"policy":"flavor"}`, 400, "no such policy")
	for _, name := range []string{"../ours", "ours.yaml", "Ours", "-x", "tenants", "o\u0000"} {
		w.refusal(alpha, runs.Request{Code: "1", Policy: name}, "no such policy")
	}
	w.file("flavor.yaml", "# With strings.\nstd: [fmt, strings]\n")
	if v := w.run(alpha, script); v.State != store.Done || !strings.Contains(string(v.Result), "DROPPED") {
		t.Errorf("%s: %s", v.State, v.Result)
	}
	w.want(alpha, "GET", "/v1/policies", "", 200, "With strings.")
	w.want(alpha, "POST", "/v1/sessions", `{"policy":"flavor"}`, 201, "flavor")
	if err := os.Remove(filepath.Join(w.dir, "flavor.yaml")); err != nil {
		t.Fatal(err)
	}
	w.refusal(alpha, script, "no such policy")
}
