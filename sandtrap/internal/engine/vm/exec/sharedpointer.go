package exec

import (
	"reflect"
	"weak"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// A sharedPointer is a pointer of the script's that the host has, and may keep.
type sharedPointer struct {
	ptr   heldPtr
	t     *ir.Type // of what it leads to
	cells ir.Mem   // where that is for the script
	at    int
	same  bool // it is the same memory; else the two are made equal whenever control passes
}

// maxShared bounds what is copied at each call of the host. The oldest are given up
// first: those that the host has not dropped it no longer shares.
const maxShared = 1024

// sharePointer gives the host the variable that a pointer of the script's leads to.
func (m *Machine) sharePointer(t *ir.Type, b Bank, k int, r reflect.Value) {
	cells, at := b.R[k].(ir.Mem), int(b.I[k])
	if t.Elem.Agg {
		CannotGive(t, r.Type())
	}
	for _, l := range m.Shared {
		if p := l.ptr.Get(); l.cells == cells && l.at == at && p.IsValid() && p.Type() == r.Type() {
			r.Set(p)
			return
		}
	}
	p, same := inPlace(cells, at, r.Type())
	if !same {
		p = reflect.New(r.Type().Elem())
	}
	m.Charge(NoteBytes)
	l := &sharedPointer{held(p, m.Sharing), t.Elem, cells, at, same}
	if !same {
		m.show(l)
	}
	r.Set(p)
	if m.Sharing {
		m.keep(l)
	} else if !same {
		m.sharedForCall = append(m.sharedForCall, l)
	}
}

// sharedSame notes that p leads to the same memory as the script's pointer.
func (m *Machine) sharedSame(t *ir.Type, cells ir.Mem, at int, p reflect.Value) {
	if m.Sharing && m.sharedAs(p) == nil {
		m.Charge(NoteBytes)
		m.keep(&sharedPointer{held(p, true), t.Elem, cells, at, true})
	}
}

func (m *Machine) keep(l *sharedPointer) {
	if len(m.Shared) >= maxShared {
		kept := m.Shared[:0]
		for _, o := range m.Shared {
			if o.ptr.Get().IsValid() {
				kept = append(kept, o)
			}
		}
		m.Shared = kept[len(kept)/2:]
		if len(kept) < maxShared/2 {
			m.Shared = kept
		}
	}
	m.Shared = append(m.Shared, l)
}

// inPlace is a pointer to a cell that is as the host has a variable of its type.
func inPlace(cells ir.Mem, at int, rt reflect.Type) (p reflect.Value, ok bool) {
	o, isObj := cells.(*ir.Obj)
	switch {
	case !isObj || EscapedTo(o) != nil:
	case rt == reflect.TypeFor[*int64]():
		return reflect.ValueOf(&o.I[at]), true
	case rt == reflect.TypeFor[*string]():
		return reflect.ValueOf(&o.S[at]), true
	}
	return p, false
}

// show gives the host the value that the script has, fetch the other way.
func (m *Machine) show(l *sharedPointer) {
	if p := l.ptr.Get(); p.IsValid() {
		o := ir.NewObj(l.t.W(), ir.BankI|ir.BankS|ir.BankR, 1)
		LoadValue(l.t, o, 0, l.cells, l.at)
		v := ToHost(m, l.t, o, 0, p.Type().Elem())
		m.WantEnd(v, p.Pointer(), p.Pointer()+v.Type().Size())
		p.Elem().Set(v)
	}
}

func (m *Machine) fetch(l *sharedPointer) {
	if p := l.ptr.Get(); p.IsValid() {
		o := ir.NewObj(l.t.W(), ir.BankI|ir.BankS|ir.BankR, 1)
		FromHost(m, p.Elem(), l.t, o, 0)
		CopyValue(l.t, l.cells, l.at, o, 0)
	}
}

// ToHostSide and ToScriptSide come when control passes to the other side.
func (m *Machine) ToHostSide() {
	for _, l := range m.Shared {
		if !l.same {
			m.show(l)
		}
	}
}

func (m *Machine) ToScriptSide() {
	for _, l := range m.Shared {
		if !l.same {
			m.fetch(l)
		}
	}
}

// sharedAs is the pointer of the script's that the host's pointer p was given for.
func (m *Machine) sharedAs(p reflect.Value) *sharedPointer {
	for _, l := range m.Shared {
		if q := l.ptr.Get(); q.IsValid() && q.Type() == p.Type() && q.Interface() == p.Interface() {
			return l
		}
	}
	return nil
}

// held gives p as long as somebody else has it, if that can be known and is wanted.
func held(p reflect.Value, weakly bool) heldPtr {
	if weakly {
		switch p := p.Interface().(type) {
		case *bool:
			return weakTo(p)
		case *int:
			return weakTo(p)
		case *int32:
			return weakTo(p)
		case *int64:
			return weakTo(p)
		case *uint:
			return weakTo(p)
		case *uint32:
			return weakTo(p)
		case *uint64:
			return weakTo(p)
		case *float64:
			return weakTo(p)
		case *string:
			return weakTo(p)
		}
	}
	return firmPtr{p}
}

// A heldPtr is the host's pointer, invalid when the host has dropped it.
type heldPtr interface{ Get() reflect.Value }

type firmPtr struct{ p reflect.Value }

func (p firmPtr) Get() reflect.Value { return p.p }

type weakPtr[T any] struct{ weak.Pointer[T] }

func weakTo[T any](p *T) heldPtr { return weakPtr[T]{weak.Make(p)} }

func (w weakPtr[T]) Get() reflect.Value {
	if p := w.Value(); p != nil {
		return reflect.ValueOf(p)
	}
	return reflect.Value{}
}
