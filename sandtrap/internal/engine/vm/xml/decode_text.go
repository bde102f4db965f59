package xml

import (
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// data stores character data.
func (d *decoder) data(v inspect.Value, text []byte) error {
	if recv, ok := receiver(v, "UnmarshalText"); ok {
		return inspect.Unmarshal(recv, "UnmarshalText", text)
	}
	return d.text(v, text)
}

// keep stores a comment or XML in a field that can hold it.
func (d *decoder) keep(v inspect.Value, text []byte) {
	switch {
	case v == nil:
	case v.Kind() == reflect.String:
		v.SetText(string(text))
	case inspect.IsBytes(v.Type()):
		v.SetBytes(text)
	}
}

// text stores a text as a value without parts.
func (d *decoder) text(v inspect.Value, text []byte) error {
	whole := v.Type()
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			v.Allocate()
		}
		v = v.Elem()
	}
	k := v.Kind()
	switch {
	case k == reflect.String:
		d.m.Charge(int64(len(text)))
		v.SetText(string(text))
		return nil
	case inspect.IsBytes(v.Type()):
		if text == nil {
			text = []byte{}
		}
		v.SetBytes(text)
		return nil
	case k == reflect.Slice || k != reflect.Bool && !inspect.IsFloat(k) && !inspect.IsInteger(k):
		return errors.New("cannot unmarshal into " + whole.String())
	case len(text) == 0:
		v.SetZero()
		return nil
	}
	return setNumber(v, strings.TrimSpace(string(text)))
}

// setNumber stores the number or truth value that a text is.
func setNumber(v inspect.Value, s string) error {
	bits := inspect.Bits(v.Kind())
	switch {
	case v.Kind() == reflect.Bool:
		b, err := strconv.ParseBool(s)
		if err == nil {
			v.SetBool(b)
		}
		return err
	case inspect.IsFloat(v.Kind()):
		f, err := strconv.ParseFloat(s, bits)
		if err == nil {
			v.SetFloat(f)
		}
		return err
	case inspect.IsUnsigned(v.Kind()):
		n, err := strconv.ParseUint(s, 10, bits)
		if err == nil {
			v.SetInt(int64(n))
		}
		return err
	}
	n, err := strconv.ParseInt(s, 10, bits)
	if err == nil {
		v.SetInt(n)
	}
	return err
}
