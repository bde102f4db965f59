package gob

import (
	"encoding/binary"
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// wireKind is what a type is in a message.
type wireKind byte

const (
	wireBool wireKind = iota
	wireInt
	wireUint
	wireFloat
	wireComplex
	wireString
	wireBytes
	wireInterface
	wireOwn // by methods of its own
	wireSlice
	wireArray
	wireMap
	wireStruct
)

var kindNames = map[wireKind]string{
	wireBool: "bool", wireInt: "int", wireUint: "uint", wireFloat: "float", wireComplex: "complex", wireString: "string",
	wireBytes: "bytes", wireInterface: "interface",
}

// A wireType is a type as a message tells of it. Types are numbered in it.
type wireType struct {
	kind   wireKind
	name   string
	elem   int
	key    int
	n      int
	fields []wireField
}

type wireField struct {
	name string
	typ  int
	own  *inspect.Field // the encoder's
}

// base is t without the pointers around it, which messages leave out.
func base(t inspect.Type) (inspect.Type, error) {
	for n := 0; t.Kind() == reflect.Pointer; n++ {
		if n > 100 {
			return nil, errors.New("can't represent recursive pointer type " + t.String())
		}
		t = t.Elem()
	}
	return t, nil
}

// methods are those by which a type encodes and decodes itself, without that of the
// other if there is none.
func methods(t inspect.Type) (enc, dec string) {
	value, pointer := t.Types(), types.NewPointer(t.Types())
	for _, name := range [][2]string{{"GobEncode", "GobDecode"}, {"MarshalBinary", "UnmarshalBinary"}} {
		has := inspect.Method(value, name[0]) != nil || inspect.Method(pointer, name[0]) != nil
		if has && inspect.Method(pointer, name[1]) != nil {
			return name[0], name[1]
		}
	}
	return "", ""
}

// sent reports a field that messages have.
func sent(f *inspect.Field) bool {
	t, err := base(f.Type)
	return f.Exported && err == nil && t.Kind() != reflect.Chan && t.Kind() != reflect.Func
}

// typeTable numbers the types of one message.
type typeTable struct {
	m    inspect.Machine
	list []wireType
	of   map[inspect.Type]int
}

// number gives t a number, and one to all that it is made of.
func (g *typeTable) number(t inspect.Type) (int, error) {
	g.m.Deeper()
	defer g.m.Shallower()
	base, err := base(t)
	if err != nil {
		return 0, err
	}
	if i, ok := g.of[base]; ok {
		return i, nil
	}
	g.m.Charge(inspect.NoteBytes)
	i := len(g.list)
	g.of[base] = i
	g.list = append(g.list, wireType{name: base.Name()})
	x, err := g.describe(base)
	x.name = base.Name()
	g.list[i] = x
	return i, err
}

func (g *typeTable) describe(t inspect.Type) (x wireType, err error) {
	if enc, _ := methods(t); enc != "" {
		return wireType{kind: wireOwn}, nil
	}
	switch k := t.Kind(); {
	case k == reflect.Bool:
	case k == reflect.String:
		x.kind = wireString
	case inspect.IsUnsigned(k):
		x.kind = wireUint
	case inspect.IsInteger(k):
		x.kind = wireInt
	case inspect.IsFloat(k):
		x.kind = wireFloat
	case inspect.IsComplex(k):
		x.kind = wireComplex
	case k == reflect.Interface:
		x.kind = wireInterface
	case inspect.IsBytes(t):
		x.kind = wireBytes
	case k == reflect.Slice || k == reflect.Array:
		if x.kind = wireSlice; k == reflect.Array {
			x.kind, x.n = wireArray, t.Len()
		}
		x.elem, err = g.number(t.Elem())
	case k == reflect.Map:
		x.kind = wireMap
		if x.key, err = g.number(t.Key()); err == nil {
			x.elem, err = g.number(t.Elem())
		}
	case k == reflect.Struct:
		x.kind = wireStruct
		x.fields, err = g.fields(t)
	default:
		err = errors.New("gob NewTypeObject can't handle type: " + t.String())
	}
	return x, err
}

// fields are those that are sent: none of a struct that has none, else one at least.
func (g *typeTable) fields(t inspect.Type) (list []wireField, err error) {
	all := g.m.Fields(t)
	for _, f := range all {
		if !sent(f) {
			continue
		}
		n, err := g.number(f.Type)
		if err != nil {
			return list, err
		}
		list = append(list, wireField{name: f.Name, typ: n, own: f})
	}
	if len(list) == 0 && len(all) > 0 {
		return nil, fmt.Errorf("gob: type %s has no exported fields", t.String())
	}
	return list, nil
}

// text is the table as a message has it.
func (g *typeTable) text() []byte {
	b := binary.AppendUvarint(nil, uint64(len(g.list)))
	put := func(n int) { b = binary.AppendUvarint(b, uint64(n)) }
	str := func(s string) { put(len(s)); b = append(b, s...) }
	for _, t := range g.list {
		b = append(b, byte(t.kind))
		str(t.name)
		put(t.elem)
		put(t.key)
		put(t.n)
		put(len(t.fields))
		for _, f := range t.fields {
			str(f.name)
			put(f.typ)
		}
	}
	return b
}

// typeString is a type of a message in Go's words.
func typeString(list []wireType, i, depth int) string {
	t := list[i]
	if name, ok := kindNames[t.kind]; ok {
		return name
	}
	if depth > 8 {
		return t.name
	}
	in := func(n int) string { return typeString(list, n, depth+1) }
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
			fmt.Fprintf(&b, "%s %s; ", f.name, in(f.typ))
		}
		return b.String() + "}"
	}
	return t.name
}
