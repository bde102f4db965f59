package mcpserver_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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
		}
		for _, policy := range []string{"absent", "agent@7", "../agent"} {
			_, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), r.at("alpha", policy), &mcp.ClientSessionOptions{ProtocolVersion: protocol})
			if err == nil {
				t.Errorf("a client with the policy %q", policy)
			}
		}
	})
}
