package kinds

import (
	"go/types"
	"reflect"
	"slices"
	"testing"
)

// TestSets asks package reflect and the language about a value of each kind.
func TestSets(t *testing.T) {
	for _, v := range []any{
		true, 1, int8(1), int16(1), int32(1), int64(1), uint(1), uint8(1), uint16(1), uint32(1), uint64(1), uintptr(1),
		float32(1), 1.0, complex64(1), 1i, [1]int{}, make(chan int), func() {}, new(any), map[int]int{}, new(int), []int{}, "s", struct{}{},
	} {
		r := reflect.ValueOf(v)
		if r.Kind() == reflect.Pointer && r.Elem().Kind() == reflect.Interface {
			r = r.Elem()
		}
		for name, tc := range map[string]struct {
			set Set
			do  func()
		}{
			"Nilable":   {Nilable, func() { r.IsNil() }},
			"Sized":     {Sized, func() { _ = r.Len(); refusePointer(r) }},
			"Indexable": {Indexable, func() { reflect.Append(reflect.MakeSlice(reflect.SliceOf(r.Type()), 0, 1), r); index(r) }},
			"Elements":  {Elements, func() { r.Type().Elem() }},
			"Float":     {Float, func() { r.Float() }},
			"Complex":   {Complex, func() { r.Complex() }},
		} {
			if tc.set.Has(r.Kind()) != succeeds(tc.do) {
				t.Errorf("%s has %v: %v", name, r.Kind(), tc.set.Has(r.Kind()))
			}
		}
	}
	if Nilable.Has(reflect.Kind(60)) || !Nilable.Has(reflect.UnsafePointer) || Of().Has(reflect.Int) {
		t.Error("a set has what is not in it, or has not what is")
	}
}

// refusePointer panics for a pointer: reflect takes the length of an array behind one.
func refusePointer(r reflect.Value) {
	if r.Kind() == reflect.Pointer {
		panic(r)
	}
}

// index panics if r has no elements by number; one that is empty is another matter.
func index(r reflect.Value) {
	defer func() {
		if p := recover(); p != nil && !reflect.TypeOf(p).ConvertibleTo(reflect.TypeFor[string]()) {
			panic(p)
		}
	}()
	r.Index(0)
}

func succeeds(do func()) (ok bool) {
	defer func() { ok = recover() == nil }()
	do()
	return
}

func TestParts(t *testing.T) {
	type point struct {
		X int
		Y string
	}
	for _, tc := range []struct {
		of   reflect.Type
		want []reflect.Type
	}{
		{reflect.TypeFor[int](), nil},
		{reflect.TypeFor[func(int) string](), nil},
		{reflect.TypeFor[error](), nil},
		{reflect.TypeFor[*point](), []reflect.Type{reflect.TypeFor[point]()}},
		{reflect.TypeFor[point](), []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[string]()}},
		{reflect.TypeFor[map[string]bool](), []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[bool]()}},
		{reflect.TypeFor[[3]byte](), []reflect.Type{reflect.TypeFor[byte]()}},
		{reflect.TypeFor[<-chan []int](), []reflect.Type{reflect.TypeFor[[]int]()}},
	} {
		if got := slices.Collect(Parts(tc.of)); !slices.Equal(got, tc.want) {
			t.Errorf("%v: %v, want %v", tc.of, got, tc.want)
		}
		for range Parts(tc.of) {
			break
		}
	}
}

// TestSize asks package reflect, and a map that packages go/types and reflect would print alike.
func TestSize(t *testing.T) {
	for _, v := range []any{
		true, 1, int8(1), int16(1), int32(1), int64(1), uint(1), uint8(1), uint16(1), uint32(1), uint64(1), uintptr(1),
		float32(1), 1.0, complex64(1), 1i,
	} {
		if rt := reflect.TypeOf(v); Size(rt.Kind()) != int(rt.Size()) {
			t.Errorf("%v: %d bytes, want %d", rt, Size(rt.Kind()), rt.Size())
		}
	}
	if Size(reflect.String) != 0 || Size(reflect.Kind(60)) != 0 || Size(reflect.Invalid) != 0 {
		t.Error("what is no number has a size")
	}
}

func TestOfBasic(t *testing.T) {
	for _, b := range types.Typ {
		want := types.Default(b).String()
		switch b.Kind() {
		case types.Invalid:
			want = "invalid"
		case types.UntypedNil, types.UnsafePointer:
			want = "unsafe.Pointer"
		case types.UntypedRune:
			want = "int32"
		}
		if got := OfBasic(b).String(); got != want {
			t.Errorf("%v: kind %s, want %s", b, got, want)
		}
	}
}
