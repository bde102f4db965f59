package egress

import "io"

// A Decider decides as a Gate does before it asks anybody.
type Decider struct{ rules *ruleset }

// NewDecider compiles the rules of a policy.
func NewDecider(p Policy) (*Decider, error) {
	rules, err := compile(&p)
	return &Decider{rules}, err
}

// Decide is the rule that allows a request, or the refusal.
func (d *Decider) Decide(method, url string) (rule string, err error) {
	a, err := Canonical(url)
	if err != nil {
		return "", err
	}
	r := d.rules.match(method, &a)
	if r == nil {
		return "", d.rules.refusal(method, &a)
	}
	return r.text, nil
}

// Pools is how many pools of connections a gate has.
func Pools(g *Gate) int {
	g.pools.mu.Lock()
	defer g.pools.mu.Unlock()
	return len(g.pools.all)
}

// Tenants is how many tenants a gate remembers.
func Tenants(g *Gate) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return len(g.tenants)
}

// Scanned is a body without some secrets.
func Scanned(body io.Reader, values ...string) io.Reader {
	all := &secrets{marks: &marks{}}
	for _, v := range values {
		all.marks.add("one", v)
	}
	return &scanned{x: &exchange{run: &Run{gate: &Gate{secrets: all}}}, from: body}
}
