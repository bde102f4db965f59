package gob

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// A wireKind is what a type is in a stream.
type wireKind byte

// The kinds. The first have the number of the type that needs no definition, the others that of their field in one.
const (
	wireBool wireKind = 1 + iota
	wireInt
	wireUint
	wireFloat
	wireBytes
	wireString
	wireComplex
	wireInterface
	wireDefined // the kinds after it are defined in the stream
	wireArray
	wireSlice
	wireStruct
	wireMap
	wireGob    // by GobEncode
	wireBinary // by MarshalBinary
	wireText   // by MarshalText, as no encoder does
)

// firstID is the number of the first type that a stream defines.
const firstID = 64

var kindNames = [...]string{
	wireBool: "bool", wireInt: "int", wireUint: "uint", wireFloat: "float", wireBytes: "bytes", wireString: "string",
	wireComplex: "complex", wireInterface: "interface",
}

// A wireType is a type as a stream tells of it.
type wireType struct {
	kind   wireKind
	id     int
	name   string
	elem   int // ids
	key    int
	n      int
	fields []wireField
}

type wireField struct {
	name string
	id   int
	typ  *wireType      // the encoder's
	own  *inspect.Field // the same
}

// own reports a type that encodes itself.
func (t *wireType) own() bool { return t.kind >= wireGob }

// base is t without the pointers around it, which streams leave out.
func base(t inspect.Type) (inspect.Type, error) {
	for n := 0; t.Kind() == reflect.Pointer; n++ {
		if n > 100 {
			return nil, errors.New("can't represent recursive pointer type " + t.String())
		}
		t = t.Elem()
	}
	return t, nil
}

// methodOf is the first of the methods that t or a pointer to it has, and its number; none is "".
func methodOf(t inspect.Type, names ...string) (string, int) {
	for i, name := range names {
		if inspect.Method(t.Types(), name) != nil || inspect.Method(types.NewPointer(t.Types()), name) != nil {
			return name, i
		}
	}
	return "", 0
}

// encodes and decodes are the method by which a type does so itself, and how streams tell of it.
func encodes(t inspect.Type) (string, wireKind) {
	name, i := methodOf(t, "GobEncode", "MarshalBinary")
	return name, wireGob + wireKind(i)
}

func decodes(t inspect.Type) (string, wireKind) {
	name, i := methodOf(t, "GobDecode", "UnmarshalBinary")
	return name, wireGob + wireKind(i)
}

// sent reports a field that streams have.
func sent(f *inspect.Field) bool {
	t, err := base(f.Type)
	return f.Exported && err == nil && t.Kind() != reflect.Chan && t.Kind() != reflect.Func
}

// A typeTable numbers the types of a stream in the order in which Go would in a process that encodes nothing else.
type typeTable struct {
	of   map[inspect.Type]*wireType
	last int
}

func (g *typeTable) number(w *wireType) {
	if w.id == 0 {
		w.id = firstID + g.last
		g.last++
	}
}

// describe makes the wireType of t, and of all that it is made of. It has that name if it has none yet.
func (g *typeTable) describe(m inspect.Machine, name string, t inspect.Type) (*wireType, error) {
	m.Deeper()
	defer m.Shallower()
	t, err := base(t)
	if err != nil {
		return nil, err
	}
	if w := g.of[t]; w != nil {
		return w, nil
	}
	m.Charge(inspect.NoteBytes)
	w := &wireType{name: name, kind: kindOf(t)}
	if g.of == nil {
		g.of = map[inspect.Type]*wireType{}
	}
	if g.of[t] = w; w.kind < wireDefined {
		w.id = int(w.kind)
	}
	switch w.kind {
	case 0:
		err = errors.New("gob NewTypeObject can't handle type: " + t.String())
	case wireArray, wireSlice:
		name := ""
		if w.n = t.Len(); w.kind == wireSlice {
			name, w.n = t.Elem().Name(), 0
		}
		w.elem, err = g.part(m, name, t.Elem())
	case wireMap:
		if w.key, err = g.part(m, "", t.Key()); err == nil {
			w.elem, err = g.part(m, "", t.Elem())
		}
	case wireStruct:
		g.number(w)
		err = g.fields(m, w, t)
	}
	if err != nil {
		delete(g.of, t)
		return nil, err
	}
	g.number(w)
	return w, nil
}

// part is the number of a type that another is made of.
func (g *typeTable) part(m inspect.Machine, name string, t inspect.Type) (int, error) {
	w, err := g.describe(m, name, t)
	if err != nil {
		return 0, err
	}
	g.number(w)
	return w.id, nil
}

func (g *typeTable) fields(m inspect.Machine, w *wireType, t inspect.Type) error {
	for _, f := range m.Fields(t) {
		if !sent(f) {
			continue
		}
		base, err := base(f.Type)
		if err != nil {
			return err
		}
		name := base.Name()
		if name == "" {
			name = base.String()
		}
		typ, err := g.describe(m, name, base)
		if err != nil {
			return err
		}
		g.number(typ)
		w.fields = append(w.fields, wireField{f.Name, typ.id, typ, f})
	}
	return nil
}

// kindOf is that of a type which is no pointer; 0 if streams have none of it.
func kindOf(t inspect.Type) wireKind {
	if name, kind := encodes(t); name != "" {
		return kind
	}
	switch k := t.Kind(); {
	case k == reflect.Bool:
		return wireBool
	case k == reflect.String:
		return wireString
	case inspect.IsUnsigned(k):
		return wireUint
	case inspect.IsInteger(k):
		return wireInt
	case inspect.IsFloat(k):
		return wireFloat
	case inspect.IsComplex(k):
		return wireComplex
	case k == reflect.Slice && inspect.IsBytes(t):
		return wireBytes
	}
	return composites[t.Kind()]
}

var composites = map[reflect.Kind]wireKind{
	reflect.Interface: wireInterface, reflect.Slice: wireSlice, reflect.Array: wireArray, reflect.Map: wireMap, reflect.Struct: wireStruct,
}

// define writes the definition of w: a struct with one field, which is a struct. A field has its distance from the one
// before it.
func (w *wireType) define(b *buffer) {
	b.uint(uint64(w.kind - wireDefined))
	b.uint(1) // CommonType
	if w.name != "" {
		b.uint(1)
		b.bytes([]byte(w.name))
		b.uint(1)
	} else {
		b.uint(2)
	}
	b.int(int64(w.id))
	b.uint(0)
	put := func(n int) {
		if n != 0 {
			b.uint(1)
			b.int(int64(n))
		}
	}
	switch w.kind {
	case wireArray:
		put(w.elem)
		put(w.n)
	case wireSlice:
		put(w.elem)
	case wireMap:
		put(w.key)
		put(w.elem)
	case wireStruct:
		if len(w.fields) == 0 {
			break
		}
		b.uint(1)
		b.uint(uint64(len(w.fields)))
		for _, f := range w.fields {
			b.uint(1)
			b.bytes([]byte(f.name))
			put(f.id)
			b.uint(0)
		}
	}
	b.uint(0)
	b.uint(0)
}

// typeString is a type of a stream in Go's words.
func typeString(types map[int]*wireType, id, depth int) string {
	if id > 0 && id < len(kindNames) {
		return kindNames[id]
	}
	t := types[id]
	if t == nil {
		return "unknown type"
	}
	if depth > 8 {
		return t.name
	}
	in := func(id int) string { return typeString(types, id, depth+1) }
	switch t.kind {
	case wireSlice:
		return "[]" + in(t.elem)
	case wireArray:
		return fmt.Sprintf("[%d]%s", t.n, in(t.elem))
	case wireMap:
		return "map[" + in(t.key) + "]" + in(t.elem)
	case wireStruct:
		if depth > 0 {
			return t.name
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%s = struct { ", t.name)
		for _, f := range t.fields {
			fmt.Fprintf(&b, "%s %s; ", f.name, in(f.id))
		}
		return b.String() + "}"
	}
	return t.name
}
