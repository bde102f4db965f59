package vm

import (
	"sort"

	"golang.org/x/tools/go/ssa"
)

// A span is a stretch of positions where a value is needed; both ends belong
// to it.
type span struct{ lo, hi int }

// A class is a set of values that share registers: a phi and those of its
// operands that do not meet it.
type class struct {
	spans  []span
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

// liveness of one function, and the registers that follow from it.
type liveness struct {
	f       *fn
	pos     map[ssa.Instruction]int
	first   []int // position of a block's start
	last    []int
	classes map[ssa.Value]*class
	order   []ssa.Value
}

// assign gives each value of f that needs registers a place from base up, and
// returns the number of registers used.
func (f *fn) assign(base int) int {
	l := &liveness{f: f, pos: map[ssa.Instruction]int{}, classes: map[ssa.Value]*class{}}
	l.number()
	in := l.flow()
	l.build(in)
	l.coalesce()
	return l.scan(base)
}

func (l *liveness) number() {
	p := 2
	for _, b := range l.f.blocks {
		l.first = append(l.first, p)
		p += 2
		for _, i := range b.Instrs {
			l.pos[i] = p
			p += 2
		}
		l.last = append(l.last, p)
		p += 2
	}
}

type set map[ssa.Value]bool

// flow computes what is live at the start of each block.
func (l *liveness) flow() []set {
	f := l.f
	n := len(f.blocks)
	use, def := make([]set, n), make([]set, n)
	for bi, b := range f.blocks {
		use[bi], def[bi] = set{}, set{}
		for _, i := range b.Instrs {
			if _, phi := i.(*ssa.Phi); !phi {
				for _, v := range f.uses(i) {
					if !def[bi][v] {
						use[bi][v] = true
					}
				}
			}
			if v, ok := i.(ssa.Value); ok && f.needsReg(v) {
				def[bi][v] = true
			}
		}
	}
	in := make([]set, n)
	for i := range in {
		in[i] = set{}
	}
	for changed := true; changed; {
		changed = false
		for bi := n - 1; bi >= 0; bi-- {
			for v := range l.out(f.blocks[bi], in) {
				if !def[bi][v] && !in[bi][v] {
					in[bi][v], changed = true, true
				}
			}
			for v := range use[bi] {
				if !in[bi][v] {
					in[bi][v], changed = true, true
				}
			}
		}
	}
	return in
}

// out is what is live at the end of b, operands of phis included.
func (l *liveness) out(b *ssa.BasicBlock, in []set) set {
	s := set{}
	for _, succ := range b.Succs {
		for v := range in[l.f.index[succ]] {
			s[v] = true
		}
		for _, v := range l.phiOperands(b, succ) {
			s[v] = true
		}
	}
	return s
}

func (l *liveness) phiOperands(b, succ *ssa.BasicBlock) []ssa.Value {
	var vs []ssa.Value
	for pi, p := range succ.Preds {
		if p != b {
			continue
		}
		for _, i := range succ.Instrs {
			phi, ok := i.(*ssa.Phi)
			if !ok {
				break
			}
			vs = append(vs, l.f.resolve(phi.Edges[pi])...)
		}
	}
	return vs
}

func (l *liveness) add(v ssa.Value, lo, hi int) {
	c := l.classes[v]
	if c == nil {
		c = &class{w: max(1, l.f.width(v))}
		l.classes[v] = c
		l.order = append(l.order, v)
	}
	c.spans = append(c.spans, span{lo, hi})
}

func (l *liveness) build(in []set) {
	f := l.f
	end := l.last[len(l.last)-1]
	for _, v := range f.pinned {
		l.add(v, 0, end)
	}
	for _, v := range f.entryValues {
		l.add(v, 0, 2)
	}
	for bi, b := range f.blocks {
		lo, hi := l.first[bi], l.last[bi]
		live := map[ssa.Value]int{} // value -> last position needed
		for v := range l.out(b, in) {
			live[v] = hi
		}
		for k := len(b.Instrs) - 1; k >= 0; k-- {
			i := b.Instrs[k]
			p := l.pos[i]
			if v, ok := i.(ssa.Value); ok && f.needsReg(v) {
				d := p
				if f.early(i) {
					d = p + 1
				}
				if _, phi := i.(*ssa.Phi); phi {
					d = lo
				}
				to, ok := live[v]
				if !ok {
					to = d
				}
				l.add(v, d, max(to, d))
				delete(live, v)
			}
			if _, phi := i.(*ssa.Phi); phi {
				continue
			}
			for _, v := range f.uses(i) {
				if _, ok := live[v]; !ok {
					live[v] = p
				}
			}
		}
		for v, to := range live {
			l.add(v, lo, to)
		}
	}
	for _, c := range l.classes {
		c.tidy()
	}
}

func (c *class) tidy() {
	sort.Slice(c.spans, func(i, j int) bool { return c.spans[i].lo < c.spans[j].lo })
	out := c.spans[:0]
	for _, s := range c.spans {
		if n := len(out); n > 0 && s.lo <= out[n-1].hi+1 {
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
			for _, e := range phi.Edges {
				l.join(phi, e)
			}
		}
	}
}

func (l *liveness) join(phi *ssa.Phi, e ssa.Value) {
	x, y := l.classes[phi], l.classes[e]
	if x == nil || y == nil || l.f.fixed[e] {
		return
	}
	x, y = x.root(), y.root()
	if x == y || x.w != y.w || overlap(x.spans, y.spans) {
		return
	}
	x.spans = append(x.spans, y.spans...)
	y.parent = x
	x.tidy()
}

// scan is linear scan with holes.
func (l *liveness) scan(base int) int {
	var cs []*class
	for _, v := range l.order {
		if c := l.classes[v]; c.parent == nil && !l.f.fixed[v] {
			cs = append(cs, c)
		}
	}
	sort.SliceStable(cs, func(i, j int) bool { return cs[i].spans[0].lo < cs[j].spans[0].lo })
	var at [][]*class // by register
	for _, v := range l.order {
		if l.f.fixed[v] {
			c, r := l.classes[v], l.f.reg[v]
			for len(at) < r+c.w {
				at = append(at, nil)
			}
			for k := range c.w {
				at[r+k] = append(at[r+k], c)
			}
		}
	}
	if len(l.f.ssa.FreeVars) > 0 {
		// The closure itself, until all captured variables are loaded.
		n := l.f.out.params
		for len(at) <= n {
			at = append(at, nil)
		}
		at[n] = append(at[n], &class{spans: []span{{0, 2}}, w: 1})
	}
	top := max(base, len(at))
	for _, c := range cs {
		r := l.place(at, c)
		for len(at) < r+c.w {
			at = append(at, nil)
		}
		for k := range c.w {
			at[r+k] = append(at[r+k], c)
		}
		c.reg = r
		top = max(top, r+c.w)
	}
	for v, c := range l.classes {
		if !l.f.fixed[v] {
			l.f.reg[v] = c.root().reg
		}
	}
	return top
}

func (l *liveness) place(at [][]*class, c *class) int {
	for r := 0; ; r++ {
		ok := true
		for k := r; k < r+c.w && ok; k++ {
			if k >= len(at) {
				break
			}
			live := at[k][:0]
			for _, o := range at[k] {
				if o.spans[len(o.spans)-1].hi < c.spans[0].lo {
					continue
				}
				live = append(live, o)
				if overlap(o.spans, c.spans) {
					ok = false
				}
			}
			at[k] = live
		}
		if ok {
			return r
		}
	}
}
