package vm

import (
	"go/types"
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// A lens shows an encoder the values of a machine, for one text.
type lens struct {
	m     *machine
	spare []*seen // that the encoder is done with
}

func (m *machine) lens() *lens { return &lens{m: m} }

// see is v as encoders see it, nil if it is none.
func (l *lens) see(v val) inspect.Value {
	if !v.valid() {
		return nil
	}
	n := len(l.spare) - 1
	if n < 0 {
		return &seen{l, v}
	}
	s := l.spare[n]
	l.spare = l.spare[:n]
	s.v = v
	return s
}

func (l *lens) Tick()                     { l.m.tick() }
func (l *lens) Look()                     { l.m.look() }
func (l *lens) Check()                    { l.m.check() }
func (l *lens) Charge(n int64)            { l.m.charge(n) }
func (l *lens) Deeper()                   { l.m.deeper() }
func (l *lens) Shallower()                { l.m.shallower() }
func (l *lens) Of(held any) inspect.Value { return l.see(l.m.valOf(held)) }
func (l *lens) Panic(v any)               { throw(v) }
func (l *lens) Fail(text string)          { throwPlain("%s", text) }

func (l *lens) Spend(ticks int) {
	if stop := l.m.seam.Meter.Afford(time.Duration(ticks) * gates.TickTime); stop != nil {
		l.m.halt(&stopped{gate: stop})
	}
}

func (l *lens) Make(n int) []byte {
	l.m.alloc(storeHead + allocated(int64(n)))
	return make([]byte, n)
}

func (l *lens) New(t inspect.Type) inspect.Value { return l.see(l.m.newVal(t.(*typeSeen).of())) }

func (l *lens) Type(t reflect.Type) inspect.Type { return typeToSee(l.m.typeOfHost(t)) }

func (l *lens) Reflect(t inspect.Type) reflect.Type { return l.m.reflectType(t.(*typeSeen).of()) }

func (l *lens) Fields(t inspect.Type) []*inspect.Field {
	l.m.structFields(t.(*typeSeen).of())
	return l.m.info(t.(*typeSeen).of()).shown
}

func (l *lens) Notes(t inspect.Type) *inspect.Notes { return &l.m.info(t.(*typeSeen).of()).notes }

// A typeSeen is a type as encoders see it.
type typeSeen Type

func (t *typeSeen) of() *Type { return (*Type)(t) }

// typeToSee is t as encoders see it, nil if it is none.
func typeToSee(t *Type) inspect.Type {
	if t == nil {
		return nil
	}
	return (*typeSeen)(t)
}

func (t *typeSeen) Kind() reflect.Kind { return kindOf(t.of()) }
func (t *typeSeen) Len() int           { return t.n }
func (t *typeSeen) String() string     { return t.str }
func (t *typeSeen) Name() string       { return typeName(t.of()) }
func (t *typeSeen) Types() types.Type  { return t.t }
func (t *typeSeen) Host() reflect.Type { return t.host }
func (t *typeSeen) Elem() inspect.Type { return typeToSee(t.elem) }
func (t *typeSeen) Key() inspect.Type  { return typeToSee(t.key) }

func (t *typeSeen) AssignableTo(u inspect.Type) bool { return assignable(t.of(), u.(*typeSeen).of()) }
