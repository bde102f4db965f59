package templates

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

var (
	errBadComparison = errors.New("invalid type for comparison")
	errNoComparison  = errors.New("missing argument for comparison")
)

const (
	classNone = iota
	classBool
	classComplex
	classInt
	classFloat
	classString
	classUint
)

func classOf(v mirror.Val) int {
	switch k := v.Kind(); {
	case k == reflect.Bool:
		return classBool
	case k == reflect.String:
		return classString
	case k == reflect.Complex64 || k == reflect.Complex128:
		return classComplex
	case k == reflect.Float32 || k == reflect.Float64:
		return classFloat
	case k >= reflect.Int && k <= reflect.Int64:
		return classInt
	case k >= reflect.Uint && k <= reflect.Uintptr:
		return classUint
	}
	return classNone
}

// eq is a == b || a == c || …
func eq(m *exec.Machine, in []mirror.Val) (bool, error) {
	a := concrete(m, in[0])
	if len(in) == 1 {
		return false, errNoComparison
	}
	for _, b := range in[1:] {
		if ok, err := equalMirrors(m, a, concrete(m, b)); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

func equalMirrors(m *exec.Machine, a, b mirror.Val) (bool, error) {
	ka, kb := classOf(a), classOf(b)
	switch {
	case ka == classInt && kb == classUint, ka == classUint && kb == classInt:
		return a.Int() >= 0 && b.Int() >= 0 && a.Int() == b.Int(), nil
	case ka != kb:
		if a.Valid() && b.Valid() {
			return false, fmt.Errorf("incompatible types for comparison: %v and %v", a.T.Str, b.T.Str)
		}
		return false, nil
	}
	switch ka {
	case classBool, classInt, classUint:
		return a.Int() == b.Int(), nil
	case classComplex:
		return a.Complex() == b.Complex(), nil
	case classFloat:
		return a.Float() == b.Float(), nil
	case classString:
		return m.SameText(a.Str(), b.Str()), nil
	}
	return equalOthers(m, a, b)
}

// equalOthers compares values that are of no basic kind.
func equalOthers(m *exec.Machine, a, b mirror.Val) (bool, error) {
	if a.Valid() && b.Valid() && a.Kind() != b.Kind() {
		return false, fmt.Errorf("non-comparable types %s: %v, %s: %v", told(m, a), a.T.Str, b.T.Str, told(m, b))
	}
	if a.IsNil() || b.IsNil() {
		return a.IsNil() == b.IsNil(), nil
	}
	if exec.Uncomparable(b.T) != nil {
		return false, fmt.Errorf("non-comparable type %s: %v", told(m, b), b.T.Str)
	}
	return exec.EqualIface(m.Keys(), a.Boxed(m), b.Boxed(m)), nil
}

func ne(m *exec.Machine, in []mirror.Val) (bool, error) {
	equal, err := eq(m, in)
	return !equal, err
}

func lt(m *exec.Machine, in []mirror.Val) (bool, error) {
	a, b := concrete(m, in[0]), concrete(m, in[1])
	ka, kb := classOf(a), classOf(b)
	switch {
	case ka == classNone || kb == classNone:
		return false, errBadComparison
	case ka == classInt && kb == classUint:
		return a.Int() < 0 || uint64(a.Int()) < uint64(b.Int()), nil
	case ka == classUint && kb == classInt:
		return b.Int() >= 0 && uint64(a.Int()) < uint64(b.Int()), nil
	case ka != kb:
		return false, fmt.Errorf("incompatible types for comparison: %v and %v", a.T.Str, b.T.Str)
	}
	switch ka {
	case classFloat:
		return a.Float() < b.Float(), nil
	case classInt:
		return a.Int() < b.Int(), nil
	case classUint:
		return cmp.Less(uint64(a.Int()), uint64(b.Int())), nil
	case classString:
		return m.LessText(a.Str(), b.Str()), nil
	}
	return false, errBadComparison
}

func le(m *exec.Machine, in []mirror.Val) (bool, error) {
	less, err := lt(m, in)
	if less || err != nil {
		return less, err
	}
	return eq(m, in)
}

func gt(m *exec.Machine, in []mirror.Val) (bool, error) {
	le, err := le(m, in)
	return !le && err == nil, err
}

func ge(m *exec.Machine, in []mirror.Val) (bool, error) {
	less, err := lt(m, in)
	return !less && err == nil, err
}
