package yaegi

import (
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
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
	switch k := v.Kind(); {
	case k == reflect.String:
		w.left -= v.Len()
	case kinds.Place.Has(k) && k != reflect.Map && k != reflect.Slice, k == reflect.Uintptr:
		w.addresses = true
		if k == reflect.Pointer && depth > 0 { // fmt follows the outermost only
			return true
		}
	}
	for part := range kinds.Values(v) {
		if !w.fits(part, depth+1) {
			return false
		}
	}
	return w.left >= 0
}
