package carry

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// EncodeInputs writes what a script gets by name: all of it or, on an error, which names the
// input, nothing.
func (h *Handles) EncodeInputs(inputs map[string]any) ([]byte, error) {
	return h.say(false, func(w *writer) error {
		w.b = head(w.b, majorArray, uint64(2*len(inputs)))
		for _, name := range slices.Sorted(maps.Keys(inputs)) {
			w.text(name)
			if err := w.dynamic(reflect.ValueOf(inputs[name]), ""); err != nil {
				return fmt.Errorf("input %s: %w", name, err)
			}
		}
		return nil
	})
}

// DecodeInputs reads what EncodeInputs wrote, in room bytes; see Decode.
func (h *Handles) DecodeInputs(data []byte, room int64) (inputs map[string]any, err error) {
	_, err = h.hear(data, &room, false, func(r *reader) {
		inputs = map[string]any{}
		n := r.count()
		if n%2 != 0 {
			fail("an input without a value")
		}
		for range n / 2 {
			name := r.string()
			inputs[name] = nil
			if got := r.dynamic(); got.IsValid() {
				inputs[name] = got.Interface()
			}
		}
	})
	return inputs, err
}
