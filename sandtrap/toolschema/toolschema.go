// Package toolschema describes the functions of a policy in JSON Schema, for hosts that also offer them to a model as
// single tools, or that put the schemas into a prompt.
//
// It may not run anything, and hosts without it do not link its schema library.
package toolschema

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/internal/made"
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
// have the names of encoding/json, and types its forms, such as base64 for []byte; for structs in Funcs they have the
// comments of Docs. A type that holds itself is in the $defs of the Input or Output, and referred to there. A type without a
// form in JSON, such as a channel, is an error that names the function; the list has all others then.
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
	forms := newForms(docs)
	for i, t := range params {
		name := fmt.Sprintf("arg%d", i+1)
		if names != nil {
			name = names[i]
		}
		param, err := forms.schema(t)
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", name, err)
		}
		s.Properties[name], s.PropertyOrder = param, append(s.PropertyOrder, name)
		if !ft.IsVariadic() || i < len(params)-1 {
			s.Required = append(s.Required, name)
		}
	}
	s.Defs = forms.defs
	return s, nil
}

func output(ft reflect.Type, docs map[string]string) (*jsonschema.Schema, error) {
	results := slices.Collect(ft.Outs())
	if n := len(results); n > 0 && results[n-1] == errorType {
		results = results[:n-1]
	}
	var list []*jsonschema.Schema
	forms := newForms(docs)
	for i, t := range results {
		s, err := forms.schema(t)
		if err != nil {
			return nil, fmt.Errorf("result %d: %w", i+1, err)
		}
		list = append(list, s)
	}
	switch len(list) {
	case 0:
		return nil, nil
	case 1:
		list[0].Defs = forms.defs
		return list[0], nil
	}
	return &jsonschema.Schema{Type: "array", PrefixItems: list, MinItems: jsonschema.Ptr(len(list)), MaxItems: jsonschema.Ptr(len(list)), Defs: forms.defs}, nil
}

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

// nameOf is the name of a type among the comments.
func nameOf(t reflect.Type) string {
	if full, ok := made.Name(t); ok {
		return full[strings.LastIndexByte(full, '.')+1:]
	}
	return t.Name()
}

func fields(s *jsonschema.Schema, t reflect.Type, docs map[string]string) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		property := s.Properties[cmp.Or(name, f.Name)]
		if property == nil {
			continue
		}
		if doc := docs[nameOf(t)+"."+f.Name]; doc != "" {
			property.Description = doc
		}
		comment(property, f.Type, docs)
	}
}
