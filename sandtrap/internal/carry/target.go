package carry

import "reflect"

// EncodeTarget writes the type of the variable that into, a pointer, leads to. An error is a *KindError.
func (h *Handles) EncodeTarget(into any) (typ []byte, err error) {
	return h.appendType(nil, reflect.TypeOf(into).Elem(), "", 0)
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
// type, points to. On an error nothing is changed.
func (h *Handles) DecodeInto(data []byte, into any, room int64) error {
	to := reflect.ValueOf(into).Elem()
	got := reflect.New(to.Type()).Elem()
	if _, err := h.hear(data, &room, false, func(r *reader) { r.value(got) }); err != nil {
		return err
	}
	to.Set(got)
	return nil
}
