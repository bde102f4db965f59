package toolschema

import (
	"encoding"
	"encoding/json"
	"fmt"
	"iter"
	"log/slog"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// Forms make the schemas of the types of one function's parameters or results.
type forms struct {
	docs  map[string]string
	types map[reflect.Type]*jsonschema.Schema // of types whose form in JSON is not that of their kind, and references to defs
	defs  map[string]*jsonschema.Schema       // of types that hold themselves, by name
	seen  map[reflect.Type]bool
	late  []reflect.Type // types that hold themselves and that have no schema among the defs yet
}

func newForms(docs map[string]string) *forms {
	return &forms{docs: docs, types: map[reflect.Type]*jsonschema.Schema{}, seen: map[reflect.Type]bool{}}
}

// schema is that of values of type t, with comments on its fields.
func (f *forms) schema(t reflect.Type) (*jsonschema.Schema, error) {
	if err := f.add(t); err != nil {
		return nil, err
	}
	for len(f.late) > 0 {
		own := f.late[0]
		f.late = f.late[1:]
		if err := f.define(own); err != nil {
			return nil, err
		}
	}
	s, err := f.of(t)
	if err == nil {
		comment(s, t, f.docs)
	}
	return s, err
}

func (f *forms) of(t reflect.Type) (*jsonschema.Schema, error) {
	s, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: f.types})
	if err == nil {
		nullable(s)
	}
	return s, err
}

// nullable lets a pointer to a type that holds itself, or of any form, be null: the schema library allows null alone, since
// its schema has no type.
func nullable(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if slices.Equal(s.Types, []string{"null"}) {
		if s.Types = nil; s.Ref != "" {
			s.AnyOf, s.Ref = []*jsonschema.Schema{{Type: "null"}, {Ref: s.Ref}}, ""
		}
	}
	nullable(s.Items)
	nullable(s.AdditionalProperties)
	for _, property := range s.Properties {
		nullable(property)
	}
}

// known are types that the schema library knows the form of.
var known = map[reflect.Type]bool{
	reflect.TypeFor[time.Time](): true, reflect.TypeFor[slog.Level](): true, reflect.TypeFor[big.Rat](): true, reflect.TypeFor[big.Float](): true,
}

// add adds the forms of t and of what it is made of.
func (f *forms) add(t reflect.Type) (err error) {
	if f.seen[t] || known[t] {
		return nil
	}
	f.seen[t] = true
	if own := form(t); own != nil {
		f.types[t] = own
		return nil
	}
	if t.Name() != "" && holdsItself(t) {
		f.refer(t)
		return nil
	}
	if t.Kind() == reflect.Struct && slices.ContainsFunc(slices.Collect(t.Fields()), isOdd) {
		bare := unnamed(t)
		if err := f.add(bare); err != nil {
			return err
		}
		f.types[t], err = f.of(bare)
		return err
	}
	for part := range parts(t) {
		if err := f.add(part); err != nil {
			return err
		}
	}
	if t.Kind() != reflect.Map {
		return nil
	}
	keys := &jsonschema.Schema{Pattern: "^-?[0-9]+$"}
	if t.Key().Kind() == reflect.String || t.Key().Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		keys = nil
	} else if !isInteger(t.Key().Kind()) {
		return nil // of refuses it
	}
	elem, err := f.of(t.Elem())
	f.types[t] = &jsonschema.Schema{Types: []string{"null", "object"}, PropertyNames: keys, AdditionalProperties: elem} // the schema library has no null
	return err
}

// form is the schema of a type whose form in JSON is not that of its kind, else nil.
func form(t reflect.Type) *jsonschema.Schema {
	switch {
	case t == reflect.TypeFor[big.Int]():
		return &jsonschema.Schema{Type: "integer"}
	case t == reflect.TypeFor[json.Number]():
		return &jsonschema.Schema{Type: "number"}
	case t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer && t.Name() == "":
	case implements(t, reflect.TypeFor[json.Marshaler]()):
		return &jsonschema.Schema{}
	case implements(t, reflect.TypeFor[encoding.TextMarshaler]()):
		return &jsonschema.Schema{Type: "string"}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && !marshals(t.Elem()):
		return &jsonschema.Schema{Types: []string{"null", "string"}, ContentEncoding: "base64"}
	}
	return nil
}

// holdsItself reports that a value of t may have others of t in it.
func holdsItself(t reflect.Type) bool {
	seen := map[reflect.Type]bool{}
	var leads func(reflect.Type) bool
	leads = func(in reflect.Type) bool {
		for part := range parts(in) {
			if part == t {
				return true
			}
			if !seen[part] && !known[part] && form(part) == nil {
				seen[part] = true
				if leads(part) {
					return true
				}
			}
		}
		return false
	}
	return leads(t)
}

// defsPath is where the defs of a schema are, in a reference.
const defsPath = "#/$defs/"

// plain is a rune of a type's name as a reference may have it.
func plain(r rune) rune {
	if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		return r
	}
	return '_'
}

// refer gives t a name among the defs, which define fills in.
func (f *forms) refer(t reflect.Type) {
	if f.defs == nil {
		f.defs = map[string]*jsonschema.Schema{}
	}
	base := strings.Map(plain, t.Name())
	name := base
	for n := 2; f.defs[name] != nil; n++ {
		name = fmt.Sprint(base, n)
	}
	f.defs[name] = &jsonschema.Schema{}
	f.types[t] = &jsonschema.Schema{Ref: defsPath + name}
	f.late = append(f.late, t)
}

// define makes the schema of a type that holds itself, as that of a type of its parts without its name.
func (f *forms) define(t reflect.Type) error {
	bare := unnamed(t)
	if err := f.add(bare); err != nil {
		return err
	}
	s, err := f.of(bare)
	if err == nil {
		comment(s, t, f.docs)
		f.defs[strings.TrimPrefix(f.types[t].Ref, defsPath)] = s
	}
	return err
}

// parts are the types that t is made of, as far as they are in JSON.
func parts(t reflect.Type) iter.Seq[reflect.Type] {
	if t.Kind() != reflect.Struct {
		return kinds.Parts(t)
	}
	return func(yield func(reflect.Type) bool) {
		for f := range t.Fields() {
			if f.Tag.Get("json") != "-" && (f.IsExported() || f.Anonymous) && !yield(f.Type) {
				return
			}
		}
	}
}

func implements(t, method reflect.Type) bool {
	return t.Implements(method) || reflect.PointerTo(t).Implements(method)
}

// marshals reports that values of t say themselves what they are in JSON.
func marshals(t reflect.Type) bool {
	return implements(t, reflect.TypeFor[json.Marshaler]()) || implements(t, reflect.TypeFor[encoding.TextMarshaler]())
}

func isInteger(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Uintptr }
