package rules

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// A number is one of a rule: a whole one of 64 bits, or a float.
type number struct {
	whole   integer
	float   float64
	isFloat bool // the number is float, and not whole
}

// An integer is one of int64 or of uint64, in two's complement.
type integer struct {
	negative bool
	bits     uint64
}

func ofInt(i int64) integer { return integer{i < 0, uint64(i)} }

func (i integer) compare(j integer) int {
	if i.negative != j.negative {
		return cmp.Compare(btoi(j.negative), btoi(i.negative))
	}
	return cmp.Compare(i.bits, j.bits)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// ofFloat is the largest integer that is not greater than f, if there is one of 64 bits.
func ofFloat(f float64) (integer, bool) {
	switch f = math.Floor(f); {
	case f >= -1<<63 && f < 1<<63:
		return ofInt(int64(f)), true
	case f >= 1<<63 && f < 1<<64:
		return integer{bits: uint64(f)}, true
	}
	return integer{}, false
}

// Kinds of values that conditions are for.
var (
	signed   = kinds.Of(reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64)
	unsigned = kinds.Of(reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr)
	numbers  = signed | unsigned | kinds.Float

	durationType = reflect.TypeFor[time.Duration]()
)

// parseNumber reads one of a rule for values of type t.
func parseNumber(x any, t reflect.Type) (number, error) {
	n, err := parseAnyNumber(x, t)
	if t.Kind() == reflect.Float32 && n.isFloat {
		n.float = float64(float32(n.float)) // as values of the type are
	}
	return n, err
}

func parseAnyNumber(x any, t reflect.Type) (number, error) {
	text, isText := x.(string)
	if t == durationType {
		d, is := x.(time.Duration)
		if isText {
			var err error
			d, err = time.ParseDuration(text)
			is = err == nil
		}
		if !is {
			return number{}, fmt.Errorf(`%s is not a duration, such as "1.5s" or "2m"`, show(x))
		}
		return number{whole: ofInt(int64(d))}, nil
	}
	if isText {
		return parseNumberText(text)
	}
	switch v := reflect.ValueOf(x); {
	case v.IsValid() && v.CanFloat() && math.Abs(v.Float()) > 1<<53:
		return number{}, fmt.Errorf("%v may have been rounded: write it as a text", x)
	case v.IsValid() && isNumber(v):
		return numberOf(v), nil
	}
	return number{}, fmt.Errorf("%s is not a number", show(x))
}

func parseNumberText(text string) (number, error) {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return number{whole: ofInt(i)}, nil
	}
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return number{whole: integer{bits: u}}, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return number{}, fmt.Errorf("%q is not a number", text)
	}
	return numberOf(reflect.ValueOf(f)), nil
}

// isNumber reports that v is one that can be compared.
func isNumber(v reflect.Value) bool {
	return v.CanInt() || v.CanUint() || v.CanFloat() && !math.IsNaN(v.Float())
}

// numberOf is the number that v is.
func numberOf(v reflect.Value) number {
	switch {
	case v.CanInt():
		return number{whole: ofInt(v.Int())}
	case v.CanUint():
		return number{whole: integer{bits: v.Uint()}}
	}
	f := v.Float()
	if i, ok := ofFloat(f); ok && f == math.Floor(f) {
		return number{whole: i}
	}
	return number{float: f, isFloat: true}
}

// compare is -1, 0 or 1 if n is less than m, equal to it, or greater.
func (n number) compare(m number) int {
	switch {
	case !n.isFloat && !m.isFloat:
		return n.whole.compare(m.whole)
	case n.isFloat && m.isFloat:
		return cmp.Compare(n.float, m.float)
	case n.isFloat:
		return -m.compare(n)
	}
	floor, ok := ofFloat(m.float)
	if !ok {
		return cmp.Compare(0, m.float)
	}
	if c := n.whole.compare(floor); c != 0 {
		return c
	}
	return -1 // m is not whole
}

func (n number) String() string {
	switch {
	case n.isFloat:
		return strconv.FormatFloat(n.float, 'g', -1, 64)
	case n.whole.negative:
		return strconv.FormatInt(int64(n.whole.bits), 10)
	}
	return strconv.FormatUint(n.whole.bits, 10)
}

// show is a value of a rule as it is written.
func show(x any) string {
	if s, ok := x.(string); ok {
		return strconv.Quote(s)
	}
	return fmt.Sprint(x)
}
