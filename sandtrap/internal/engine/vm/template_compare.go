package vm

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
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

func classOf(v mirror) int {
	switch k := v.kind(); {
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

// tmplEq is a == b || a == c || …
func (m *machine) tmplEq(in []mirror) (bool, error) {
	a := m.concrete(in[0])
	if len(in) == 1 {
		return false, errNoComparison
	}
	for _, b := range in[1:] {
		if ok, err := m.equalMirrors(a, m.concrete(b)); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

func (m *machine) equalMirrors(a, b mirror) (bool, error) {
	ka, kb := classOf(a), classOf(b)
	switch {
	case ka == classInt && kb == classUint, ka == classUint && kb == classInt:
		return a.int() >= 0 && b.int() >= 0 && a.int() == b.int(), nil
	case ka != kb:
		if a.valid() && b.valid() {
			return false, fmt.Errorf("incompatible types for comparison: %v and %v", a.t.Str, b.t.Str)
		}
		return false, nil
	}
	switch ka {
	case classBool, classInt, classUint:
		return a.int() == b.int(), nil
	case classComplex:
		return a.complex() == b.complex(), nil
	case classFloat:
		return a.float() == b.float(), nil
	case classString:
		return m.sameText(a.str(), b.str()), nil
	}
	return m.equalOthers(a, b)
}

// equalOthers compares values that are of no basic kind.
func (m *machine) equalOthers(a, b mirror) (bool, error) {
	if a.valid() && b.valid() && a.kind() != b.kind() {
		return false, fmt.Errorf("non-comparable types %s: %v, %s: %v", m.told(a), a.t.Str, b.t.Str, m.told(b))
	}
	if a.isNil() || b.isNil() {
		return a.isNil() == b.isNil(), nil
	}
	if uncomparable(b.t) != nil {
		return false, fmt.Errorf("non-comparable type %s: %v", m.told(b), b.t.Str)
	}
	return equalIface(m.keys(), m.iface(a), m.iface(b)), nil
}

func (m *machine) tmplNe(in []mirror) (bool, error) {
	equal, err := m.tmplEq(in)
	return !equal, err
}

func (m *machine) tmplLt(in []mirror) (bool, error) {
	a, b := m.concrete(in[0]), m.concrete(in[1])
	ka, kb := classOf(a), classOf(b)
	switch {
	case ka == classNone || kb == classNone:
		return false, errBadComparison
	case ka == classInt && kb == classUint:
		return a.int() < 0 || uint64(a.int()) < uint64(b.int()), nil
	case ka == classUint && kb == classInt:
		return b.int() >= 0 && uint64(a.int()) < uint64(b.int()), nil
	case ka != kb:
		return false, fmt.Errorf("incompatible types for comparison: %v and %v", a.t.Str, b.t.Str)
	}
	switch ka {
	case classFloat:
		return a.float() < b.float(), nil
	case classInt:
		return a.int() < b.int(), nil
	case classUint:
		return cmp.Less(uint64(a.int()), uint64(b.int())), nil
	case classString:
		return m.lessText(a.str(), b.str()), nil
	}
	return false, errBadComparison
}

func (m *machine) tmplLe(in []mirror) (bool, error) {
	less, err := m.tmplLt(in)
	if less || err != nil {
		return less, err
	}
	return m.tmplEq(in)
}

func (m *machine) tmplGt(in []mirror) (bool, error) {
	le, err := m.tmplLe(in)
	return !le && err == nil, err
}

func (m *machine) tmplGe(in []mirror) (bool, error) {
	less, err := m.tmplLt(in)
	return !less && err == nil, err
}
