package vm

import (
	"go/types"
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
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
	l.m.alloc(ir.StoreHead + ir.Allocated(int64(n)))
	return make([]byte, n)
}

func (l *lens) New(t inspect.Type) inspect.Value { return l.see(l.m.newVal(t.(typeSeen).t)) }

func (l *lens) Type(t reflect.Type) inspect.Type { return typeToSee(l.m.typeOfHost(t)) }

func (l *lens) Reflect(t inspect.Type) reflect.Type { return l.m.reflectType(t.(typeSeen).t) }

func (l *lens) Fields(t inspect.Type) []*inspect.Field {
	l.m.structFields(t.(typeSeen).t)
	return l.m.info(t.(typeSeen).t).shown
}

func (l *lens) Notes(t inspect.Type) *inspect.Notes { return &l.m.info(t.(typeSeen).t).notes }

// A typeSeen is a type as encoders see it.
type typeSeen struct{ t *ir.Type }

// typeToSee is t as encoders see it, nil if it is none.
func typeToSee(t *ir.Type) inspect.Type {
	if t == nil {
		return nil
	}
	return typeSeen{t}
}

func (s typeSeen) Kind() reflect.Kind { return kindOf(s.t) }
func (s typeSeen) Len() int           { return s.t.N }
func (s typeSeen) String() string     { return s.t.Str }
func (s typeSeen) Name() string       { return typeName(s.t) }
func (s typeSeen) Types() types.Type  { return s.t.T }
func (s typeSeen) Host() reflect.Type { return s.t.Host }
func (s typeSeen) Elem() inspect.Type { return typeToSee(s.t.Elem) }
func (s typeSeen) Key() inspect.Type  { return typeToSee(s.t.Key) }

func (s typeSeen) AssignableTo(u inspect.Type) bool { return assignable(s.t, u.(typeSeen).t) }
