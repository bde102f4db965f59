package api_test

import (
	"bufio"
	"database/sql"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
)

// TestRoles: a user sees its tenant's runs, an operator all of them, which it cannot change, and an admin can do both.
func TestRoles(t *testing.T) {
	r := newRig(t)
	mine, theirs := r.own(t, "alpha"), r.own(t, "beta")
	for _, test := range []struct {
		who, query string
		status     int
		runs       string
	}{
		{"alpha", "", 200, "alpha alpha"}, {"alpha", "?tenant=alpha", 200, "alpha alpha"}, {"alpha", "?tenant=*", 403, ""}, {"alpha", "?tenant=beta", 403, ""},
		{"alpha", "?tenant=nobody", 403, ""}, {"operator", "", 200, ""}, {"operator", "?tenant=*", 200, "beta beta alpha alpha"}, {"operator", "?tenant=beta", 200, "beta beta"},
		{"operator", "?tenant=A!", 400, ""}, {"admin", "?tenant=*", 200, "beta beta alpha alpha"},
	} {
		got := r.ask(t, test.who, "GET", "/v1/runs"+test.query, "")
		var list struct{ Runs []runs.View }
		_ = json.Unmarshal([]byte(got.body), &list)
		var tenants []string
		for _, v := range list.Runs {
			tenants = append(tenants, v.Tenant)
		}
		if got.status != test.status || strings.Join(tenants, " ") != test.runs {
			t.Errorf("%s %s: %d %q, want %d %q", test.who, test.query, got.status, tenants, test.status, test.runs)
		}
	}
	one, other := r.ask(t, "alpha", "GET", "/v1/runs?tenant=beta", ""), r.ask(t, "alpha", "GET", "/v1/runs?tenant=nobody", "")
	if one.body != other.body {
		t.Errorf("a tenant that there is: %s; one that there is not: %s", one.body, other.body)
	}
	for _, about := range []string{"", "/source", "/events", "/artifacts/a.txt"} {
		for _, who := range []string{"operator", "admin"} {
			if got := r.ask(t, who, "GET", "/v1/runs/"+theirs.run+about, ""); got.status != 200 {
				t.Errorf("%s gets %s: %d: %s", who, about, got.status, got.body)
			}
		}
	}
	for _, change := range []struct{ path, body string }{{"/answers", `{"answers":[{"id":1,"value":["a"]}]}`}, {"/fork", `{}`}, {"/cancel", ""}} {
		if got := r.ask(t, "operator", "POST", "/v1/runs/"+theirs.run+change.path, change.body); got.status != 404 {
			t.Errorf("operator: %s: %d: %s", change.path, got.status, got.body)
		}
	}
	if got := r.ask(t, "admin", "POST", "/v1/runs/"+theirs.run+"/answers", `{"answers":[{"id":1,"value":["a"]}]}`); got.status != 200 || !strings.Contains(got.body, `"tenant":"beta","state":"done"`) {
		t.Errorf("an admin answers: %d: %s", got.status, got.body)
	}
	if got := r.ask(t, "admin", "POST", "/v1/runs/"+mine.run+"/cancel", ""); got.status != 200 || !strings.Contains(got.body, `"state":"cancelled"`) {
		t.Errorf("an admin cancels: %d: %s", got.status, got.body)
	}
	for _, who := range []string{"alpha", "operator"} {
		if got := r.ask(t, who, "GET", "/v1/keys", ""); got.status != 403 {
			t.Errorf("%s lists keys: %d: %s", who, got.status, got.body)
		}
	}
}

// count asks the database of the server, apart from it.
func (r *rig) count(t testing.TB, query string, args ...any) (n int64) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(r.dir, "sandtrapd.db")+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestKeys: a token is shown once and works at once; a key that is deleted works no more, and what goes on with it ends.
func TestKeys(t *testing.T) {
	r := newRig(t)
	var made struct{ ID, Tenant, Role, Token string }
	got := r.ask(t, "admin", "POST", "/v1/keys", `{"tenant":"gamma","role":"user"}`)
	if err := json.Unmarshal([]byte(got.body), &made); err != nil || got.status != 201 || made.Tenant != "gamma" {
		t.Fatalf("%d: %s", got.status, got.body)
	}
	r.tokens["gamma"] = made.Token
	list := r.ask(t, "admin", "GET", "/v1/keys", "")
	if !strings.Contains(list.body, `"`+made.ID+`"`) || strings.Contains(list.body, made.Token) || len(made.ID) != 16 {
		t.Errorf("%s", list.body)
	}
	if n := r.count(t, `SELECT count(*) FROM key WHERE instr(hash, ?) OR tenant || role LIKE ?`, made.Token, "%"+made.Token+"%"); n != 0 {
		t.Error("the token is kept")
	}
	for _, body := range []string{`{"tenant":"*","role":"user"}`, `{"tenant":"gamma","role":"root"}`, `{"tenant":"gamma"}`, `{"role":"user"}`, `{"tenant":"../x","role":"user"}`} {
		if got := r.ask(t, "admin", "POST", "/v1/keys", body); got.status != 400 {
			t.Errorf("%s: %d: %s", body, got.status, got.body)
		}
	}
	id := r.goOn(t, "gamma")
	q, err := http.NewRequestWithContext(t.Context(), "GET", r.URL+"/v1/runs/"+id+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+made.Token)
	stream, err := r.Client().Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	lines := bufio.NewScanner(stream.Body)
	if !lines.Scan() || lines.Text() != "id: 1" {
		t.Fatalf("%q", lines.Text())
	}
	waits := make(chan answer)
	go func() { waits <- r.ask(t, "gamma", "POST", "/v1/runs", `{"code":"time.Sleep(time.Hour)"}`) }()
	for r.count(t, `SELECT count(*) FROM run WHERE tenant = 'gamma'`) < 2 {
	}
	if got := r.ask(t, "admin", "DELETE", "/v1/keys/"+made.ID, ""); got.status != 204 {
		t.Fatalf("%d: %s", got.status, got.body)
	}
	for lines.Scan() { // up to the end of the stream
	}
	if got := <-waits; got.status != 401 || !strings.Contains(got.body, "the key was revoked") {
		t.Errorf("a request that waited: %d: %s", got.status, got.body)
	}
	if got := r.ask(t, "gamma", "GET", "/v1/runs", ""); got.status != 401 {
		t.Errorf("%d: %s", got.status, got.body)
	}
	if n := r.count(t, `SELECT count(*) FROM key WHERE tenant = 'gamma'`); n != 0 {
		t.Error("the row is there")
	}
	if got := r.ask(t, "admin", "DELETE", "/v1/keys/"+made.ID, ""); got.status != 404 {
		t.Errorf("%d: %s", got.status, got.body)
	}
	if got := r.ask(t, "admin", "POST", "/v1/runs/"+id+"/cancel", ""); got.status != 200 {
		t.Errorf("%d: %s", got.status, got.body)
	}
}

// TestDeleteLastAdmin: the last admin goes only when told so.
func TestDeleteLastAdmin(t *testing.T) {
	r := newRig(t)
	id := ""
	for _, k := range r.keys.List() {
		if k.Tenant == "admin" {
			id = k.ID()
		}
	}
	if got := r.ask(t, "admin", "DELETE", "/v1/keys/"+id, ""); got.status != 409 || r.count(t, `SELECT count(*) FROM key WHERE role = 'admin'`) != 1 {
		t.Errorf("%d: %s", got.status, got.body)
	}
	if got := r.ask(t, "admin", "DELETE", "/v1/keys/"+id+"?last=true", ""); got.status != 204 || r.count(t, `SELECT count(*) FROM key WHERE role = 'admin'`) != 0 {
		t.Errorf("%d: %s", got.status, got.body)
	}
}
