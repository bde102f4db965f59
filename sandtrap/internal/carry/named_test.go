package carry

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

type (
	n0  int
	n1  int
	n2  int
	n3  int
	n4  int
	n5  int
	n6  int
	n7  int
	n8  int
	n9  int
	n10 int
	n11 int
	n12 int
	n13 int
	n14 int
	n15 int
	n16 int

	odd   []struct{ A int }
	words []string
)

// newNamed are types of which all are members of the host's.
func newNamed() *Types {
	return NewTypes(func(rt reflect.Type) reflect.Type { return rt }, func(rt reflect.Type, n int) (Shown, error) {
		return Shown{Name: "corp." + rt.Name(), Own: true}, nil
	})
}

// TestNamedStock: types that are no structs are told apart on the other side, and of a shape
// there are so many and no more.
func TestNamedStock(t *testing.T) {
	all := newNamed()
	seen := map[reflect.Type]bool{}
	for i, v := range []any{(*n0)(nil), (*n1)(nil), (*n2)(nil), (*n3)(nil), (*n4)(nil), (*n5)(nil), (*n6)(nil), (*n7)(nil), (*n8)(nil),
		(*n9)(nil), (*n10)(nil), (*n11)(nil), (*n12)(nil), (*n13)(nil), (*n14)(nil), (*n15)(nil), (*words)(nil)} {
		if n, err := all.Number(v); err != nil || n != i {
			t.Fatalf("%T: %d, %v", v, n, err)
		}
	}
	its, err := MakeTypes(textsOf(all))
	if err != nil {
		t.Fatal(err)
	}
	for n := range its.Len() {
		rt := its.Type(n)
		if seen[rt] || rt.Kind() != all.Type(n).Kind() || rt.Name() == "" {
			t.Errorf("%v stands for %v", rt, all.Type(n))
		}
		seen[rt] = true
	}
	for v, want := range map[any]string{(*n16)(nil): "17th", (*odd)(nil): "slice with a name"} {
		var kind *KindError
		if _, err := all.Number(v); !errors.As(err, &kind) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "cannot be copied") {
			t.Errorf("%T: %v", v, err)
		}
	}
	more := append(textsOf(all), textsOf(all)...)
	if _, err := MakeTypes(more); !errors.Is(err, ErrFormat) {
		t.Errorf("a host that wants more than there are: %v", err)
	}
}

func textsOf(all *Types) (list []TypeText) {
	for n := range all.Len() {
		list = append(list, all.Text(n))
	}
	return list
}

// TestNamedConstants: a constant has its type on the other side.
func TestNamedConstants(t *testing.T) {
	all := newNamed()
	data, err := all.EncodeConstant(nil, n3(7))
	if err != nil || !all.Names(n3(7)) || all.Names(7) {
		t.Fatal(err)
	}
	its, err := MakeTypes(textsOf(all))
	if err != nil {
		t.Fatal(err)
	}
	v, err := its.DecodeConstant(nil, data)
	if err != nil || reflect.TypeOf(v) != its.Type(0) || reflect.ValueOf(v).Int() != 7 {
		t.Errorf("got %#v, %v", v, err)
	}
	for cut := range data {
		if _, err := its.DecodeConstant(nil, data[:cut]); !errors.Is(err, ErrFormat) {
			t.Errorf("%d bytes: %v", cut, err)
		}
	}
}
