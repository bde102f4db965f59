package ir

import (
	"reflect"
	"strconv"
	"sync"
)

// Types that package reflect makes stay in the process for ever, and scripts declare as
// many as they like. So there is a bound on those made for one program, and for all. A
// type that is one too many has no form of the host's: values of it are the engine's own,
// like those of named types of the script.
const (
	maxMadeHere = 512     // by one table of types
	maxMadeEver = 1 << 14 // by the process
)

// madeTypes are the types of the host's that were made for scripts.
type madeTypes struct {
	mu  sync.Mutex
	max int
	of  map[madeKey]reflect.Type
	ids map[reflect.Type]int // of types in lists
}

var madeForAll = &madeTypes{max: maxMadeEver, of: map[madeKey]reflect.Type{}, ids: map[reflect.Type]int{}}

// A madeKey is what a type is made of.
type madeKey struct {
	kind      reflect.Kind
	key, elem reflect.Type
	n         int    // length or direction
	list      string // parameters and results
}

// get gives a type that was made before, or makes it if there is room; used counts those
// that were made for who asks. It gives nil if there is none left.
func (m *madeTypes) get(k madeKey, used *int, make func() reflect.Type) reflect.Type {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t, ok := m.of[k]; ok {
		return t
	}
	if len(m.of) >= m.max || *used >= maxMadeHere {
		return nil
	}
	*used++
	t := make()
	m.of[k] = t
	return t
}

// list is a name for a list of types.
func (m *madeTypes) list(types []reflect.Type) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var name []byte
	for _, t := range types {
		id, ok := m.ids[t]
		if !ok {
			id = len(m.ids)
			m.ids[t] = id
		}
		name = append(strconv.AppendInt(name, int64(id), 36), ' ')
	}
	return string(name)
}

func (tt *TypeTable) madeOf(k madeKey, make func() reflect.Type) reflect.Type {
	return madeForAll.get(k, &tt.made, make)
}

// madeElem is a type made of one other.
func (tt *TypeTable) madeElem(k reflect.Kind, elem reflect.Type, make func(reflect.Type) reflect.Type) reflect.Type {
	if elem == nil {
		return nil
	}
	return tt.madeOf(madeKey{kind: k, elem: elem}, func() reflect.Type { return make(elem) })
}
