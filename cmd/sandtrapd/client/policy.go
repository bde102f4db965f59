package client

import (
	"context"
	"net/http"
	"strings"
)

// A Policy says what runs may do.
type Policy struct {
	Name    string   `json:"name"`
	Version string   `json:"version"` // of a run that begins now, or the one that was asked for
	Source  string   `json:"source"`  // builtin, file or sent
	About   string   `json:"about"`
	Tenants []string `json:"tenants"` // who may use it, for admins; all if there are none
	Text    string   `json:"text"`    // of one that was sent, and not in lists; for admins also of a file
	Warning string   `json:"warning"` // of PutPolicy: the text is right, but not for each run
}

// Policies are those that the tenant may use; an admin sees all.
func (c *Client) Policies(ctx context.Context) ([]Policy, error) {
	var list struct {
		Policies []Policy `json:"policies"`
	}
	err := c.call(ctx, request{method: http.MethodGet, path: "/v1/policies"}, &list)
	return list.Policies, err
}

// GetPolicy is a version of a policy, or the newest one if version is empty.
func (c *Client) GetPolicy(ctx context.Context, name, version string) (*Policy, error) {
	return c.policy(ctx, request{method: http.MethodGet, path: in("/v1/policies/%s", name), query: set("version", version)})
}

func (c *Client) policy(ctx context.Context, r request) (*Policy, error) {
	var p Policy
	if err := c.call(ctx, r, &p); err != nil {
		return nil, err
	}
	return &p, nil
}

// PutPolicy makes the next version of a policy, for these tenants, or for all if none is named. The text is that of a policy file. It
// needs a key of an admin.
func (c *Client) PutPolicy(ctx context.Context, name, text string, tenants ...string) (*Policy, error) {
	r := put(in("/v1/policies/%s", name), "text/yaml", strings.NewReader(text))
	r.query = set("tenants", strings.Join(tenants, ","))
	return c.policy(ctx, r)
}

// An Explanation says what a policy opens, and which line does.
type Explanation struct {
	Isolation Limit      `json:"isolation"`
	Openings  []Opening  `json:"openings"`
	Functions []Function `json:"functions"`
	Limits    []Limit    `json:"limits"`
}

// A Place is where a policy says something.
type Place struct {
	File string `json:"file"` // "profile NAME", "preset NAME" or "default" where it is none of the server's
	Line int    `json:"line"` // 0 if it is in no line
}

// A Limit is one of a policy.
type Limit struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  Place  `json:"from"`
}

// An Opening is what a policy lets scripts do that the empty one does not.
type Opening struct {
	Field  string   `json:"field"`
	Opens  string   `json:"opens"`
	From   Place    `json:"from"`
	Layers []string `json:"layers"` // of the isolation kernel that it changes
	Kernel string   `json:"kernel"` // how
}

// A Function is one of the host, and how calls of it are decided.
type Function struct {
	Name     string   `json:"name"`
	Decision string   `json:"decision"` // allow, ask or deny
	Code     string   `json:"code"`
	Reason   string   `json:"reason"`
	Rules    []string `json:"rules"`
	Declares string   `json:"declares"`
	From     *Place   `json:"from"` // of what it declares
}

// ExplainPolicy explains a version of a policy, or the newest one if version is empty.
func (c *Client) ExplainPolicy(ctx context.Context, name, version string) (*Explanation, error) {
	var e Explanation
	if err := c.call(ctx, request{method: http.MethodGet, path: in("/v1/policies/%s/explain", name), query: set("version", version)}, &e); err != nil {
		return nil, err
	}
	return &e, nil
}
