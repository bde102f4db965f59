package rewrite

// costs are what a sizer has found of the declarations of a cell. For go/types a type is as
// large in the next cell as it is in its own.
type costs struct {
	names   map[string]cost
	members map[string]form
}

// costs are those of what a cell declares at package level.
func (c *checker) costs() costs {
	if c.session() == nil || c.sizer == nil {
		return costs{}
	}
	out := costs{map[string]cost{}, c.sizer.members}
	for name := range c.sizer.specs {
		out.names[name], _ = c.sizer.lookup(name)
	}
	return out
}

// earlierCost is the cost of a name that an earlier cell declares.
func (c *checker) earlierCost(name string) (cost, bool) {
	if s := c.session(); s != nil && s.names[name] != nil {
		if known, ok := s.names[name].cell.costs.names[name]; ok {
			return known, true
		}
	}
	return leaf(), false
}

// memberNamed is the largest of the members of that name in the cells of a session.
func (s *sizer) memberNamed(name string) (form, bool) {
	m, ok := s.members[name]
	if of := s.c.session(); of != nil {
		if f, there := of.members[name]; there {
			return larger(m, f), true
		}
	}
	return m, ok
}
