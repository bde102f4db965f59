package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// schemas are the schemas of the document, one for each named type.
type schemas struct {
	comments   *comments
	components map[string]*jsonschema.Schema
	names      map[reflect.Type]string // of the components
}

func newSchemas() *schemas {
	return &schemas{comments: newComments(), components: map[string]*jsonschema.Schema{}, names: map[reflect.Type]string{}}
}

// rawFields are the types of fields that are kept as JSON.
var rawFields = map[reflect.Type]map[string]any{
	reflect.TypeFor[runs.View](): {"result": (*runjson.Result)(nil)},
}

// encoder is the schema of what a type writes that encodes itself; nil for others.
func (s *schemas) encoder(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[time.Time]():
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	case reflect.TypeFor[json.RawMessage]():
		return &jsonschema.Schema{Types: []string{"null", "boolean", "number", "string", "array", "object"}, Description: "any JSON"}
	}
	return nil
}

// errorSchema is what sandtrap.Error encodes itself as.
const errorSchema = `{"type":"object","required":["kind","message","stack"],"properties":{
	"kind":{"$ref":"#/components/schemas/Kind"},
	"message":{"type":"string","description":"what is wrong"},
	"hint":{"type":"string","description":"what to do; may be empty"},
	"name":{"type":"string","description":"the name that it is about"},
	"file":{"type":"string"},"line":{"type":"integer","description":"of the text as sent, from 1"},"column":{"type":"integer"},
	"excerpt":{"type":"string","description":"the line, and a mark below it"},
	"code":{"type":"integer","description":"the exit code of os.Exit"},
	"stack":{"type":"array","description":"calls of the script, innermost first","items":{"type":"object","required":["func","line","column"],
		"properties":{"func":{"type":"string"},"line":{"type":"integer"},"column":{"type":"integer"},"file":{"type":"string"}}}},
	"more":{"type":"array","description":"the other reasons of a refusal","items":{"$ref":"#/components/schemas/Error"}}}}`

// content is the body of a request or a response, by media type.
func (s *schemas) content(v any, in bool) (object, error) {
	if m, ok := v.(media); ok {
		switch {
		case m == eventStream:
			return object{string(m): object{"schema": object{"type": "string", "description": s.eventsAbout()}}}, nil
		case strings.HasPrefix(string(m), "text/"):
			return object{string(m): object{"schema": object{"type": "string"}}}, nil
		}
		return object{string(m): object{}}, nil // bytes
	}
	ref, err := s.ref(v, in)
	return object{"application/json": object{"schema": ref}}, err
}

// eventsAbout says what a stream of events has.
func (s *schemas) eventsAbout() string {
	var text strings.Builder
	text.WriteString("Server-sent events: each has an id, which counts from 1, an event, which is its kind, and data, which is a JSON object. " +
		"A stream that broke off goes on with ?after= or Last-Event-ID. Kinds: ")
	for i, c := range s.comments.constants(reflect.TypeFor[runs.EventKind]()) {
		if i > 0 {
			text.WriteString("; ")
		}
		text.WriteString(c.value)
		if c.about != "" {
			text.WriteString(" (" + c.about + ")")
		}
	}
	return text.String() + "."
}

// ref is the schema of v: a reference to the component of its type, which is made if it is missing.
func (s *schemas) ref(v any, in bool) (object, error) {
	schema, err := s.of(reflect.TypeOf(v), in)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	out := object{}
	return out, json.Unmarshal(text, &out)
}

// of is the schema of a type. Named structs, and named strings with constants, are components.
func (s *schemas) of(t reflect.Type, in bool) (*jsonschema.Schema, error) {
	if schema := s.encoder(t); schema != nil {
		return schema, nil
	}
	switch {
	case t.Kind() == reflect.Pointer:
		to, err := s.of(t.Elem(), in)
		if err != nil || in {
			return to, err
		}
		return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{to, {Type: "null"}}}, nil
	case t == reflect.TypeFor[[]byte]():
		return &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}, nil
	case t.Kind() == reflect.Slice:
		items, err := s.of(t.Elem(), in)
		return &jsonschema.Schema{Type: "array", Items: items}, err
	case t.Kind() == reflect.Map:
		values, err := s.of(t.Elem(), in)
		return &jsonschema.Schema{Type: "object", AdditionalProperties: values}, err
	case t.Kind() == reflect.Struct && t.Name() != "", t.Kind() == reflect.String && len(s.comments.constants(t)) > 0:
		return s.component(t, in)
	}
	return jsonschema.ForType(t, nil)
}

func (s *schemas) component(t reflect.Type, in bool) (*jsonschema.Schema, error) {
	if name, known := s.names[t]; known {
		return reference(name), nil
	}
	name := componentName(t)
	if slices.Contains(slices.Collect(maps.Values(s.names)), name) {
		name = title(path.Base(t.PkgPath())) + title(t.Name())
	}
	s.names[t] = name
	schema, err := s.make(t, in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t, err)
	}
	schema.Description = strings.Replace(s.comments.ofType(t), " "+t.Name()+" ", " "+name+" ", 1)
	s.components[name] = schema
	return reference(name), nil
}

func reference(name string) *jsonschema.Schema {
	return &jsonschema.Schema{Ref: "#/components/schemas/" + name}
}

func (s *schemas) make(t reflect.Type, in bool) (*jsonschema.Schema, error) {
	if t == reflect.TypeFor[sandtrap.Error]() {
		if _, err := s.component(reflect.TypeFor[sandtrap.Kind](), in); err != nil {
			return nil, err
		}
		schema := &jsonschema.Schema{}
		return schema, json.Unmarshal([]byte(errorSchema), schema)
	}
	if t.Kind() == reflect.String {
		schema := &jsonschema.Schema{Type: "string"}
		for _, c := range s.comments.constants(t) {
			schema.Enum = append(schema.Enum, c.value)
		}
		if t == reflect.TypeFor[sandtrap.Isolation]() {
			schema.Enum = append(schema.Enum, "") // of a run that has not begun
		}
		return schema, nil
	}
	return s.structOf(t, in)
}

// structOf has jsonschema say which properties a struct has, and which are required; nested types are references.
func (s *schemas) structOf(t reflect.Type, in bool) (*jsonschema.Schema, error) {
	schema := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	if in {
		schema.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}} // a request with an unknown field is refused
	}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" || !f.IsExported() || name == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		of := f.Type
		if raw, ok := rawFields[t][name]; ok {
			of = reflect.TypeOf(raw)
		}
		property, err := s.of(of, in)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if about := s.comments.ofField(t, f); about != "" {
			property.Description = about
		}
		schema.Properties[name] = property
		schema.PropertyOrder = append(schema.PropertyOrder, name)
		if !strings.Contains(options, "omit") && !slices.Contains(optional[t], name) {
			schema.Required = append(schema.Required, name)
		}
	}
	return schema, nil
}

// needed reports that a body cannot be left out: it is not JSON, or has a field that cannot.
func (s *schemas) needed(in any) bool {
	if _, ok := in.(media); ok {
		return true
	}
	c := s.components[s.names[reflect.TypeOf(in)]]
	return c == nil || len(c.Required) > 0
}

// optional are fields of requests that may be left out, though a server that writes them does not leave them out.
var optional = map[reflect.Type][]string{reflect.TypeFor[forks](): {"n"}}

// componentName is the name of a type in the document: its own, for a View, Request or Result of a package that of what it is about, and
// with the name of its package before it if that is one of the library's.
func componentName(t reflect.Type) string {
	of := strings.TrimSuffix(path.Base(t.PkgPath()), "s")
	if strings.HasPrefix(t.PkgPath(), module+"/sandtrap/") {
		return title(path.Base(t.PkgPath())) + title(t.Name())
	}
	switch {
	case t.Name() == "View":
		return title(of)
	case t.Name() == "Request", t.Name() == "Result" && of != "runjson":
		return title(of) + t.Name()
	}
	return title(t.Name())
}

func title(name string) string { return strings.ToUpper(name[:1]) + name[1:] }
