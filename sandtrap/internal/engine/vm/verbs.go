package vm

import (
	"fmt"
	"reflect"
	"strings"
)

// fmt answers %T and %p itself, by reflection, and would show types and addresses of
// the host. They are replaced by verbs that it hands on to Format methods.
const (
	verbType  = '\uE000'
	verbPlace = '\uE001'
)

// A shown argument prints as v does, but for its type and place.
type shown struct {
	m *machine
	v any
}

// ownVerbs puts the verbs in the place of %T and %p in a format, and wraps their
// arguments in vs.
func (m *machine) ownVerbs(format string, vs []any) string {
	if !strings.ContainsAny(format, "Tp") {
		return format
	}
	var out strings.Builder
	arg, from := 0, 0
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		i, arg = skipFlags(format, i+1, arg)
		if i >= len(format) || format[i] == '%' {
			continue
		}
		if own, ok := ownVerb[format[i]]; ok && arg < len(vs) && arg >= 0 {
			out.WriteString(format[from:i] + string(own))
			from = i + 1
			if _, done := vs[arg].(shown); !done {
				vs[arg] = shown{m, vs[arg]}
			}
		}
		arg++
	}
	return out.String() + format[from:]
}

var ownVerb = map[byte]rune{'T': verbType, 'p': verbPlace}

// skipFlags goes from behind a % to its verb, and gives the index of its argument.
func skipFlags(format string, i, arg int) (verb, next int) {
	for ; i < len(format); i++ {
		switch c := format[i]; {
		case c == '*':
			arg++
		case c == '[':
			n, width := 0, strings.IndexByte(format[i:], ']')
			if _, err := fmt.Sscanf(format[i:], "[%d]", &n); err != nil || width < 0 {
				return i, arg
			}
			arg = n - 1
			i += width
		case strings.IndexByte("+-# .", c) < 0 && (c < '0' || c > '9'):
			return i, arg
		}
	}
	return i, arg
}

func (a shown) Format(s fmt.State, verb rune) {
	switch v := a.v.(type) {
	case nil:
		if verb == verbPlace {
			fmt.Fprint(s, "%!p(<nil>)")
			return
		}
	case wrapped:
		f := v.script().(*Iface)
		if verb == verbPlace {
			a.m.formatTop(s, 'p', f)
			return
		}
	default:
		if rv := reflect.ValueOf(v); verb == verbPlace && hasPlace(rv) {
			a.m.formatPlace(s, 'p', "", a.m.placeOf(rv))
			return
		}
	}
	switch verb {
	case verbPlace:
		verb = 'p'
	case verbType:
		fmt.Fprintf(s, fmt.FormatString(s, 's'), shownType(a.v))
		return
	}
	fmt.Fprintf(s, fmt.FormatString(s, verb), a.v)
}

// shownType is the name of the type as the script knows it.
func shownType(v any) string {
	switch v := v.(type) {
	case nil:
		return "<nil>"
	case wrapped:
		return v.script().(*Iface).T.str
	case goNamed:
		return v.goName()
	}
	return reflect.TypeOf(v).String()
}

func hasPlace(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return true
	}
	return false
}

// placeOf is a made-up address for where v points.
func (m *machine) placeOf(v reflect.Value) uint64 {
	if v.IsNil() {
		return 0
	}
	return m.address(v.Pointer())
}
