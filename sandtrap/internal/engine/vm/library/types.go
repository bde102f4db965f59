//lint:file-ignore U1000 the vm compiles these with the scripts that use them

package library

// The generic types of the standard library. Scripts hold them under their own names,
// declared with the same fields; a method is a function named Path_Type_Name.

// pointer is atomic.Pointer: no other task runs while one of these functions does.
type pointer[T any] struct{ p *T }

func sync_atomic_Pointer_Load[T any](x *pointer[T]) *T { return x.p }

func sync_atomic_Pointer_Store[T any](x *pointer[T], val *T) { x.p = val }

func sync_atomic_Pointer_Swap[T any](x *pointer[T], val *T) (old *T) {
	old, x.p = x.p, val
	return old
}

func sync_atomic_Pointer_CompareAndSwap[T any](x *pointer[T], old, val *T) (swapped bool) {
	if x.p != old {
		return false
	}
	x.p = val
	return true
}

// handle is unique.Handle: handles of equal values hold the same pointer.
type handle[T comparable] struct{ value *T }

// unique_values holds, by value, the pointer that its handles have. It is a variable
// of each run.
var unique_values map[any]any

func unique_Make[T comparable](value T) handle[T] {
	if p, ok := unique_values[value]; ok {
		return handle[T]{p.(*T)}
	}
	if unique_values == nil {
		unique_values = map[any]any{}
	}
	p := &value
	unique_values[value] = p
	return handle[T]{p}
}

func unique_Handle_Value[T comparable](h handle[T]) T { return *h.value }
