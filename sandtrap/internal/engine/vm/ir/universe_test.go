package ir

import (
	"go/types"
	"testing"
)

// TestUniverseShared: what all programs share has no place for methods, which each would write its own into, and is
// found by a type that is identical and another object.
func TestUniverseShared(t *testing.T) {
	str := types.Typ[types.String]
	one := types.NewTuple(types.NewParam(0, nil, "s", str))
	for _, again := range []types.Type{
		types.NewPointer(str), one, types.NewSignatureType(nil, nil, nil, nil, one, false), types.NewSignatureType(nil, nil, nil, nil, nil, false),
	} {
		x := Universe.Find(again)
		if x == nil || !types.Identical(x.T, again) {
			t.Errorf("%v is not shared", again)
			continue
		}
		if _, tuple := again.(*types.Tuple); !tuple && x.Host == nil {
			t.Errorf("%v has no type of the host", again)
		}
	}
	for _, own := range []types.Type{
		types.NewPointer(types.Universe.Lookup("byte").Type()), types.NewSignatureType(nil, nil, nil, one, nil, false), types.NewPointer(types.NewPointer(str)),
	} {
		if Universe.Find(own) != nil {
			t.Errorf("%v is shared", own)
		}
	}
}
