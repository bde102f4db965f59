package upstream

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

// A kind is one of Go's types.
type kind int

const (
	ofAny kind = iota
	ofBool
	ofInt
	ofNumber
	ofText
	ofList
	ofMap
	ofStruct
)

// A shape is the Go type of values of a schema.
type shape struct {
	kind   kind
	elem   *shape // of a list or a dictionary
	name   string // of a structure
	doc    string
	fields []field
}

// A field is one of a structure.
type field struct {
	name, json string
	shape      *shape
	required   bool // always, of a result: the zero value stands for what is left out
	null       bool // it may be null
	doc        string
}

// The limits on the types of one tool.
const (
	maxStructs = 64
	maxFields  = 200
)

// A shaper makes the types of a tool.
type shaper struct {
	names *names
	input bool              // of arguments: what is left out is not sent
	done  map[string]*shape // structures, by their schemas
	list  []*shape          // of them, in their order
}

// of is the shape of values of s. A structure gets the name, and whether null is a value.
func (b *shaper) of(s *jsonschema.Schema, name string) (t *shape, null bool) {
	if s == nil {
		return &shape{}, true
	}
	if parts := slices.Concat(s.AnyOf, s.OneOf); len(parts) > 0 && len(s.Properties) == 0 {
		return b.union(parts, name)
	}
	if len(s.AllOf) > 0 {
		s = merged(s)
	}
	types := s.Types
	if s.Type != "" {
		types = []string{s.Type}
	}
	null = slices.Contains(types, "null")
	types = slices.DeleteFunc(slices.Clone(types), func(name string) bool { return name == "null" })
	switch len(types) {
	case 0:
		return b.typed(s, guess(s), name), null
	case 1:
		return b.typed(s, types[0], name), null
	}
	if len(types) == 2 && slices.Contains(types, "integer") && slices.Contains(types, "number") {
		return &shape{kind: ofNumber}, null
	}
	return &shape{}, null
}

// guess is the type of a schema that names none, empty if it may have more than one.
func guess(s *jsonschema.Schema) string {
	switch {
	case len(s.Properties) > 0:
		return "object"
	case s.Items != nil:
		return "array"
	}
	values := s.Enum
	if s.Const != nil {
		values = []any{*s.Const}
	}
	if len(values) == 0 || slices.ContainsFunc(values, func(v any) bool { _, ok := v.(string); return !ok }) {
		return ""
	}
	return "string"
}

func (b *shaper) typed(s *jsonschema.Schema, name, structName string) *shape {
	switch name {
	case "boolean":
		return &shape{kind: ofBool}
	case "integer":
		return &shape{kind: ofInt}
	case "number":
		return &shape{kind: ofNumber}
	case "string":
		return &shape{kind: ofText}
	case "array":
		if len(s.PrefixItems) > 0 {
			return &shape{kind: ofList, elem: &shape{}}
		}
		elem, null := b.of(s.Items, structName+"Item")
		return &shape{kind: ofList, elem: b.nullable(elem, null)}
	case "object":
		if len(s.Properties) > 0 {
			return b.structure(s, structName)
		}
		elem, null := b.of(s.AdditionalProperties, structName+"Value")
		return &shape{kind: ofMap, elem: b.nullable(elem, null)}
	}
	return &shape{}
}

// nullable is a shape whose values may be null: of results null becomes the zero value.
func (b *shaper) nullable(t *shape, null bool) *shape {
	if null && b.input && t.kind != ofList && t.kind != ofMap {
		return &shape{}
	}
	return t
}

// union is the shape of values of one of several schemas: that of all of them, or else any.
func (b *shaper) union(parts []*jsonschema.Schema, name string) (one *shape, null bool) {
	var rest []*jsonschema.Schema
	for _, p := range parts {
		if p.Type == "null" {
			null = true
		} else {
			rest = append(rest, p)
		}
	}
	if len(rest) == 1 {
		one, also := b.of(rest[0], name)
		return one, null || also
	}
	for i, p := range rest {
		if len(p.Properties) > 0 || p.Type == "array" || p.Type == "object" || len(p.AnyOf)+len(p.OneOf)+len(p.AllOf) > 0 {
			return &shape{}, null
		}
		t, also := b.of(p, name)
		if null = null || also; i > 0 && t.kind != one.kind {
			return &shape{}, null
		}
		one = t
	}
	return one, null
}

// merged is a schema with the properties of those that it has to fit as well.
func merged(s *jsonschema.Schema) *jsonschema.Schema {
	all := *s
	all.Properties, all.AllOf = maps.Clone(s.Properties), nil
	for _, p := range s.AllOf {
		p = merged(p)
		if all.Type == "" && all.Types == nil {
			all.Type, all.Types = p.Type, p.Types
		}
		if all.Items == nil {
			all.Items = p.Items
		}
		if all.Enum == nil {
			all.Enum = p.Enum
		}
		if all.AdditionalProperties == nil {
			all.AdditionalProperties = p.AdditionalProperties
		}
		if all.Properties == nil && p.Properties != nil {
			all.Properties = map[string]*jsonschema.Schema{}
		}
		maps.Copy(all.Properties, p.Properties)
		all.Required = append(slices.Clone(all.Required), p.Required...)
	}
	return &all
}

// structure is the shape of an object with properties. The same schema has the same shape in a tool.
func (b *shaper) structure(s *jsonschema.Schema, name string) *shape {
	key, err := json.Marshal(s)
	if err != nil || b.unnamed(s) != "" || len(b.list) >= maxStructs {
		return &shape{kind: ofMap, elem: &shape{}}
	}
	if t := b.done[string(key)]; t != nil {
		return t
	}
	t := &shape{kind: ofStruct, name: b.names.add(name), doc: s.Description}
	b.done[string(key)] = t
	b.fill(t, s)
	return t
}

// unnamed says why the properties of s cannot be fields, empty if they can.
func (b *shaper) unnamed(s *jsonschema.Schema) string {
	if len(s.Properties) > maxFields {
		return fmt.Sprintf("it has %d properties, and at most %d", len(s.Properties), maxFields)
	}
	for _, name := range s.Required {
		if b.input && s.Properties[name] != nil && !isTag(name) {
			return fmt.Sprintf("the required property %q cannot be a field", plainDoc(name, maxName))
		}
	}
	return ""
}

// fill gives t the fields of the properties of s. Optional ones that cannot be fields are left out.
func (b *shaper) fill(t *shape, s *jsonschema.Schema) {
	b.list = append(b.list, t)
	required := map[string]bool{}
	for _, name := range s.Required {
		required[name] = true
	}
	own := newNames()
	for _, property := range properties(s, required) {
		if isTag(property) {
			t.fields = append(t.fields, b.field(s, own.add(goName(property)), property, t.name, required[property]))
		}
	}
}

// root is the shape of arguments: a structure, whatever the schema is.
func (b *shaper) root(s *jsonschema.Schema, name string) (*shape, error) {
	s = merged(s)
	if why := b.unnamed(s); why != "" {
		return nil, fmt.Errorf("its arguments: %s", why)
	}
	t := &shape{kind: ofStruct, name: name, doc: s.Description}
	b.fill(t, s)
	return t, nil
}

// properties are the names of those of s: first the required ones.
func properties(s *jsonschema.Schema, required map[string]bool) []string {
	list := slices.Sorted(maps.Keys(s.Properties))
	slices.SortStableFunc(list, func(a, b string) int {
		switch {
		case required[a] == required[b]:
			return 0
		case required[a]:
			return -1
		}
		return 1
	})
	return list
}
