package mirror

import (
	"go/types"
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A lens shows an encoder the values of a machine, for one text.
type lens struct {
	m     *exec.Machine
	spare []*seen // that the encoder is done with
}

func Lens(m *exec.Machine) *lens { return &lens{m: m} }

// see is v as encoders see it, nil if it is none.
func (l *lens) see(v Val) inspect.Value {
	if !v.Valid() {
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

func (l *lens) Tick()                     { l.m.Tick() }
func (l *lens) Look()                     { l.m.Poll() }
func (l *lens) Check()                    { l.m.PollNow() }
func (l *lens) Charge(n int64)            { l.m.Charge(n) }
func (l *lens) Deeper()                   { l.m.Deeper() }
func (l *lens) Shallower()                { l.m.Shallower() }
func (l *lens) Of(held any) inspect.Value { return l.see(ValOf(l.m, held)) }
func (l *lens) Panic(v any)               { exec.Throw(v) }
func (l *lens) Fail(text string)          { exec.ThrowPlain("%s", text) }

func (l *lens) Spend(ticks int) {
	if stop := l.m.Host.Meter.Afford(time.Duration(ticks) * gates.TickTime); stop != nil {
		l.m.Halt(&exec.Stopped{Gate: stop})
	}
}

func (l *lens) Make(n int) []byte {
	l.m.Alloc(ir.StoreHead + ir.Allocated(int64(n)))
	return make([]byte, n)
}

func (l *lens) New(t inspect.Type) inspect.Value { return l.see(NewVal(l.m, t.(typeSeen).t)) }

func (l *lens) Type(t reflect.Type) inspect.Type { return TypeToSee(l.m.TypeOfHost(t)) }

func (l *lens) Reflect(t inspect.Type) reflect.Type { return ReflectType(l.m, t.(typeSeen).t) }

func (l *lens) Assignable(from, to inspect.Type) bool {
	return Assignable(l.m, from.(typeSeen).t, to.(typeSeen).t)
}

func (l *lens) Fields(t inspect.Type) []*inspect.Field {
	StructFields(l.m, t.(typeSeen).t)
	return info(l.m, t.(typeSeen).t).shown
}

func (l *lens) Notes(t inspect.Type) *inspect.Notes { return &info(l.m, t.(typeSeen).t).notes }

// A typeSeen is a type as encoders see it.
type typeSeen struct{ t *ir.Type }

// TypeToSee is t as encoders see it, nil if it is none.
func TypeToSee(t *ir.Type) inspect.Type {
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
func (s typeSeen) Elem() inspect.Type { return TypeToSee(s.t.Elem) }
func (s typeSeen) Key() inspect.Type  { return TypeToSee(s.t.Key) }
