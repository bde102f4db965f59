package toolfile

import (
	"context"
	"encoding/json"
	"fmt"
	"go/types"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/internal/made"
)

// A function is one that a file declares.
type function struct {
	name   string
	typ    reflect.Type // with a context
	params []string
	args   reflect.Type // a struct of the arguments, with their names in JSON
	out    reflect.Type // what is read: the result, or a struct of several; nil for none
	many   bool         // out is a struct of several results
	fails  bool         // the last result is an error
}

var (
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
)

func (m *maker) function(obj *types.Func) *function {
	sig := obj.Signature()
	if sig.Params().Len()+sig.Results().Len() > maxParams {
		refuse(obj.Pos(), "%s has more than %d parameters and results: use a struct", obj.Name(), maxParams)
	}
	f := &function{name: obj.Name()}
	in, out := []reflect.Type{contextType}, []reflect.Type{}
	var args []reflect.StructField
	for v := range sig.Params().Variables() {
		t := m.of(v)
		if hasPointer(t) {
			refuse(v.Pos(), "%s has a pointer, and a tool has no memory in common with the script: pass the value, or a list of one or none", v.Name())
		}
		in, f.params, args = append(in, t), append(f.params, v.Name()), append(args, field("A", len(args), v.Name(), t))
	}
	results := m.results(f, sig)
	for _, r := range results {
		out = append(out, r.Type)
	}
	if f.fails {
		out = append(out, errorType)
	}
	m.signature(obj, append(in, out...))
	f.args, f.typ = reflect.StructOf(args), reflect.FuncOf(in, out, sig.Variadic())
	switch len(results) {
	case 0:
	case 1:
		f.out = results[0].Type
	default:
		f.out, f.many = reflect.StructOf(results), true
	}
	return f
}

// results are those of f without an error, as fields of a struct.
func (m *maker) results(f *function, sig *types.Signature) (list []reflect.StructField) {
	last := sig.Results().Len() - 1
	for i := range last + 1 {
		v := sig.Results().At(i)
		if types.Identical(v.Type(), types.Universe.Lookup("error").Type()) {
			if i < last {
				refuse(v.Pos(), "an error is the last result, and the only one: move it to the end")
			}
			f.fails = true
			continue
		}
		name := v.Name()
		if name == "" {
			name = fmt.Sprint("r", i)
		}
		list = append(list, field("R", i, name, m.of(v)))
	}
	return list
}

// signature counts what Go prints of a function of these types, and of the structs of its arguments and results.
func (m *maker) signature(obj *types.Func, list []reflect.Type) {
	text, written := 0, 0
	for _, t := range list {
		text += 2 * len(t.String())
		written += m.written(t)
	}
	switch m.text += text; {
	case text > 2*maxText || m.text > maxAllText:
		refuse(obj.Pos(), "%s has types that are made of too many others: leave some fields out, or pass parts as any", obj.Name())
	case written > maxWritten:
		refuse(obj.Pos(), "the types of %s have too many parts: declare types for some", obj.Name())
	}
}

// field is one of a struct, the nth, by its name in JSON.
func field(prefix string, n int, name string, t reflect.Type) reflect.StructField {
	return reflect.StructField{Name: fmt.Sprint(prefix, n), Type: t, Tag: reflect.StructTag(`json:"` + name + `"`)}
}

// hasPointer reports a pointer in values of t.
func hasPointer(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		return true
	}
	if t.PkgPath() == "time" {
		return false
	}
	for part := range kinds.Parts(t) {
		if hasPointer(part) {
			return true
		}
	}
	return false
}

// names are those of the types of a file.
type names map[reflect.Type]string

// of is the name of t for scripts.
func (n names) of(t reflect.Type) string {
	if name, ok := n[t]; ok {
		return name
	}
	if t.Name() == "" {
		switch t.Kind() {
		case reflect.Pointer:
			return "*" + n.of(t.Elem())
		case reflect.Slice:
			return "[]" + n.of(t.Elem())
		case reflect.Map:
			return "map[" + n.of(t.Key()) + "]" + n.of(t.Elem())
		}
	}
	if _, ok := made.Name(t); ok || t.Kind() == reflect.Struct && t.Name() == "" {
		return "struct"
	}
	return t.String()
}

// withKind is the name of t with what it is a name for, unless that is a struct.
func (n names) withKind(t reflect.Type) string {
	if name, ok := n[t]; ok && t.Kind() != reflect.Struct {
		return name + " (" + made.Bare(t).String() + ")"
	}
	return n.of(t)
}

// marshal is v in JSON, as it is for programs that put it into no web page.
func marshal(v any) (json.RawMessage, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return json.RawMessage(strings.TrimSuffix(b.String(), "\n")), nil
}
