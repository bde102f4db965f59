package big

import (
	"math/big"
	"runtime"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
)

// TestScratchOfNumbers: what a division of long numbers makes beside its results is charged before, also
// where the results have room already.
func TestScratchOfNumbers(t *testing.T) {
	const bits = 1 << 24
	long := new(big.Int).Lsh(big.NewInt(1), bits)
	long.Sub(long, big.NewInt(12345))
	for _, less := range []uint{1, 70, bits / 4, bits / 2, bits * 3 / 4, bits - 640} {
		short := new(big.Int).Rsh(long, less)
		fx, fy := new(big.Float).SetInt(long), new(big.Float).SetInt(short)
		room := func() *big.Int { return new(big.Int).Lsh(long, 64) }
		z, r, f := room(), room(), new(big.Float).SetPrec(bits)
		members := map[string]func(*shim.Env){
			"Quo":           func(e *shim.Env) { IntQuo(e)(z, long, short) },
			"Rem":           func(e *shim.Env) { IntRem(e)(z, long, short) },
			"Div":           func(e *shim.Env) { IntDiv(e)(z, long, short) },
			"Mod":           func(e *shim.Env) { IntMod(e)(z, long, short) },
			"QuoRem":        func(e *shim.Env) { IntQuoRem(e)(z, long, short, r) },
			"DivMod":        func(e *shim.Env) { IntDivMod(e)(z, long, short, r) },
			"Exp":           func(e *shim.Env) { IntExp(e)(z, long, big.NewInt(1), short) },
			"Float.Quo":     func(e *shim.Env) { FloatQuo(e)(f, fx, fy) },
			"Float.Float64": func(e *shim.Env) { FloatFloat64(e)(fx) },
			"Float.Float32": func(e *shim.Env) { FloatFloat32(e)(fx) },
		}
		for name, do := range members {
			charged := int64(0)
			e := &shim.Env{Gates: shimtest.Gates{OnCharge: func(n int64) { charged += n }}}
			var before, after runtime.MemStats
			runtime.GC() // twice: what package big keeps for the next is let go of
			runtime.GC()
			runtime.ReadMemStats(&before)
			do(e)
			runtime.ReadMemStats(&after)
			made := int64(after.TotalAlloc - before.TotalAlloc)
			if made > charged*5/4+1<<16 {
				t.Errorf("%s by %d bits less: made %d bytes, charged %d", name, less, made, charged)
			}
		}
	}
}
