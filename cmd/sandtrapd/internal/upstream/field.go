package upstream

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
)

func (b *shaper) field(s *jsonschema.Schema, name, property, of string, required bool) field {
	p := s.Properties[property]
	t, null := b.of(p, of+name)
	f := field{name: name, json: property, shape: t, required: required || !b.input, null: null, doc: fieldDoc(p)}
	if b.input && required {
		f.shape = b.nullable(t, null)
	}
	if b.input && !required && saysZero(p, t) {
		f.doc = strings.TrimSpace(map[kind]string{ofBool: "A bool. ", ofInt: "An int. ", ofNumber: "A number. "}[t.kind] + f.doc)
		f.shape = &shape{}
	}
	return f
}

// saysZero reports that an optional property whose value is zero says something else than one that is left out: such a field is any, whose
// zero is nil.
func saysZero(s *jsonschema.Schema, t *shape) bool {
	def := string(s.Default)
	switch t.kind {
	case ofBool:
		return def != "false"
	case ofInt, ofNumber:
		return def != "" && def != "0" && def != "null" && s.Minimum != nil && *s.Minimum <= 0
	}
	return false
}

// isTag reports that a property can be in the tag of a field.
func isTag(name string) bool {
	ok := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	}
	return name != "" && name != "-" && len(name) <= 100 && !strings.ContainsFunc(name, func(r rune) bool { return !ok(r) })
}

// fieldDoc is the comment on a field: its description, and what its type does not say.
func fieldDoc(s *jsonschema.Schema) string {
	doc := plainDoc(s.Description, maxFieldDoc)
	for _, p := range slices.Concat(s.AnyOf, s.OneOf) {
		if len(s.Enum) == 0 && len(p.Enum) > 0 {
			s = &jsonschema.Schema{Enum: p.Enum, Default: s.Default}
		}
	}
	var more []string
	if len(s.Enum) > 0 {
		var values []string
		for _, v := range s.Enum {
			text, _ := json.Marshal(v) // it was JSON
			values = append(values, string(text))
		}
		more = append(more, "One of "+strings.Join(values, ", ")+".")
	}
	if len(s.Default) > 0 && string(s.Default) != "null" {
		more = append(more, fmt.Sprintf("Default %s.", s.Default))
	}
	if len(more) == 0 {
		return doc
	}
	if doc != "" && !strings.HasSuffix(doc, ".") {
		doc += "."
	}
	return strings.TrimSpace(doc + " " + plainDoc(strings.Join(more, " "), maxFieldDoc))
}
