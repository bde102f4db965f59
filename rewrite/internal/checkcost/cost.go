package checkcost

import "go/ast"

// A form is a size that depends on those of type parameters: base plus the
// given number of times the size of each parameter.
type form struct {
	base   float64
	params map[*ast.Ident]float64
}

// most caps every figure so that products stay finite.
const most = 1e12

func number(n float64) form { return form{base: min(n, most)} }

func (f form) plus(g form) form { return f.plusTimes(g, 1) }

// plusTimes is f + n*g.
func (f form) plusTimes(g form, n float64) form {
	sum := form{base: min(f.base+n*g.base, most)}
	if len(f.params)+len(g.params) == 0 {
		return sum
	}
	sum.params = make(map[*ast.Ident]float64, len(f.params)+len(g.params))
	for p, k := range f.params {
		sum.params[p] = k
	}
	for p, k := range g.params {
		sum.params[p] = min(sum.params[p]+n*k, most)
	}
	return sum
}

// with puts the sizes of arguments in place of the parameters.
func (f form) with(args map[*ast.Ident]form) form {
	sum := number(f.base)
	for p, k := range f.params {
		if a, ok := args[p]; ok {
			sum = sum.plusTimes(a, k)
		} else {
			sum = sum.plus(form{params: map[*ast.Ident]float64{p: k}})
		}
	}
	return sum
}

// total is the size with every parameter as small as can be.
func (f form) total() float64 {
	n := f.base
	for _, k := range f.params {
		n += k
	}
	return n
}

// repeats is the most that any one parameter is repeated.
func (f form) repeats() float64 {
	n := 0.0
	for _, k := range f.params {
		n = max(n, k)
	}
	return n
}

// larger is a form that is no smaller than either.
func larger(f, g form) form {
	m := form{base: max(f.base, g.base)}
	if len(f.params)+len(g.params) == 0 {
		return m
	}
	m.params = map[*ast.Ident]float64{}
	for p, k := range f.params {
		m.params[p] = k
	}
	for p, k := range g.params {
		m.params[p] = max(m.params[p], k)
	}
	return m
}

// A cost is what is known of a type, or of the type of a value, before go/types
// has seen it.
type cost struct {
	parts   form    // values laid out within a value: fields, elements of arrays once
	text    form    // length of the type written out, aliases expanded
	under   form    // the same of the underlying type of a generic type
	embeds  form    // types that a search for a promoted member visits
	depth   float64 // of declared types within each other's values
	methods float64 // of an interface, embedded ones included
	terms   float64 // of a union
	bytes   float64 // of a string constant
	bits    float64 // of the exponent's range of a number constant: 2 to the bits is larger than it
	params  []*ast.Ident
	result  form // of a function: the largest of its results' types written out
	spread  form // of a function, or of what a call returns: all results together
	isType  bool
}

// leaf is the cost of a type that has no parts, and of what is not known.
func leaf() cost {
	return cost{parts: number(1), text: number(1), embeds: number(1), terms: 1, isType: true}
}

// typeParam is the cost of a type parameter in its own terms.
func typeParam(p *ast.Ident) cost {
	one := form{params: map[*ast.Ident]float64{p: 1}}
	return cost{parts: one, text: one, embeds: one, terms: 1, isType: true}
}

// instance is the cost of the generic c with type arguments.
func (c cost) instance(args []cost) cost {
	parts, text, embeds := map[*ast.Ident]form{}, map[*ast.Ident]form{}, map[*ast.Ident]form{}
	deepest := 0.0
	for i, p := range c.params {
		if i < len(args) {
			parts[p], text[p], embeds[p] = args[i].parts, args[i].text, args[i].embeds
			deepest = max(deepest, args[i].depth)
		}
	}
	inst := c
	inst.params = nil
	inst.parts, inst.embeds = c.parts.with(parts), c.embeds.with(embeds)
	inst.text, inst.under = c.text.with(text), c.under.with(text)
	inst.result, inst.spread = c.result.with(text), c.spread.with(text)
	inst.depth = c.depth + deepest
	return inst
}

// either is a cost no smaller than those of c and d.
func either(c, d cost) cost {
	return cost{
		parts: larger(c.parts, d.parts), text: larger(c.text, d.text), embeds: larger(c.embeds, d.embeds),
		depth: max(c.depth, d.depth), methods: max(c.methods, d.methods), terms: max(c.terms, d.terms),
		bytes: max(c.bytes, d.bytes), bits: max(c.bits, d.bits), result: larger(c.result, d.result),
		spread: larger(c.spread, d.spread), isType: c.isType && d.isType,
	}
}
