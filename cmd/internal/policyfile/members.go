package policyfile

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// A Member is a function and what a file says that it declares.
type Member struct {
	Name string
	decide.Attributes
}

// members sets attributes of functions; those of a file that is extended stay where this one does not name them.
func (f *File) members(n *yaml.Node) error {
	return fields("members", n, func(name, value *yaml.Node) error {
		at := slices.IndexFunc(f.Members, func(m Member) bool { return m.Name == name.Value })
		if at < 0 {
			at = len(f.Members)
			f.Members = append(f.Members, Member{Name: name.Value})
		}
		f.mark("members "+name.Value, name)
		return f.object("members."+name.Value, value, memberKeys(&f.Members[at].Attributes))
	})
}

func memberKeys(a *decide.Attributes) []key {
	return []key{
		{"risk", "high", "how much harm a call can do: low, medium, high, critical", level(&a.Risk)},
		{"requires", "[mail.send]", "names of permissions", texts(&a.Requires)},
		{"class", "internal", "of its data: public, internal, confidential, restricted", level(&a.Class)},
		{"cost", "5", "of a call, in units of the guard's budget", whole(&a.Cost)},
		{"rate", "10", "calls in 60 seconds", scalarKey((*number)(&a.Rate).Set)},
	}
}

// Declare has functions declare what the file says of them. One that is not there is an error.
func (f *File) Declare(funcs map[string]any) error {
	for _, m := range f.Members {
		declared, ok := funcs[m.Name].(sandtrap.Member)
		if !ok {
			var names []string
			for name, v := range funcs {
				if _, ok := v.(sandtrap.Member); ok {
					names = append(names, name)
				}
			}
			slices.Sort(names)
			return fmt.Errorf("%s: members: there is no function %q%s", f.line("members "+m.Name), m.Name, functionHint(m.Name, names))
		}
		declared.Risk, declared.Requires, declared.Class, declared.Cost, declared.Rate = m.Risk, m.Requires, m.Class, m.Cost, m.Rate
		funcs[m.Name] = declared
	}
	return nil
}

// Closed are functions that a policy without a guard refuses and that an empty guard would open: they declare no more than a rate
// or a cost.
func (f *File) Closed() (names []string) {
	for _, m := range f.Members {
		if m.Declared() && m.Risk == decide.NoRisk && len(m.Requires) == 0 && m.Class == decide.NoClass {
			names = append(names, m.Name)
		}
	}
	return names
}

func functionHint(name string, names []string) string {
	if len(names) == 0 {
		return "; --tools FILE declares functions"
	}
	return hint(name, names)
}

// line is where the value of a key comes from, as errors have it.
func (f *File) line(key string) string {
	at := f.From(key)
	if at.Line == 0 {
		return at.File
	}
	return fmt.Sprintf("%s: line %d", at.File, at.Line)
}
