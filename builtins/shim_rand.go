package builtins

import (
	"math/rand"
	randv2 "math/rand/v2"
	"reflect"
)

// The functions of math/rand have one source for each run, so that runs neither
// see nor disturb each other.
type randSources struct {
	v1 *rand.Rand
	v2 *randv2.Rand
}

func (e *Env) rand() *rand.Rand {
	s := State[randSources](e)
	if s.v1 == nil {
		s.v1 = rand.New(rand.NewSource(int64(e.seed())))
	}
	return s.v1
}

func (e *Env) randv2() *randv2.Rand {
	s := State[randSources](e)
	if s.v2 == nil {
		s.v2 = randv2.New(randv2.NewPCG(e.seed(), 0))
	}
	return s.v2
}

func (e *Env) seed() uint64 {
	if e.Seed != 0 {
		return e.Seed
	}
	return randv2.Uint64()
}

func randSeed(e *Env) func(int64) {
	return func(seed int64) { e.rand().Seed(seed) }
}

func randRead(e *Env) func([]byte) (int, error)    { return e.rand().Read }
func randInt(e *Env) func() int                    { return e.rand().Int }
func randInt31(e *Env) func() int32                { return e.rand().Int31 }
func randInt63(e *Env) func() int64                { return e.rand().Int63 }
func randIntn(e *Env) func(int) int                { return e.rand().Intn }
func randInt31n(e *Env) func(int32) int32          { return e.rand().Int31n }
func randInt63n(e *Env) func(int64) int64          { return e.rand().Int63n }
func randUint32(e *Env) func() uint32              { return e.rand().Uint32 }
func randUint64(e *Env) func() uint64              { return e.rand().Uint64 }
func randFloat32(e *Env) func() float32            { return e.rand().Float32 }
func randFloat64(e *Env) func() float64            { return e.rand().Float64 }
func randExpFloat64(e *Env) func() float64         { return e.rand().ExpFloat64 }
func randNormFloat64(e *Env) func() float64        { return e.rand().NormFloat64 }
func randShuffle(e *Env) func(int, func(i, j int)) { return e.rand().Shuffle }

// payPerm asks for n numbers in any order, of which each is far from where it was.
func (e *Env) payPerm(n int) {
	e.chargeProduct(int64(n), 8)
	e.workProduct(int64(n), 6)
}

func randPerm(e *Env) func(int) []int {
	return func(n int) []int { return randRandPerm(e)(e.rand(), n) }
}

func randRandPerm(e *Env) func(*rand.Rand, int) []int {
	return func(r *rand.Rand, n int) []int {
		e.payPerm(n)
		return r.Perm(n)
	}
}

func rand2Int(e *Env) func() int                    { return e.randv2().Int }
func rand2Int32(e *Env) func() int32                { return e.randv2().Int32 }
func rand2Int64(e *Env) func() int64                { return e.randv2().Int64 }
func rand2IntN(e *Env) func(int) int                { return e.randv2().IntN }
func rand2Int32N(e *Env) func(int32) int32          { return e.randv2().Int32N }
func rand2Int64N(e *Env) func(int64) int64          { return e.randv2().Int64N }
func rand2Uint(e *Env) func() uint                  { return e.randv2().Uint }
func rand2Uint32(e *Env) func() uint32              { return e.randv2().Uint32 }
func rand2Uint64(e *Env) func() uint64              { return e.randv2().Uint64 }
func rand2UintN(e *Env) func(uint) uint             { return e.randv2().UintN }
func rand2Uint32N(e *Env) func(uint32) uint32       { return e.randv2().Uint32N }
func rand2Uint64N(e *Env) func(uint64) uint64       { return e.randv2().Uint64N }
func rand2Float32(e *Env) func() float32            { return e.randv2().Float32 }
func rand2Float64(e *Env) func() float64            { return e.randv2().Float64 }
func rand2ExpFloat64(e *Env) func() float64         { return e.randv2().ExpFloat64 }
func rand2NormFloat64(e *Env) func() float64        { return e.randv2().NormFloat64 }
func rand2Shuffle(e *Env) func(int, func(i, j int)) { return e.randv2().Shuffle }

func rand2Perm(e *Env) func(int) []int {
	return func(n int) []int { return rand2RandPerm(e)(e.randv2(), n) }
}

func rand2RandPerm(e *Env) func(*randv2.Rand, int) []int {
	return func(r *randv2.Rand, n int) []int {
		e.payPerm(n)
		return r.Perm(n)
	}
}

// randN is rand.N for an integer type of any name and size.
func randN(e *Env, ft reflect.Type, args []reflect.Value) []reflect.Value {
	out := reflect.New(ft.Out(0)).Elem()
	switch n := args[0]; {
	case n.CanInt() && n.Int() > 0:
		out.SetInt(e.randv2().Int64N(n.Int()))
	case n.CanUint() && n.Uint() > 0:
		out.SetUint(e.randv2().Uint64N(n.Uint()))
	default:
		panic("invalid argument to N")
	}
	return []reflect.Value{out}
}

// A heldSource is a source of random numbers that another makes numbers of.
type heldSource struct {
	of randv2.Source
	e  *Env
}

func (h *heldSource) Uint64() uint64 {
	h.e.check()
	h.e.enter()
	defer h.e.leave()
	return h.of.Uint64()
}

// heldRand is one of the first version.
type heldRand struct {
	heldSource
	r *rand.Rand
}

func (h *heldRand) Seed(seed int64) { h.r.Seed(seed) }

func (h *heldRand) Int63() int64 {
	h.e.check()
	h.e.enter()
	defer h.e.leave()
	return h.r.Int63()
}

func randV2New(e *Env) func(randv2.Source) *randv2.Rand {
	return func(src randv2.Source) *randv2.Rand {
		if r, ok := src.(*randv2.Rand); ok {
			src = &heldSource{r, e}
		}
		return randv2.New(src)
	}
}

// randNewZipf and randV2NewZipf: with exponents such as NaN no number is ever good enough, so
// a stop is let through where one is asked for.
func randNewZipf(e *Env) func(r *rand.Rand, s, v float64, imax uint64) *rand.Zipf {
	return func(r *rand.Rand, s, v float64, imax uint64) *rand.Zipf {
		if r != nil {
			r = randNew(e)(r)
		}
		return rand.NewZipf(r, s, v, imax)
	}
}

func randV2NewZipf(e *Env) func(r *randv2.Rand, s, v float64, imax uint64) *randv2.Zipf {
	return func(r *randv2.Rand, s, v float64, imax uint64) *randv2.Zipf {
		if r != nil {
			r = randV2New(e)(r)
		}
		return randv2.NewZipf(r, s, v, imax)
	}
}

func randNew(e *Env) func(rand.Source) *rand.Rand {
	return func(src rand.Source) *rand.Rand {
		if r, ok := src.(*rand.Rand); ok {
			src = &heldRand{heldSource{r, e}, r}
		}
		return rand.New(src)
	}
}
