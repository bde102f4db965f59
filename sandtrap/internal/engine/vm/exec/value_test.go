package exec

import (
	"math"
	"reflect"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// TestBoxCommon: what needs no reflection to go into an interface, and out of it, is what
// reflection makes of it.
func TestBoxCommon(t *testing.T) {
	common := 0
	for rt, typ := range ir.Universe.ByHost {
		if typ.W() != 1 || typ.Kind == reflect.Interface || ir.KindTypes[typ.Kind] != rt {
			continue
		}
		for _, n := range []int64{0, 1, -1, 300, math.MaxInt64, ir.FloatBits(1.5)} {
			from := ir.NewObj(1, ir.BankI|ir.BankS|ir.BankR, 1)
			from.I[0], from.S[0] = n, "text"
			want := ToHost(nil, typ, from, 0, rt).Interface()
			got := boxCommon(typ, from, 0)
			if got == nil {
				continue
			}
			if common++; got != want && got == got {
				t.Errorf("%s: %v (%T), want %v", rt, got, got, want)
			}
			a, b := ir.NewObj(1, ir.BankI|ir.BankS|ir.BankR, 1), ir.NewObj(1, ir.BankI|ir.BankS|ir.BankR, 1)
			FromHost(nil, reflect.ValueOf(want), typ, a, 0)
			if !unboxCommon(want, b, 0) || a.I[0] != b.I[0] || a.S[0] != b.S[0] {
				t.Errorf("%s: back it is %v %q, want %v %q", rt, b.I[0], b.S[0], a.I[0], a.S[0])
			}
		}
	}
	if common != 6*6 {
		t.Errorf("%d values were boxed without reflection", common)
	}
}
