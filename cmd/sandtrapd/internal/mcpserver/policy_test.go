package mcpserver_test

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/mcpserver"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// at is the transport of a client of a tenant whose address names a policy.
func (r *rig) at(tenant, policy string) mcp.Transport {
	return &mcp.StreamableClientTransport{Endpoint: r.URL + "/mcp?policy=" + policy, HTTPClient: &http.Client{Transport: bearer{r.tokens[tenant]}}, MaxRetries: -1}
}

// TestPolicyOfAddress: the address of a client says under which policy its scripts run; one that the tenant has not is refused.
func TestPolicyOfAddress(t *testing.T) {
	each(t, func(t *testing.T, protocol string) {
		r := newRig(t, nil)
		const code = `_ = os.WriteFile("f", []byte("text"), 0o600); b, err := os.ReadFile("f"); fmt.Print(string(b), err)`
		for policy, want := range map[string]bool{"": true, "agent": true, "compute": false} { // whether there are files
			c := connect(t, r.at("alpha", policy), protocol, nil)
			res := c.call(t, "run", map[string]any{"code": code})
			if got := text(res); strings.Contains(got, "text<nil>") != want {
				t.Errorf("policy %q: %s", policy, got)
			}
			res = c.call(t, "run", map[string]any{"code": code, "policy": "review"})
			if got := text(res); !res.IsError || !strings.HasPrefix(got, `policy: there is no "review"`) {
				t.Errorf("the model has taken another policy than %q: %s", policy, got)
			}
		}
		for _, policy := range []string{"absent", "agent@7", "../agent"} {
			_, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), r.at("alpha", policy), &mcp.ClientSessionOptions{ProtocolVersion: protocol})
			if err == nil {
				t.Errorf("a client with the policy %q", policy)
			}
		}
	})
}

// TestPolicyOfAnother: a policy that other tenants have is one that is absent.
func TestPolicyOfAnother(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"theirs.yaml": "std: [fmt]\n", "tenants.yaml": "theirs: [beta]\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	catalog, err := policies.Open(dir, st)
	if err != nil {
		t.Fatal(err)
	}
	set := plans.New(plans.Options{Isolation: sandtrap.None, Policies: catalog})
	defer set.Close()
	web := mcpserver.NewHTTP(mcpserver.ByPolicy(set, mcpserver.Options{Version: "v0.0.1", Log: slog.New(slog.NewTextHandler(t.Output(), nil))}))
	defer web.Close()
	ask := func(tenant, policy string) (int, string) {
		w := tools(web, tenant, policy, "")
		return w.Code, w.Body.String()
	}
	if status, text := ask("beta", "theirs"); status != http.StatusOK {
		t.Fatalf("%d: %s", status, text)
	}
	status, foreign := ask("alpha", "theirs")
	_, absent := ask("alpha", "zzzzzz")
	if status != http.StatusBadRequest || foreign != strings.ReplaceAll(absent, "zzzzzz", "theirs") {
		t.Errorf("%d: foreign: %s, absent: %s", status, foreign, absent)
	}
}
