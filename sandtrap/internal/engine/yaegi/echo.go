package yaegi

import (
	"fmt"
	"reflect"
)

// Bounds on what an echo shows: fmt neither ends on a value that holds itself nor
// minds how long its text gets.
const (
	maxEchoDepth = 32
	maxEchoSize  = 1 << 16 // values, and bytes of strings
)

// goSyntax is v in Go syntax, or a note that it is too large or too deep.
func goSyntax(v any, show func(any) fmt.Formatter) string {
	w := &echoWalk{left: maxEchoSize}
	if !w.fits(reflect.ValueOf(v), 0) {
		return "(too large to show)"
	}
	text := fmt.Sprintf("%#v", show(v))
	if w.addresses {
		text = clean(text)
	}
	return text
}

// An echoWalk looks at a value before it is printed.
type echoWalk struct {
	left      int
	addresses bool // the text will have some
}

// fits says whether v is within the bounds. It goes wherever fmt may go.
func (w *echoWalk) fits(v reflect.Value, depth int) bool {
	w.left--
	if w.left < 0 || depth > maxEchoDepth {
		return false
	}
	switch v.Kind() {
	case reflect.String:
		w.left -= v.Len()
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		w.addresses = true
	case reflect.Pointer:
		w.addresses = true
		return v.IsNil() || depth > 0 || w.fits(v.Elem(), depth+1) // fmt follows the outermost only
	case reflect.Interface:
		return v.IsNil() || w.fits(v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len(); i++ {
			if !w.fits(v.Index(i), depth+1) {
				return false
			}
		}
	case reflect.Struct:
		for i := 0; i < v.NumField(); i++ {
			if !w.fits(v.Field(i), depth+1) {
				return false
			}
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			if !w.fits(it.Key(), depth+1) || !w.fits(it.Value(), depth+1) {
				return false
			}
		}
	}
	return w.left >= 0
}
