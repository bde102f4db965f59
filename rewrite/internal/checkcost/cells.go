package checkcost

// Costs are what a check has found of the declarations of a cell. For go/types a type is as
// large in the next cell as it is in its own.
type Costs struct {
	names   map[string]cost
	members Members
}

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
}

// declared are the costs of what a cell declares at package level.
func (s *sizer) declared() Costs {
	if s.earlier == nil {
		return Costs{}
	}
	out := Costs{map[string]cost{}, s.members}
	for name := range s.specs {
		out.names[name], _ = s.lookup(name)
	}
	return out
}

// earlierCost is the cost of a name that an earlier cell declares.
func (s *sizer) earlierCost(name string) (cost, bool) {
	if s.earlier != nil {
		if of, ok := s.earlier.Of(name); ok {
			if known, ok := of.names[name]; ok {
				return known, true
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
