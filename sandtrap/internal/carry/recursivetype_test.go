package carry

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/made"
)

// A ring holds itself, and more than is shown of it.
type ring struct {
	Next   *ring
	Kids   []*ring
	By     map[string]*ring
	hidden int
}

func ringOf(n int) *ring {
	first := &ring{hidden: n}
	at := first
	for range n - 1 {
		at.Next = &ring{}
		at = at.Next
	}
	at.Next = first
	return first
}

func around(r *ring) (n int) {
	for at := r; at != nil; at = at.Next {
		n++
		if at.Next == r {
			return n
		}
	}
	return -n
}

func ringSides(t *testing.T) (*sides, []any) {
	return sidesOf(t, func(rt reflect.Type, n int) (Shown, error) {
		return Shown{Name: "corp.Ring", Fields: []int{0, 1, 2}}, nil
	}, ringOf, around)
}

// TestRings: what holds itself is one value on both sides, and so is what it holds.
func TestRings(t *testing.T) {
	_, f := ringSides(t)
	r := called(f[0], 3)
	next := func(v reflect.Value) reflect.Value { return v.Elem().Elem().FieldByName("Next") }
	if got := next(next(next(r))); got.Interface() != r.Interface() {
		t.Errorf("after three: %v, not %v", got, r)
	}
	if n := called(f[1], r).Int(); n != 3 {
		t.Errorf("around: %d", n)
	}
	next(r).SetZero()
	if n := called(f[1], r).Int(); n != -1 {
		t.Errorf("after it is cut: %d", n)
	}
}

type (
	outer struct{ Inner inner }
	inner struct {
		Outers []outer
		By     map[string]*outer
	}
)

// TestRecursiveTypes: what stands for types that lead back is that everywhere, and has no other meaning.
func TestRecursiveTypes(t *testing.T) {
	p, f := sidesOf(t, func(rt reflect.Type, n int) (Shown, error) {
		s := Shown{Name: fmt.Sprintf("corp.%s", rt.Name())}
		for i := range rt.NumField() {
			s.Fields = append(s.Fields, i)
		}
		return s, nil
	}, func() outer {
		one := &outer{}
		return outer{inner{[]outer{{}, {inner{nil, map[string]*outer{"one": one, "none": nil}}}}, map[string]*outer{"one": one}}}
	}, func(o outer) bool { return o.Inner.Outers[1].Inner.By["one"] == o.Inner.By["one"] }, func([]outer, *outer, map[string]outer) {})
	typ := reflect.TypeOf(f[2])
	if !made.IsRecursive(typ.In(0)) || !made.IsRecursive(typ.In(1)) || typ.In(0) == typ.In(1) || typ.In(2).Kind() != reflect.Map {
		t.Errorf("parameters: %v", typ)
	}
	o := called(f[0])
	if list := o.Field(0).Field(0); list.Type() != typ.In(0) || list.Elem().Len() != 2 {
		t.Errorf("a field: %v", list)
	}
	if !called(f[1], o).Bool() {
		t.Error("there is one behind two pointers")
	}
	texts := textsOf(p.types)
	for name, wrong := range map[string]func(*RecursiveText){
		"no such number":   func(k *RecursiveText) { k.Number = 1 << 40 },
		"below none":       func(k *RecursiveText) { k.Number = -1 },
		"another's number": func(k *RecursiveText) { k.Number = 1 - k.Number },
		"no way to it":     func(k *RecursiveText) { k.Type = []byte{0x82, 0, 2} },
		"cut off":          func(k *RecursiveText) { k.Type = k.Type[:1] },
	} {
		for i := range texts {
			for j := range texts[i].Recursive {
				kept := texts[i].Recursive[j]
				wrong(&texts[i].Recursive[j])
				if _, err := MakeTypes(texts); !errors.Is(err, ErrFormat) {
					t.Errorf("%s: %v", name, err)
				}
				texts[i].Recursive[j] = kept
			}
		}
	}
	body := []byte{0x80, 0x80, 0x81, 0x82, 0x82, typeRecursive, 0, 0xf6}
	if _, err := p.here.Invoke(t.Context(), func(any) {}, false, nil, body); !errors.Is(err, ErrFormat) {
		t.Errorf("a placeholder for the host: %v", err)
	}
}

type wide[M any] struct{ Up *wide[M] }

// TestTooManyRecursiveTypes: workers have so many, and the error says so.
func TestTooManyRecursiveTypes(t *testing.T) {
	types := NewTypes(func(rt reflect.Type) reflect.Type { return rt }, func(rt reflect.Type, n int) (Shown, error) {
		return Shown{Name: fmt.Sprint(n), Fields: []int{0}}, nil
	})
	n := 0
	for ; made.Recursive(n) != nil; n++ {
		types.tied[reflect.ArrayOf(n, reflect.TypeFor[int]())] = n
	}
	_, err := types.Number((*wide[int])(nil))
	if n < 64 || err == nil || !strings.Contains(err.Error(), fmt.Sprintf("one more than the %d ways", n)) {
		t.Errorf("after %d: %v", n, err)
	}
}
