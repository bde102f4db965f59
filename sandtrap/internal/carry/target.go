package carry

import "reflect"

// EncodeTarget writes the type of what into points to. ok is false if it is no pointer, or
// nil; an error is a *KindError.
func (h *Handles) EncodeTarget(into any) (typ []byte, ok bool, err error) {
	v := reflect.ValueOf(into)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil, false, nil
	}
	typ, err = h.appendType(nil, v.Type().Elem(), "", 0)
	return typ, true, err
}

// Target makes a pointer to a value of the type that EncodeTarget wrote.
func (h *Handles) Target(typ []byte) (into any, err error) {
	defer caught(&err)
	r := &reader{handles: h, data: typ}
	return reflect.New(r.typ()).Interface(), nil
}

// EncodeFrom writes what from, which Target made, points to.
func (h *Handles) EncodeFrom(from any) ([]byte, error) {
	return h.say(nil, false, func(w *writer) error { return w.value(reflect.ValueOf(from).Elem(), "") })
}

// DecodeInto reads what EncodeFrom wrote into what into, of which EncodeTarget wrote the
// type, points to. On an error nothing is changed.
func (h *Handles) DecodeInto(data []byte, into any, room int64) error {
	to := reflect.ValueOf(into).Elem()
	got := reflect.New(to.Type()).Elem()
	if _, err := h.hear(nil, data, &room, false, func(r *reader) { r.value(got) }); err != nil {
		return err
	}
	to.Set(got)
	return nil
}
