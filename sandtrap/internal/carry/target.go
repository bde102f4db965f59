package carry

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// EncodeTarget writes the type of the variable that into, a pointer, leads to. An error is a *KindError.
func (h *Handles) EncodeTarget(into any) (typ []byte, err error) {
	return h.appendType(nil, h.plain(reflect.TypeOf(into).Elem()), "", 0)
}

// plain is rt for a worker, which has no methods of the host's.
func (h *Handles) plain(rt reflect.Type) reflect.Type {
	return engine.Plain(rt, func(rt reflect.Type) bool {
		_, named := numbers[rt]
		if t := h.structs(); t != nil && !named {
			_, named = t.at[rt]
		}
		return named || h.are(rt)
	})
}

// Target makes a pointer to a value of the type that EncodeTarget wrote.
func (h *Handles) Target(typ []byte) (into any, err error) {
	defer caught(&err)
	r := &reader{handles: h, data: typ}
	return reflect.New(r.typ()).Interface(), nil
}

// EncodeFrom writes what from, which Target made, points to.
func (h *Handles) EncodeFrom(from any) ([]byte, error) {
	return h.say(false, func(w *writer) error { return w.value(reflect.ValueOf(from).Elem(), "") })
}

// DecodeInto reads what EncodeFrom wrote into what into, of which EncodeTarget wrote the
// type, points to. On an error nothing is changed; at is what the value is called in it.
func (h *Handles) DecodeInto(data []byte, into any, at string, room int64) error {
	to := reflect.ValueOf(into).Elem()
	got := reflect.New(h.plain(to.Type())).Elem()
	if _, err := h.hear(data, &room, false, func(r *reader) { r.value(got) }); err != nil {
		return err
	}
	if got.Type() != to.Type() {
		return engine.Decode(got.Interface(), into, at)
	}
	to.Set(got)
	return nil
}
