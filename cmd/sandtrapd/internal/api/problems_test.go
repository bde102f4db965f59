package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
)

// TestFields: a problem names the field or the parameter that it is about.
func TestFields(t *testing.T) {
	r := newRig(t)
	status, text := r.do(t, "alpha", "POST", "/v1/sessions", `{}`)
	var session sessions.View
	if err := json.Unmarshal([]byte(text), &session); err != nil || status != http.StatusCreated {
		t.Fatalf("%d: %s", status, text)
	}
	pending := r.start(t, "alpha", `{"code":"fmt.Println(Ask())","tools":"package tools\nfunc Ask() int"}`)
	r.start(t, "alpha", `{"code":"n := 1","idempotency_key":"once"}`)
	for _, test := range []struct {
		method, path, body string
		status             int
		field, want        string
	}{
		{"POST", "/v1/runs", `{"code":" "}`, 400, "code", "empty"},
		{"POST", "/v1/runs", `{"code":"1","policy":"absent"}`, 400, "policy", "absent"},
		{"POST", "/v1/runs", `{"code":"1","tools":"func"}`, 400, "tools", "package tools"},
		{"POST", "/v1/runs", `{"code":"1","inputs":{"for":1}}`, 400, "inputs", "for"},
		{"POST", "/v1/runs", `{"code":"1","timeout_ms":-1}`, 400, "timeout_ms", "-1"},
		{"POST", "/v1/runs", `{"code":"1","session":"ses_absent"}`, 404, "session", "no such session"},
		{"POST", "/v1/runs", `{"code":"n := 2","idempotency_key":"once"}`, 409, "idempotency_key", "another request"},
		{"POST", "/v1/runs/" + pending.ID + "/answers", `{"answers":[]}`, 400, "answers", "none"},
		{"POST", "/v1/runs/" + pending.ID + "/answers", `{"answers":[{"id":1,"value":"x"}]}`, 400, "answers", "call 1, Ask"},
		{"POST", "/v1/runs/" + pending.ID + "/fork", `{"n":1000}`, 400, "n", "1000"},
		{"POST", "/v1/sessions/" + session.ID + "/load", `{}`, 400, "snapshot", "want the id"},
		{"POST", "/v1/sessions/" + session.ID + "/fork", `{"n":1000}`, 400, "n", "1000"},
		{"POST", "/v1/sessions", `{"policy":"absent"}`, 400, "policy", "absent"},
		{"POST", "/v1/sessions/" + session.ID + "/save", `{"name":"mine"}`, 400, "name", "there are none"},
		{"GET", "/v1/runs?state=done&state=failed", "", 400, "state", "twice"},
	} {
		status, text := r.do(t, "alpha", test.method, test.path, test.body)
		var p problem.Problem
		if err := json.Unmarshal([]byte(text), &p); err != nil || status != test.status || p.Field != test.field || !strings.Contains(p.Detail, test.want) {
			t.Errorf("%s %s %s: %d: %s", test.method, test.path, test.body, status, text)
		}
	}
}

// TestStates: what cannot be done to a run says in which state it is.
func TestStates(t *testing.T) {
	r := newRig(t)
	done := r.start(t, "alpha", `{"code":"n := 1"}`)
	pending := r.start(t, "alpha", `{"code":"fmt.Println(Ask())","tools":"package tools\nfunc Ask() int"}`)
	for _, test := range []struct{ method, path, body, want string }{
		{"POST", done.ID + "/answers", `{"answers":[{"id":1,"value":1}]}`, "the run is done"},
		{"POST", done.ID + "/fork", "", "the run is done"},
		{"DELETE", pending.ID, "", "the run is pending"},
	} {
		if status, text := r.do(t, "alpha", test.method, "/v1/runs/"+test.path, test.body); status != http.StatusConflict || !strings.Contains(text, test.want) {
			t.Errorf("%+v: %d: %s", test, status, text)
		}
	}
}

// TestQueries: a parameter that the route does not have is refused, with those that it has.
func TestQueries(t *testing.T) {
	r := newRig(t)
	for path, want := range map[string]string{
		"/v1/runs?status=failed": "there are tenant, state, q, since, limit, cursor", "/v1/runs/run_absent?x=1": "there are none", "/v1/sessions?tenant=beta": "there are name, limit, cursor",
		"/v1/runs?q=%zz": "the query", "/v1/runs?State=done": "State",
	} {
		if status, text := r.do(t, "alpha", "GET", path, ""); status != http.StatusBadRequest || !strings.Contains(text, want) {
			t.Errorf("%s: %d: %s", path, status, text)
		}
	}
	for _, path := range []string{"/healthz?now=1", "/v1/runs?state=done&limit=1"} {
		if status, text := r.do(t, "alpha", "GET", path, ""); status != http.StatusOK {
			t.Errorf("%s: %d: %s", path, status, text)
		}
	}
}

// TestLocation: a run that goes on is got where the response says.
func TestLocation(t *testing.T) {
	r := newRig(t)
	q, err := http.NewRequestWithContext(t.Context(), "POST", r.URL+"/v1/runs", strings.NewReader(`{"code":"n := 1"}`))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+r.tokens["alpha"])
	q.Header.Set("Prefer", "respond-async")
	res, err := r.Client().Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var begun, got struct{ ID string }
	if err := json.NewDecoder(res.Body).Decode(&begun); err != nil || res.StatusCode != http.StatusAccepted {
		t.Fatalf("%d, %v", res.StatusCode, err)
	}
	status, text := r.do(t, "alpha", "GET", res.Header.Get("Location"), "")
	if err := json.Unmarshal([]byte(text), &got); err != nil || status != http.StatusOK || got != begun || got.ID == "" {
		t.Errorf("%q leads to %d: %s, want the run %s", res.Header.Get("Location"), status, text, begun.ID)
	}
}
