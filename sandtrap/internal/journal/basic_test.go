package journal

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

// basicValues are of all basic types, with what JSON writes in another way than Go.
var basicValues = []any{
	true, false, 0, -1, 7, math.MinInt64, int8(-128), int16(5), int32(math.MaxInt32), int64(1 << 60), uint(3), uint8(255), uint16(1), uint32(9),
	uint64(math.MaxUint64), uintptr(4), 0.0, math.Copysign(0, -1), 0.1, -2.5, 1e20, 1e21, 1e-6, 1e-7, 1e300, math.MaxFloat64, math.SmallestNonzeroFloat64,
	100.0, 1.0 / 3, float32(0.1), float32(16777216), "", "a", "a b~", `quo"te`, `back\slash`, "<&>", "é", "\x7f", "\n", "\xff", "\u2028", strings.Repeat("x", 1000),
	json.Number("1"), []int{1}, named(3), written(4),
}

type named int

type written int

func (written) MarshalJSON() ([]byte, error) { return []byte(`"w"`), nil }

// TestAppendJSON: values are written as encoding/json writes them.
func TestAppendJSON(t *testing.T) {
	for _, v := range basicValues {
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		got, err := appendJSON([]byte("x"), reflect.ValueOf(v))
		if err != nil || string(got) != "x"+strings.TrimSuffix(want.String(), "\n") {
			t.Errorf("%T %v: %s, %v, want %s", v, v, got, err, &want)
		}
	}
}

// FuzzReadBasic: what is read without encoding/json is what that reads.
func FuzzReadBasic(f *testing.F) {
	for _, v := range basicValues {
		text, err := json.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{"01", "-", "-0", "+1", "1.", ".5", "1e3", "1_000", "0x1", " 1", "1 ", "256", "-1", "NaN", "Inf", `"a`, `a"`, `"a"b`, `"\u0041"`, "null", "truex", "\"\t\"", "1.50", "18446744073709551616"} {
		f.Add([]byte(text))
	}
	types := []reflect.Type{}
	for _, v := range basicValues {
		types = append(types, reflect.TypeOf(v))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, typ := range types {
			got, want := reflect.New(typ), reflect.New(typ)
			if !readBasic(text, got.Elem()) {
				if !got.Elem().IsZero() {
					t.Errorf("%s is refused for %v, and sets %v", text, typ, got.Elem())
				}
				continue
			}
			if err := Strict(text, want.Interface()); err != nil || !reflect.DeepEqual(got.Interface(), want.Interface()) {
				t.Errorf("%s as %v: %v, want %v, %v", text, typ, got.Elem(), want.Elem(), err)
			}
		}
	})
}

// FuzzReadReturn: a line that is read without encoding/json is what that reads.
func FuzzReadReturn(f *testing.F) {
	for _, r := range []Return{
		{Call: 1, Name: "f", Args: "00ff", Rest: 1, Result: json.RawMessage("[1]")},
		{Call: 2, Name: "p.F", Rest: 1 << 40, Result: json.RawMessage(`["a",{"b":[]}]`)},
		{Call: 3, Name: "f", Args: "0", Rest: 2, Result: json.RawMessage("[]"), Err: "failed"},
		{Call: 4, Name: "f", Args: "0", Rest: 3, Panic: "panics"},
		{Call: 5, Name: "f", Args: "0", Rest: 4, Err: "no", Denied: "no"},
		{Call: math.MaxInt64, Name: "é", Args: `"`, Rest: -1, Result: json.RawMessage("[null]")},
	} {
		var line bytes.Buffer
		if err := NewLog(&line, nil).add(&r); err != nil {
			f.Fatal(err)
		}
		f.Add(bytes.TrimSuffix(line.Bytes(), []byte("\n")))
	}
	for _, text := range []string{
		`{"call":1,"name":"f","args":"0","rest":1,"result":[1],"x":[2]}`, `{"call":01,"name":"f","args":"0","rest":1,"result":[1]}`,
		`{"call":1,"name":"f","args":"0","rest":1,"result":[1]} `, `{"call":1,"name":"f","args":"0","rest":1,"result":[1],"result":[2]}`,
		`{"call":9223372036854775808,"name":"f","args":"0","rest":1,"result":[1]}`, `{"call":1,"name":"f","args":"0","rest":1,"result":[1]}{}`,
		`{"call":1,"name":"f","args":"0","rest":1,"result":[}`, `{"call":1,"name":"f","args":"0","result":[1]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var got, want Return
		if !got.read(text) {
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s is refused, and sets %+v", text, got)
			}
			return
		}
		if err := Strict(text, &want); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v, %v", text, got, want, err)
		}
	})
}

// TestReadReturn: the lines of results are read without encoding/json.
func TestReadReturn(t *testing.T) {
	var line bytes.Buffer
	if err := NewLog(&line, nil).add(&Return{Call: 7, Name: "p.F", Args: "00ff", Rest: 8, Result: json.RawMessage(`["a\n",2]`)}); err != nil {
		t.Fatal(err)
	}
	var r Return
	if !r.read(bytes.TrimSuffix(line.Bytes(), []byte("\n"))) {
		t.Errorf("%s is not read", &line)
	}
}
