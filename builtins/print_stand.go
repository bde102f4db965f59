package builtins

import (
	"reflect"
	"sync"
)

// A stand is a type of ours in the place of one of Go's that programs print, most often
// with the struct that it is in.
type stand interface {
	// goValue is a pointer to what Go's has in the same state.
	goValue() any
}

func (m *Mutex) goValue() any {
	own := &sync.Mutex{}
	if m.locked {
		own.Lock()
	}
	return own
}

func (m *RWMutex) goValue() any {
	own := &sync.RWMutex{}
	for range min(m.reading, maxCounted) {
		own.RLock()
	}
	if m.writing {
		own.Lock()
	}
	return own
}

// maxCounted bounds what is done to one of Go's to get it into a state.
const maxCounted = 100

func (w *WaitGroup) goValue() any {
	own := &sync.WaitGroup{}
	own.Add(w.n)
	return own
}

func (o *Once) goValue() any {
	own := &sync.Once{}
	if o.done {
		own.Do(func() {})
	}
	return own
}

// standsFor is what fmt would print of Go's type in the place of v's.
func standsFor(v reflect.Value) (reflect.Value, bool) {
	switch {
	case !v.CanInterface():
		return v, false
	case v.CanAddr():
		v = v.Addr()
	default:
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		v = p
	}
	s, ok := v.Interface().(stand)
	if !ok {
		return v, false
	}
	return reflect.ValueOf(s.goValue()).Elem(), true
}

// A renamed value is one of ours in the place of one of Go's, whose type it names: %T shows
// that, and so do the texts of panics.
type renamed interface{ goType() string }

// goTypeName is what v names, or else name of its type.
func goTypeName(v any, name func(reflect.Type) string) string {
	if r, ok := v.(renamed); ok {
		return r.goType()
	}
	return name(reflect.TypeOf(v))
}

func (d *digest) goType() string   { return reflect.TypeOf(d.Hash).String() }
func (d *digest32) goType() string { return reflect.TypeOf(d.Hash32).String() }
func (d *digest64) goType() string { return reflect.TypeOf(d.Hash64).String() }

func (c emptyCtx) goType() string {
	if c == contextTODO() {
		return "context.todoCtx"
	}
	return "context.backgroundCtx"
}

func (*valueCtx) goType() string         { return "*context.valueCtx" }
func (*cancelCtx) goType() string        { return "*context.cancelCtx" }
func (*timerCtx) goType() string         { return "*context.timerCtx" }
func (*withoutCancelCtx) goType() string { return "context.withoutCancelCtx" }
