package gob

import (
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// Names are those of the types that may be in interfaces.
type Names struct {
	types map[string]inspect.Type
	names map[inspect.Type]string
}

// Register gives the type of what an interface holds a name, its own if name is empty.
func (n *Names) Register(m inspect.Machine, name string, held any) {
	x := m.Of(held)
	if x == nil {
		m.Panic(nil)
	}
	t := x.Type()
	if name == "" {
		name = nameOf(t)
	}
	base, err := base(t)
	if err != nil {
		m.Fail(err.Error())
	}
	if n.types == nil {
		n.types, n.names = map[string]inspect.Type{}, map[inspect.Type]string{}
	}
	if known, ok := n.types[name]; ok && known != t {
		m.Panic(fmt.Sprintf("gob: registering duplicate types for %q: %s != %s", name, known, t))
	}
	if known, ok := n.names[base]; ok && known != name {
		m.Panic(fmt.Sprintf("gob: registering duplicate names for %s: %q != %q", t, known, name))
	}
	m.Charge(inspect.NoteBytes)
	n.types[name], n.names[base] = t, name
}

func nameOf(t inspect.Type) string {
	if t.Kind() == reflect.Pointer && t.Name() == "" && t.Elem().Name() != "" {
		return "*" + t.Elem().String()
	}
	return t.String()
}

// of is the name of a type in interfaces; basic types have theirs.
func (n *Names) of(m inspect.Machine, t inspect.Type) (string, bool) {
	if name, ok := n.names[t]; ok {
		return name, true
	}
	return t.String(), basic(m, t.String()) == t
}

// named is the type of a name, nil if it has none.
func (n *Names) named(m inspect.Machine, name string) inspect.Type {
	if t := n.types[name]; t != nil {
		return t
	}
	return basic(m, name)
}

// basic is a type that need not be registered, nil if none has the name.
func basic(m inspect.Machine, name string) inspect.Type {
	if rt := basics[name]; rt != nil {
		return m.Type(rt)
	}
	return nil
}

var basics = byName(
	reflect.TypeFor[bool](), reflect.TypeFor[string](), reflect.TypeFor[uintptr](),
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](), reflect.TypeFor[int64](),
	reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint32](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
	reflect.TypeFor[[]int](), reflect.TypeFor[[]uint](), reflect.TypeFor[[]float64](), reflect.TypeFor[[]string](),
	reflect.TypeFor[[]byte](), reflect.TypeFor[[]bool](), reflect.TypeFor[[]int64](), reflect.TypeFor[[]int32](),
	reflect.TypeFor[[]float32](), reflect.TypeFor[[]uint64](),
)

func byName(list ...reflect.Type) map[string]reflect.Type {
	named := map[string]reflect.Type{}
	for _, t := range list {
		named[t.String()] = t
	}
	return named
}
