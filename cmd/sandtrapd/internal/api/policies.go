package api

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/internal/explain"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/problem"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

func policyRoutes() []route {
	version := []parameter{{"version", "a version of a policy that was sent; the newest one if it is left out"}}
	return []route{
		{"GET", "/v1/policies", keys.User, "listPolicies", "List the policies that the tenant may use.", nil, nil, policyList{}, (*Server).listPolicies},
		{"GET", "/v1/policies/{name}", keys.User, "getPolicy", "Get a policy, with its text if it was sent.", version, nil, policyView{}, (*Server).getPolicy},
		{"PUT", "/v1/policies/{name}", keys.Admin, "putPolicy", "Make the next version of a policy; the body is that of a policy file, text/yaml.", []parameter{
			{"tenants", "who may use it, separated by commas; all tenants if it is left out"},
		}, media("text/yaml"), reply{http.StatusCreated, policyView{}}, (*Server).putPolicy},
		{"GET", "/v1/policies/{name}/explain", keys.User, "explainPolicy", "Get what a policy opens, and which line does.", version, nil, explain.Explanation{}, (*Server).explainPolicy},
	}
}

type policyList struct {
	Policies []policyView `json:"policies"`
}

type policyView struct {
	policies.Info
	Text    string `json:"text,omitempty"`    // of one that was sent; for admins also of a file
	Warning string `json:"warning,omitempty"` // of a text that is right, but not for each run
}

// seesPolicies is whose policies the key of c may see: an admin sees all.
func (c *call) seesPolicies() string {
	if c.key.Role.May(keys.Admin) {
		return policies.Everyone
	}
	return c.key.Tenant
}

// view is a policy as the key of c may see it: who may use it is for admins.
func (c *call) view(i *policies.Info) policyView {
	v := policyView{Info: *i}
	if !c.key.Role.May(keys.Admin) {
		v.Tenants = nil
	}
	return v
}

func (s *Server) listPolicies(c *call) error {
	infos, err := s.Policies.List(c.q.Context(), c.seesPolicies())
	if err != nil {
		return err
	}
	list := policyList{Policies: []policyView{}}
	for _, i := range infos {
		list.Policies = append(list.Policies, c.view(i))
	}
	return c.answer(http.StatusOK, list)
}

// policy is the policy of a path, of the version that the query names.
func (c *call) policy(s *Server) (i *policies.Info, err error) {
	of, version := c.q.PathValue("name"), c.q.URL.Query().Get("version")
	if strings.Contains(of, "@") {
		return nil, store.ErrNone
	}
	if version != "" {
		ref, err := s.Policies.Resolve(c.q.Context(), c.seesPolicies(), of+"@"+version)
		if err != nil {
			return nil, unknown(err)
		}
		_, version, _ = strings.Cut(string(ref), "@")
	}
	if i, err = s.Policies.Get(c.q.Context(), c.seesPolicies(), of); err != nil {
		return nil, unknown(err)
	}
	if version != "" {
		i.Version = version
	}
	return i, nil
}

// unknown is the error about a policy in a path: one of another tenant is as one that there is not.
func unknown(err error) error {
	if errors.Is(err, policies.ErrUnknown) {
		return store.ErrNone
	}
	return err
}

func (s *Server) getPolicy(c *call) error {
	i, err := c.policy(s)
	if err != nil {
		return err
	}
	v := c.view(i)
	if i.Source == store.Sent || i.Source == store.OfFile && c.key.Role.May(keys.Admin) {
		if v.Text, err = s.Policies.Text(c.q.Context(), i.Name, i.Version); err != nil {
			return err
		}
	}
	return c.answer(http.StatusOK, v)
}

func (s *Server) putPolicy(c *call) error {
	text, err := io.ReadAll(c.q.Body)
	if err != nil {
		return err
	}
	var tenants []string
	if list := c.q.URL.Query().Get("tenants"); list != "" {
		tenants = strings.Split(list, ",")
	}
	of := c.q.PathValue("name")
	warning, err := s.Plans.Check(of, string(text))
	if err != nil {
		return problem.New(problem.Invalid, err.Error())
	}
	i, err := s.Policies.Put(c.q.Context(), of, string(text), tenants)
	switch {
	case errors.Is(err, policies.ErrText):
		return problem.New(problem.Invalid, err.Error())
	case errors.Is(err, policies.ErrTaken):
		return problem.New(problem.Conflict, err.Error())
	case err != nil:
		return err
	}
	s.Log.Info("a policy was sent", "policy", i.Ref(), "tenants", tenants, "by", c.key.Tenant)
	v := c.view(i)
	v.Warning = warning
	return c.answer(http.StatusCreated, v)
}

func (s *Server) explainPolicy(c *call) error {
	i, err := c.policy(s)
	if err != nil {
		return err
	}
	e, err := s.Plans.Explain(c.q.Context(), i.Ref(), !c.key.Role.May(keys.Admin))
	if err != nil {
		return problem.New(problem.Conflict, err.Error())
	}
	return c.answer(http.StatusOK, e)
}
