// Package explain says what a policy opens: for the command and the service, as objects with the lines of policy files.
//
// It may not open anything, or leave an opening out.
package explain

import (
	"fmt"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
)

// An Explanation is what a policy opens. Fields may be added, never changed.
type Explanation struct {
	Isolation Limit      `json:"isolation"`
	Openings  []Opening  `json:"openings"`
	Functions []Function `json:"functions"`
	Limits    []Limit    `json:"limits"`
}

// An Opening is access to something outside of the sandbox.
type Opening struct {
	Field  string           `json:"field"` // of sandtrap.Policy, and what in it
	Opens  string           `json:"opens"`
	From   policyfile.Place `json:"from"`
	Layers []string         `json:"layers"` // of isolation kernel that it changes
	Kernel string           `json:"kernel"` // how
}

// A Function says how calls of a function, or operations on files, are decided.
type Function struct {
	Name     string            `json:"name"`
	Decision string            `json:"decision"` // allow, ask or deny
	Code     string            `json:"code,omitempty"`
	Reason   string            `json:"reason,omitempty"`
	Rules    []string          `json:"rules,omitempty"`
	Declares string            `json:"declares,omitempty"`
	From     *policyfile.Place `json:"from,omitempty"` // of what it declares
}

// A Limit is a bound, or a setting, and where it comes from.
type Limit struct {
	Name  string           `json:"name"`
	Value string           `json:"value"`
	From  policyfile.Place `json:"from"`
}

// A Policy is what is explained.
type Policy struct {
	File  *policyfile.File
	Guard *policyfile.Guard // of the policy; nil if it has none
	Plan  *sandtrap.Plan    // of the policy
	Tools string            // the name of the file with its functions

	// Public, if not empty, stands for the names of policy files, and no path, file or variable of the machine is named.
	Public string
}

// Of explains a policy.
func Of(p Policy) (*Explanation, error) {
	isolation := string(p.File.Policy.Isolation)
	if isolation == "" {
		isolation = string(sandtrap.None)
	}
	e := &Explanation{Isolation: Limit{"isolation", isolation, p.from("isolation")}, Openings: []Opening{}, Functions: []Function{}}
	for _, x := range p.Plan.Explain() {
		field, item, _ := strings.Cut(x.Cause, " ")
		if field == "Network" {
			e.Openings = append(e.Openings, p.networkOpenings()...)
			continue
		}
		layers, kernel := p.changes(field)
		o := Opening{x.Cause, x.Opens, p.origin(field, item), layers, kernel}
		if field == "Files.Paths" && p.Public != "" {
			o.Field, o.Opens = field, "a directory of the machine"
		}
		e.Openings = append(e.Openings, o)
	}
	var err error
	if e.Functions, err = p.functions(); err != nil {
		return nil, err
	}
	for _, l := range policyfile.Limits {
		e.Limits = append(e.Limits, Limit{l.Key, l.Text(&p.File.Policy.Limits), p.from("limits." + l.Key)})
	}
	e.Limits = append(e.Limits, p.networkLimits()...)
	return e, nil
}

// from is where the value of a key comes from.
func (p *Policy) from(key string) policyfile.Place {
	at := p.File.From(key)
	if p.Public != "" && at.Line > 0 && !strings.HasPrefix(at.File, "profile ") {
		at.File = p.Public
	}
	return at
}

// functions says how calls are decided.
func (p *Policy) functions() ([]Function, error) {
	g := p.Guard
	if g == nil { // what declares something is closed, as the guard of the plan has it
		g = p.File.GuardOf(guard.Policy{Deny: p.File.Closed()})
		closed := *p.File.Policy
		closed.Guard = g
		if _, err := sandtrap.Compile(closed); err != nil {
			return nil, err
		}
	}
	decisions, err := g.Decisions()
	if err != nil {
		return nil, err
	}
	list := []Function{}
	for _, d := range decisions {
		f := Function{Name: d.Member.Name, Decision: d.Does, Code: string(d.Code), Reason: d.Reason, Rules: d.Rules}
		if f.Declares = attributesText(&d.Member.Attributes); f.Declares != "" {
			from := p.from("members " + f.Name)
			f.From = &from
		}
		list = append(list, f)
	}
	return list, nil
}

// attributesText is text about attributes, empty if there are none.
func attributesText(a *decide.Attributes) string {
	var words []string
	add := func(name string, value any, is bool) {
		if is {
			words = append(words, fmt.Sprintf("%s %v", name, value))
		}
	}
	add("risk", a.Risk, a.Risk != decide.NoRisk)
	add("requires", strings.Join(a.Requires, ", "), len(a.Requires) > 0)
	add("class", a.Class, a.Class != decide.NoClass)
	add("cost", a.Cost, a.Cost != 0)
	add("rate", a.Rate, a.Rate != 0)
	return strings.Join(words, "; ")
}
