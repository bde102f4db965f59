package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/clone"
)

// TestCloneRoute: a server without hosts says how to allow them, and the session of another tenant is one that is not there.
func TestCloneRoute(t *testing.T) {
	r := newRig(t)
	cloner, err := clone.New(clone.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer cloner.Close()
	r.api.Clone = cloner
	status, text := r.do(t, "alpha", "POST", "/v1/sessions", `{}`)
	var session struct{ ID string }
	if err := json.Unmarshal([]byte(text), &session); err != nil || status != http.StatusCreated {
		t.Fatalf("%d: %s", status, text)
	}
	body := `{"url":"https://example.com/a.git"}`
	if status, text := r.do(t, "alpha", "POST", "/v1/sessions/"+session.ID+"/clone", body); status != http.StatusForbidden || !strings.Contains(text, "--clone-hosts") {
		t.Errorf("%d: %s", status, text)
	}
	absent, none := r.do(t, "alpha", "POST", "/v1/sessions/ses_absent/clone", body)
	if status, text := r.do(t, "beta", "POST", "/v1/sessions/"+session.ID+"/clone", body); status != absent || text != none || status != http.StatusNotFound {
		t.Errorf("another tenant's: %d: %s", status, text)
	}
}
