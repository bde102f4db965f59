package carry

import (
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/made"
)

// addNamed adds a type with a name that is no struct, if it is a member of the host's.
func (t *Types) addNamed(rt reflect.Type, path string) (n int, ok bool, err error) {
	shown, err := t.shown(rt)
	if !shown.Own {
		return 0, false, nil // err says that it is one of Go's: it crosses as what it is made of
	}
	if err != nil {
		return 0, false, &KindError{path, rt.String(), err.Error()}
	}
	bare := made.Bare(rt)
	if bare == nil || made.Named(bare, 0) == nil {
		return 0, false, &KindError{path, rt.String(), fmt.Sprintf("cannot be copied between host and worker: a %v with a name is not among the types that workers have; have it in a field of a struct, or do not list it", rt.Kind())}
	}
	if made.Named(bare, t.named(bare)) == nil {
		return 0, false, &KindError{path, rt.String(), fmt.Sprintf("cannot be copied between host and worker: it is the %dth type that is a %v, and workers have no more; list fewer", t.named(bare)+1, bare)}
	}
	s := &structType{typ: rt, denied: shown.Denied, text: TypeText{Name: shown.Name}}
	if s.text.Shape, err = t.handles().appendType(nil, bare, path, 1); err != nil {
		return 0, false, err
	}
	if n, ok, err = t.append(s); err == nil && rt.Kind() == reflect.Interface {
		err = t.addHeld(n)
	}
	return n, ok, err
}

// named is how many there are of the structure of bare.
func (t *Types) named(bare reflect.Type) (n int) {
	for _, s := range t.list {
		if s.typ.Kind() != reflect.Struct && made.Bare(s.typ) == bare {
			n++
		}
	}
	return n
}

// take takes the next type of the stock for what is no struct.
func (t *Types) take(text TypeText) reflect.Type {
	r := &reader{handles: t.handles(), data: text.Shape}
	bare := r.typ()
	typ := made.Named(bare, t.named(bare))
	if typ == nil {
		fail("one type more with the structure of %v than there are", bare)
	}
	return typ
}

// isNamed reports that the other side has a type of its own for rt, which is no struct.
func (t *Types) isNamed(rt reflect.Type) bool {
	if t == nil || rt.Kind() == reflect.Struct {
		return false
	}
	_, ok := t.at[rt]
	return ok
}

// Names reports that v is of such a type.
func (t *Types) Names(v any) bool { return v != nil && t.isNamed(reflect.TypeOf(v)) }

// EncodeConstant writes v, with its type, which is made of no struct types of the host's. An error becomes one of
// e, and so do those in it.
func (t *Types) EncodeConstant(e *Errors, v any) ([]byte, error) {
	w := &writer{handles: t.handles(), errors: e}
	w.handles.Objects.mu.Lock() // as whoever writes errors has it
	defer w.handles.Objects.mu.Unlock()
	if v != nil && !numbered(reflect.TypeOf(v)) {
		if _, _, err := t.number(reflect.TypeOf(v), "", 0); err != nil { // so that it is no error, even if it has the method
			return nil, err
		}
	}
	err := w.dynamic(reflect.ValueOf(v), "")
	e.add(w.nodes, v)
	return w.b, err
}

// DecodeConstant reads what EncodeConstant wrote.
func (t *Types) DecodeConstant(e *Errors, data []byte) (v any, err error) {
	defer caught(&err)
	r := &reader{handles: t.handles(), errors: e, data: data, room: MaxCall}
	if got := r.dynamic(); got.IsValid() {
		v = got.Interface()
	}
	if len(r.data) > 0 {
		fail("%d bytes too many", len(r.data))
	}
	e.add(r.nodes, v)
	return v, nil
}
