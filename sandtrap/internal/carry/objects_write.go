package carry

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/made"
)

// say writes what do writes, and before it what the other side does not know yet of the
// objects. What goes on beside others tells of new objects alone.
func (h *Handles) say(beside bool, do func(*writer) error) ([]byte, error) {
	w := &writer{handles: h, errors: h.known(), beside: beside}
	if h == nil || h.Objects == nil {
		err := do(w)
		return w.b, err
	}
	o := h.Objects
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost != nil {
		return nil, o.lost
	}
	known := len(o.list)
	if err := do(w); err != nil {
		return nil, err
	}
	body := w.b
	if !beside {
		known = 0
	}
	section, err := o.news(w, known)
	if err != nil {
		o.lost = err
		return nil, err
	}
	return append(section, body...), nil
}

// news writes the new objects, and what has changed of those from number from of the list.
func (o *Objects) news(w *writer, from int) ([]byte, error) {
	var created, changed []byte
	creations, changes := 0, 0
	for i := from; i < len(o.list); i++ { // the list may grow
		x := o.list[i]
		fields, err := w.texts(x)
		if err != nil {
			return nil, err
		}
		if x.sent == nil {
			creations++
			created = head(head(created, majorUint, x.id), majorUint, uint64(o.types.at[x.of.typ]))
		}
		text, err := o.change(x, fields)
		if err != nil {
			return nil, err
		}
		if text != nil {
			changes++
			changed = append(changed, text...)
		}
	}
	section := append(head(nil, majorArray, uint64(2*creations)), created...)
	return append(head(section, majorArray, uint64(changes)), changed...), nil
}

// texts are the fields of x as they cross. Writing them may take turns with others who have
// something to say; what follows does not.
func (w *writer) texts(x *object) ([]string, error) {
	list := make([]string, len(x.of.fields))
	v := x.ptr.Elem()
	for i, n := range x.of.fields {
		w.b = nil
		if err := w.value(v.Field(n), "."+v.Type().Field(n).Name); err != nil {
			return nil, err
		}
		list[i] = string(w.b)
	}
	return list, nil
}

// change writes what has changed of x, whose fields are these; nil if nothing has.
func (o *Objects) change(x *object, fields []string) ([]byte, error) {
	v := x.ptr.Elem()
	origin, err := x.id, error(nil)
	if !o.here && !x.of.text.Given {
		if origin, err = o.origin(v, x.of); err != nil {
			return nil, &KindError{"", x.of.text.Name, err.Error()}
		}
	}
	whole := x.sent == nil || x.of.hides && origin != x.id
	news := whole || x.told != x.version
	b := head(head(head(head(nil, majorArray, 4), majorUint, x.id), majorUint, origin), majorUint, x.version)
	b = head(b, majorArray, uint64(len(fields)))
	for i, text := range fields {
		if !whole && text == x.sent[i] {
			b = append(b, majorSimple<<5|simpleNil)
			continue
		}
		news = true
		b = append(head(b, majorArray, 1), text...)
	}
	if !o.here && x.of.hides {
		*made.StateOf(v) = made.State{ID: x.id, Version: x.version}
	}
	if x.sent, x.told = fields, x.version; !news {
		return nil, nil
	}
	return b, nil
}

// pointer writes one to a value of a struct type of the host's.
func (w *writer) pointer(v reflect.Value, of *structType, path string) error {
	o := w.handles.Objects
	if w.beside && !o.here && o.byPtr[v.Interface()] == nil {
		return &KindError{path, of.text.Name, "cannot be given to what goes on beside the script"}
	}
	x, err := o.at(v, of)
	if err != nil {
		return &KindError{path, of.text.Name, err.Error()}
	}
	w.b = head(w.b, majorUint, x.id)
	return nil
}

// object writes a value of a struct type of the host's, which the other side gets a copy of.
func (w *writer) object(v reflect.Value, of *structType, path string) error {
	o := w.handles.Objects
	whose := o.origin
	if o.here {
		whose = o.keep
	}
	id, err := whose(v, of)
	if err != nil {
		return &KindError{path, of.text.Name, err.Error()}
	}
	w.b = head(head(w.b, majorArray, uint64(1+len(of.fields))), majorUint, id)
	for _, n := range of.fields {
		if err := w.value(v.Field(n), path+"."+v.Type().Field(n).Name); err != nil {
			return err
		}
	}
	return nil
}
