package xml

import (
	"encoding/xml"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
)

// An info is what encoding/xml wants to know of a type.
type info struct {
	err    error
	name   *field // XMLName
	fields []*field
}

// mode says what a field is in the text.
type mode int

const (
	inElement mode = 1 << iota
	inAttr
	inCData
	inCharData
	inInner
	inComment
	inAny
)

var flagModes = map[string]mode{
	"attr": inAttr, "cdata": inCData, "chardata": inCharData, "innerxml": inInner, "comment": inComment, "any": inAny,
}

type field struct {
	path      []*inspect.Field // from the outermost struct, through pointers
	name      string
	space     string
	mode      mode
	omitEmpty bool
	parents   []string
}

func (f *field) last() *inspect.Field { return f.path[len(f.path)-1] }

func (f *field) tag() string { return tagOf(f.last()) }

func tagOf(f *inspect.Field) string { return reflect.StructTag(f.Tag).Get("xml") }

const nameField = "XMLName"

var (
	nameType = reflect.TypeFor[xml.Name]()
	attrType = reflect.TypeFor[xml.Attr]()
)

// maxEmbedded bounds structs in structs, which may go round through pointers.
const maxEmbedded = 100

// infoOf is that of t.
func infoOf(m inspect.Machine, t inspect.Type) (*info, error) {
	i := m.Notes(t).XML.Get(func() any { return newInfo(m, t, 0) }).(*info)
	if c, ok := i.err.(*clash); ok {
		return i, c.in(m)
	}
	return i, i.err
}

func newInfo(m inspect.Machine, t inspect.Type, depth int) *info {
	i := &info{}
	if t.Kind() != reflect.Struct || t.Host() == nameType {
		return i
	}
	if depth > maxEmbedded {
		i.err = fmt.Errorf("xml: %s embeds itself", t.String())
		return i
	}
	for _, f := range m.Fields(t) {
		if !f.Exported && !f.Embedded || tagOf(f) == "-" {
			continue
		}
		if e := embeddedStructType(f); e != nil {
			i.embed(t, f, newInfo(m, e, depth+1))
		} else {
			x, err := newField(m, t, f)
			i.add(t, x, err)
		}
		if i.err != nil {
			break
		}
	}
	return i
}

// embeddedStructType is the struct that an embedded field is or points to, nil for
// other fields.
func embeddedStructType(f *inspect.Field) inspect.Type {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if !f.Embedded || t.Kind() != reflect.Struct {
		return nil
	}
	return t
}

// embed adds the fields of an embedded struct.
func (i *info) embed(t inspect.Type, f *inspect.Field, inner *info) {
	if i.err = inner.err; i.err != nil {
		return
	}
	if i.name == nil && inner.name != nil {
		i.name = inner.name.behind(f)
	}
	for _, x := range inner.fields {
		if i.err = i.put(t, x.behind(f)); i.err != nil {
			return
		}
	}
}

// behind is the field as seen from a struct that embeds its own as f.
func (f *field) behind(outer *inspect.Field) *field {
	c := *f
	c.path = append([]*inspect.Field{outer}, f.path...)
	return &c
}

func (i *info) add(t inspect.Type, f *field, err error) {
	switch {
	case err != nil:
		i.err = err
	case f.last().Name == nameField:
		i.name = f
	default:
		i.err = i.put(t, f)
	}
}

// newField reads the tag of a field of t.
func newField(m inspect.Machine, t inspect.Type, sf *inspect.Field) (*field, error) {
	f := &field{path: []*inspect.Field{sf}, mode: inElement}
	tag := tagOf(sf)
	if space, rest, ok := strings.Cut(tag, " "); ok {
		f.space, tag = space, rest
	}
	tag, flags, flagged := strings.Cut(tag, ",")
	if flagged && !f.flags(tag, flags) {
		return nil, fmt.Errorf("xml: invalid tag in field %s of type %s: %q", sf.Name, t.String(), tagOf(sf))
	}
	if f.space != "" && tag == "" {
		return nil, fmt.Errorf("xml: namespace without name in field %s of type %s: %q", sf.Name, t.String(), tagOf(sf))
	}
	switch {
	case sf.Name == nameField:
		f.name = tag
		return f, nil
	case tag == "":
		if named := nameOf(m, sf.Type); named != nil {
			f.space, f.name = named.space, named.name
		} else {
			f.name = sf.Name
		}
		return f, nil
	}
	return f, f.place(m, t, tag, flags)
}

// flags takes the words after the name, and reports whether they go together.
func (f *field) flags(tag, flags string) bool {
	mode := mode(0)
	for _, flag := range strings.Split(flags, ",") {
		mode |= flagModes[flag]
		f.omitEmpty = f.omitEmpty || flag == "omitempty"
	}
	f.mode = mode
	switch mode {
	case 0:
		f.mode = inElement
	case inAttr, inCData, inCharData, inInner, inComment, inAny, inAny | inAttr:
		if f.last().Name == nameField || tag != "" && mode != inAttr {
			return false
		}
	default:
		return false
	}
	if mode == inAny {
		f.mode = inAny | inElement
	}
	return !f.omitEmpty || f.mode&(inElement|inAttr) != 0
}

// place takes the name of a field, and those of the elements around it.
func (f *field) place(m inspect.Machine, t inspect.Type, tag, flags string) error {
	sf := f.last()
	parents := strings.Split(tag, ">")
	if parents[0] == "" {
		parents[0] = sf.Name
	}
	n := len(parents) - 1
	if parents[n] == "" {
		return fmt.Errorf("xml: trailing '>' in field %s of type %s", sf.Name, t.String())
	}
	if f.name = parents[n]; n > 0 {
		if f.mode&inElement == 0 {
			return fmt.Errorf("xml: %s chain not valid with %s flag", tag, flags)
		}
		f.parents = parents[:n]
	}
	if named := nameOf(m, sf.Type); f.mode&inElement != 0 && named != nil && named.name != f.name {
		return fmt.Errorf("xml: name %q in tag of %s.%s conflicts with name %q in %s.XMLName", f.name, t.String(), sf.Name, named.name, sf.Type.String())
	}
	return nil
}

// nameOf is the field XMLName of t or what t points to, if it has a name in its
// tag.
func nameOf(m inspect.Machine, t inspect.Type) *field {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for _, sf := range m.Fields(t) {
		if sf.Name == nameField {
			if f, err := newField(m, t, sf); err == nil && f.name != "" {
				return f
			}
			return nil
		}
	}
	return nil
}

// A clash is an error without the type, which is another one in each run.
type clash struct {
	t inspect.Type
	xml.TagPathError
}

func (c *clash) in(m inspect.Machine) error {
	err := c.TagPathError
	err.Struct = m.Reflect(c.t)
	return &err
}

// put adds a field. One that is deeper than a field with the same path gives way to
// it.
func (i *info) put(t inspect.Type, f *field) error {
	var same []*field
	for _, old := range i.fields {
		if old.meets(f) {
			same = append(same, old)
		}
	}
	for _, old := range same {
		if len(old.path) < len(f.path) {
			return nil
		}
	}
	for _, old := range same {
		if len(old.path) == len(f.path) {
			return &clash{t, xml.TagPathError{Field1: old.last().Name, Tag1: old.tag(), Field2: f.last().Name, Tag2: f.tag()}}
		}
	}
	i.fields = slices.DeleteFunc(i.fields, func(old *field) bool { return slices.Contains(same, old) })
	i.fields = append(i.fields, f)
	return nil
}

// meets reports that the path of one field is that of the other, or leads to it.
func (f *field) meets(g *field) bool {
	if f.mode != g.mode || f.space != "" && g.space != "" && f.space != g.space {
		return false
	}
	n := min(len(f.parents), len(g.parents))
	switch {
	case !slices.Equal(f.parents[:n], g.parents[:n]):
		return false
	case len(f.parents) > n:
		return f.parents[n] == g.name
	case len(g.parents) > n:
		return g.parents[n] == f.name
	}
	return f.name == g.name && f.space == g.space
}

// of is the field of v, nil if a pointer on the way is nil. If the way is to be made,
// there is none.
func (f *field) of(v inspect.Value, make bool) inspect.Value {
	for i, sf := range f.path {
		if i > 0 && v.Kind() == reflect.Pointer && v.Type().Elem().Kind() == reflect.Struct {
			if v.IsNil() {
				if !make {
					return nil
				}
				v.Allocate()
			}
			v = v.Elem()
		}
		v = v.Field(sf)
	}
	return v
}

// methods that encoding/xml looks for, as Go writes their signatures.
var methods = map[string]string{
	"MarshalXML":       "func(*encoding/xml.Encoder, encoding/xml.StartElement) error",
	"MarshalXMLAttr":   "func(encoding/xml.Name) (encoding/xml.Attr, error)",
	"MarshalText":      "func() ([]byte, error)",
	"UnmarshalXML":     "func(*encoding/xml.Decoder, encoding/xml.StartElement) error",
	"UnmarshalXMLAttr": "func(encoding/xml.Attr) error",
	"UnmarshalText":    "func([]byte) error",
}

// receiver is what has the method: v itself, or its address.
func receiver(v inspect.Value, name string) (inspect.Value, bool) {
	if v.Hidden() {
		return nil, false
	}
	if v.Kind() == reflect.Interface {
		if v.IsNil() {
			return nil, false
		}
		if v = v.Elem(); hasMethod(v.Type(), name) {
			return v, true
		}
		return nil, false
	}
	if hasMethod(v.Type(), name) {
		return v, true
	}
	if v.IsVar() && v.Kind() != reflect.Pointer {
		if p := v.Addr(); hasMethod(p.Type(), name) {
			return p, true
		}
	}
	return nil, false
}

func hasMethod(t inspect.Type, name string) bool {
	if t.Kind() != reflect.Pointer && t.Name() == "" && t.Kind() != reflect.Struct {
		return false
	}
	sig := inspect.Method(t.Types(), name)
	return sig != nil && types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), false).String() == methods[name]
}

func unnamed(t *types.Tuple) *types.Tuple {
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		vars[i] = types.NewParam(0, nil, "", t.At(i).Type())
	}
	return types.NewTuple(vars...)
}
