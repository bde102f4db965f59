package carry

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// A value of a type of the script's is of no type that the host has. In an any the host gets what can be printed,
// encoded as JSON and given back, as in one process: then it is the value that the script had.

// A farValue is one, in the host.
type farValue struct {
	of     *heldValues
	number uint64
	name   string // of its type
	shows  farTexts
}

// farTexts are what is told of one, as it was then.
type farTexts struct {
	plain, full string // printed with %v and %+v
	json        string // "" if it has none
}

// maxFarText is how many bytes are told of each.
const maxFarText = 64 << 10

// ScriptValue tells that it is one.
func (f *farValue) ScriptValue() any { return f }

// GoName is the name of its type, for who prints that.
func (f *farValue) GoName() string { return f.name }

// Format prints the value as the script does.
func (f *farValue) Format(s fmt.State, verb rune) {
	text := f.shows.plain
	if s.Flag('+') {
		text = f.shows.full
	}
	fmt.Fprint(s, text)
}

// MarshalJSON is its encoding.
func (f *farValue) MarshalJSON() ([]byte, error) {
	if f.shows.json == "" {
		return nil, fmt.Errorf("a value of type %s of the script has no JSON", f.name)
	}
	return []byte(f.shows.json), nil
}

// isOwn reports a value of a type of the script's, in the worker or come from there.
func (w *writer) isOwn(v any) bool {
	if far, ok := v.(*farValue); ok {
		return far.of == w.errors.table()
	}
	_, isWrapped := v.(*wrapped)
	_, ok := v.(scripted)
	return ok && !isWrapped && w.errors.table() != nil && !w.errors.held.here
}

// own writes one.
func (w *writer) own(v any, path string) error {
	far, ok := v.(*farValue)
	if !ok {
		far = &farValue{name: w.errors.typeNameOf(v)}
		w.apart(func() { far.shows = shownTexts(v) })
		far.number = w.errors.numberHeld(v, len(far.shows.plain)+len(far.shows.full)+len(far.shows.json))
	}
	if far.number == 0 {
		return &KindError{path, far.name, "is too large to be given to the host"}
	}
	w.b = head(head(w.b, majorArray, 5), majorUint, far.number)
	for _, text := range []string{far.name, far.shows.plain, far.shows.full, far.shows.json} {
		w.text(text)
	}
	return nil
}

// shownTexts are what is told of v. Methods of the script may be asked, and panic.
func shownTexts(v any) (t farTexts) {
	cut := func(text string) string {
		if len(text) > maxFarText {
			return text[:maxFarText] + "…"
		}
		return text
	}
	t.plain, t.full = cut(fmt.Sprintf("%v", v)), cut(fmt.Sprintf("%+v", v))
	defer func() { _ = recover() }()
	if b, err := json.Marshal(v); err == nil && len(b) <= maxFarText {
		t.json = string(b)
	}
	return t
}

// own reads one: in the worker, the value that it was.
func (r *reader) own(as reflect.Type) reflect.Value {
	h := r.errors.table()
	f := &farValue{of: h, number: r.want(majorUint), name: r.string(), shows: farTexts{r.string(), r.string(), r.string()}}
	if h == nil || as != nil {
		fail("a value of a script")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	x := h.byID[f.number]
	switch {
	case h.mine(f.number) == h.here:
		fail("a value of a script that is none")
	case !h.here && x == nil:
		fail("a value of the script that the host has had for so long that it is not there any more")
	case !h.here:
		return reflect.ValueOf(x.value)
	}
	if x != nil {
		if old, ok := x.value.(*farValue); ok && old.name == f.name && old.shows == f.shows {
			return reflect.ValueOf(old)
		}
	}
	if f.shows.json != "" && !json.Valid([]byte(f.shows.json)) {
		fail("what is no JSON")
	}
	bytes := handleSize + len(f.name) + len(f.shows.plain) + len(f.shows.full) + len(f.shows.json)
	if bytes > maxHeldError {
		fail("a value of a script with texts of %d bytes", bytes)
	}
	r.alloc(1, handleSize)
	h.hold(&heldValue{id: f.number, value: f, bytes: bytes})
	return reflect.ValueOf(f)
}
