package json

import (
	"go/types"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// An info is what encoding/json wants to know of a type.
type info struct {
	// Methods that values have, and that pointers to them have, theirs among them.
	of, ofPtr methods

	leaf   bool         // without methods and parts
	fields inspect.Note // *fields, of a struct
}

// methods says which of the methods that encoding/json looks for there are.
type methods struct{ marshalJSON, marshalText, unmarshalJSON, unmarshalText, isZero bool }

var (
	goError  = types.Universe.Lookup("error").Type()
	textType = types.NewSlice(types.Typ[types.Byte])

	marshalSig   = signature(nil, []types.Type{textType, goError})
	unmarshalSig = signature([]types.Type{textType}, []types.Type{goError})
	isZeroSig    = signature(nil, []types.Type{types.Typ[types.Bool]})
)

func signature(in, out []types.Type) *types.Signature {
	tuple := func(list []types.Type) *types.Tuple {
		vars := make([]*types.Var, len(list))
		for i, t := range list {
			vars[i] = types.NewParam(0, nil, "", t)
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, tuple(in), tuple(out), false)
}

func methodsOf(t types.Type) methods {
	has := func(name string, want *types.Signature) bool {
		sig := inspect.Method(t, name)
		return sig != nil && types.Identical(sig, want)
	}
	return methods{
		has("MarshalJSON", marshalSig), has("MarshalText", marshalSig),
		has("UnmarshalJSON", unmarshalSig), has("UnmarshalText", unmarshalSig), has("IsZero", isZeroSig),
	}
}

func newInfo(t inspect.Type) *info {
	i := &info{of: methodsOf(t.Types())}
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Interface {
		i.ofPtr = methodsOf(types.NewPointer(t.Types()))
	}
	i.leaf = isScalar(t.Kind()) && i.of == (methods{}) && i.ofPtr == (methods{})
	return i
}

// Marshals reports that values of t have a method MarshalJSON.
func Marshals(m inspect.Machine, t inspect.Type) bool {
	i := infos{m: m}
	return i.of(t).of.marshalJSON
}

// infos finds those of types. Most values have the type of the one before.
type infos struct {
	m    inspect.Machine
	t    inspect.Type
	last *info
}

func (s *infos) of(t inspect.Type) *info {
	if t != s.t {
		s.t, s.last = t, s.m.Notes(t).JSON.Get(func() any { return newInfo(t) }).(*info)
	}
	return s.last
}

// fields are those of t, a struct.
func (s *infos) fields(t inspect.Type) *fields {
	return s.of(t).fields.Get(func() any { return newFields(s.m, t) }).(*fields)
}

// fields are the fields of a struct as encoding/json sees them.
type fields struct {
	list   []*field
	exact  map[string]*field
	folded map[string]*field
}

type field struct {
	jsontext.Field
	key, html string           // with quotation marks and colon, as they are and safe for HTML
	path      []*inspect.Field // from the outermost struct, through pointers
	typ       inspect.Type
	quoted    bool
}

// behind is the type of a field or, if that is a pointer without a name, of what it leads to.
func behind(ft inspect.Type) inspect.Type {
	if ft.Kind() == reflect.Pointer && ft.Name() == "" {
		return ft.Elem()
	}
	return ft
}

func structFields(m inspect.Machine, t inspect.Type) (list []jsontext.StructField[inspect.Type]) {
	for _, f := range m.Fields(t) {
		sf := jsontext.StructField[inspect.Type]{Name: f.Name, Tag: reflect.StructTag(f.Tag).Get("json"), Embedded: f.Embedded, Exported: f.Exported}
		if ft := behind(f.Type); ft.Kind() == reflect.Struct {
			sf.Struct = ft
		}
		list = append(list, sf)
	}
	return list
}

func newField(m inspect.Machine, t inspect.Type, jf jsontext.Field) *field {
	f := &field{Field: jf}
	for _, i := range jf.Path {
		s := m.Fields(t)[i]
		f.path, f.typ, t = append(f.path, s), s.Type, behind(s.Type)
	}
	f.quoted = jf.Quoted && (t.Kind() == reflect.String || t.Kind() >= reflect.Bool && t.Kind() <= reflect.Float64)
	b := jsontext.Buffer{}
	b.HTMLEscape([]byte(f.Name))
	f.key, f.html = `"`+f.Name+`":`, `"`+string(b.B)+`":`
	return f
}

func newFields(m inspect.Machine, t inspect.Type) *fields {
	out := &fields{exact: map[string]*field{}, folded: map[string]*field{}}
	found := jsontext.Fields(t, func(t inspect.Type) []jsontext.StructField[inspect.Type] { return structFields(m, t) })
	for _, jf := range found {
		f := newField(m, t, jf)
		out.list = append(out.list, f)
		out.exact[f.Name] = f
		if folded := foldName(f.Name); out.folded[folded] == nil {
			out.folded[folded] = f
		}
	}
	return out
}

// foldName is equal for names that differ in case only.
func foldName(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r >= utf8.RuneSelf {
			for { // to the least of those that are the same but for case
				next := unicode.SimpleFold(r)
				if r, next = next, r; r <= next {
					break
				}
			}
		} else if 'a' <= r && r <= 'z' {
			r -= 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// find is the field for a key, nil if there is none.
func (f *fields) find(key string) *field {
	if x := f.exact[key]; x != nil {
		return x
	}
	return f.folded[foldName(key)]
}
