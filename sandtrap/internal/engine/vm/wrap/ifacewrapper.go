package wrap

import (
	"context"
	"math/bits"
	"reflect"
	"sync"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

//go:generate go test -run TestIfaceWrappers -update

// caps is a set of methods, by their index in methodTypes.
type caps [2]uint64

func (c caps) with(i int) caps {
	c[i/64] |= 1 << (i % 64)
	return c
}

// has reports that all of d are in c.
func (c caps) has(d caps) bool { return d[0]&^c[0] == 0 && d[1]&^c[1] == 0 }

func (c caps) or(d caps) caps      { return caps{c[0] | d[0], c[1] | d[1]} }
func (c caps) and(d caps) caps     { return caps{c[0] & d[0], c[1] & d[1]} }
func (c caps) without(d caps) caps { return caps{c[0] &^ d[0], c[1] &^ d[1]} }

func (c caps) count() int { return bits.OnesCount64(c[0]) + bits.OnesCount64(c[1]) }

// A ifaceWrapper is a type of the host's with the methods of a set, which are those of
// a script value: Go has no way of making one while it runs.
type ifaceWrapper struct {
	caps caps
	make func(n int, p plainVal) any
	n    int
}

// as shows p.
func (c *ifaceWrapper) as(p plainVal) any { return c.make(c.n, p) }

// silent are methods that compositions have also where the script's value has not: package errors, the one that asks
// for them, takes their answers for the same as if they were not there. Else there would be six times as many
// compositions for errors.
var silent = caps{}.with(isBit).with(asBit).with(unwrapBit)

// Places of these in methodTypes.
const (
	isBit     = 1
	asBit     = 2
	unwrapBit = 3
)

// A goMethod is a method as a Go type declares it.
type goMethod struct {
	name string
	typ  reflect.Type // without the receiver
}

// methodBits finds the methods that compositions are made of.
var methodBits = sync.OnceValue(func() map[goMethod]int {
	index := map[goMethod]int{}
	for i, a := range methodTypes {
		v := reflect.ValueOf(a)
		m := goMethod{v.Type().Method(0).Name, v.Method(0).Type()}
		index[m] = i
		if short := withoutContext(m.typ); short != nil {
			index[goMethod{m.name, short}] = i
		}
	}
	return index
})

// withoutContext is the type of a function as scripts see it, whose contexts are the
// run's; nil if that is no other.
func withoutContext(ft reflect.Type) reflect.Type {
	if ft.NumIn() == 0 || ft.In(0) != reflect.TypeFor[context.Context]() {
		return nil
	}
	var in, out []reflect.Type
	for t := range ft.Ins() {
		in = append(in, t)
	}
	for t := range ft.Outs() {
		out = append(out, t)
	}
	return reflect.FuncOf(in[1:], out, ft.IsVariadic())
}

// errorCap is the method Error.
var errorCap = caps{}.with(0)

// capsOf are the methods of an interface of the host's; ok is false if it has one that
// compositions do not have. Those that every script value has are left out.
func capsOf(it reflect.Type) (c caps, ok bool) {
	for i := range it.NumMethod() {
		m := it.Method(i)
		if own, ok := reflect.TypeFor[*plainVal]().MethodByName(m.Name); ok && own.Type.NumIn() == m.Type.NumIn()+1 {
			continue
		}
		bit, ok := methodBits()[goMethod{m.Name, m.Type}]
		if !ok {
			return c, false
		}
		c = c.with(bit)
	}
	return c, true
}

// capsOfScript are the methods of a type of the script's.
func capsOfScript(p *ir.Program, t *ir.Type) (c caps) {
	for _, id := range t.Ids {
		m := p.MethodIDs[id]
		if bit, ok := methodBits()[goMethod{m.Fn.Name(), m.Sig.Host}]; ok && m.Fn.Exported() {
			c = c.with(bit)
		}
	}
	return c
}

// largest is the composition with the most of what a value has, and with what is
// needed, which it has.
func largest(has, need caps) *ifaceWrapper {
	var best *ifaceWrapper
	if !has.has(need) {
		return nil
	}
	for i := range ifaceWrappers {
		c := &ifaceWrappers[i]
		if c.caps.has(need) && has.or(silent).has(c.caps) && (best == nil || c.caps.and(has).count() > best.caps.and(has).count()) {
			best = c
		}
	}
	return best
}

// has reports that a method in silent is the script's.
func (w *plainVal) has(bit int) bool { return !w.lacks.has(caps{}.with(bit)) }

type shownKey struct {
	t  *ir.Type
	it reflect.Type
}

// A shown is a composition for values of a type.
type shown struct {
	*ifaceWrapper
	lacks caps // of those in silent
}

// shownTo is how values of the script's type t are shown to the host in a place with
// the interface type it; nil if there is no way.
func shownTo(m *exec.Machine, t *ir.Type, it reflect.Type) shown {
	key := shownKey{t, it}
	shows, _ := m.Shows.(map[shownKey]shown)
	if c, ok := shows[key]; ok {
		return c
	}
	var c shown
	if wrapper := m.P.Wrappers[it]; wrapper.IsValid() {
		c.ifaceWrapper = &ifaceWrapper{make: func(_ int, p plainVal) (w any) {
			m.Guarded(func() { w = wrapperOf(wrapper, &p) })
			return w
		}}
	} else if need, ok := capsOf(it); ok && !exec.IsProxy(it) {
		has := capsOfScript(m.P, t)
		if it.NumMethod() == 0 && has.has(errorCap) {
			need = errorCap
		}
		c = shown{largest(has, need), silent.without(has)}
	}
	if shows == nil {
		shows = map[shownKey]shown{}
		m.Shows = shows
	}
	shows[key] = c
	return c
}

// Showable reports that values of the script can be shown as it, with these wrappers.
func Showable(w ir.WrapperTable, it reflect.Type) bool {
	need, ok := capsOf(it)
	return w[it].IsValid() || ok && !exec.IsProxy(it) && largest(need, need) != nil
}
