package toolfile

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Call calls a tool. The arguments are an object by the names of the parameters, in their order. The result is that of the
// function in JSON, or an object if there are several, by their names or r0, r1 and so on; it is null or empty if there is none.
// An error becomes that of the function; one without an error as its last result panics with the text.
//
// A Call bounds what it reads of a client: in memory a result takes many times the bytes that it has as text.
type Call func(ctx context.Context, name string, args json.RawMessage) (result json.RawMessage, err error)

// Members are the functions, each of which calls, and the types, for Policy.Funcs.
func (f *File) Members(call Call) map[string]any {
	members := map[string]any{}
	for _, t := range f.types {
		members[t.name] = builtins.Made{Type: reflect.Zero(reflect.PointerTo(t.typ)).Interface(), Fields: t.fields}
	}
	for _, fn := range f.funcs {
		params := fn.params
		if params == nil {
			params = []string{}
		}
		value := reflect.MakeFunc(fn.typ, func(in []reflect.Value) []reflect.Value { return fn.call(f.names, call, in) })
		members[fn.name] = sandtrap.Member{Value: value.Interface(), Params: params, Blocking: true}
	}
	return members
}

// Check reports whether a result of the named function fits its type.
func (f *File) Check(name string, result json.RawMessage) error {
	for _, fn := range f.funcs {
		if fn.name == name {
			_, err := fn.read(f.names, result)
			return err
		}
	}
	return fmt.Errorf("there is no function %s", name)
}

// call calls a tool with arguments of Go, of which the first is the context.
func (f *function) call(n names, call Call, in []reflect.Value) []reflect.Value {
	results, err := f.called(n, call, in)
	switch {
	case err == nil && !f.fails:
		return results
	case err == nil:
		return append(results, reflect.Zero(errorType))
	case !f.fails:
		panic(err.Error())
	}
	list := make([]reflect.Value, f.typ.NumOut())
	for i := range list {
		list[i] = reflect.New(f.typ.Out(i)).Elem()
	}
	list[len(list)-1].Set(reflect.ValueOf(err))
	return list
}

func (f *function) called(n names, call Call, in []reflect.Value) ([]reflect.Value, error) {
	args := reflect.New(f.args).Elem()
	for i, v := range in[1:] {
		if f.typ.IsVariadic() && i == len(in)-2 && v.IsNil() {
			v = reflect.MakeSlice(v.Type(), 0, 0)
		}
		args.Field(i).Set(v)
	}
	text, err := marshal(args.Interface())
	if err != nil {
		return nil, fmt.Errorf("%s: the arguments: %w", f.name, err)
	}
	ctx, _ := in[0].Interface().(context.Context)
	result, err := call(ctx, f.name, text)
	if err != nil {
		return nil, err
	}
	return f.read(n, result)
}
