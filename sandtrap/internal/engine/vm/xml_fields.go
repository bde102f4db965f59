package vm

import (
	"encoding/xml"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// An xmlInfo is what encoding/xml wants to know of a type.
type xmlInfo struct {
	once   sync.Once
	err    error
	name   *xmlField // XMLName
	fields []*xmlField
}

// xmlMode says what a field is in the text.
type xmlMode int

const (
	xmlElement xmlMode = 1 << iota
	xmlAttr
	xmlCData
	xmlCharData
	xmlInner
	xmlComment
	xmlAny
)

var xmlFlags = map[string]xmlMode{
	"attr": xmlAttr, "cdata": xmlCData, "chardata": xmlCharData, "innerxml": xmlInner, "comment": xmlComment, "any": xmlAny,
}

type xmlField struct {
	path      []*structField // from the outermost struct, through pointers
	name      string
	space     string
	mode      xmlMode
	omitEmpty bool
	parents   []string
}

func (f *xmlField) last() *structField { return f.path[len(f.path)-1] }

func (f *xmlField) tag() string { return xmlTag(f.last()) }

func xmlTag(f *structField) string { return reflect.StructTag(f.Tag).Get("xml") }

const xmlNameField = "XMLName"

var (
	xmlNameType = reflect.TypeFor[xml.Name]()
	xmlAttrType = reflect.TypeFor[xml.Attr]()
)

// maxEmbedded bounds structs in structs, which may go round through pointers.
const maxEmbedded = 100

// xmlInfo is that of t.
func (m *machine) xmlInfo(t *Type) (*xmlInfo, error) {
	i := &m.info(t).xml
	i.once.Do(func() {
		made := m.newXMLInfo(t, 0)
		i.name, i.fields, i.err = made.name, made.fields, made.err
	})
	return i, i.err
}

func (m *machine) newXMLInfo(t *Type, depth int) *xmlInfo {
	i := &xmlInfo{}
	if kindOf(t) != reflect.Struct || t.host == xmlNameType {
		return i
	}
	if depth > maxEmbedded {
		i.err = fmt.Errorf("xml: %s embeds itself", t.str)
		return i
	}
	for _, f := range m.structFields(t) {
		if !f.Exported && !f.Embedded || xmlTag(f) == "-" {
			continue
		}
		if e := embeddedStructType(f); e != nil {
			i.embed(t, f, m.newXMLInfo(e, depth+1))
		} else {
			x, err := m.newXMLField(t, f)
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
func embeddedStructType(f *structField) *Type {
	t := f.typ
	if t.kind == reflect.Pointer {
		t = t.elem
	}
	if !f.Embedded || kindOf(t) != reflect.Struct {
		return nil
	}
	return t
}

// embed adds the fields of an embedded struct.
func (i *xmlInfo) embed(t *Type, f *structField, inner *xmlInfo) {
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
func (f *xmlField) behind(outer *structField) *xmlField {
	c := *f
	c.path = append([]*structField{outer}, f.path...)
	return &c
}

func (i *xmlInfo) add(t *Type, f *xmlField, err error) {
	switch {
	case err != nil:
		i.err = err
	case f.last().Name == xmlNameField:
		i.name = f
	default:
		i.err = i.put(t, f)
	}
}

// newXMLField reads the tag of a field of t.
func (m *machine) newXMLField(t *Type, sf *structField) (*xmlField, error) {
	f := &xmlField{path: []*structField{sf}, mode: xmlElement}
	tag := xmlTag(sf)
	if space, rest, ok := strings.Cut(tag, " "); ok {
		f.space, tag = space, rest
	}
	tag, flags, flagged := strings.Cut(tag, ",")
	if flagged && !f.flags(tag, flags) {
		return nil, fmt.Errorf("xml: invalid tag in field %s of type %s: %q", sf.Name, t.str, xmlTag(sf))
	}
	if f.space != "" && tag == "" {
		return nil, fmt.Errorf("xml: namespace without name in field %s of type %s: %q", sf.Name, t.str, xmlTag(sf))
	}
	switch {
	case sf.Name == xmlNameField:
		f.name = tag
		return f, nil
	case tag == "":
		if named := m.xmlNameOf(sf.typ); named != nil {
			f.space, f.name = named.space, named.name
		} else {
			f.name = sf.Name
		}
		return f, nil
	}
	return f, m.placeXMLField(t, f, tag, flags)
}

// flags takes the words after the name, and reports whether they go together.
func (f *xmlField) flags(tag, flags string) bool {
	mode := xmlMode(0)
	for _, flag := range strings.Split(flags, ",") {
		mode |= xmlFlags[flag]
		f.omitEmpty = f.omitEmpty || flag == "omitempty"
	}
	f.mode = mode
	switch mode {
	case 0:
		f.mode = xmlElement
	case xmlAttr, xmlCData, xmlCharData, xmlInner, xmlComment, xmlAny, xmlAny | xmlAttr:
		if f.last().Name == xmlNameField || tag != "" && mode != xmlAttr {
			return false
		}
	default:
		return false
	}
	if mode == xmlAny {
		f.mode = xmlAny | xmlElement
	}
	return !f.omitEmpty || f.mode&(xmlElement|xmlAttr) != 0
}

// placeXMLField takes the name of a field, and those of the elements around it.
func (m *machine) placeXMLField(t *Type, f *xmlField, tag, flags string) error {
	sf := f.last()
	parents := strings.Split(tag, ">")
	if parents[0] == "" {
		parents[0] = sf.Name
	}
	n := len(parents) - 1
	if parents[n] == "" {
		return fmt.Errorf("xml: trailing '>' in field %s of type %s", sf.Name, t.str)
	}
	if f.name = parents[n]; n > 0 {
		if f.mode&xmlElement == 0 {
			return fmt.Errorf("xml: %s chain not valid with %s flag", tag, flags)
		}
		f.parents = parents[:n]
	}
	if named := m.xmlNameOf(sf.typ); f.mode&xmlElement != 0 && named != nil && named.name != f.name {
		return fmt.Errorf("xml: name %q in tag of %s.%s conflicts with name %q in %s.XMLName", f.name, t.str, sf.Name, named.name, sf.typ.str)
	}
	return nil
}

// xmlNameOf is the field XMLName of t or what t points to, if it has a name in its
// tag.
func (m *machine) xmlNameOf(t *Type) *xmlField {
	for t.kind == reflect.Pointer {
		t = t.elem
	}
	if kindOf(t) != reflect.Struct {
		return nil
	}
	for _, sf := range m.structFields(t) {
		if sf.Name == xmlNameField {
			if f, err := m.newXMLField(t, sf); err == nil && f.name != "" {
				return f
			}
			return nil
		}
	}
	return nil
}

// put adds a field. One that is deeper than a field with the same path gives way to
// it.
func (i *xmlInfo) put(t *Type, f *xmlField) error {
	var same []*xmlField
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
			return &xml.TagPathError{Struct: rtype{t: t}, Field1: old.last().Name, Tag1: old.tag(), Field2: f.last().Name, Tag2: f.tag()}
		}
	}
	i.fields = slices.DeleteFunc(i.fields, func(old *xmlField) bool { return slices.Contains(same, old) })
	i.fields = append(i.fields, f)
	return nil
}

// meets reports that the path of one field is that of the other, or leads to it.
func (f *xmlField) meets(g *xmlField) bool {
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

// xmlValue is the field of v, none if a pointer on the way is nil. If the way is to be
// made, there is none.
func (m *machine) xmlValue(v val, f *xmlField, make bool) val {
	for i, sf := range f.path {
		if i > 0 && v.t.kind == reflect.Pointer && kindOf(v.t.elem) == reflect.Struct {
			if v.isNil() {
				if !make {
					return val{}
				}
				m.allocate(v)
			}
			v = v.elem(m)
		}
		v = v.field(m, sf)
	}
	return v
}

// allocate makes a nil pointer point to a new variable.
func (m *machine) allocate(v val) {
	v.mustBeSettable("Set")
	v.set(m, m.newVal(v.t.elem).addr(m).o, 0)
}

// Methods that encoding/xml looks for, as Go writes their signatures.
var xmlMethods = map[string]string{
	"MarshalXML":       "func(*encoding/xml.Encoder, encoding/xml.StartElement) error",
	"MarshalXMLAttr":   "func(encoding/xml.Name) (encoding/xml.Attr, error)",
	"MarshalText":      "func() ([]byte, error)",
	"UnmarshalXML":     "func(*encoding/xml.Decoder, encoding/xml.StartElement) error",
	"UnmarshalXMLAttr": "func(encoding/xml.Attr) error",
	"UnmarshalText":    "func([]byte) error",
}

// xmlReceiver is what has the method: v itself, or its address.
func (m *machine) xmlReceiver(v val, name string) (val, bool) {
	if v.flag&hidden != 0 {
		return val{}, false
	}
	if v.t.kind == reflect.Interface {
		if v.isNil() {
			return val{}, false
		}
		if v = v.elem(m); m.hasXMLMethod(v.t, name) {
			return v, true
		}
		return val{}, false
	}
	if m.hasXMLMethod(v.t, name) {
		return v, true
	}
	if v.flag&isVar != 0 && v.t.kind != reflect.Pointer {
		if p := v.addr(m); m.hasXMLMethod(p.t, name) {
			return p, true
		}
	}
	return val{}, false
}

func (m *machine) hasXMLMethod(t *Type, name string) bool {
	if t.kind != reflect.Pointer && !hasName(t) && t.kind != reflect.Struct {
		return false
	}
	sig := methodSig(t.t, name)
	return sig != nil && types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), false).String() == xmlMethods[name]
}
