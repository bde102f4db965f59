package checkcost

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
)

// Costs are what a check has found of the declarations of a cell. For go/types a type is as
// large in the next cell as it is in its own.
type Costs struct {
	names   []named // sorted
	members Members
}

// A named is the cost of what a name is declared as.
type named struct {
	name string
	cost cost
}

func (n named) compare(name string) int { return strings.Compare(n.name, name) }

// Members are the largest results of methods and types of fields, by name.
type Members map[string]form

// Add makes m no smaller than the members of c.
func (m Members) Add(c Costs) {
	for name, f := range c.members {
		m[name] = larger(m[name], f)
	}
}

// Earlier is what the cells before this one declare.
type Earlier struct {
	Of      func(name string) (Costs, bool) // of the cell that declares name
	Members Members                         // of all cells
	Body    *ast.FuncDecl                   // of the statements of this one, which no later cell can call; nil if there are none
}

// declared are the costs of what a cell declares at package level.
func (s *sizer) declared() Costs {
	if s.earlier == nil {
		return Costs{}
	}
	if body := s.earlier.Body; body != nil {
		maps.DeleteFunc(s.specs, func(_ string, d declared) bool { return d.node == body })
	}
	out := Costs{make([]named, 0, len(s.specs)), s.members}
	for _, name := range slices.Sorted(maps.Keys(s.specs)) {
		of, _ := s.lookup(name)
		out.names = append(out.names, named{name, of})
	}
	return out
}

// earlierCost is the cost of a name that an earlier cell declares.
func (s *sizer) earlierCost(name string) (cost, bool) {
	if s.earlier != nil {
		if of, ok := s.earlier.Of(name); ok {
			if i, ok := slices.BinarySearchFunc(of.names, name, named.compare); ok {
				return of.names[i].cost, true
			}
		}
	}
	return leaf(), false
}

// memberNamed is the largest of the members of that name in the cells of a session.
func (s *sizer) memberNamed(name string) (form, bool) {
	m, ok := s.members[name]
	if s.earlier != nil {
		if f, there := s.earlier.Members[name]; there {
			return larger(m, f), true
		}
	}
	return m, ok
}
