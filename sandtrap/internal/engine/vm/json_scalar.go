package vm

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
)

// scalar writes a boolean, number or string; quoted, as a string.
func (e *jsonEncoder) scalar(v val, quoted bool) {
	if v.kind() == reflect.String && !isJSONNumber(v.t) {
		e.text(v.str(), quoted)
		return
	}
	e.buf.Room(64)
	if quoted {
		e.buf.B = append(e.buf.B, '"')
	}
	switch k := v.kind(); {
	case k == reflect.Bool:
		e.buf.B = strconv.AppendBool(e.buf.B, v.int() != 0)
	case k == reflect.Float32:
		e.float(v, 32)
	case k == reflect.Float64:
		e.float(v, 64)
	case k == reflect.String:
		e.number(v.str())
	case isUnsigned(v.t):
		e.buf.B = strconv.AppendUint(e.buf.B, uint64(v.int()), 10)
	default:
		e.buf.B = strconv.AppendInt(e.buf.B, v.int(), 10)
	}
	if quoted {
		e.buf.Byte('"')
	}
}

func (e *jsonEncoder) text(s string, quoted bool) {
	if !quoted {
		jsontext.String(&e.buf, s, e.html)
		return
	}
	inner := jsontext.Buffer{Pay: e.m.costs()}
	jsontext.String(&inner, s, e.html)
	jsontext.String(&e.buf, inner.B, false)
}

var numberType = reflect.TypeFor[json.Number]()

// isJSONNumber reports the type json.Number.
func isJSONNumber(t *Type) bool { return t.host == numberType }

func (e *jsonEncoder) number(s string) {
	if s == "" {
		s = "0"
	}
	if !jsontext.ValidNumber(s) {
		e.fail(fmt.Errorf("json: invalid number literal %q", s))
	}
	e.buf.Raw(s)
}

// float writes a number as ECMAScript does.
func (e *jsonEncoder) float(v val, bits int) {
	f := v.float()
	if math.IsInf(f, 0) || math.IsNaN(f) {
		e.fail(&json.UnsupportedValueError{Value: e.m.reflectValue(v), Str: strconv.FormatFloat(f, 'g', -1, bits)})
	}
	format, abs := byte('f'), math.Abs(f)
	if bits == 32 {
		if x := float32(abs); x != 0 && (x < 1e-6 || x >= 1e21) {
			format = 'e'
		}
	} else if abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	b := strconv.AppendFloat(e.buf.B, f, format, -1, bits)
	if n := len(b); format == 'e' && n >= 4 && b[n-4] == 'e' && b[n-3] == '-' && b[n-2] == '0' {
		b[n-2] = b[n-1] // e-9, not e-09
		b = b[:n-1]
	}
	e.buf.B = b
}

// isEmpty is what omitempty leaves out.
func isEmpty(v val) bool {
	switch k := v.kind(); k {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.length() == 0
	case reflect.Interface, reflect.Pointer:
		return v.isNil()
	case reflect.Float32, reflect.Float64:
		return v.float() == 0
	default:
		return (k == reflect.Bool || isInteger(v.t)) && v.int() == 0
	}
}

// isZero is what omitzero leaves out: what its own IsZero says, else what is zero.
func (e *jsonEncoder) isZero(v val) bool {
	i := e.m.jsonInfo(v.t)
	k := v.kind()
	switch {
	case i.of.isZero:
		if (k == reflect.Pointer || k == reflect.Interface) && v.isNil() {
			return true
		}
		if k == reflect.Interface {
			if x := v.elem(e.m); x.kind() == reflect.Pointer && x.isNil() {
				return true
			}
		}
		return e.m.callMethod(v, "IsZero", &Obj{}, 0).I[0] != 0
	case i.ofPtr.isZero:
		if v.flag&isVar == 0 {
			copied := e.m.newVal(v.t)
			copied.set(e.m, v.load(e.m), 0)
			v = copied
		}
		return e.m.callMethod(v.addr(e.m), "IsZero", &Obj{}, 0).I[0] != 0
	}
	return e.m.zero(v)
}

// zero reports that v is the zero value of its type.
func (m *machine) zero(v val) bool {
	m.look()
	if v.t.kind == kindHost {
		r := v.o.ldR(v.k)
		return r == nil || reflect.ValueOf(r).Elem().IsZero()
	}
	if v.t.kind == reflect.Array || v.t.agg {
		if v.o.ldR(v.k) == nil {
			return true
		}
	}
	switch v.kind() {
	case reflect.Array:
		o, off, n, _ := v.store(m)
		for i := range n {
			if !m.zero(v.at(o, off+i)) {
				return false
			}
		}
		return true
	case reflect.Struct:
		for _, f := range m.structFields(v.t) {
			if !m.zero(v.field(m, f)) {
				return false
			}
		}
		return true
	case reflect.String:
		return v.str() == ""
	case reflect.Float32, reflect.Float64:
		return v.float() == 0
	case reflect.Complex64, reflect.Complex128:
		return v.float() == 0 && i2f(v.o.ldI(v.k+1)) == 0
	case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return v.isNil()
	}
	return v.int() == 0
}
