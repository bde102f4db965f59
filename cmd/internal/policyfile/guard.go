package policyfile

import (
	"cmp"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

func (f *File) guard(n *yaml.Node) error {
	if f.Guard == nil {
		f.Guard = &guard.Policy{}
	}
	return f.object("guard", n, f.guardKeys(f.Guard))
}

// guardKeys are those of a guard. Lists of members and rules that refuse something or ask are added to those of a file that is
// extended, so that nobody loses one by adding another.
func (f *File) guardKeys(g *guard.Policy) []key {
	return []key{
		{"inactive", "false", "refuse all calls", truth(&g.Inactive)},
		{"packages", "[mail]", "patterns of import paths: members of other packages are refused", f.patterns("packages", &g.Packages, false)},
		{"hidden", "[debug]", "members that are not for scripts; added to those of the file that is extended", f.patterns("hidden", &g.Hidden, true)},
		{"max_risk", "low", "the highest risk of members that may be called without a grant: low, medium, high, critical", level(&g.MaxRisk)},
		{"permissions", "[mail.send]", "what members may require", texts(&g.Permissions)},
		{"deny", "[pay]", "members that are refused; added, as hidden", f.patterns("deny", &g.Deny, true)},
		{"ask", `["send*"]`, "members whose calls need approval each time; added, as hidden", f.patterns("ask", &g.Ask, true)},
		{"grants", "", "members that may be called whatever their risk is", f.grants(g)},
		{"default", "ask", "for members with a risk that are in none of these lists: ask, allow or deny", word(&g.Default)},
		{"max_class", "internal", "the highest class of data that members may handle: public, internal, confidential, restricted", level(&g.MaxClass)},
		{"rules", "", "about arguments, results and earlier calls; added, and one with the name of a rule there takes its place", f.rules(g)},
		{"rates", `{"*": 60}`, "calls in 60 seconds, by patterns of members; added", f.rates(g)},
		{"budget", "1000", "what calls may cost together", func(n *yaml.Node) error {
			err := whole(&f.Budget)(n)
			g.Budget = guard.NewBudget(f.Budget)
			return err
		}},
		{"ask_timeout", "5m", "how long a call waits for approval before it is refused, 1h at most", scalarKey((*span)(&g.AskTimeout).Set)},
		{"record_may_fail", "false", "go on when the file of `--record` cannot be written", truth(&g.RecordMayFail)},
	}
}

// level reads a risk or a class.
func level(to interface{ UnmarshalText([]byte) error }) setter {
	return scalarKey(func(s string) error { return to.UnmarshalText([]byte(s)) })
}

// patterns reads a list of the guard.
func (f *File) patterns(name string, to *[]string, add bool) setter {
	return func(n *yaml.Node) error {
		var before []string
		if add {
			before = slices.Clone(*to)
		}
		if err := texts(to)(n); err != nil {
			return err
		}
		for i, pattern := range *to {
			f.mark("guard."+name+" "+pattern, n.Content[i])
		}
		*to = append(before, *to...)
		return nil
	}
}

func (f *File) grants(g *guard.Policy) setter {
	return func(n *yaml.Node) error {
		g.Grants = nil
		return each(n, func(e *yaml.Node) error {
			var grant guard.Grant
			if err := f.object("guard.grants", e, f.grantKeys(&grant)); err != nil {
				return err
			}
			if len(grant.Members) == 0 {
				return &placed{e.Line, `guard.grants: members is missing; ["*"] is all of them`}
			}
			g.Grants = append(g.Grants, grant)
			return nil
		})
	}
}

func (f *File) grantKeys(g *guard.Grant) []key {
	return []key{
		{"members", `["read*"]`, "patterns of members", f.patterns("grants", &g.Members, false)},
		{"reason", "they change nothing", "why, for records", word(&g.Reason)},
	}
}

func (f *File) rates(g *guard.Policy) setter {
	return func(n *yaml.Node) error {
		if g.Rates == nil {
			g.Rates = map[string]int{}
		}
		return fields("guard.rates", n, func(name, value *yaml.Node) error {
			var limit int
			err := scalar(value, (*number)(&limit).Set)
			g.Rates[name.Value] = limit
			f.mark("guard.rates "+name.Value, name)
			return err
		})
	}
}

// rules adds rules, or replaces those of the same names in a file that is extended.
func (f *File) rules(g *guard.Policy) setter {
	return func(n *yaml.Node) error {
		inherited := len(g.Rules)
		return each(n, func(e *yaml.Node) error {
			var r rules.Rule
			if err := f.object("guard.rules", e, f.ruleKeys(&r)); err != nil {
				return err
			}
			name := cmp.Or(r.Name, r.Use)
			if name == "" {
				return &placed{e.Line, "guard.rules: a rule has no name"}
			}
			f.mark("guard.rules "+name, e)
			at := slices.IndexFunc(g.Rules[:inherited], func(o rules.Rule) bool { return cmp.Or(o.Name, o.Use) == name })
			if at >= 0 {
				g.Rules = slices.Clone(g.Rules)
				g.Rules[at] = r
			} else {
				g.Rules = append(g.Rules, r)
			}
			return nil
		})
	}
}
