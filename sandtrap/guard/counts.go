package guard

import "sync"

// Counts are what calls have used of rates and of a budget. Runs that have the same Counts share them, whatever their plans are; the
// zero Counts begin anew. They are safe for concurrent use.
type Counts struct {
	mu     sync.Mutex
	rates  map[counted]*rate
	budget *Budget
}

// counted is a rate: of a pattern of a Policy, or of a member.
type counted struct {
	pattern  string
	ofMember bool
}

// rate is what is counted of a rate of a plan.
func (c *Counts) rate(of *rate) *rate {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := counted{of.pattern, of.ofMember}
	own := c.rates[key]
	if own == nil {
		if c.rates == nil {
			c.rates = map[counted]*rate{}
		}
		own = &rate{pattern: of.pattern, limit: of.limit, ofMember: of.ofMember}
		c.rates[key] = own
	}
	return own
}

// budgetOf is what is counted of a budget of a plan, which is nil if there is none.
func (c *Counts) budgetOf(b *Budget) *Budget {
	if b == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.budget == nil {
		c.budget = NewBudget(b.limit)
	}
	return c.budget
}

// counts are those of a layer for this run, nil if the plan has them.
func (r *run) counts(l *layer) *Counts {
	if l.policy.Counts == nil {
		return nil
	}
	return l.policy.Counts(r.subject)
}

// rates are what a call of a member counts for.
func (r *run) rates(l *layer, member string) []*rate {
	list := l.members[member].rates
	c := r.counts(l)
	if c == nil {
		return list
	}
	var own []*rate
	for _, of := range list {
		own = append(own, c.rate(of))
	}
	return own
}

// budget is what calls of a layer spend.
func (r *run) budget(l *layer) *Budget {
	if c := r.counts(l); c != nil {
		return c.budgetOf(l.policy.Budget)
	}
	return l.policy.Budget
}
