package json

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

func isScalar(k reflect.Kind) bool {
	return k == reflect.Bool || k == reflect.String || inspect.IsFloat(k) || inspect.IsInteger(k)
}

// scalar writes a boolean, number or string; quoted, as a string.
func (e *encoder) scalar(v inspect.Value, quoted bool) {
	if v.Kind() == reflect.String && !isNumber(v.Type()) {
		e.text(v.Text(), quoted)
		return
	}
	e.buf.Room(64)
	if quoted {
		e.buf.B = append(e.buf.B, '"')
	}
	switch k := v.Kind(); {
	case k == reflect.Bool:
		e.buf.B = strconv.AppendBool(e.buf.B, v.Int() != 0)
	case k == reflect.Float32:
		e.float(v, 32)
	case k == reflect.Float64:
		e.float(v, 64)
	case k == reflect.String:
		e.number(v.Text())
	case inspect.IsUnsigned(v.Kind()):
		e.buf.B = strconv.AppendUint(e.buf.B, uint64(v.Int()), 10)
	default:
		e.buf.B = strconv.AppendInt(e.buf.B, v.Int(), 10)
	}
	if quoted {
		e.buf.Byte('"')
	}
}

func (e *encoder) text(s string, quoted bool) {
	if !quoted {
		jsontext.String(&e.buf, s, e.html)
		return
	}
	inner := jsontext.Buffer{Pay: e.pay}
	jsontext.String(&inner, s, e.html)
	jsontext.String(&e.buf, inner.B, false)
}

var numberType = reflect.TypeFor[json.Number]()

// isNumber reports the type json.Number.
func isNumber(t inspect.Type) bool { return t.Host() == numberType }

func (e *encoder) number(s string) {
	if s == "" {
		s = "0"
	}
	if !e.buf.Pay.ValidNumber(s) {
		e.fail(fmt.Errorf("json: invalid number literal %q", s))
	}
	e.buf.Raw(s)
}

// float writes a number as ECMAScript does.
func (e *encoder) float(v inspect.Value, bits int) {
	f := v.Float()
	if math.IsInf(f, 0) || math.IsNaN(f) {
		e.fail(&json.UnsupportedValueError{Value: v.Reflect(), Str: strconv.FormatFloat(f, 'g', -1, bits)})
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
func isEmpty(v inspect.Value) bool {
	switch k := v.Kind(); {
	case kinds.Ranged.Has(k):
		return v.Len() == 0
	case k == reflect.Interface || k == reflect.Pointer:
		return v.IsNil()
	case kinds.Float.Has(k):
		return v.Float() == 0
	default:
		return (k == reflect.Bool || inspect.IsInteger(v.Kind())) && v.Int() == 0
	}
}

// isZero is what omitzero leaves out: what its own IsZero says, else what is zero.
func (e *encoder) isZero(v inspect.Value) bool {
	i := e.infos.of(v.Type())
	k := v.Kind()
	switch {
	case i.of.isZero:
		if (k == reflect.Pointer || k == reflect.Interface) && v.IsNil() {
			return true
		}
		if k == reflect.Interface {
			if x := v.Elem(); x.Kind() == reflect.Pointer && x.IsNil() {
				return true
			}
		}
		return v.Call("IsZero")[0].(bool)
	case i.ofPtr.isZero:
		if !v.IsVar() {
			copied := e.m.New(v.Type())
			copied.Set(v)
			v = copied
		}
		return v.Addr().Call("IsZero")[0].(bool)
	}
	return v.IsZero()
}
