package vm

import (
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Scripts print the capacity of slices that grow, so it is that of compiled Go: twice
// as much while they are small, and then what fills the block that the allocator of
// Go gives.

// capacity is what append makes of a slice of old for one of need. There may be no such slice.
func (m *machine) capacity(t *ir.Type, old, need int) int {
	m.refuseHuge(int64(need), t)
	if need < 0 || need > maxElems {
		throwf("growslice: len out of range")
	}
	return min(growCap(t, old, need), maxElems)
}

// growCap is the capacity that append gives a slice with elements of type t and
// capacity old when it needs more.
func growCap(t *ir.Type, old, need int) int {
	size, _, pointers := ir.GoShape(t)
	if size == 0 {
		return need
	}
	c := old
	switch {
	case need > 2*old:
		c = need
	case old < 256:
		c = 2 * old
	default:
		for c < need {
			c += (c + 3*256) / 4
		}
	}
	return int(engine.BlockSize(int64(c)*size, pointers) / size)
}
