package carry

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/internal/made"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

// Encode writes v, with its type. An error is a *KindError.
func Encode(v any) ([]byte, error) { return (*Handles)(nil).Encode(v) }

// Encode writes v, with its type. An error is a *KindError.
func (h *Handles) Encode(v any) ([]byte, error) {
	return h.say(false, func(w *writer) error { return w.dynamic(reflect.ValueOf(v), "") })
}

type writer struct {
	handles *Handles
	errors  *Errors
	beside  bool // see say
	listed  bool // of structs of the host only those of the plan cross
	b       []byte
	depth   int
	nodes   []error // errors that were written with all that there is of them, those in others first
}

// dynamic writes the type of v and then v; nil if v is nothing.
func (w *writer) dynamic(v reflect.Value, path string) (err error) {
	if !v.IsValid() {
		w.b = append(w.b, majorSimple<<5|simpleNil)
		return nil
	}
	if f, pointer, ok := opaqueOf(v.Interface()); ok {
		w.giveBack(f, pointer)
		return nil
	}
	if _, isError := v.Interface().(error); !isError && w.isOwn(v.Interface()) {
		return w.own(v.Interface(), path)
	}
	if s, ok := w.isScripted(v.Interface()); ok {
		return w.scripted(s, path)
	}
	if s, ok := v.Interface().(standIn); ok {
		v = reflect.ValueOf(s.HostValue())
	} else if err, ok := v.Interface().(error); ok && numbers[v.Type()] == 0 && (v.Kind() != reflect.Pointer || !v.IsNil()) {
		if _, is := w.objectIn(err); !is {
			w.b, _ = w.handles.appendType(head(w.b, majorArray, 2), reflect.TypeFor[error](), path, 0)
			return w.error(err, path)
		}
	}
	return w.plainly(v, path)
}

// plainly writes the type of v and then v, which is no error, or is to be what it is.
func (w *writer) plainly(v reflect.Value, path string) (err error) {
	if w.listed && w.errors.table() != nil && w.handles.structs().unlisted(v.Type(), map[reflect.Type]bool{}) != "" {
		w.opaque(v)
		return nil
	}
	w.b = head(w.b, majorArray, 2)
	if w.listed {
		if name := w.handles.structs().unlisted(v.Type(), map[reflect.Type]bool{}); name != "" {
			return &KindError{path, name, "cannot be copied between host and worker: no member of the policy mentions the type"}
		}
	}
	if w.b, err = w.handles.appendType(w.b, v.Type(), path, 0); err != nil {
		return namedByScript(err, v)
	}
	return w.value(v, path)
}

// namedByScript is err with the name that the script has for the type of v, which is ours.
func namedByScript(err error, v reflect.Value) error {
	own := script.ViewOf(v.Interface())
	if e, ok := errors.AsType[*KindError](err); ok && own != nil {
		e.Type = own.TypeName()
	}
	return err
}

func (w *writer) text(s string) { w.b = append(head(w.b, majorBytes, uint64(len(s))), s...) }

// value writes v, of which the reader knows the type.
func (w *writer) value(v reflect.Value, path string) error {
	if w.depth++; w.depth > maxDepth {
		return &KindError{path, v.Type().String(), "is nested too deep, or holds itself"}
	}
	defer func() { w.depth-- }()
	if rt := w.handles.structs().behind(v.Type()); rt != nil {
		v = made.Resolved(v, rt)
	}
	if w.handles.are(v.Type()) {
		return w.handle(v, path)
	}
	if t, ok := texts[v.Type()]; ok {
		return w.named(t, v, path)
	}
	switch v.Kind() {
	case reflect.Interface:
		return w.iface(v, path)
	case reflect.Pointer:
		if v.IsNil() {
			w.b = append(w.b, majorSimple<<5|simpleNil)
			return nil
		}
		if s := w.handles.structs().find(v.Type().Elem()); s != nil {
			return w.pointer(v, s, path)
		}
		w.b = head(w.b, majorArray, 1)
		return w.value(v.Elem(), path)
	case reflect.Slice:
		return w.slice(v, path)
	case reflect.Array:
		return w.elements(v, path)
	case reflect.Map:
		return w.mapping(v, path)
	case reflect.Func:
		return w.callback(v, path)
	case reflect.Struct:
		if s := w.handles.structs().find(v.Type()); s != nil {
			return w.object(v, s, path)
		}
		if isMute(v) {
			return &KindError{path, v.Type().String(), "is an error that cannot say what it is"}
		}
		return w.fields(v, path)
	}
	return w.basic(v, path)
}

func (w *writer) named(t text, v reflect.Value, path string) error {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	text, err := t.write(p.Interface())
	if err != nil {
		return &KindError{path, v.Type().String(), "cannot be written: " + err.Error()}
	}
	w.text(string(text))
	return nil
}

func (w *writer) iface(v reflect.Value, path string) error {
	switch {
	case v.IsNil():
		w.b = append(w.b, majorSimple<<5|simpleNil)
	case v.Type() == reflect.TypeFor[error]():
		return w.error(v.Interface().(error), path)
	case w.handles.structs().isNamed(v.Type()) && v.NumMethod() > 0:
		return w.held(v, path)
	case v.NumMethod() > 0:
		return &KindError{path, v.Type().String(), "cannot be copied between host and worker"}
	default:
		return w.dynamic(v.Elem(), path)
	}
	return nil
}

func (w *writer) slice(v reflect.Value, path string) error {
	switch {
	case v.IsNil():
		w.b = append(w.b, majorSimple<<5|simpleNil)
		return nil
	case v.Type().Elem().Kind() == reflect.Uint8:
		w.b = head(w.b, majorBytes, uint64(v.Len()))
		w.b = append(w.b, v.Bytes()...)
		return nil
	}
	return w.elements(v, path)
}

func (w *writer) elements(v reflect.Value, path string) error {
	w.b = head(w.b, majorArray, uint64(v.Len()))
	for i := range v.Len() {
		if err := w.value(v.Index(i), fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) mapping(v reflect.Value, path string) error {
	if v.IsNil() {
		w.b = append(w.b, majorSimple<<5|simpleNil)
		return nil
	}
	w.b = head(w.b, majorArray, uint64(2*v.Len()))
	for it := v.MapRange(); it.Next(); {
		at := path + "[" + keyText(it.Key()) + "]"
		if err := w.value(it.Key(), at); err != nil {
			return err
		}
		if err := w.value(it.Value(), at); err != nil {
			return err
		}
	}
	return nil
}

func keyText(k reflect.Value) string {
	if k.Kind() == reflect.String {
		return fmt.Sprintf("%q", k.String())
	}
	if k.CanInt() || k.CanUint() {
		return fmt.Sprint(k)
	}
	return "key"
}

func (w *writer) fields(v reflect.Value, path string) error {
	fields := exported(v.Type())
	w.b = head(w.b, majorArray, uint64(len(fields)))
	for _, f := range fields {
		if err := w.value(v.FieldByIndex(f.Index), path+"."+f.Name); err != nil {
			return err
		}
	}
	return nil
}

// homebound are the kinds that are of use in their process alone.
var homebound = []reflect.Kind{reflect.Func, reflect.Chan, reflect.UnsafePointer}

func (w *writer) basic(v reflect.Value, path string) error {
	switch {
	case slices.Contains(homebound, v.Kind()):
		return &KindError{path, v.Type().String(), "cannot be copied between host and worker"}
	case v.Kind() == reflect.Bool && v.Bool():
		w.b = append(w.b, majorSimple<<5|simpleTrue)
	case v.Kind() == reflect.Bool:
		w.b = append(w.b, majorSimple<<5|simpleFalse)
	case v.Kind() == reflect.String:
		w.text(v.String())
	case v.CanInt() && v.Int() < 0:
		w.b = head(w.b, majorInt, uint64(-1-v.Int()))
	case v.CanInt():
		w.b = head(w.b, majorUint, uint64(v.Int()))
	case v.CanUint():
		w.b = head(w.b, majorUint, v.Uint())
	case v.CanFloat():
		w.float(v.Float())
	default:
		c := v.Complex()
		w.b = head(w.b, majorArray, 2)
		w.float(real(c))
		w.float(imag(c))
	}
	return nil
}

func (w *writer) float(f float64) {
	w.b = binary.BigEndian.AppendUint64(append(w.b, majorSimple<<5|simpleFloat), math.Float64bits(f))
}
