package vm

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"go/types"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/jsontext"
)

// misquoted is the error for what a string holds in place of a value.
func misquoted(item []byte, t *Type) error {
	return fmt.Errorf("json: invalid use of ,string struct tag, trying to unmarshal %q into %v", item, t.str)
}

// store stores a literal into v. One that was inside a string need not be valid.
func (d *jsonDecoder) store(item []byte, v val, fromString bool) error {
	if len(item) == 0 {
		d.save(misquoted(item, v.t))
		return nil
	}
	recv, how, to := d.through(v, item[0] == 'n')
	switch how {
	case byJSON:
		return d.unmarshal(recv, "UnmarshalJSON", item)
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
		return misquoted(item, v.t)
	}
	return nil
}

// storeText stores a literal by UnmarshalText.
func (d *jsonDecoder) storeText(item []byte, v, recv val, fromString bool) error {
	if item[0] != '"' {
		if fromString {
			d.save(misquoted(item, v.t))
			return nil
		}
		what := "number"
		switch item[0] {
		case 'n':
			what = "null"
		case 't', 'f':
			what = "bool"
		}
		d.mismatch(what, v.t, d.pos)
		return nil
	}
	text, ok := jsontext.Unquote(item, d.m.costs())
	if !ok {
		return misquoted(item, v.t)
	}
	return d.unmarshal(recv, "UnmarshalText", text)
}

func (d *jsonDecoder) storeNull(item []byte, v val, fromString bool) {
	if fromString && string(item) != "null" {
		d.save(misquoted(item, v.t))
		return
	}
	switch v.kind() {
	case reflect.Interface, reflect.Pointer, reflect.Map, reflect.Slice:
		v.setZero(d.m)
	}
}

func (d *jsonDecoder) storeBool(item []byte, v val, fromString bool) {
	is := item[0] == 't'
	switch {
	case fromString && string(item) != "true" && string(item) != "false":
		d.save(misquoted(item, v.t))
	case v.kind() == reflect.Bool:
		v.setInt(b2i(is))
	case isEmptyInterface(v.t):
		v.setRef(is)
	case fromString && v.kind() != reflect.Interface:
		d.save(misquoted(item, v.t))
	default:
		d.mismatch("bool", v.t, d.pos)
	}
}

func (d *jsonDecoder) storeString(item []byte, v val, fromString bool) error {
	text, ok := jsontext.Unquote(item, d.m.costs())
	if !ok {
		return misquoted(item, v.t)
	}
	switch k := v.kind(); {
	case k == reflect.Slice && v.t.elem.kind == reflect.Uint8:
		d.storeBytes(text, v)
	case k == reflect.String:
		s := d.string(text)
		if isJSONNumber(v.t) && !jsontext.ValidNumber(s) {
			return fmt.Errorf("json: invalid number literal, trying to unmarshal %q into Number", item)
		}
		v.setStr(s)
	case isEmptyInterface(v.t):
		v.setRef(d.string(text))
	default:
		d.mismatch("string", v.t, d.pos)
	}
	return nil
}

// storeBytes stores what base64 stands for.
func (d *jsonDecoder) storeBytes(text []byte, v val) {
	m := d.m
	d.spend(len(text) / 4)
	size := base64.StdEncoding.DecodedLen(len(text))
	m.alloc(storeBytes(v.t.elem, int64(size)))
	out := make([]byte, size)
	n, err := base64.StdEncoding.Decode(out, text)
	if err != nil {
		d.save(err)
		return
	}
	o := any(&Num[uint8]{out})
	if _, ok := newStore(v.t.elem, 0).(*Num[uint8]); !ok { // of a named type
		o = newStore(v.t.elem, n)
		for i, c := range out[:n] {
			memOf(o).stI(i, int64(c))
		}
		size = n
	}
	v.set(m, sliceCells(m.followAny(o), 0, n, size), 0)
}

// spend asks for the time of work that takes so many ticks and cannot be interrupted.
func (d *jsonDecoder) spend(n int) {
	if n < 1<<13 {
		return
	}
	if stop := d.m.seam.Meter.Afford(time.Duration(n) * gates.TickTime); stop != nil {
		d.m.halt(&stopped{gate: stop})
	}
}

func (d *jsonDecoder) storeNumber(item []byte, v val, fromString bool) error {
	d.spend(len(item))
	switch k := v.kind(); {
	case isEmptyInterface(v.t):
		x, ok := d.number(item)
		if ok {
			v.setRef(x)
		}
	case isUnsigned(v.t):
		n, err := strconv.ParseUint(string(item), 10, 64)
		if err != nil || overflowsUint(v.t, n) {
			d.mismatch("number "+string(item), v.t, d.pos)
			return nil
		}
		v.setInt(int64(n))
	case isInteger(v.t):
		n, err := strconv.ParseInt(string(item), 10, 64)
		if err != nil || overflowsInt(v.t, n) {
			d.mismatch("number "+string(item), v.t, d.pos)
			return nil
		}
		v.setInt(n)
	case k == reflect.Float32, k == reflect.Float64:
		bits := map[reflect.Kind]int{reflect.Float32: 32, reflect.Float64: 64}[k]
		f, err := parseFloat(item, bits)
		if err != nil {
			d.mismatch("number "+string(item), v.t, d.pos)
			return nil
		}
		v.setFloat(f)
	case isJSONNumber(v.t):
		v.setStr(d.string(item))
	case k == reflect.Interface:
		if _, ok := d.number(item); ok {
			d.mismatch("number", v.t, d.pos)
		}
	case fromString:
		return misquoted(item, v.t)
	default:
		d.mismatch("number", v.t, d.pos)
	}
	return nil
}

// number is what a number becomes where any is wanted.
func (d *jsonDecoder) number(item []byte) (any, bool) {
	d.m.charge(nativeBytes)
	d.spend(len(item))
	if d.useNumber {
		return json.Number(d.string(item)), true
	}
	f, err := parseFloat(item, 64)
	if err != nil {
		d.mismatch("number "+string(item), universe.basic[types.Float64], d.pos+1)
		return nil, false
	}
	return f, true
}

func parseFloat(item []byte, bits int) (float64, error) {
	return strconv.ParseFloat(string(item), bits)
}

// overflowsInt reports that n is no value of the integer type t.
func overflowsInt(t *Type, n int64) bool {
	bits := kindTypes[t.kind].Bits()
	return n != n<<(64-bits)>>(64-bits)
}

func overflowsUint(t *Type, n uint64) bool {
	return n > math.MaxUint64>>(64-kindTypes[t.kind].Bits())
}
