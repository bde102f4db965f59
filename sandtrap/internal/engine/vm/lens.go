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

func (l *lens) New(t inspect.Type) inspect.Value { return l.see(l.m.newVal(t.(*Type))) }

func (l *lens) Type(t reflect.Type) inspect.Type { return l.m.typeOfHost(t) }

func (l *lens) Reflect(t inspect.Type) reflect.Type { return l.m.reflectType(t.(*Type)) }

func (l *lens) Fields(t inspect.Type) []*inspect.Field {
	l.m.structFields(t.(*Type))
	return l.m.info(t.(*Type)).shown
}

func (l *lens) Notes(t inspect.Type) *inspect.Notes { return &l.m.info(t.(*Type)).notes }

func (t *Type) Kind() reflect.Kind { return kindOf(t) }
func (t *Type) Len() int           { return t.n }
func (t *Type) String() string     { return t.str }
func (t *Type) Name() string       { return typeName(t) }
func (t *Type) Types() types.Type  { return t.t }
func (t *Type) Host() reflect.Type { return t.host }

func (t *Type) Elem() inspect.Type {
	if t.elem == nil {
		return nil
	}
	return t.elem
}

func (t *Type) Key() inspect.Type {
	if t.key == nil {
		return nil
	}
	return t.key
}

func (t *Type) AssignableTo(u inspect.Type) bool { return assignable(t, u.(*Type)) }
