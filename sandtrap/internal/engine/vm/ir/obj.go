package ir

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

// Mem is memory as the slow paths see it: by cell index.
type Mem interface {
	LdI(k int) int64
	StI(k int, v int64)
	LdS(k int) string
	StS(k int, v string)
	LdR(k int) any
	StR(k int, v any)
	CellCount() int
}

// An Obj whose values were given to the host to keep is moved: its values are the
// host's memory from then on. It has no cells left, so that the loop comes here for each
// access, and an R of no length that holds where they went.

// A place elsewhere is where they went.
type elsewhere struct{ Mem }

// EscapedObj is an Obj whose values went there.
func EscapedObj(to Mem) Obj { return Obj{R: []any{&elsewhere{to}}[:0:1]} }

// Escaped is where the values of o went, nil if they are still here.
func (o *Obj) Escaped() Mem {
	if len(o.R) != 0 || cap(o.R) != 1 {
		return nil
	}
	if to, ok := o.R[:1][0].(*elsewhere); ok {
		return to.Mem
	}
	return nil
}

// NoMem answers for the banks a store does not have.
type NoMem struct{}

func (NoMem) LdI(int) int64 { panic("vm: no number bank") }

func (NoMem) StI(int, int64) { panic("vm: no number bank") }

func (NoMem) LdS(int) string { panic("vm: no string bank") }

func (NoMem) StS(int, string) { panic("vm: no string bank") }

func (NoMem) LdR(k int) any { panic("vm: no reference bank") }

func (NoMem) StR(k int, v any) { panic("vm: no reference bank") }

func (o *Obj) LdI(k int) int64 {
	if to := o.Escaped(); to != nil {
		return to.LdI(k)
	}
	return o.I[k]
}

func (o *Obj) StI(k int, v int64) {
	if to := o.Escaped(); to != nil {
		to.StI(k, v)
		return
	}
	o.I[k] = v
}

func (o *Obj) LdS(k int) string {
	if to := o.Escaped(); to != nil {
		return to.LdS(k)
	}
	return o.S[k]
}

func (o *Obj) StS(k int, v string) {
	if to := o.Escaped(); to != nil {
		to.StS(k, v)
		return
	}
	o.S[k] = v
}

func (o *Obj) LdR(k int) any {
	if to := o.Escaped(); to != nil {
		return to.LdR(k)
	}
	return o.R[k]
}

func (o *Obj) StR(k int, v any) {
	if to := o.Escaped(); to != nil {
		to.StR(k, v)
		return
	}
	o.R[k] = v
}

func (o *Obj) CellCount() int { return max(len(o.I), len(o.S), len(o.R)) }

// NewObj makes memory for n values. Small ones are one allocation.
func NewObj(w int, banks Mask, n int) *Obj {
	c := w * n
	if n == 1 {
		switch {
		case banks == BankI && c == 1:
			o := &struct {
				Obj
				i [1]int64
			}{}
			o.I = o.i[:]
			return &o.Obj
		case banks == BankI && c <= 3:
			o := &struct {
				Obj
				i [3]int64
			}{}
			o.I = o.i[:c]
			return &o.Obj
		case banks == BankR && c == 1:
			o := &struct {
				Obj
				r [1]any
			}{}
			o.R = o.r[:]
			return &o.Obj
		case banks == BankP && c == 1:
			o := &struct {
				Obj
				i [1]int64
				r [1]any
			}{}
			o.I, o.R = o.i[:], o.r[:]
			return &o.Obj
		case banks == BankP && c <= 3:
			o := &struct {
				Obj
				i [3]int64
				r [3]any
			}{}
			o.I, o.R = o.i[:c], o.r[:c]
			return &o.Obj
		case banks == BankS && c == 1:
			o := &struct {
				Obj
				s [1]string
			}{}
			o.S = o.s[:]
			return &o.Obj
		}
	}
	o := &Obj{}
	if banks&BankI != 0 {
		o.I = make([]int64, c)
	}
	if banks&BankS != 0 {
		o.S = make([]string, c)
	}
	if banks&BankR != 0 {
		o.R = make([]any, c)
	}
	return o
}

// HostType is the Type of a Go type, nil if the program has none.
func (p *Program) HostType(rt reflect.Type) *Type {
	if t := Universe.ByHost[rt]; t != nil {
		return t
	}
	return p.ByHost[rt]
}

func BoolBits(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func FloatBits(f float64) int64 { return int64(math.Float64bits(f)) }

func BitsFloat(i int64) float64 { return math.Float64frombits(uint64(i)) }

// Sub is the cells of b from k on, as far as it has any.
func Sub(b *Obj, k int) *Obj {
	o := &Obj{}
	if len(b.I) > k {
		o.I = b.I[k:]
	}
	if len(b.S) > k {
		o.S = b.S[k:]
	}
	if len(b.R) > k {
		o.R = b.R[k:]
	}
	return o
}
