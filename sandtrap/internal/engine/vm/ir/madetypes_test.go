package ir

import (
	"go/types"
	"reflect"
	"testing"
)

// TestMadeTypesBounded: however many types a program declares, a bounded number of types
// of the host's is made for it, and one that was made once costs nothing again.
func TestMadeTypesBounded(t *testing.T) {
	count := func(from, to int) (made int) {
		tt := &TypeTable{Known: map[types.Type]*Type{}}
		before := len(madeForAll.of)
		for i := from; i < to; i++ {
			a := types.NewArray(types.Typ[types.Int], int64(i))
			sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "", a)), nil, false)
			for _, x := range []types.Type{a, types.NewSlice(a), types.NewChan(types.SendRecv, a), types.NewMap(a, a), types.NewPointer(a), sig} {
				if tt.Of(x).Kind == reflect.Invalid {
					t.Fatalf("%v has no type", x)
				}
			}
		}
		return len(madeForAll.of) - before
	}
	const from = 1 << 20 // no other test has these
	if n := count(from, from+maxMadeHere); n == 0 || n > maxMadeHere {
		t.Errorf("%d types were made for a program, of which the limit is %d", n, maxMadeHere)
	}
	if n := count(from, from+10); n != 0 {
		t.Errorf("%d types were made again", n)
	}
}

// TestMadeTypesOfProcess: many programs together have a bound, too.
func TestMadeTypesOfProcess(t *testing.T) {
	m := &madeTypes{max: 100, of: map[madeKey]reflect.Type{}, ids: map[reflect.Type]int{}}
	calls := 0
	get := func(i int) reflect.Type {
		used := 0
		return m.get(madeKey{kind: reflect.Array, elem: reflect.TypeFor[int](), n: i}, &used, func() reflect.Type {
			calls++
			return reflect.TypeFor[int]()
		})
	}
	for i := range 1000 {
		get(i)
	}
	if calls != 100 || get(5) == nil || get(500) != nil {
		t.Errorf("%d types were made, the limit is 100", calls)
	}
}
