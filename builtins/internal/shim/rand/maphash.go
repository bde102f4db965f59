package rand

import (
	"encoding/binary"
	"hash"
	"hash/fnv"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// MapSeed is what a script sees as maphash.Seed.
type MapSeed struct{ n uint64 }

// MapHash is what a script sees as maphash.Hash: seeds come from the run's random
// numbers, and hashes are the same on every machine.
type MapHash struct {
	seed  MapSeed
	state hash.Hash64
}

// mapSeed is the seed of hashes that are given none. The zero value of a hash
// cannot know its run, so it is the same for all.
var mapSeed = MapSeed{0x9e3779b97f4a7c15}

func MaphashMakeSeed(e *shim.Env) func() MapSeed {
	return func() MapSeed {
		for {
			if s := (MapSeed{sourceV2(e).Uint64()}); s.n != 0 {
				return s
			}
		}
	}
}

func MaphashBytes(e *shim.Env) func(MapSeed, []byte) uint64 {
	return func(seed MapSeed, b []byte) uint64 {
		h := &MapHash{}
		h.SetSeed(seed)
		e.Work(int64(len(b)))
		_, _ = h.Write(b)
		return h.Sum64()
	}
}

func MaphashString(e *shim.Env) func(MapSeed, string) uint64 {
	return func(seed MapSeed, s string) uint64 {
		h := &MapHash{}
		h.SetSeed(seed)
		e.Work(int64(len(s)))
		_, _ = h.WriteString(s)
		return h.Sum64()
	}
}

// start makes the zero value ready.
func (h *MapHash) start() {
	if h.state == nil {
		if h.seed.n == 0 {
			h.seed = mapSeed
		}
		h.Reset()
	}
}

// Reset forgets what was written.
func (h *MapHash) Reset() {
	if h.seed.n == 0 {
		h.seed = mapSeed
	}
	h.state = fnv.New64a()
	_, _ = h.state.Write(binary.LittleEndian.AppendUint64(nil, h.seed.n))
}

// SetSeed sets the seed, and forgets what was written.
func (h *MapHash) SetSeed(seed MapSeed) {
	if seed.n == 0 {
		panic("maphash: use of uninitialized Seed")
	}
	h.seed = seed
	h.Reset()
}

// Seed returns the seed.
func (h *MapHash) Seed() MapSeed {
	h.start()
	return h.seed
}

// Write adds b; it never fails.
func (h *MapHash) Write(b []byte) (int, error) {
	h.start()
	return h.state.Write(b)
}

// WriteString adds s; it never fails.
func (h *MapHash) WriteString(s string) (int, error) { return h.Write([]byte(s)) }

// WriteByte adds b; it never fails.
func (h *MapHash) WriteByte(b byte) error {
	_, err := h.Write([]byte{b})
	return err
}

// Sum64 mixes the bits of what was written.
func (h *MapHash) Sum64() uint64 {
	h.start()
	n := h.state.Sum64()
	n = (n ^ n>>32) * 0xd6e8feb86659fd93
	n = (n ^ n>>32) * 0xd6e8feb86659fd93
	return n ^ n>>32
}

// Sum appends the hash to b.
func (h *MapHash) Sum(b []byte) []byte { return binary.BigEndian.AppendUint64(b, h.Sum64()) }

// Size is the length of a hash.
func (h *MapHash) Size() int { return 8 }

// BlockSize is what Go's own has.
func (h *MapHash) BlockSize() int { return 128 }

// Clone returns a copy of the hash as it is.
func (h *MapHash) Clone() (hash.Cloner, error) {
	h.start()
	c, err := h.state.(hash.Cloner).Clone()
	if err != nil {
		return nil, err
	}
	return &MapHash{seed: h.seed, state: c.(hash.Hash64)}, nil
}
