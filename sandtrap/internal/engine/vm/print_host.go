package vm

import (
	"fmt"
	"io"
	"reflect"
	"strings"
)

// bare is a state without the flags that change the shape, as fmt prints what a
// verb is not made for.
type bare struct{ fmt.State }

// padded is a state of which only the width is left.
type padded struct{ fmt.State }

func (padded) Precision() (int, bool) { return 0, false }
func (p padded) Flag(c int) bool      { return c == '-' && p.State.Flag(c) }

func (b bare) Flag(c int) bool { return c != '+' && c != '#' && b.State.Flag(c) }

// formatHost prints a value of the host's inside one of the script's: a pointer
// there shows where it points, unless the type prints itself.
func (m *machine) formatHost(s fmt.State, verb rune, v any, methods bool) {
	rv := reflect.ValueOf(v)
	itself := methods && printsItself(v, s, verb)
	switch k := rv.Kind(); {
	case itself:
	case k == reflect.Pointer:
		if !m.formatPlace(s, verb, rv.Type().String(), m.address(v)) {
			fmt.Fprintf(s, "%%!%c(%s=", verb, rv.Type())
			if e := rv.Elem(); e.Kind() == reflect.Struct {
				io.WriteString(s, "&")
				formatHostStruct(bare{s}, 'v', e.Interface(), false)
			}
			io.WriteString(s, ")")
		}
		return
	case !methods && k == reflect.Struct:
		formatHostStruct(s, verb, v, false)
		return
	case !methods && kindTypes[k] != nil:
		v = rv.Convert(kindTypes[k]).Interface()
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), v)
}

// printsItself reports that fmt calls a method of v.
func printsItself(v any, s fmt.State, verb rune) bool {
	if _, ok := v.(fmt.Formatter); ok {
		return true
	}
	if sharpV(s, verb) {
		_, ok := v.(fmt.GoStringer)
		return ok
	}
	switch v.(type) {
	case error, fmt.Stringer:
		return strings.ContainsRune("vsxXq", verb)
	}
	return false
}

// formatHostStruct prints a struct of the host's. In a field that is not exported
// fmt does not call its methods; but then no address of the host's is shown.
func formatHostStruct(s fmt.State, verb rune, v any, methods bool) {
	if !methods {
		text := fmt.Sprintf(fmt.FormatString(s, verb), struct{ x any }{v})
		_, text, _ = strings.Cut(strings.TrimSuffix(text, "}"), hiddenPrefix(s, verb))
		if !strings.Contains(text, "0x") {
			io.WriteString(s, text)
			return
		}
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), v)
}

// hiddenPrefix is what fmt prints before the field of struct{ x any }.
func hiddenPrefix(s fmt.State, verb rune) string {
	switch {
	case sharpV(s, verb):
		return "struct { x interface {} }{x:"
	case plusV(s, verb):
		return "{x:"
	}
	return "{"
}
