package shim

import (
	"go/types"
	"reflect"
)

var (
	ErrorType = reflect.TypeFor[error]()
	AnyType   = reflect.TypeFor[any]()
)

// BasicTypes are the types without a name of their own, by go/types' kinds.
var BasicTypes = [...]reflect.Type{
	types.Bool:       reflect.TypeFor[bool](),
	types.Int:        reflect.TypeFor[int](),
	types.Int8:       reflect.TypeFor[int8](),
	types.Int16:      reflect.TypeFor[int16](),
	types.Int32:      reflect.TypeFor[int32](),
	types.Int64:      reflect.TypeFor[int64](),
	types.Uint:       reflect.TypeFor[uint](),
	types.Uint8:      reflect.TypeFor[uint8](),
	types.Uint16:     reflect.TypeFor[uint16](),
	types.Uint32:     reflect.TypeFor[uint32](),
	types.Uint64:     reflect.TypeFor[uint64](),
	types.Uintptr:    reflect.TypeFor[uintptr](),
	types.Float32:    reflect.TypeFor[float32](),
	types.Float64:    reflect.TypeFor[float64](),
	types.Complex64:  reflect.TypeFor[complex64](),
	types.Complex128: reflect.TypeFor[complex128](),
	types.String:     reflect.TypeFor[string](),
	types.UntypedNil: nil,
}
