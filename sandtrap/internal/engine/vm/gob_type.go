package vm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// gobKind is what a type is in a message.
type gobKind byte

const (
	gobBool gobKind = iota
	gobInt
	gobUint
	gobFloat
	gobComplex
	gobString
	gobBytes
	gobInterface
	gobOwn // by methods of its own
	gobSlice
	gobArray
	gobMap
	gobStruct
)

var gobNames = map[gobKind]string{
	gobBool: "bool", gobInt: "int", gobUint: "uint", gobFloat: "float", gobComplex: "complex", gobString: "string",
	gobBytes: "bytes", gobInterface: "interface",
}

// A gobType is a type as a message tells of it. Types are numbered in it.
type gobType struct {
	kind   gobKind
	name   string
	elem   int
	key    int
	n      int
	fields []gobField
}

type gobField struct {
	name string
	typ  int
	path *structField // of the encoder's own
}

// gobBase is t without the pointers around it, which messages leave out.
func gobBase(t *Type) (*Type, error) {
	for n := 0; t.kind == reflect.Pointer; n++ {
		if n > 100 {
			return nil, errors.New("can't represent recursive pointer type " + t.str)
		}
		t = t.elem
	}
	return t, nil
}

// gobMethods are those by which a type encodes and decodes itself, without that of the
// other if there is none.
func (m *machine) gobMethods(t *Type) (enc, dec string) {
	for _, name := range [][2]string{{"GobEncode", "GobDecode"}, {"MarshalBinary", "UnmarshalBinary"}} {
		has := methodSig(t.t, name[0]) != nil || methodSig(m.ptrTo(t).t, name[0]) != nil
		if has && methodSig(m.ptrTo(t).t, name[1]) != nil {
			return name[0], name[1]
		}
	}
	return "", ""
}

// gobSent reports a field that messages have.
func gobSent(f *structField) bool {
	t, err := gobBase(f.typ)
	return f.exported && err == nil && t.kind != reflect.Chan && t.kind != reflect.Func
}

// gobTypes numbers the types of one message.
type gobTypes struct {
	m    *machine
	list []gobType
	of   map[*Type]int
}

// number gives t a number, and one to all that it is made of.
func (g *gobTypes) number(t *Type) (int, error) {
	g.m.deeper()
	defer g.m.shallower()
	base, err := gobBase(t)
	if err != nil {
		return 0, err
	}
	if i, ok := g.of[base]; ok {
		return i, nil
	}
	g.m.charge(noteBytes)
	i := len(g.list)
	g.of[base] = i
	g.list = append(g.list, gobType{name: typeName(base)})
	x, err := g.describe(base)
	x.name = typeName(base)
	g.list[i] = x
	return i, err
}

func (g *gobTypes) describe(t *Type) (x gobType, err error) {
	if enc, _ := g.m.gobMethods(t); enc != "" {
		return gobType{kind: gobOwn}, nil
	}
	switch k := kindOf(t); {
	case k == reflect.Bool:
	case k == reflect.String:
		x.kind = gobString
	case isUnsigned(t):
		x.kind = gobUint
	case isInteger(t):
		x.kind = gobInt
	case isFloat(t):
		x.kind = gobFloat
	case isComplex(t):
		x.kind = gobComplex
	case k == reflect.Interface:
		x.kind = gobInterface
	case k == reflect.Slice && t.elem.kind == reflect.Uint8:
		x.kind = gobBytes
	case k == reflect.Slice || k == reflect.Array:
		if x.kind = gobSlice; k == reflect.Array {
			x.kind, x.n = gobArray, t.n
		}
		x.elem, err = g.number(t.elem)
	case k == reflect.Map:
		x.kind = gobMap
		if x.key, err = g.number(t.key); err == nil {
			x.elem, err = g.number(t.elem)
		}
	case k == reflect.Struct:
		x.kind = gobStruct
		for _, f := range g.m.structFields(t) {
			if !gobSent(f) {
				continue
			}
			n, err := g.number(f.typ)
			if err != nil {
				return x, err
			}
			x.fields = append(x.fields, gobField{name: f.name, typ: n, path: f})
		}
	default:
		err = errors.New("gob NewTypeObject can't handle type: " + t.str)
	}
	return x, err
}

// text is the table as a message has it.
func (g *gobTypes) text() []byte {
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

// gobTypeString is a type of a message in Go's words.
func gobTypeString(list []gobType, i, depth int) string {
	t := list[i]
	if name, ok := gobNames[t.kind]; ok {
		return name
	}
	if depth > 8 {
		return t.name
	}
	in := func(n int) string { return gobTypeString(list, n, depth+1) }
	switch t.kind {
	case gobSlice:
		return "[]" + in(t.elem)
	case gobArray:
		return fmt.Sprintf("[%d]%s", t.n, in(t.elem))
	case gobMap:
		return "map[" + in(t.key) + "]" + in(t.elem)
	case gobStruct:
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
