package client_test

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/client"
)

// must is a value of a call without an error.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// TestSessions: runs in a session share variables and files, and it is saved, loaded, forked, listed and deleted.
func TestSessions(t *testing.T) {
	ctx := t.Context()
	s := must(server.CreateSession(ctx, client.SessionRequest{Name: "of TestSessions"}))(t)
	cell := func(id, code, want string) {
		t.Helper()
		run, err := server.Run(ctx, client.RunRequest{Code: code, Session: id})
		if err != nil || run.State != client.Done || run.Result.Stdout != want {
			t.Fatalf("%s: %+v, %v", code, run, err)
		}
	}
	cell(s.ID, "n := 1", "")
	now := must(server.GetSession(ctx, s.ID))(t)
	if i := slices.IndexFunc(now.Variables, func(v client.Variable) bool { return v.Name == "n" }); i < 0 || now.Variables[i].Type != "int" {
		t.Errorf("%+v", now)
	}
	snapshot := must(server.SaveSession(ctx, s.ID))(t)
	cell(s.ID, "n++; fmt.Print(n)", "2")
	forks := must(server.ForkSession(ctx, s.ID, 2))(t)
	if len(forks) != 2 || forks[1].Parent != s.ID {
		t.Fatalf("%+v", forks)
	}
	must(server.LoadSession(ctx, s.ID, snapshot))(t)
	cell(s.ID, "fmt.Print(n)", "1")
	cell(forks[1].ID, "fmt.Print(n)", "2")
	var names, ids []string
	for one, err := range server.Sessions(ctx, "") {
		names, ids = append(names, one.Name), append(ids, must(one.ID, err)(t))
	}
	if !slices.Contains(names, "of TestSessions") || !slices.Contains(ids, forks[0].ID) {
		t.Errorf("%q, %q", names, ids)
	}
	for one, err := range server.Sessions(ctx, "of TestSessions") {
		if err != nil || one.ID != s.ID {
			t.Errorf("%+v, %v", one, err)
		}
	}
	for one, err := range server.Snapshots(ctx) {
		if err != nil || one.ID != snapshot || one.Session != s.ID {
			t.Errorf("%+v, %v", one, err)
		}
	}
	for _, err := range []error{server.DeleteSnapshot(ctx, snapshot), server.DeleteSession(ctx, s.ID), server.DeleteSession(ctx, forks[0].ID), server.DeleteSession(ctx, forks[1].ID)} {
		if err != nil {
			t.Error(err)
		}
	}
	if _, err := server.GetSession(ctx, s.ID); codeOf(err) != "not_found" {
		t.Errorf("%v", err)
	}
}

// TestSessionThatWaits: a run in a session waits for an answer, and its session says so and takes no other run until it has ended.
func TestSessionThatWaits(t *testing.T) {
	ctx := t.Context()
	const tools = "package tools\nfunc Ask(question string) string"
	s := must(server.CreateSession(ctx, client.SessionRequest{Tools: tools}))(t)
	run := must(server.Run(ctx, client.RunRequest{Code: `name := Ask("name?")`, Session: s.ID}))(t)
	if run.State != client.Pending || len(run.Pending) != 1 || run.Pending[0].Name != "Ask" {
		t.Fatalf("%+v", run)
	}
	if now := must(server.GetSession(ctx, s.ID))(t); now.State != "pending" || now.Waits != run.ID || now.Tools != tools {
		t.Errorf("%+v", now)
	}
	if _, err := server.Run(ctx, client.RunRequest{Code: "1", Session: s.ID}); codeOf(err) != "conflict" {
		t.Errorf("another run: %v", err)
	}
	answer := client.Answer{ID: run.Pending[0].ID, Value: "Ann"}
	if run = must(server.Answer(ctx, run.ID, answer))(t); run.State != client.Done {
		t.Errorf("%+v", run)
	}
	if _, err := server.Answer(ctx, run.ID, answer); codeOf(err) != "conflict" {
		t.Errorf("a second answer: %v", err)
	}
	if run = must(server.Run(ctx, client.RunRequest{Code: "fmt.Print(name)", Session: s.ID}))(t); run.Result.Stdout != "Ann" {
		t.Errorf("%+v", run)
	}
	if now := must(server.GetSession(ctx, s.ID))(t); now.State == "pending" || now.Waits != "" {
		t.Errorf("%+v", now)
	}
	if err := server.DeleteSession(ctx, s.ID); err != nil {
		t.Error(err)
	}
}

// TestFiles: files go into a session and out of it, one by one and as a tar, and no path leads elsewhere.
func TestFiles(t *testing.T) {
	ctx := t.Context()
	s := must(server.CreateSession(ctx, client.SessionRequest{}))(t)
	const path = "data/a b%2F?é#.txt"
	if f := must(server.WriteFile(ctx, s.ID, path, []byte("text")))(t); f.Path != path || f.Size != 4 {
		t.Errorf("%+v", f)
	}
	must(server.WriteFile(ctx, s.ID, "empty", nil))(t)
	if data := must(server.ReadFile(ctx, s.ID, path))(t); string(data) != "text" {
		t.Errorf("%q", data)
	}
	from := must(server.Tar(ctx, s.ID))(t)
	packed := must(io.ReadAll(from))(t)
	from.Close()
	other := must(server.CreateSession(ctx, client.SessionRequest{}))(t)
	must(server.PutTar(ctx, other.ID, bytes.NewReader(packed)))(t)
	if err := server.DeleteFile(ctx, other.ID, "empty"); err != nil {
		t.Error(err)
	}
	var paths []string
	for _, f := range must(server.Files(ctx, other.ID))(t) {
		paths = append(paths, f.Path)
	}
	if !slices.Contains(paths, path) || slices.Contains(paths, "empty") {
		t.Errorf("%q", paths)
	}
	for _, path := range []string{"", ".", "..", "/a", "a//b", "../../policies/x", "a/../b", "a/"} {
		_, errRead := server.ReadFile(ctx, s.ID, path)
		_, errWrite := server.WriteFile(ctx, s.ID, path, nil)
		if errDelete := server.DeleteFile(ctx, s.ID, path); errRead == nil || errWrite == nil || errDelete == nil || codeOf(errDelete) != "" {
			t.Errorf("%q: %v, %v, %v", path, errRead, errWrite, errDelete)
		}
	}
	var evil bytes.Buffer
	w := tar.NewWriter(&evil)
	if err := w.WriteHeader(&tar.Header{Name: "../a", Mode: 0o600}); err != nil {
		t.Fatal(err)
	}
	if _, err := server.PutTar(ctx, s.ID, &evil); codeOf(err) != "invalid" {
		t.Errorf("%v", err)
	}
}

// TestOfServer: policies, limits, the record and requests are those of the server.
func TestOfServer(t *testing.T) {
	ctx := t.Context()
	p := must(server.PutPolicy(ctx, "mine", "# for a test\nstd: [fmt, os]\n", "alpha"))(t)
	if p.Name != "mine" || p.Source != "sent" || !slices.Equal(p.Tenants, []string{"alpha"}) {
		t.Errorf("%+v", p)
	}
	if got := must(server.GetPolicy(ctx, "mine", p.Version))(t); !strings.Contains(got.Text, "for a test") {
		t.Errorf("%+v", got)
	}
	list := must(server.Policies(ctx))(t)
	if !slices.ContainsFunc(list, func(p client.Policy) bool { return p.Name == "default" && p.Source == "builtin" }) || len(list) < 2 {
		t.Errorf("%+v", list)
	}
	if e := must(server.ExplainPolicy(ctx, "mine", ""))(t); len(e.Limits) == 0 || e.Isolation.Value == "" {
		t.Errorf("%+v", e)
	}
	q := client.RunRequest{Code: `err := os.WriteFile("a", nil, 0o600); fmt.Print(n, err)`, Inputs: map[string]any{"n": json.Number("9007199254740993")}, Policy: "mine"}
	run := must(server.Run(ctx, q))(t)
	again := must(server.Request(ctx, run.ID))(t)
	if again.Code != q.Code || again.Inputs["n"] != q.Inputs["n"] {
		t.Errorf("%+v", again)
	}
	kinds := map[string]int{}
	for e, err := range server.RunRecord(ctx, run.ID) {
		if err != nil || e.Run != run.ID || e.Tenant != "alpha" || e.Time.IsZero() {
			t.Fatalf("%+v, %v", e, err)
		}
		kinds[e.Kind]++
	}
	if kinds["start"] != 1 || kinds["decision"] == 0 || kinds["end"] != 1 {
		t.Errorf("%v", kinds)
	}
	n := 0
	for e, err := range server.Record(ctx, client.RecordQuery{Run: run.ID, Kind: "decision", Since: run.Created}) {
		if err != nil || e.Kind != "decision" || e.Decision == "" {
			t.Errorf("%+v, %v", e, err)
		}
		n++
	}
	if n != kinds["decision"] {
		t.Errorf("%d decisions, want %d", n, kinds["decision"])
	}
	if v := must(server.VerifyRecord(ctx))(t); !v.OK || v.Error != nil || v.Files == 0 {
		t.Errorf("%+v", v)
	}
	if l := must(server.Limits(ctx, ""))(t); l.Tenant != "alpha" || l.RunsAtOnce.Limit == 0 || l.Bytes.Used == 0 {
		t.Errorf("%+v", l)
	}
}
