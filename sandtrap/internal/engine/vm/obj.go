package vm

import (
	"math"
	"reflect"
)

// Obj is memory for n values of one layout: n*w cells over three banks. A bank
// that the layout does not use is empty.
type Obj struct {
	I []int64
	S []string
	R []any
}

// mem is memory as the slow paths see it: by cell index.
type mem interface {
	ldI(k int) int64
	stI(k int, v int64)
	ldS(k int) string
	stS(k int, v string)
	ldR(k int) any
	stR(k int, v any)
	cellCount() int
}

// An Obj whose values were given to the host to keep is moved: its values are the
// host's memory from then on. It has no cells left, so that the loop comes here for each
// access, and an R of no length that holds where they went.

// A place elsewhere is where they went.
type elsewhere struct{ mem }

// movedObj is an Obj whose values went there.
func movedObj(to mem) Obj { return Obj{R: []any{&elsewhere{to}}[:0:1]} }

// moved is where the values of o went, nil if they are still here.
func (o *Obj) moved() mem {
	if len(o.R) != 0 || cap(o.R) != 1 {
		return nil
	}
	if to, ok := o.R[:1][0].(*elsewhere); ok {
		return to.mem
	}
	return nil
}

// noMem answers for the banks a store does not have.
type noMem struct{}

func (noMem) ldI(int) int64 { panic("vm: no number bank") }

func (noMem) stI(int, int64) { panic("vm: no number bank") }

func (noMem) ldS(int) string { panic("vm: no string bank") }

func (noMem) stS(int, string) { panic("vm: no string bank") }

func (noMem) ldR(k int) any { panic("vm: no reference bank") }

func (noMem) stR(k int, v any) { panic("vm: no reference bank") }

func (o *Obj) ldI(k int) int64 {
	if to := o.moved(); to != nil {
		return to.ldI(k)
	}
	return o.I[k]
}

func (o *Obj) stI(k int, v int64) {
	if to := o.moved(); to != nil {
		to.stI(k, v)
		return
	}
	o.I[k] = v
}

func (o *Obj) ldS(k int) string {
	if to := o.moved(); to != nil {
		return to.ldS(k)
	}
	return o.S[k]
}

func (o *Obj) stS(k int, v string) {
	if to := o.moved(); to != nil {
		to.stS(k, v)
		return
	}
	o.S[k] = v
}

func (o *Obj) ldR(k int) any {
	if to := o.moved(); to != nil {
		return to.ldR(k)
	}
	return o.R[k]
}

func (o *Obj) stR(k int, v any) {
	if to := o.moved(); to != nil {
		to.stR(k, v)
		return
	}
	o.R[k] = v
}

func (o *Obj) cellCount() int { return max(len(o.I), len(o.S), len(o.R)) }

// newObj makes memory for n values. Small ones are one allocation.
func newObj(w int, banks mask, n int) *Obj {
	c := w * n
	if n == 1 {
		switch {
		case banks == mI && c == 1:
			o := &struct {
				Obj
				i [1]int64
			}{}
			o.I = o.i[:]
			return &o.Obj
		case banks == mI && c <= 3:
			o := &struct {
				Obj
				i [3]int64
			}{}
			o.I = o.i[:c]
			return &o.Obj
		case banks == mR && c == 1:
			o := &struct {
				Obj
				r [1]any
			}{}
			o.R = o.r[:]
			return &o.Obj
		case banks == mP && c == 1:
			o := &struct {
				Obj
				i [1]int64
				r [1]any
			}{}
			o.I, o.R = o.i[:], o.r[:]
			return &o.Obj
		case banks == mP && c <= 3:
			o := &struct {
				Obj
				i [3]int64
				r [3]any
			}{}
			o.I, o.R = o.i[:c], o.r[:c]
			return &o.Obj
		case banks == mS && c == 1:
			o := &struct {
				Obj
				s [1]string
			}{}
			o.S = o.s[:]
			return &o.Obj
		}
	}
	o := &Obj{}
	if banks&mI != 0 {
		o.I = make([]int64, c)
	}
	if banks&mS != 0 {
		o.S = make([]string, c)
	}
	if banks&mR != 0 {
		o.R = make([]any, c)
	}
	return o
}

// hostType is the Type of a Go type, nil if the program has none.
func (p *Program) hostType(rt reflect.Type) *Type {
	if t := universe.byHost[rt]; t != nil {
		return t
	}
	return p.byHost[rt]
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func f2i(f float64) int64 { return int64(math.Float64bits(f)) }

func i2f(i int64) float64 { return math.Float64frombits(uint64(i)) }
