package carry

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

type plainPart struct {
	N int64 `cbor:"n,omitempty"`
}

type plainHead struct {
	Kind string `cbor:"kind"`
}

type plainStruct struct {
	plainHead
	Int     int               `cbor:"int"`
	Yes     bool              `cbor:"yes"`
	Bytes   []byte            `cbor:"bytes,omitempty"`
	Ints    []int             `cbor:"ints"`
	Longs   []int64           `cbor:"longs"`
	Texts   []string          `cbor:"texts"`
	Numbers map[string]int    `cbor:"numbers"`
	Names   map[string]string `cbor:"names"`
	Part    *plainPart        `cbor:"part"`
	Parts   []plainPart       `cbor:"parts"`
	Hidden  int               `cbor:"-"`
}

// TestPlain: what package cbor has written is read as it was.
func TestPlain(t *testing.T) {
	for _, want := range []plainStruct{
		{},
		{
			plainHead{"a"}, -1, true, []byte{0, 255}, []int{1, -24, 300}, []int64{math.MinInt64, math.MaxInt64, 1 << 40}, []string{"", "\xff", strings.Repeat("x", 70_000)},
			map[string]int{"a": 1, "": -2}, map[string]string{"k": "v"}, &plainPart{7}, []plainPart{{}, {-1}}, 0,
		},
		{Ints: []int{}, Numbers: map[string]int{}, Parts: []plainPart{}},
	} {
		data, err := cbor.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var got plainStruct
		if err := ReadPlain(data, &got, 1<<20); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v, want %+v", err, got, want)
		}
		for n := range min(len(data), 200) {
			if err := ReadPlain(data[:n], &plainStruct{}, 1<<20); !errors.Is(err, ErrFormat) {
				t.Errorf("%d of %d bytes: %v", n, len(data), err)
			}
		}
	}
}

// TestPlainRefused: what is no such struct, or takes too much memory, is refused.
func TestPlainRefused(t *testing.T) {
	const room = 10_000
	for name, data := range map[string]string{
		"a list":            "\x80",
		"a field too many":  "\xa1\x63new\x01",
		"a hidden field":    "\xa1\x66Hidden\x01",
		"a field twice":     "\xa2\x63int\x01\x63int\x01",
		"a key twice":       "\xa1\x67numbers\xa2\x61a\x01\x61a\x02",
		"bytes at the end":  "\xa0\x00",
		"a text for an int": "\xa1\x63int\x611",
		"a float":           "\xa1\x63int\xfb\x3f\xf0\x00\x00\x00\x00\x00\x00",
		"a large number":    "\xa1\x63int\x1b\x80\x00\x00\x00\x00\x00\x00\x00",
		"bytes for a text":  "\xa1\x64kind\x41a",
		"no length":         "\xbf\x63int\x01\xff",
		"a tag":             "\xa1\x63int\xc1\x01",
		"pairs not there":   "\xbb\x7f\xff\xff\xff\xff\xff\xff\xff",
		"ints not there":    "\xa1\x64ints\x9b\x7f\xff\xff\xff\xff\xff\xff\xff",
		"many ints":         "\xa1\x64ints\x99\x05\x00" + strings.Repeat("\x00", 1280),
		"many texts":        "\xa1\x65texts\x99\x03\x00" + strings.Repeat("\x60", 768),
		"many parts":        "\xa1\x65parts\x99\x05\x00" + strings.Repeat("\xa0", 1280),
		"a long text":       "\xa1\x64kind\x79\x30\x00" + strings.Repeat("x", 0x3000),
	} {
		if err := ReadPlain([]byte(data), &plainStruct{}, room); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
