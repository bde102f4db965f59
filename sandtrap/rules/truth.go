package rules

// A truth is the result of a condition, in the three-valued logic of Kleene.
type truth int8

const (
	no truth = iota
	unknown
	yes
)

// is is yes or no.
func is(b bool) truth {
	if b {
		return yes
	}
	return no
}

func (t truth) not() truth { return yes - t }

// A node is a compiled condition.
type node interface {
	eval(c *call) truth
}

type (
	allOf []node
	anyOf []node
	notOf struct{ node }
)

func (n allOf) eval(c *call) truth {
	least := yes
	for _, m := range n {
		if t := m.eval(c); t < least {
			if t == no {
				return no
			}
			least = t
		}
	}
	return least
}

func (n anyOf) eval(c *call) truth {
	most := no
	for _, m := range n {
		if t := m.eval(c); t > most {
			if t == yes {
				return yes
			}
			most = t
		}
	}
	return most
}

func (n notOf) eval(c *call) truth { return n.node.eval(c).not() }
