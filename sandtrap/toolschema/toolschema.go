// Package toolschema describes the functions of a policy in JSON Schema, for hosts that also offer them to a model as
// single tools, or that put the schemas into a prompt.
//
// It may not run anything, and hosts without it do not link its schema library.
package toolschema

import (
	"cmp"
	"context"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Tool is a function of a policy.
type Tool struct {
	Package     string // its import path; empty for one of Policy.Funcs
	Name        string
	Description string // as in Member.Doc or Docs

	// Input is an object with a property for each parameter that scripts pass, named as in Member.Params, or else
	// arg1, arg2 and so on. All are required except a variadic one, which is an array.
	Input *jsonschema.Schema

	// Output is the result, without a trailing error; nil if there is none. Several results are an array.
	Output *jsonschema.Schema
}

// Of lists the functions of Funcs and of the members of Packages, by package and name. The properties of a struct
// have the names of encoding/json, and types its forms, such as base64 for []byte; for structs in Funcs they have the comments of Docs. A type without a form in
// JSON, such as a channel, or of infinite depth, which JSON Schema has by references alone, is an error that names the
// function; the list has all others then.
func Of(p sandtrap.Policy) ([]Tool, error) {
	tools, err := of("", p.Funcs, p.Docs)
	for _, pkg := range p.Packages {
		members := maps.Clone(pkg.Members)
		if pkg.Object != nil {
			methods, failed := builtins.Methods(pkg.Object)
			if failed != nil {
				err = errors.Join(err, fmt.Errorf("toolschema: %s: Object: %w", pkg.Path, failed))
			}
			if members == nil {
				members = map[string]any{}
			}
			maps.Copy(members, methods)
		}
		more, failed := of(pkg.Path, members, pkg.Docs)
		tools, err = append(tools, more...), errors.Join(err, failed)
	}
	return tools, err
}

func of(path string, members map[string]any, docs map[string]string) (tools []Tool, err error) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		member, ok := members[name].(sandtrap.Member)
		if !ok {
			member.Value = members[name]
		}
		if f, ok := member.Value.(builtins.Function); ok {
			member.Value = f.Fn
		}
		ft := reflect.TypeOf(member.Value)
		if ft == nil || ft.Kind() != reflect.Func {
			continue
		}
		t := Tool{Package: path, Name: name, Description: member.Doc}
		if doc := docs[name]; doc != "" {
			t.Description = doc
		}
		var failed error
		if t.Input, failed = input(ft, member.Params, docs); failed == nil {
			t.Output, failed = output(ft, docs)
		}
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("toolschema: %s: %w", name, failed))
			continue
		}
		tools = append(tools, t)
	}
	return tools, err
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

func input(ft reflect.Type, names []string, docs map[string]string) (*jsonschema.Schema, error) {
	params := slices.Collect(ft.Ins())
	if len(params) > 0 && params[0] == contextType {
		params = params[1:]
	}
	if names != nil && len(names) != len(params) {
		return nil, fmt.Errorf("%d names of parameters for the %d that scripts give", len(names), len(params))
	}
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for i, t := range params {
		name := fmt.Sprintf("arg%d", i+1)
		if names != nil {
			name = names[i]
		}
		param, err := schema(t, docs)
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", name, err)
		}
		s.Properties[name], s.PropertyOrder = param, append(s.PropertyOrder, name)
		if !ft.IsVariadic() || i < len(params)-1 {
			s.Required = append(s.Required, name)
		}
	}
	return s, nil
}

func output(ft reflect.Type, docs map[string]string) (*jsonschema.Schema, error) {
	results := slices.Collect(ft.Outs())
	if n := len(results); n > 0 && results[n-1] == errorType {
		results = results[:n-1]
	}
	var list []*jsonschema.Schema
	for i, t := range results {
		s, err := schema(t, docs)
		if err != nil {
			return nil, fmt.Errorf("result %d: %w", i+1, err)
		}
		list = append(list, s)
	}
	switch len(list) {
	case 0:
		return nil, nil
	case 1:
		return list[0], nil
	}
	return &jsonschema.Schema{Type: "array", PrefixItems: list, MinItems: jsonschema.Ptr(len(list)), MaxItems: jsonschema.Ptr(len(list))}, nil
}

// schema is that of values of type t, with comments on its fields.
func schema(t reflect.Type, docs map[string]string) (*jsonschema.Schema, error) {
	forms := forms{}
	err := forms.add(t, map[reflect.Type]bool{})
	if err != nil {
		return nil, err
	}
	s, err := forms.of(t)
	if err == nil {
		comment(s, t, docs)
	}
	return s, err
}

// forms are the schemas of types whose form in JSON is not that of their kind.
type forms map[reflect.Type]*jsonschema.Schema

func (f forms) of(t reflect.Type) (*jsonschema.Schema, error) {
	return jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: f})
}

// known are types that the schema library knows the form of.
var known = map[reflect.Type]bool{
	reflect.TypeFor[time.Time](): true, reflect.TypeFor[slog.Level](): true, reflect.TypeFor[big.Rat](): true, reflect.TypeFor[big.Float](): true,
}

// add adds those of t and of what it is made of.
func (f forms) add(t reflect.Type, seen map[reflect.Type]bool) (err error) {
	if seen[t] || known[t] {
		return nil
	}
	seen[t] = true
	switch {
	case t == reflect.TypeFor[big.Int]():
		f[t] = &jsonschema.Schema{Type: "integer"}
	case t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer && t.Name() == "":
	case implements(t, reflect.TypeFor[json.Marshaler]()):
		f[t] = &jsonschema.Schema{}
	case implements(t, reflect.TypeFor[encoding.TextMarshaler]()):
		f[t] = &jsonschema.Schema{Type: "string"}
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && !marshals(t.Elem()):
		f[t] = &jsonschema.Schema{Types: []string{"null", "string"}, ContentEncoding: "base64"}
	}
	if f[t] != nil {
		return nil
	}
	for part := range parts(t) {
		if err := f.add(part, seen); err != nil {
			return err
		}
	}
	if t.Kind() != reflect.Map || !isInteger(t.Key().Kind()) || marshals(t.Key()) {
		return nil
	}
	elem, err := f.of(t.Elem())
	f[t] = &jsonschema.Schema{Type: "object", PropertyNames: &jsonschema.Schema{Pattern: "^-?[0-9]+$"}, AdditionalProperties: elem}
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

// comment adds the comments on fields of t, and of what it is made of, to their properties.
func comment(s *jsonschema.Schema, t reflect.Type, docs map[string]string) {
	if s == nil {
		return
	}
	switch k := t.Kind(); {
	case k == reflect.Pointer:
		comment(s, t.Elem(), docs)
	case k == reflect.Map:
		comment(s.AdditionalProperties, t.Elem(), docs)
	case s.Items != nil:
		comment(s.Items, t.Elem(), docs)
	case k == reflect.Struct:
		fields(s, t, docs)
	}
}

func fields(s *jsonschema.Schema, t reflect.Type, docs map[string]string) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		property := s.Properties[cmp.Or(name, f.Name)]
		if property == nil {
			continue
		}
		if doc := docs[t.Name()+"."+f.Name]; doc != "" {
			property.Description = doc
		}
		comment(property, f.Type, docs)
	}
}
