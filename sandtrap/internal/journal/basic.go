package journal

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
)

// Values of basic types are most of what functions take and return. They are written and read here as encoding/json does
// it, at a tenth of the time; whatever is not as simple is left to that.

// appendBasic appends the JSON of v, if v is of a basic type and needs no escapes.
func appendBasic(b []byte, v reflect.Value) ([]byte, bool) {
	if v.Type().PkgPath() != "" { // which may have methods
		return b, false
	}
	switch v.Kind() {
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(b, v.Int(), 10), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return strconv.AppendUint(b, v.Uint(), 10), true
	case reflect.Float64:
		f := v.Float()
		if size := math.Abs(f); f != 0 && !(1e-6 <= size && size < 1e21) {
			return b, false // with an exponent, or none
		}
		return strconv.AppendFloat(b, f, 'f', -1, 64), true
	case reflect.String:
		s := v.String()
		for i := range len(s) {
			if !plain(s[i]) {
				return b, false
			}
		}
		return append(append(append(b, '"'), s...), '"'), true
	}
	return b, false
}

// readBasic sets v from the JSON in text, if v is of a basic type and the text as appendBasic writes it. It reports false,
// and sets nothing, otherwise.
func readBasic(text []byte, v reflect.Value) bool {
	if v.Type().PkgPath() != "" {
		return false
	}
	switch v.Kind() {
	case reflect.Bool:
		switch string(text) {
		case "true", "false":
			v.SetBool(text[0] == 't')
			return true
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, err := strconv.ParseInt(string(text), 10, v.Type().Bits())
		if err == nil && integer(text) == len(text) {
			v.SetInt(n)
			return true
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		n, err := strconv.ParseUint(string(text), 10, v.Type().Bits())
		if err == nil && integer(text) == len(text) {
			v.SetUint(n)
			return true
		}
	case reflect.Float64:
		if n := decimal(text); n == 0 || n < len(text) {
			return false
		}
		if f, err := strconv.ParseFloat(string(text), 64); err == nil {
			v.SetFloat(f)
			return true
		}
	case reflect.String:
		if s, rest, ok := cutPlain(text); ok && len(rest) == 0 {
			v.SetString(s)
			return true
		}
	}
	return false
}

// plain tells the bytes that JSON has in a string as they are, without those beyond ASCII.
func plain(c byte) bool { return ' ' <= c && c < 0x7f && c != '"' && c != '\\' }

// integer is how many bytes an integer has that the text begins with, 0 if it begins with none.
func integer(text []byte) int {
	i := 0
	if i < len(text) && text[i] == '-' {
		i++
	}
	n := digits(text[i:])
	if n == 0 || n > 1 && text[i] == '0' {
		return 0
	}
	return i + n
}

// decimal is integer for one that may have a fraction.
func decimal(text []byte) int {
	i := integer(text)
	if i > 0 && i < len(text) && text[i] == '.' {
		n := digits(text[i+1:])
		if n == 0 {
			return 0
		}
		i += 1 + n
	}
	return i
}

func digits(text []byte) int {
	i := 0
	for i < len(text) && '0' <= text[i] && text[i] <= '9' {
		i++
	}
	return i
}

// cutPlain cuts a string without escapes off the text.
func cutPlain(text []byte) (s string, rest []byte, ok bool) {
	if len(text) == 0 || text[0] != '"' {
		return "", text, false
	}
	for i := 1; i < len(text); i++ {
		if text[i] == '"' {
			return string(text[1:i]), text[i+1:], true
		}
		if !plain(text[i]) {
			break
		}
	}
	return "", text, false
}

// read reads a line as write writes it, if that has a result alone. It reports false otherwise.
func (r *Return) read(text []byte) bool {
	number := func(key string) (n int64) {
		rest, ok := bytes.CutPrefix(text, []byte(key))
		end := integer(rest)
		n, err := strconv.ParseInt(string(rest[:end]), 10, 64)
		if text = rest[end:]; !ok || err != nil {
			text = nil
		}
		return n
	}
	word := func(key string) (s string) {
		rest, ok := bytes.CutPrefix(text, []byte(key))
		s, rest, plain := cutPlain(rest)
		if text = rest; !ok || !plain {
			text = nil
		}
		return s
	}
	call := number(`{"call":`)
	own := Return{Call: int(call), Name: word(`,"name":`), Args: word(`,"args":`), Rest: number(`,"rest":`)}
	result, ok := bytes.CutPrefix(text, []byte(`,"result":`))
	result, whole := bytes.CutSuffix(result, []byte("}"))
	if !ok || !whole || int64(own.Call) != call || len(result) < 2 || result[0] != '[' || result[len(result)-1] != ']' || !json.Valid(result) {
		return false
	}
	own.Result = bytes.Clone(result)
	*r = own
	return true
}
