package api_test

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// session makes a session.
func (r *rig) session(t testing.TB, tenant, body string) sessions.View {
	t.Helper()
	status, text := r.do(t, tenant, "POST", "/v1/sessions", body)
	var v sessions.View
	if err := json.Unmarshal([]byte(text), &v); status != http.StatusCreated || err != nil {
		t.Fatalf("%d: %s", status, text)
	}
	return v
}

// cell runs a script in a session, and gives what it has printed.
func (r *rig) cell(t testing.TB, tenant, session, code string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"session": session, "code": code})
	if err != nil {
		t.Fatal(err)
	}
	v := r.start(t, tenant, string(body))
	var result struct{ Stdout string }
	if err := json.Unmarshal(v.Result, &result); v.State != store.Done || err != nil {
		t.Fatalf("%s: %s", v.State, v.Result)
	}
	return result.Stdout
}

// want makes a request and checks the status.
func (r *rig) want(t testing.TB, status int, tenant, method, path, body string) string {
	t.Helper()
	got, text := r.do(t, tenant, method, path, body)
	if got != status {
		t.Fatalf("%s %s: %d, want %d: %.300s", method, path, got, status, text)
	}
	return text
}

// TestSessionOverHTTP goes through the life of a session.
func TestSessionOverHTTP(t *testing.T) {
	r := newRig(t)
	s := r.session(t, "alpha", `{"name":"work"}`)
	base := "/v1/sessions/" + s.ID
	r.want(t, 409, "alpha", "POST", "/v1/sessions", `{"name":"work"}`)
	r.session(t, "beta", `{"name":"work"}`)
	r.cell(t, "alpha", s.ID, `x := 41`)
	if got := r.cell(t, "alpha", s.ID, `x++; fmt.Println(x)`); got != "42\n" {
		t.Errorf("printed %q", got)
	}
	r.want(t, 200, "alpha", "PUT", base+"/files/in/a.csv", "1,2,3")
	if got := r.cell(t, "alpha", s.ID, "b, err := os.ReadFile(\"in/a.csv\")\nfmt.Print(string(b), err)\nif err := os.WriteFile(\"out.txt\", []byte(\"hello\"), 0o600); err != nil { panic(err) }"); got != "1,2,3<nil>" {
		t.Errorf("printed %q", got)
	}
	if got := r.want(t, 200, "alpha", "GET", base+"/files/out.txt", ""); got != "hello" {
		t.Errorf("the file has %q", got)
	}
	var files struct{ Files []sessions.File }
	if err := json.Unmarshal([]byte(r.want(t, 200, "alpha", "GET", base+"/files", "")), &files); err != nil || len(files.Files) != 2 || files.Files[1].Path != "out.txt" || files.Files[1].Mode != "0600" || files.Files[1].Size != 5 {
		t.Errorf("%+v, %v", files, err)
	}
	var view sessions.View
	if err := json.Unmarshal([]byte(r.want(t, 200, "alpha", "GET", base, "")), &view); err != nil || !slices.Contains(view.Variables, sessions.Variable{Kind: "var", Name: "x", Type: "int"}) {
		t.Errorf("%+v, %v", view, err)
	}
	r.want(t, 204, "alpha", "DELETE", base+"/files/in", "")
	if got := r.cell(t, "alpha", s.ID, `_, err = os.Stat("in/a.csv"); fmt.Print(os.IsNotExist(err))`); got != "true" {
		t.Errorf("printed %q", got)
	}
	r.want(t, 400, "alpha", "POST", "/v1/runs", fmt.Sprintf(`{"session":%q,"code":"x++","tools":"package t\nfunc F()"}`, s.ID))
	r.want(t, 204, "alpha", "DELETE", base, "")
	r.want(t, 404, "alpha", "GET", base, "")
	r.want(t, 404, "alpha", "POST", "/v1/runs", fmt.Sprintf(`{"session":%q,"code":"x++"}`, s.ID))
	r.session(t, "alpha", `{"name":"work"}`) // the name is free
}

// TestForksDiverge: forks go their own ways, and the source is as it was.
func TestForksDiverge(t *testing.T) {
	r := newRig(t)
	s := r.session(t, "alpha", "")
	r.cell(t, "alpha", s.ID, "n := 1\np := &n\nif err := os.WriteFile(\"f\", []byte(\"source\"), 0o644); err != nil { panic(err) }")
	var list struct{ Sessions []sessions.View }
	if err := json.Unmarshal([]byte(r.want(t, 201, "alpha", "POST", "/v1/sessions/"+s.ID+"/fork", `{"n":8}`)), &list); err != nil || len(list.Sessions) != 8 {
		t.Fatal(list, err)
	}
	for i, f := range list.Sessions {
		r.cell(t, "alpha", f.ID, fmt.Sprintf("*p += %d\nif err := os.WriteFile(\"f\", []byte(\"fork %d\"), 0o644); err != nil { panic(err) }", i+1, i))
	}
	for i, f := range list.Sessions {
		if got, want := r.cell(t, "alpha", f.ID, `fmt.Print(n)`)+r.want(t, 200, "alpha", "GET", "/v1/sessions/"+f.ID+"/files/f", ""), fmt.Sprintf("%dfork %d", i+2, i); got != want {
			t.Errorf("fork %d has %q, want %q", i, got, want)
		}
	}
	if got := r.cell(t, "alpha", s.ID, `fmt.Print(n)`) + r.want(t, 200, "alpha", "GET", "/v1/sessions/"+s.ID+"/files/f", ""); got != "1source" {
		t.Errorf("the source has %q", got)
	}
}

// TestSnapshotOverHTTP: a session goes back to a snapshot of its own, and to no other.
func TestSnapshotOverHTTP(t *testing.T) {
	r := newRig(t)
	s, other := r.session(t, "alpha", ""), r.session(t, "alpha", "")
	save := func(id string) string {
		var out struct{ Snapshot string }
		if err := json.Unmarshal([]byte(r.want(t, 201, "alpha", "POST", "/v1/sessions/"+id+"/save", "")), &out); err != nil {
			t.Fatal(err)
		}
		return out.Snapshot
	}
	r.cell(t, "alpha", s.ID, "n := 1\nif err := os.WriteFile(\"f\", []byte(\"one\"), 0o644); err != nil { panic(err) }")
	first := save(s.ID)
	if again := save(s.ID); again != first {
		t.Errorf("saved again: %s, %s", first, again)
	}
	foreign := save(other.ID)
	r.cell(t, "alpha", s.ID, "n = 2\nif err := os.Remove(\"f\"); err != nil { panic(err) }")
	load := func(id, snapshot string) (int, string) {
		return r.do(t, "alpha", "POST", "/v1/sessions/"+id+"/load", fmt.Sprintf(`{"snapshot":%q}`, snapshot))
	}
	_, absent := load(s.ID, "snap_absent")
	if status, text := load(s.ID, foreign); status != 404 || text != absent {
		t.Errorf("the snapshot of another session: %d %s", status, text)
	}
	if status, text := load(s.ID, first); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	if got := r.cell(t, "alpha", s.ID, "b, err := os.ReadFile(\"f\")\nfmt.Print(n, string(b), err)"); got != "1one<nil>" {
		t.Errorf("printed %q", got)
	}
	r.want(t, 204, "alpha", "DELETE", "/v1/sessions/"+s.ID, "")
	again := r.session(t, "alpha", fmt.Sprintf(`{"snapshot":%q}`, first))
	if got := r.cell(t, "alpha", again.ID, `fmt.Print(n)`); got != "1" {
		t.Errorf("printed %q", got)
	}
	if list := r.want(t, 200, "alpha", "GET", "/v1/snapshots?limit=1", ""); strings.Count(list, "snap_") != 1 || !strings.Contains(list, "next_cursor") {
		t.Error(list)
	}
	r.want(t, 204, "alpha", "DELETE", "/v1/snapshots/"+first, "")
	if status, text := load(again.ID, first); status != 404 || text != absent {
		t.Errorf("a deleted snapshot: %d %s", status, text)
	}
	if got := r.cell(t, "alpha", again.ID, `fmt.Print(n)`); got != "1" {
		t.Errorf("printed %q", got)
	}
}

// TestTenancyOfSessions: each route answers about what is another tenant's as about what is absent.
func TestTenancyOfSessions(t *testing.T) {
	r := newRig(t)
	mine, yours := r.session(t, "alpha", ""), r.session(t, "beta", "")
	r.want(t, 200, "alpha", "PUT", "/v1/sessions/"+mine.ID+"/files/f", "secret")
	var snap struct{ Snapshot string }
	if err := json.Unmarshal([]byte(r.want(t, 201, "alpha", "POST", "/v1/sessions/"+mine.ID+"/save", "")), &snap); err != nil {
		t.Fatal(err)
	}
	var empty bytes.Buffer
	if err := tar.NewWriter(&empty).Close(); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ method, path, body string }{
		{"GET", "/v1/sessions/%s", ""}, {"POST", "/v1/sessions/%s/save", ""}, {"POST", "/v1/sessions/%s/load", `{"snapshot":"` + snap.Snapshot + `"}`},
		{"POST", "/v1/sessions/%s/fork", ""}, {"GET", "/v1/sessions/%s/files", ""}, {"GET", "/v1/sessions/%s/files/f", ""},
		{"PUT", "/v1/sessions/%s/files/f", "x"}, {"DELETE", "/v1/sessions/%s/files/f", ""}, {"GET", "/v1/sessions/%s/tar", ""},
		{"PUT", "/v1/sessions/%s/tar", empty.String()}, {"POST", "/v1/runs", `{"session":"%s","code":"x := 1"}`}, {"DELETE", "/v1/sessions/%s", ""},
	} {
		ask := func(id string) (int, string) {
			return r.do(t, "beta", tc.method, strings.ReplaceAll(tc.path, "%s", id), strings.ReplaceAll(tc.body, "%s", id))
		}
		status, absent := ask("ses_absent")
		for _, id := range []string{mine.ID, "%00", "..%2f..", "'"} {
			if tc.path == "/v1/runs" && id == "%00" {
				continue // of a path
			}
			if got, text := ask(id); got != 404 || got != status || text != absent {
				t.Errorf("%s %s with %q: %d %s, want %d %s", tc.method, tc.path, id, got, text, status, absent)
			}
		}
	}
	status, absent := r.do(t, "beta", "POST", "/v1/sessions/"+yours.ID+"/load", `{"snapshot":"snap_absent"}`)
	if got, text := r.do(t, "beta", "POST", "/v1/sessions/"+yours.ID+"/load", `{"snapshot":"`+snap.Snapshot+`"}`); got != status || text != absent {
		t.Errorf("another tenant's snapshot: %d %s", got, text)
	}
	for _, q := range []struct{ method, path, body string }{{"DELETE", "/v1/snapshots/%s", ""}, {"POST", "/v1/sessions", `{"snapshot":"%s"}`}} {
		status, absent := r.do(t, "beta", q.method, strings.ReplaceAll(q.path, "%s", "snap_absent"), strings.ReplaceAll(q.body, "%s", "snap_absent"))
		if got, text := r.do(t, "beta", q.method, strings.ReplaceAll(q.path, "%s", snap.Snapshot), strings.ReplaceAll(q.body, "%s", snap.Snapshot)); got != 404 || got != status || text != absent {
			t.Errorf("%s %s: %d %s", q.method, q.path, got, text)
		}
	}
	for _, path := range []string{"/v1/sessions", "/v1/snapshots"} {
		if text := r.want(t, 200, "beta", "GET", path, ""); strings.Contains(text, mine.ID) {
			t.Errorf("%s lists what is another tenant's: %s", path, text)
		}
	}
	if got := r.want(t, 200, "alpha", "GET", "/v1/sessions/"+mine.ID+"/files/f", ""); got != "secret" {
		t.Errorf("the file has %q", got)
	}
}

// TestTarOverHTTP: a tar comes back as it went in, and a large one is refused as a whole.
func TestTarOverHTTP(t *testing.T) {
	r := newRig(t)
	s := r.session(t, "alpha", "")
	var text bytes.Buffer
	w := tar.NewWriter(&text)
	big := strings.Repeat("0123456789abcdef", 3<<16) // 3 MiB: more than other bodies may have
	for _, f := range []tar.Header{{Name: "d/", Typeflag: tar.TypeDir, Mode: 0o755}, {Name: "d/big", Typeflag: tar.TypeReg, Mode: 0o4755, Size: int64(len(big))}} {
		if err := w.WriteHeader(&f); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.WriteString(w, big); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := "/v1/sessions/" + s.ID + "/tar"
	r.want(t, 200, "alpha", "PUT", path, text.String())
	if got := r.cell(t, "alpha", s.ID, "st, err := os.Stat(\"d/big\")\nfmt.Print(st.Mode(), st.Size(), err)"); got != "-rwxr-xr-x 3145728 <nil>" {
		t.Errorf("printed %q", got)
	}
	back := tar.NewReader(strings.NewReader(r.want(t, 200, "alpha", "GET", path, "")))
	names := map[string]string{}
	for {
		head, err := back.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(back)
		if err != nil {
			t.Fatal(err)
		}
		names[head.Name] = string(data)
	}
	if len(names) != 2 || names["d/big"] != big {
		t.Errorf("%d files came back", len(names))
	}
	r.want(t, 400, "alpha", "PUT", path, text.String()[:2<<20])
	r.want(t, 413, "alpha", "PUT", "/v1/sessions/"+s.ID+"/files/large", strings.Repeat("x", sessions.MaxFileBytes+1))
	r.want(t, 413, "alpha", "PUT", "/v1/sessions/"+s.ID+"/files/more", strings.Repeat("x", sessions.MaxFileBytes-1<<20)) // with what is there
	if list := r.want(t, 200, "alpha", "GET", "/v1/sessions/"+s.ID+"/files", ""); strings.Count(list, `"path"`) != 1 {
		t.Error(list)
	}
}
