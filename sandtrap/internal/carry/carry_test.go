package carry

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
)

type celsius float64

type pair struct {
	Name  string `json:"name"`
	Count int
	Next  *pair2
	note  string
}

type pair2 struct{ Any any }

func TestRoundTrip(t *testing.T) {
	for _, v := range []any{
		nil, true, "text", "\xff not text", 0, -1, math.MinInt64, uint64(math.MaxUint64), int8(-128), 1.5, math.Inf(-1), math.Copysign(0, -1), float32(0.1), 1 + 2i,
		[]int{1, 2, 3}, []int(nil), []int{}, []byte("bytes"), [3]string{"a", "b", "c"}, map[string]int{"a": 1}, map[string]int(nil),
		map[string]any{"list": []any{1, "two", nil, 3.0}, "at": time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)},
		time.Second, time.March, *big.NewInt(1 << 40), netip.MustParseAddr("10.0.0.1"), struct{}{},
		struct {
			A int `json:"a"`
			B []struct{ C string }
		}{1, []struct{ C string }{{"x"}}},
		struct{ Ärger, Ω1, X_y int }{1, 2, 3},
	} {
		b, err := Encode(v)
		if err != nil {
			t.Errorf("%#v: %v", v, err)
			continue
		}
		got, err := Decode(b, 1<<20)
		if err != nil || !reflect.DeepEqual(got, v) {
			t.Errorf("%#v came back as %#v, %v", v, got, err)
		}
	}
}

// TestOthers: what has a name of the process' own comes back without it.
func TestOthers(t *testing.T) {
	for _, tc := range []struct{ v, want any }{
		{celsius(1.5), 1.5},
		{errors.New("it is broken"), "it is broken"},
		{pair{"a", 1, nil, "mine"}, `{a 1 <nil>}`},
	} {
		b, err := Encode(tc.v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(b, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := got.(error); ok {
			got = e.Error()
		}
		if _, ok := tc.v.(pair); ok {
			if s := reflect.ValueOf(got); s.NumField() != 3 || s.Field(0).String() != "a" {
				t.Errorf("got %#v", got)
			}
			continue
		}
		if got != tc.want {
			t.Errorf("%#v came back as %#v, want %#v", tc.v, got, tc.want)
		}
	}
}

func TestStays(t *testing.T) {
	type node struct{ Next *node }
	loop := &node{}
	loop.Next = loop
	for _, tc := range []struct {
		v    any
		want string
	}{
		{func() {}, "value of type func()"},
		{map[string]any{"done": make(chan int)}, `value["done"] of type chan int`},
		{[]any{1, struct{ F func() }{}}, "value[1].F of type func()"},
		{struct{ hidden int }{}, "cannot be copied between host and worker: it has no field that is plain data on both sides"},
		{loop, "holds itself"},
	} {
		_, err := Encode(tc.v)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%T: got %v, want %q", tc.v, err, tc.want)
		}
	}
}

func TestRoom(t *testing.T) {
	b, err := Encode(make([]string, 10_000))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(b, 100_000); !errors.Is(err, ErrFormat) {
		t.Errorf("160 kB were read with room for 100: %v", err)
	}
	if _, err := Decode(b, 1_000_000); err != nil {
		t.Error(err)
	}
}

// TestDepth: a value or a type that is nested deep is neither written nor read.
func TestDepth(t *testing.T) {
	values := func(depth int) any {
		v := []any{nil}
		for range depth {
			v = []any{v}
		}
		return v
	}
	types := func(depth int) any {
		rt := reflect.TypeFor[int]()
		for range depth {
			rt = reflect.SliceOf(rt)
		}
		return reflect.Zero(rt).Interface()
	}
	list, _ := (*Handles)(nil).appendType([]byte{0x82}, reflect.TypeFor[[]any](), "", 0)
	for name, tc := range map[string]struct {
		make      func(depth int) any
		head, end []byte // of its bytes, which are head for each level
	}{
		"values": {values, append(list, 0x81), []byte{majorSimple<<5 | simpleNil}},
		"types":  {types, []byte{0x82, typeSlice}, []byte{0x82, typeName, 2}},
	} {
		for _, depth := range []int{maxDepth / 4, 2 * maxDepth} {
			said := bytes.Repeat(tc.head, depth)
			said = append(said, tc.end...)
			if name == "types" {
				said = append(append([]byte{0x82}, said...), 0x80)
			}
			_, written := Encode(tc.make(depth))
			_, read := Decode(said, 1<<20)
			if few := depth < maxDepth; (written == nil) != few || (read == nil) != few || !few && !strings.Contains(read.Error(), "nested too deep") {
				t.Errorf("%s, %d deep: written %v, read %v", name, depth, written, read)
			}
		}
	}
}

// TestFieldNames: a name that no exported field can have makes no type.
func TestFieldNames(t *testing.T) {
	for name, good := range map[string]bool{
		"A": true, "Ärger": true, "A_1": true, "": false, "a": false, "_A": false, "ä": false, "A b": false, "A\xff": false, "1": false, "世": false,
	} {
		b := head(head(head(nil, majorArray, 2), majorArray, 4), majorUint, typeStruct)
		b = appendText(b, name)
		b, _ = (*Handles)(nil).appendType(b, reflect.TypeFor[int](), "", 0)
		b = head(head(appendText(b, ""), majorArray, 1), majorUint, 7)
		if v, err := Decode(b, 1<<10); (err == nil) != good || !good && !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v, %v", name, v, err)
		}
	}
}

// forgetTypes lets a test make as many types as a process may, until it ends.
func forgetTypes(t *testing.T) {
	types, bytes, all, parts := known.types, known.bytes, allTypes.types, allTypes.parts
	known.types, known.bytes, allTypes.types, allTypes.parts = nil, 0, map[reflect.Type]bool{}, 0
	t.Cleanup(func() { known.types, known.bytes, allTypes.types, allTypes.parts = types, bytes, all, parts })
}

// TestTypesEnd: who sends ever new types does not fill this process with them.
func TestTypesEnd(t *testing.T) {
	forgetTypes(t)
	var last error
	for i := range maxKnown + 1 {
		b := head(head(nil, majorArray, 2), majorArray, 3)
		b = head(head(b, majorUint, typeArray), majorUint, uint64(i))
		b, _ = (*Handles)(nil).appendType(b, reflect.TypeFor[struct{}](), "", 0)
		b = head(b, majorArray, uint64(i))
		for range i {
			b = head(b, majorArray, 0)
		}
		_, last = Decode(b, 1<<30)
		if last != nil && i < maxKnown {
			t.Fatal(i, last)
		}
	}
	if !errors.Is(last, ErrFormat) {
		t.Errorf("type %d was made: %v", maxKnown+1, last)
	}
}

// TestTypePartsEnd: so it is with what types are made of, also if they are none in the end.
func TestTypePartsEnd(t *testing.T) {
	forgetTypes(t)
	const each = 400 // lists in a struct, each of arrays of another length; the last field has no name
	for i := 0; allTypes.parts < maxParts; i++ {
		if i > maxParts/each {
			t.Fatalf("%d parts are counted of %d", allTypes.parts, i*2*each)
		}
		typ := head(head(nil, majorArray, 1+3*each), majorUint, typeStruct)
		for n := range each {
			if n < each-1 {
				typ = appendText(typ, fmt.Sprintf("F%d", n))
			} else {
				typ = appendText(typ, "")
			}
			typ = head(head(head(typ, majorArray, 2), majorUint, typeSlice), majorArray, 3)
			typ = append(head(head(typ, majorUint, typeArray), majorUint, uint64(i*each+n)%1000), 0x82, typeName, 1)
			typ = appendText(typ, "")
		}
		if _, err := Decode(append(head(nil, majorArray, 2), append(typ, make([]byte, 2000)...)...), 1<<30); !errors.Is(err, ErrFormat) || strings.Contains(err.Error(), "one type more") {
			t.Fatal(err)
		}
	}
	data, err := Encode([][1]int{{1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Decode(data, 1<<20); !errors.Is(err, ErrFormat) {
		t.Errorf("one more is made: %v", err)
	}
}

// TestFractions: a number of a few bytes that takes much to read is none.
func TestFractions(t *testing.T) {
	for text, good := range map[string]bool{"3/7": true, "-3": true, "1e999999": false, "1/1E999999": false, "1p999999": false, "0x1P-999999": false} {
		data, _ := (*Handles)(nil).appendType(head(nil, majorArray, 2), reflect.TypeFor[big.Rat](), "", 0)
		if v, err := Decode(append(head(data, majorBytes, uint64(len(text))), text...), 1<<20); (err == nil) != good {
			t.Errorf("%s: %v, %v", text, v, err)
		}
	}
}

// TestManyPlans: a host may have any number of plans, one after the other, whose workers send
// values of the same types.
func TestManyPlans(t *testing.T) {
	data, err := Encode(map[string][]int{"a": {1}})
	if err != nil {
		t.Fatal(err)
	}
	said := append([]byte{0x80, 0x80}, data...)
	for n := range maxKnown + 10 {
		h := &Handles{Objects: newNamed().OnHost()}
		if v, err := h.Decode(said, roomOf(1<<20)); err != nil {
			t.Fatalf("plan %d: %v, %v", n, v, err)
		}
	}
}

// far is a handle for tests: one process has it, the other a number.
type far struct {
	n    uint64
	text string
}

// TestHandles: what stays in its process is a number and a text in the other, wherever in a
// value it is; who does not know of handles does not take any.
func TestHandles(t *testing.T) {
	out := HandlesOf(func(f *far) (uint64, string, error) {
		if f.n == 0 {
			return 0, "", errors.New("is nobody's")
		}
		return f.n, f.text, nil
	}, nil)
	in := HandlesOf(nil, func(n uint64, text string) (*far, error) {
		if n > 10 {
			return nil, errors.New("there is no such thing")
		}
		return &far{n + 100, text}, nil
	})
	b, err := out.Encode(map[string]any{"a": &far{1, "one"}, "b": []any{&far{2, "two"}, (*far)(nil)}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := in.Decode(b, roomOf(1<<20))
	if want := map[string]any{"a": &far{101, "one"}, "b": []any{&far{102, "two"}, (*far)(nil)}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	if got, err := Decode(b, 1<<20); !errors.Is(err, ErrFormat) {
		t.Errorf("without handles: %v, %v", got, err)
	}
	if _, err := Encode(&far{1, "one"}); err == nil {
		t.Error("written without handles")
	}
	if _, err := out.Encode([]any{&far{}}); err == nil || !strings.Contains(err.Error(), "value[0]") {
		t.Errorf("one that cannot be written: %v", err)
	}
	if b, err = out.Encode(&far{11, ""}); err != nil {
		t.Fatal(err)
	}
	if got, err := in.Decode(b, roomOf(1<<20)); !errors.Is(err, ErrFormat) {
		t.Errorf("a number of nothing: %v, %v", got, err)
	}
	type answer struct{ F *far }
	typ, err := in.EncodeTarget(&answer{})
	if err != nil {
		t.Fatal(err)
	}
	from, err := out.Target(typ)
	if err != nil {
		t.Fatal(err)
	}
	reflect.ValueOf(from).Elem().Field(0).Set(reflect.ValueOf(&far{3, "three"}))
	if b, err = out.EncodeFrom(from); err != nil {
		t.Fatal(err)
	}
	var to answer
	if err := in.DecodeInto(b, &to, "to", 1<<20); err != nil || *to.F != (far{103, "three"}) {
		t.Errorf("got %v, %v", to.F, err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, v := range []any{1, "a", []int{1}, map[string]any{"a": []any{1.5}}, pair{}, time.Now(), *big.NewInt(5)} {
		b, err := Encode(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		forgetTypes(t)
		v, err := Decode(data, 1<<20)
		if err != nil {
			if !errors.Is(err, ErrFormat) {
				t.Fatal(err)
			}
			return
		}
		if _, err := Encode(v); err != nil {
			t.Fatalf("%#v was read and cannot be written: %v", v, err)
		}
	})
}
