package compile

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Up to these sizes the places of values are found exactly, beyond them roughly,
// in linear time: rough results need more registers, never fewer.
const (
	maxMarks  = 1 << 20 // blocks that the values of a function live through
	maxHoled  = 1 << 10 // classes of which others use the registers where they do not
	maxHoles  = 1 << 15 // spans of all of these
	maxJoined = 1 << 6  // operands of a phi that may share its registers
	maxSpans  = 1 << 10 // of a class that takes in another
)

// A span is a stretch of positions where a value is needed; both ends belong
// to it. Instructions are two positions apart, and so are blocks.
type span struct{ lo, hi int }

// A class is a set of values that share registers: a phi and those of its
// operands that do not meet it.
type class struct {
	spans  []span
	first  [1]span
	w      int
	reg    int
	parent *class
}

func (c *class) root() *class {
	for c.parent != nil {
		c = c.parent
	}
	return c
}

// reach adds a span, or makes the last one longer.
func (c *class) reach(lo, hi int) {
	if n := len(c.spans); n > 0 && c.spans[n-1].lo == lo {
		c.spans[n-1].hi = max(c.spans[n-1].hi, hi)
		return
	}
	if c.spans == nil {
		c.spans = c.first[:0]
	}
	c.spans = append(c.spans, span{lo, hi})
}

// A use is a position in a block where a value is needed. The end of a block is that of
// the operands of phis.
type use struct{ block, at int }

// liveness of one function, and the registers that follow from it.
type liveness struct {
	f     *fn
	first []int // position of a block's start
	last  []int
	order []*fact // of the values that need registers
	seen  []*fact // by block: the value found last to be needed at its end
	todo  []*ssa.BasicBlock
	marks int
	users registers
}

// assign gives each value of f that needs registers a place from base up, and
// returns the number of registers used.
func (f *fn) assign(base int) int {
	l := &liveness{f: f, seen: make([]*fact, len(f.blocks)), order: make([]*fact, 0, 16)}
	l.number()
	l.collect()
	for _, x := range l.order {
		l.follow(x)
		x.class.tidy()
	}
	l.coalesce()
	return l.scan(base)
}

func (l *liveness) number() {
	p, at := 2, make([]int, 2*len(l.f.blocks))
	l.first, l.last = at[:0:len(l.f.blocks)], at[len(l.f.blocks):][:0]
	for _, b := range l.f.blocks {
		l.first = append(l.first, p)
		p += 2 * (len(b.Instrs) + 1)
		l.last = append(l.last, p)
		p += 2
	}
}

// collect notes where each value comes from and where it is needed.
func (l *liveness) collect() {
	f := l.f
	for _, v := range f.pinned {
		l.define(v, 0, 0).pinned = true
	}
	for _, v := range f.entryValues {
		l.define(v, 0, 0)
	}
	for _, b := range f.blocks {
		at := l.first[b.Index]
		for _, i := range b.Instrs {
			at += 2
			if phi, ok := i.(*ssa.Phi); ok {
				l.phi(b, phi)
				continue
			}
			if v, ok := i.(ssa.Value); ok && f.needsReg(v) {
				from := at
				if f.early(i) {
					from++
				}
				l.define(v, b.Index, from)
			}
			f.values = f.uses(i, f.values[:0])
			for _, v := range f.values {
				l.needs(v, b.Index, at)
			}
			if c, ok := i.(*ssa.Call); ok {
				l.needsListed(c, b.Index, at+1)
			}
		}
	}
}

// needsListed notes what append takes one by one, when it has its result already.
func (l *liveness) needsListed(c *ssa.Call, block, at int) {
	for _, v := range l.f.listed[c] {
		l.f.values = l.f.resolve(v, l.f.values[:0])
		for _, v := range l.f.values {
			l.needs(v, block, at)
		}
	}
}

func (l *liveness) phi(b *ssa.BasicBlock, phi *ssa.Phi) {
	if l.f.needsReg(phi) {
		l.define(phi, b.Index, l.first[b.Index])
	}
	for pi, e := range phi.Edges {
		l.f.values = l.f.resolve(e, l.f.values[:0])
		for _, v := range l.f.values {
			p := b.Preds[pi].Index
			l.needs(v, p, l.last[p])
		}
	}
}

func (l *liveness) define(v ssa.Value, block, at int) *fact {
	x := l.f.fact(v)
	if !x.defined {
		x.defined, x.block, x.from, x.class.w = true, block, at, max(1, l.f.width(v))
		l.order = append(l.order, x)
	}
	return x
}

func (l *liveness) needs(v ssa.Value, block, at int) {
	x := l.f.fact(v)
	if n := len(x.uses); n > 0 && x.uses[n-1].block == block {
		x.uses[n-1].at = max(x.uses[n-1].at, at)
		return
	}
	if x.uses == nil {
		x.uses = x.firstUse[:0]
	}
	x.uses = append(x.uses, use{block, at})
}

// follow goes back from each use of x to where x comes from.
func (l *liveness) follow(x *fact) {
	c, all := &x.class, span{0, l.last[len(l.last)-1]}
	if x.pinned {
		c.spans = []span{all}
		return
	}
	c.reach(x.from, max(x.from, 2))
	for _, u := range x.uses {
		if u.block == x.block && u.at >= x.from {
			c.reach(x.from, u.at)
			continue
		}
		c.reach(l.first[u.block], u.at)
		l.todo = append(l.todo[:0], l.f.blocks[u.block])
		for len(l.todo) > 0 {
			b := l.todo[len(l.todo)-1]
			l.todo = l.todo[:len(l.todo)-1]
			for _, p := range b.Preds {
				l.through(x, p)
			}
			if l.marks > maxMarks {
				c.spans = []span{all}
				return
			}
		}
	}
}

// through notes that x is needed at the end of b.
func (l *liveness) through(x *fact, b *ssa.BasicBlock) {
	if l.seen[b.Index] == x {
		return
	}
	l.seen[b.Index] = x
	l.marks++
	if b.Index == x.block {
		x.class.reach(x.from, l.last[b.Index])
		return
	}
	x.class.reach(l.first[b.Index], l.last[b.Index])
	l.todo = append(l.todo, b)
}

// tidy sorts the spans and joins those with nothing between them.
func (c *class) tidy() {
	if len(c.spans) == 1 {
		return
	}
	slices.SortFunc(c.spans, func(a, b span) int { return a.lo - b.lo })
	out := c.spans[:0]
	for _, s := range c.spans {
		if n := len(out); n > 0 && s.lo <= out[n-1].hi+2 {
			out[n-1].hi = max(out[n-1].hi, s.hi)
			continue
		}
		out = append(out, s)
	}
	c.spans = out
}

func overlap(a, b []span) bool {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if a[i].hi < b[j].lo {
			i++
		} else if b[j].hi < a[i].lo {
			j++
		} else {
			return true
		}
	}
	return false
}

// coalesce joins phis with their operands where they never meet.
func (l *liveness) coalesce() {
	for _, b := range l.f.blocks {
		for _, i := range b.Instrs {
			phi, ok := i.(*ssa.Phi)
			if !ok {
				break
			}
			if len(phi.Edges) > maxJoined {
				continue
			}
			for _, e := range phi.Edges {
				if !isConstLike(e) {
					l.join(l.f.fact(phi), l.f.fact(e))
				}
			}
		}
	}
}

func (l *liveness) join(phi, e *fact) {
	if !phi.defined || !e.defined || e.fixed {
		return
	}
	x, y := phi.class.root(), e.class.root()
	if x == y || x.w != y.w || len(x.spans)+len(y.spans) > maxSpans || overlap(x.spans, y.spans) {
		return
	}
	x.spans = append(x.spans, y.spans...)
	y.parent = x
	x.tidy()
}

// scan gives the classes their registers.
func (l *liveness) scan(base int) int {
	cs := make([]*class, 0, len(l.order))
	r := &l.users
	r.makeRoom(base + 16)
	for _, x := range l.order {
		if x.fixed {
			r.put(&x.class, x.reg)
		} else if x.class.parent == nil {
			cs = append(cs, &x.class)
		}
	}
	if len(l.f.ssa.FreeVars) > 0 {
		// The closure itself, until all captured variables are loaded.
		r.put(&class{spans: []span{{0, 2}}, w: 1}, l.f.out.Params)
	}
	slices.SortStableFunc(cs, func(a, b *class) int { return a.spans[0].lo - b.spans[0].lo })
	spans := 0
	for _, c := range cs {
		spans += len(c.spans)
	}
	if len(cs) > maxHoled || spans > maxHoles {
		r.whole(cs, max(base, len(r.at)))
	} else {
		r.holes(cs)
	}
	for _, x := range l.order {
		if !x.fixed {
			x.reg, x.placed = x.class.root().reg, true
		}
	}
	return max(base, len(r.at))
}
