package rand

import (
	"math/rand"
	randv2 "math/rand/v2"
	"reflect"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// The functions of math/rand have one source for each run, so that runs neither
// see nor disturb each other.
type randSources struct {
	v1 *rand.Rand
	v2 *randv2.Rand
}

func source(e *shim.Env) *rand.Rand {
	s := shim.State[randSources](e)
	if s.v1 == nil {
		s.v1 = rand.New(rand.NewSource(int64(seed(e))))
	}
	return s.v1
}

func sourceV2(e *shim.Env) *randv2.Rand {
	s := shim.State[randSources](e)
	if s.v2 == nil {
		s.v2 = randv2.New(randv2.NewPCG(seed(e), 0))
	}
	return s.v2
}

func seed(e *shim.Env) uint64 {
	if e.Seed != 0 {
		return e.Seed
	}
	return randv2.Uint64()
}

func RandSeed(e *shim.Env) func(int64) {
	return func(seed int64) { source(e).Seed(seed) }
}

func RandRead(e *shim.Env) func([]byte) (int, error)    { return source(e).Read }
func RandInt(e *shim.Env) func() int                    { return source(e).Int }
func RandInt31(e *shim.Env) func() int32                { return source(e).Int31 }
func RandInt63(e *shim.Env) func() int64                { return source(e).Int63 }
func RandIntn(e *shim.Env) func(int) int                { return source(e).Intn }
func RandInt31n(e *shim.Env) func(int32) int32          { return source(e).Int31n }
func RandInt63n(e *shim.Env) func(int64) int64          { return source(e).Int63n }
func RandUint32(e *shim.Env) func() uint32              { return source(e).Uint32 }
func RandUint64(e *shim.Env) func() uint64              { return source(e).Uint64 }
func RandFloat32(e *shim.Env) func() float32            { return source(e).Float32 }
func RandFloat64(e *shim.Env) func() float64            { return source(e).Float64 }
func RandExpFloat64(e *shim.Env) func() float64         { return source(e).ExpFloat64 }
func RandNormFloat64(e *shim.Env) func() float64        { return source(e).NormFloat64 }
func RandShuffle(e *shim.Env) func(int, func(i, j int)) { return source(e).Shuffle }

// payPerm asks for n numbers in any order, of which each is far from where it was.
func payPerm(e *shim.Env, n int) {
	e.ChargeProduct(int64(n), 8)
	e.WorkProduct(int64(n), 6)
}

func RandPerm(e *shim.Env) func(int) []int {
	return func(n int) []int { return RandRandPerm(e)(source(e), n) }
}

func RandRandPerm(e *shim.Env) func(*rand.Rand, int) []int {
	return func(r *rand.Rand, n int) []int {
		payPerm(e, n)
		return r.Perm(n)
	}
}

func Rand2Int(e *shim.Env) func() int                    { return sourceV2(e).Int }
func Rand2Int32(e *shim.Env) func() int32                { return sourceV2(e).Int32 }
func Rand2Int64(e *shim.Env) func() int64                { return sourceV2(e).Int64 }
func Rand2IntN(e *shim.Env) func(int) int                { return sourceV2(e).IntN }
func Rand2Int32N(e *shim.Env) func(int32) int32          { return sourceV2(e).Int32N }
func Rand2Int64N(e *shim.Env) func(int64) int64          { return sourceV2(e).Int64N }
func Rand2Uint(e *shim.Env) func() uint                  { return sourceV2(e).Uint }
func Rand2Uint32(e *shim.Env) func() uint32              { return sourceV2(e).Uint32 }
func Rand2Uint64(e *shim.Env) func() uint64              { return sourceV2(e).Uint64 }
func Rand2UintN(e *shim.Env) func(uint) uint             { return sourceV2(e).UintN }
func Rand2Uint32N(e *shim.Env) func(uint32) uint32       { return sourceV2(e).Uint32N }
func Rand2Uint64N(e *shim.Env) func(uint64) uint64       { return sourceV2(e).Uint64N }
func Rand2Float32(e *shim.Env) func() float32            { return sourceV2(e).Float32 }
func Rand2Float64(e *shim.Env) func() float64            { return sourceV2(e).Float64 }
func Rand2ExpFloat64(e *shim.Env) func() float64         { return sourceV2(e).ExpFloat64 }
func Rand2NormFloat64(e *shim.Env) func() float64        { return sourceV2(e).NormFloat64 }
func Rand2Shuffle(e *shim.Env) func(int, func(i, j int)) { return sourceV2(e).Shuffle }

func Rand2Perm(e *shim.Env) func(int) []int {
	return func(n int) []int { return Rand2RandPerm(e)(sourceV2(e), n) }
}

func Rand2RandPerm(e *shim.Env) func(*randv2.Rand, int) []int {
	return func(r *randv2.Rand, n int) []int {
		payPerm(e, n)
		return r.Perm(n)
	}
}

// RandN is rand.N for an integer type of any name and size.
func RandN(e *shim.Env, ft reflect.Type, args []reflect.Value) []reflect.Value {
	out := reflect.New(ft.Out(0)).Elem()
	switch n := args[0]; {
	case n.CanInt() && n.Int() > 0:
		out.SetInt(sourceV2(e).Int64N(n.Int()))
	case n.CanUint() && n.Uint() > 0:
		out.SetUint(sourceV2(e).Uint64N(n.Uint()))
	default:
		panic("invalid argument to N")
	}
	return []reflect.Value{out}
}

// A heldSource is a source of random numbers that another makes numbers of.
type heldSource struct {
	of randv2.Source
	e  *shim.Env
}

func (h *heldSource) Uint64() uint64 {
	h.e.Check()
	h.e.Enter()
	defer h.e.Leave()
	return h.of.Uint64()
}

// heldRand is one of the first version.
type heldRand struct {
	heldSource
	r *rand.Rand
}

func (h *heldRand) Seed(seed int64) { h.r.Seed(seed) }

func (h *heldRand) Int63() int64 {
	h.e.Check()
	h.e.Enter()
	defer h.e.Leave()
	return h.r.Int63()
}

func RandV2New(e *shim.Env) func(randv2.Source) *randv2.Rand {
	return func(src randv2.Source) *randv2.Rand {
		if r, ok := src.(*randv2.Rand); ok {
			src = &heldSource{r, e}
		}
		return randv2.New(src)
	}
}

// RandNewZipf and RandV2NewZipf: with exponents such as NaN no number is ever good enough, so
// a stop is let through where one is asked for.
func RandNewZipf(e *shim.Env) func(r *rand.Rand, s, v float64, imax uint64) *rand.Zipf {
	return func(r *rand.Rand, s, v float64, imax uint64) *rand.Zipf {
		if r != nil {
			r = RandNew(e)(r)
		}
		return rand.NewZipf(r, s, v, imax)
	}
}

func RandV2NewZipf(e *shim.Env) func(r *randv2.Rand, s, v float64, imax uint64) *randv2.Zipf {
	return func(r *randv2.Rand, s, v float64, imax uint64) *randv2.Zipf {
		if r != nil {
			r = RandV2New(e)(r)
		}
		return randv2.NewZipf(r, s, v, imax)
	}
}

func RandNew(e *shim.Env) func(rand.Source) *rand.Rand {
	return func(src rand.Source) *rand.Rand {
		if r, ok := src.(*rand.Rand); ok {
			src = &heldRand{heldSource{r, e}, r}
		}
		return rand.New(src)
	}
}
