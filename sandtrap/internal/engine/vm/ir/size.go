package ir

import (
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// What memory of a script costs, in bytes. The figures are those of the structures here,
// rounded up to what the allocator hands out.
const (
	ObjBytes  = 80 // Obj without its cells
	StoreHead = 24 // the head of a store
)

// Allocated is what the allocator takes for n bytes.
func Allocated(n int64) int64 { return engine.BlockSize(n, false) }

// bankBytes is the size of a cell in these banks.
func bankBytes(banks Mask) int64 {
	n := int64(0)
	if banks&BankI != 0 {
		n += 8
	}
	if banks&BankS != 0 {
		n += 16
	}
	if banks&BankR != 0 {
		n += 16
	}
	return n
}

// ObjectBytes is the size of what NewObj makes.
func ObjectBytes(w int, banks Mask, n int64) int64 {
	cells := int64(w) * n
	if n == 1 && w == 1 && banks != BankI|BankS && banks != BankS|BankR && banks != BankI|BankS|BankR {
		return Allocated(ObjBytes - 8 + bankBytes(banks))
	}
	if n == 1 && w <= 3 && (banks == BankI || banks == BankP) {
		return Allocated(ObjBytes - 8 + 3*bankBytes(banks))
	}
	size := int64(ObjBytes)
	for _, bank := range []Mask{BankI, BankS, BankR} {
		size += Allocated(cells * bankBytes(banks&bank))
	}
	return size
}

func BanksOf(cs []Cell) Mask {
	banks := Mask(0)
	for _, c := range cs {
		banks |= c.M
	}
	return banks
}

// innerBytes is the size of what the cells hold by reference.
func innerBytes(cs []Cell) int64 {
	n := int64(0)
	for _, c := range cs {
		if c.Agg != nil {
			n += AggBytes(c.Agg)
		}
	}
	return n
}

// CellsBytes is the size of one value among many in a store: each of its cells has
// all the banks that one of them needs.
func CellsBytes(cs []Cell) int64 {
	return int64(len(cs))*bankBytes(BanksOf(cs)) + innerBytes(cs)
}

// AggBytes is the size of an array or wide struct.
func AggBytes(t *Type) int64 {
	switch t.Kind {
	case reflect.Array:
		return StoreBytes(t.Elem, int64(t.N))
	case KindHost:
		return Allocated(int64(t.Mem.Size()))
	}
	return ObjectBytes(len(t.Inner), t.Banks, 1) + innerBytes(t.Inner)
}

// StoreBytes is the size of n elements as slices and arrays have them.
func StoreBytes(elem *Type, n int64) int64 {
	if rt := KindTypes[elem.Kind]; rt != nil && elem.W() == 1 {
		return StoreHead + Allocated(n*int64(rt.Size()))
	}
	return ObjectBytes(elem.W(), BanksOf(elem.Cells), n) + n*innerBytes(elem.Cells)
}

// ValueBytes is the size of what new(T) makes.
func ValueBytes(t *Type) int64 {
	if t.Agg {
		return AggBytes(t)
	}
	return ObjectBytes(t.W(), BanksOf(t.Cells), 1) + innerBytes(t.Cells)
}
