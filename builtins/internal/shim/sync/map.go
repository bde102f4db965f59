package sync

import (
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

// Map is what a script sees as sync.Map. It goes over its entries in the order in which
// they came, where Go's has an order of its own in each process.
type Map struct {
	index map[any]int // of the entry with a key
	list  []mapEntry
	gone  int // entries without a key any more
}

type mapEntry struct {
	key, value any
	there      bool
}

// at is the index of the entry with a key. A value of the script without == is none, as in Go: what stands for it
// here can be compared.
func (m *Map) at(key any) (i int, ok bool) {
	mustCompare("hash of unhashable", key)
	i, ok = m.index[key]
	return i, ok
}

// equal is a == b, for values of the script as for others.
func equal(a, b any) bool {
	if sameType(a, b) {
		mustCompare("comparing uncomparable", b)
	}
	return a == b
}

// mustCompare panics as Go does for a value of the script whose type has no ==.
func mustCompare(doing string, v any) {
	if own := script.ViewOf(v); own != nil && !own.Comparable() {
		panic(shim.RuntimeError("runtime error: " + doing + " type " + own.TypeName()))
	}
}

// Load gives the value of a key.
func (m *Map) Load(key any) (value any, ok bool) {
	i, ok := m.at(key)
	if !ok {
		return nil, false
	}
	return m.list[i].value, true
}

// Store sets the value of a key.
func (m *Map) Store(key, value any) { m.Swap(key, value) }

// Swap sets the value of a key, and gives the one it had.
func (m *Map) Swap(key, value any) (previous any, loaded bool) {
	if i, ok := m.at(key); ok {
		previous, m.list[i].value = m.list[i].value, value
		return previous, true
	}
	if m.index == nil {
		m.index = map[any]int{}
	}
	m.index[key] = len(m.list)
	m.list = append(m.list, mapEntry{key, value, true})
	return nil, false
}

// LoadOrStore gives the value of a key, which is set if it has none.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	if v, ok := m.Load(key); ok {
		return v, true
	}
	m.Swap(key, value)
	return value, false
}

// LoadAndDelete takes a key out, and gives the value it had.
func (m *Map) LoadAndDelete(key any) (value any, loaded bool) {
	i, ok := m.at(key)
	if !ok {
		return nil, false
	}
	value = m.list[i].value
	delete(m.index, key)
	m.list[i] = mapEntry{}
	if m.gone++; m.gone > 16 && m.gone > len(m.list)/2 {
		m.pack()
	}
	return value, true
}

// pack drops the entries that are gone. A Range that goes on has a list of its own.
func (m *Map) pack() {
	kept := make([]mapEntry, 0, len(m.index))
	for _, e := range m.list {
		if e.there {
			m.index[e.key] = len(kept)
			kept = append(kept, e)
		}
	}
	m.list, m.gone = kept, 0
}

// Delete takes a key out.
func (m *Map) Delete(key any) { m.LoadAndDelete(key) }

// CompareAndSwap sets the value of a key that has the value old.
func (m *Map) CompareAndSwap(key, old, value any) (swapped bool) {
	i, ok := m.at(key)
	if !ok || !equal(m.list[i].value, old) {
		return false
	}
	m.list[i].value = value
	return true
}

// CompareAndDelete takes a key out that has the value old.
func (m *Map) CompareAndDelete(key, old any) (deleted bool) {
	if v, ok := m.Load(key); !ok || !equal(v, old) {
		return false
	}
	m.Delete(key)
	return true
}

// Clear takes all keys out.
func (m *Map) Clear() { *m = Map{} }

// Range calls f for each key that was there when it began, and is there still.
func (m *Map) Range(f func(key, value any) bool) {
	for _, e := range m.list {
		v, ok := m.Load(e.key)
		if e.there && ok && !f(e.key, v) {
			return
		}
	}
}

// mapEntryBytes is the size of an entry with its place in the index.
const mapEntryBytes = 96

func SyncMapStore(e *shim.Env) func(m *Map, key, value any) {
	return func(m *Map, key, value any) {
		e.Charge(mapEntryBytes)
		m.Store(key, value)
	}
}

func SyncMapSwap(e *shim.Env) func(m *Map, key, value any) (any, bool) {
	return func(m *Map, key, value any) (any, bool) {
		e.Charge(mapEntryBytes)
		return m.Swap(key, value)
	}
}

func SyncMapLoadOrStore(e *shim.Env) func(m *Map, key, value any) (any, bool) {
	return func(m *Map, key, value any) (any, bool) {
		e.Charge(mapEntryBytes)
		return m.LoadOrStore(key, value)
	}
}
