package inspect

import (
	"go/types"
	"math"
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// IsInteger reports an integer with or without sign.
func IsInteger(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uintptr }

// IsUnsigned reports an integer without sign.
func IsUnsigned(k reflect.Kind) bool { return k >= reflect.Uint && k <= reflect.Uintptr }

// IsFloat reports a floating-point number.
func IsFloat(k reflect.Kind) bool { return k == reflect.Float32 || k == reflect.Float64 }

// IsComplex reports a complex number.
func IsComplex(k reflect.Kind) bool { return k == reflect.Complex64 || k == reflect.Complex128 }

// IsBytes reports a slice of bytes.
func IsBytes(t Type) bool { return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 }

// Bits is the size of a number.
func Bits(k reflect.Kind) int { return 8 * kinds.Size(k) }

// OverflowsInt reports that x is no value of an integer of this kind.
func OverflowsInt(k reflect.Kind, x int64) bool { return x != x<<(64-Bits(k))>>(64-Bits(k)) }

// OverflowsUint reports that x is no value of an integer of this kind.
func OverflowsUint(k reflect.Kind, x uint64) bool { return x > math.MaxUint64>>(64-Bits(k)) }

// IsAny reports an interface without methods.
func IsAny(t Type) bool {
	i, ok := t.Types().Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0
}

// What encoders pay for, in bytes.
const (
	NoteBytes = 160 // what is remembered of a value
	HeldBytes = 16  // a number or string in an interface
)
