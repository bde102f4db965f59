package json

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// misquoted is the error for what a string holds in place of a value.
func misquoted(item []byte, t inspect.Type) error {
	return fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal %q into %v", item, t.String())
}

// store stores a literal into v. One that was inside a string need not be valid.
func (d *decoder) store(item []byte, v inspect.Value, fromString bool) error {
	if len(item) == 0 {
		d.save(misquoted(item, v.Type()))
		return nil
	}
	recv, how, to := d.through(v, item[0] == 'n')
	switch how {
	case byJSON:
		return inspect.Unmarshal(recv, "UnmarshalJSON", item)
	case byText:
		return d.storeText(item, v, recv, fromString)
	}
	v = to
	switch c := item[0]; {
	case c == 'n':
		d.storeNull(item, v, fromString)
	case c == 't', c == 'f':
		d.storeBool(item, v, fromString)
	case c == '"':
		return d.storeString(item, v, fromString)
	case c == '-', '0' <= c && c <= '9':
		return d.storeNumber(item, v, fromString)
	default:
		return misquoted(item, v.Type())
	}
	return nil
}

// storeText stores a literal by UnmarshalText.
func (d *decoder) storeText(item []byte, v, recv inspect.Value, fromString bool) error {
	if item[0] != '"' {
		if fromString {
			d.save(misquoted(item, v.Type()))
			return nil
		}
		what := "number"
		switch item[0] {
		case 'n':
			what = "null"
		case 't', 'f':
			what = "bool"
		}
		d.mismatch(what, v.Type(), d.pos)
		return nil
	}
	text, ok := jsontext.Unquote(item, d.pay)
	if !ok {
		return misquoted(item, v.Type())
	}
	return inspect.Unmarshal(recv, "UnmarshalText", text)
}

// nulled are the kinds of which null makes nil; others stay as they are.
var nulled = kinds.Of(reflect.Interface, reflect.Pointer, reflect.Map, reflect.Slice)

func (d *decoder) storeNull(item []byte, v inspect.Value, fromString bool) {
	if fromString && string(item) != "null" {
		d.save(misquoted(item, v.Type()))
		return
	}
	if nulled.Has(v.Kind()) {
		v.SetZero()
	}
}

func (d *decoder) storeBool(item []byte, v inspect.Value, fromString bool) {
	is := item[0] == 't'
	switch {
	case fromString && string(item) != "true" && string(item) != "false":
		d.save(misquoted(item, v.Type()))
	case v.Kind() == reflect.Bool:
		v.SetBool(is)
	case inspect.IsAny(v.Type()):
		v.SetHeld(is)
	case fromString && v.Kind() != reflect.Interface:
		d.save(misquoted(item, v.Type()))
	default:
		d.mismatch("bool", v.Type(), d.pos)
	}
}

func (d *decoder) storeString(item []byte, v inspect.Value, fromString bool) error {
	text, ok := jsontext.Unquote(item, d.pay)
	if !ok {
		return misquoted(item, v.Type())
	}
	switch k := v.Kind(); {
	case inspect.IsBytes(v.Type()):
		d.storeBytes(text, v)
	case k == reflect.String:
		s := d.string(text)
		if isNumber(v.Type()) && !d.pay.ValidNumber(s) {
			return fmt.Errorf("json: invalid number literal, trying to unmarshal %q into Number", item)
		}
		v.SetText(s)
	case inspect.IsAny(v.Type()):
		v.SetHeld(d.string(text))
	default:
		d.mismatch("string", v.Type(), d.pos)
	}
	return nil
}

// storeBytes stores what base64 stands for.
func (d *decoder) storeBytes(text []byte, v inspect.Value) {
	d.spend(len(text) / 4)
	out := d.m.Make(base64.StdEncoding.DecodedLen(len(text)))
	n, err := base64.StdEncoding.Decode(out, text)
	if err != nil {
		d.save(err)
		return
	}
	v.SetBytes(out[:n])
}

// spend asks for the time of work that takes so many ticks and cannot be interrupted.
func (d *decoder) spend(n int) {
	if n < 1<<13 {
		return
	}
	d.m.Spend(n)
}

func (d *decoder) storeNumber(item []byte, v inspect.Value, fromString bool) error {
	d.spend(len(item))
	switch k := v.Kind(); {
	case inspect.IsAny(v.Type()):
		x, ok := d.number(item)
		if ok {
			v.SetHeld(x)
		}
	case inspect.IsUnsigned(v.Kind()):
		n, err := strconv.ParseUint(string(item), 10, 64)
		if err != nil || inspect.OverflowsUint(v.Type().Kind(), n) {
			d.mismatch("number "+string(item), v.Type(), d.pos)
			return nil
		}
		v.SetInt(int64(n))
	case inspect.IsInteger(v.Kind()):
		n, err := strconv.ParseInt(string(item), 10, 64)
		if err != nil || inspect.OverflowsInt(v.Type().Kind(), n) {
			d.mismatch("number "+string(item), v.Type(), d.pos)
			return nil
		}
		v.SetInt(n)
	case k == reflect.Float32, k == reflect.Float64:
		f, err := parseFloat(item, inspect.Bits(k))
		if err != nil {
			d.mismatch("number "+string(item), v.Type(), d.pos)
			return nil
		}
		v.SetFloat(f)
	case isNumber(v.Type()):
		v.SetText(d.string(item))
	case k == reflect.Interface:
		if _, ok := d.number(item); ok {
			d.mismatch("number", v.Type(), d.pos)
		}
	case fromString:
		return misquoted(item, v.Type())
	default:
		d.mismatch("number", v.Type(), d.pos)
	}
	return nil
}

// number is what a number becomes where any is wanted.
func (d *decoder) number(item []byte) (any, bool) {
	d.m.Charge(inspect.HeldBytes)
	d.spend(len(item))
	if d.useNumber {
		return json.Number(d.string(item)), true
	}
	f, err := parseFloat(item, 64)
	if err != nil {
		d.mismatch("number "+string(item), d.m.Type(floatType), d.pos+1)
		return nil, false
	}
	return f, true
}

func parseFloat(item []byte, bits int) (float64, error) {
	return strconv.ParseFloat(string(item), bits)
}
