package vm

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// What memory of a script costs, in bytes. The figures are those of the structures here,
// rounded up to what the allocator hands out.
const (
	objBytes  = 80 // Obj without its cells
	storeHead = 24 // the head of a store
)

// allocated is what the allocator takes for n bytes.
func allocated(n int64) int64 { return engine.BlockSize(n, false) }

// bankBytes is the size of a cell in these banks.
func bankBytes(banks mask) int64 {
	n := int64(0)
	if banks&mI != 0 {
		n += 8
	}
	if banks&mS != 0 {
		n += 16
	}
	if banks&mR != 0 {
		n += 16
	}
	return n
}

// objectBytes is the size of what newObj makes.
func objectBytes(w int, banks mask, n int64) int64 {
	cells := int64(w) * n
	if n == 1 && w == 1 && banks != mI|mS && banks != mS|mR && banks != mI|mS|mR {
		return allocated(objBytes - 8 + bankBytes(banks))
	}
	if n == 1 && w <= 3 && (banks == mI || banks == mP) {
		return allocated(objBytes - 8 + 3*bankBytes(banks))
	}
	size := int64(objBytes)
	for _, bank := range []mask{mI, mS, mR} {
		size += allocated(cells * bankBytes(banks&bank))
	}
	return size
}

func banksOf(cs []cell) mask {
	banks := mask(0)
	for _, c := range cs {
		banks |= c.m
	}
	return banks
}

// innerBytes is the size of what the cells hold by reference.
func innerBytes(cs []cell) int64 {
	n := int64(0)
	for _, c := range cs {
		if c.agg != nil {
			n += aggBytes(c.agg)
		}
	}
	return n
}

// cellsBytes is the size of one value among many in a store: each of its cells has
// all the banks that one of them needs.
func cellsBytes(cs []cell) int64 {
	return int64(len(cs))*bankBytes(banksOf(cs)) + innerBytes(cs)
}

// aggBytes is the size of an array or wide struct.
func aggBytes(t *Type) int64 {
	switch t.kind {
	case reflect.Array:
		return storeBytes(t.elem, int64(t.n))
	case kindHost:
		return allocated(int64(t.mem.Size()))
	}
	return objectBytes(len(t.inner), t.banks, 1) + innerBytes(t.inner)
}

// storeBytes is the size of n elements as slices and arrays have them.
func storeBytes(elem *Type, n int64) int64 {
	if rt := kindTypes[elem.kind]; rt != nil && elem.w() == 1 {
		return storeHead + allocated(n*int64(rt.Size()))
	}
	return objectBytes(elem.w(), banksOf(elem.cells), n) + n*innerBytes(elem.cells)
}

// valueBytes is the size of what new(T) makes.
func valueBytes(t *Type) int64 {
	if t.agg {
		return aggBytes(t)
	}
	return objectBytes(t.w(), banksOf(t.cells), 1) + innerBytes(t.cells)
}
