package compile

import "container/heap"

// registers is who uses which, by register. Classes come in the order in which their
// first spans begin.
type registers struct {
	at   [][]*class
	busy []*class // a heap, by their ends
	one  []*class // room for the first users of registers
}

// makeRoom makes room for n of them.
func (r *registers) makeRoom(n int) {
	r.at, r.one = make([][]*class, 0, n), make([]*class, n)
}

func (r *registers) put(c *class, reg int) {
	c.reg = reg
	for len(r.at) < reg+c.w {
		var users []*class
		if k := len(r.at); k < len(r.one) {
			users = r.one[k : k : k+1]
		}
		r.at = append(r.at, users)
	}
	for k := range c.w {
		r.at[reg+k] = append(r.at[reg+k], c)
	}
}

// holes is linear scan with holes: each class gets the first registers where it meets
// nobody.
func (r *registers) holes(cs []*class) {
	for _, c := range cs {
		reg := 0
		for !r.free(reg, c) {
			reg = past(reg+1, c.w)
		}
		r.put(c, reg)
	}
}

// free reports that c meets nobody in its registers from reg up. It forgets who does
// not come again.
func (r *registers) free(reg int, c *class) bool {
	for k := reg; k < min(reg+c.w, len(r.at)); k++ {
		ok := true
		live := r.at[k][:0]
		for _, o := range r.at[k] {
			if o.end() < c.spans[0].lo {
				continue
			}
			live = append(live, o)
			ok = ok && !overlap(o.spans, c.spans)
		}
		r.at[k] = live
		if !ok {
			return false
		}
	}
	return true
}

// whole gives each class registers from base up for as long as it lives, holes
// included.
func (r *registers) whole(cs []*class, base int) {
	top := base
	free := map[int][]int{} // first registers of rows that are free again, by width
	for _, c := range cs {
		for len(r.busy) > 0 && r.busy[0].end() < c.spans[0].lo {
			o := heap.Pop(r).(*class)
			free[o.w] = append(free[o.w], o.reg)
		}
		if rows := free[c.w]; len(rows) > 0 {
			c.reg, free[c.w] = rows[len(rows)-1], rows[:len(rows)-1]
		} else {
			c.reg = past(top, c.w)
			top = c.reg + c.w
		}
		heap.Push(r, c)
	}
	for len(r.at) < top {
		r.at = append(r.at, nil)
	}
}

// end is the last position at which c is needed.
func (c *class) end() int { return c.spans[len(c.spans)-1].hi }

func (r *registers) Len() int           { return len(r.busy) }
func (r *registers) Less(i, j int) bool { return r.busy[i].end() < r.busy[j].end() }
func (r *registers) Swap(i, j int)      { r.busy[i], r.busy[j] = r.busy[j], r.busy[i] }
func (r *registers) Push(x any)         { r.busy = append(r.busy, x.(*class)) }
func (r *registers) Pop() any {
	last := len(r.busy) - 1
	c := r.busy[last]
	r.busy = r.busy[:last]
	return c
}
