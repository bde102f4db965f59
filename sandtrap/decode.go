package sandtrap

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/types"
	"slices"

	"github.com/sandtrap-go/sandtrap/internal/nearest"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// resultVar is the variable that a script leaves its answer in; see Script.Result.
const resultVar = "result"

// Decode stores the script's variable of this name in the Go variable that into points to.
// Nothing is changed unless all of it fits; otherwise the error matches KindContract and
// names the part that does not fit: "result.Items[3].Price: string does not fit float64".
//
// These values fit:
//   - the same type; bools and strings; numbers that keep their value, of which integers fit floats and floats do
//     not fit integers
//   - lists by their elements, for an array exactly as many as it has; maps by their keys and values
//   - structs, and maps with string keys, by the names of exported fields, as in package encoding/json: the tag, or
//     else the name in upper or lower case, those of embedded structs too. A field may be missing only if it is a
//     pointer or its tag has omitempty or omitzero, and there may be no further exported fields
//   - nil for a type that can be nil, a value for a pointer to its type, anything for any, in the form of Vars, with the
//     types of numbers, a struct for a map with string keys, a function for a *Func
//
// The decoded value is a copy, except for targets of pointers to the host's own types.
//
// A Go variable of a type with a method UnmarshalJSON gets the value in JSON by that method, and one with UnmarshalText a
// text, such as that of a time.Time. Methods of the script's own types, such as MarshalJSON, are not called, and
// the option string of a tag is not looked at. A field that the script's tag leaves out because it is empty is not in
// Vars; Script.Result finds it all the same.
func (r *Result) Decode(name string, into any) error {
	v, ok := r.Vars[name]
	if !ok {
		return contractError(name, fmt.Errorf("the script left no variable %s", name))
	}
	if err := engine.Decode(v, into, name); err != nil {
		return contractError(name, err)
	}
	return nil
}

// DecodeReturned stores result i of the function, from 0, in the variable that into points to, like Decode; r is of a call
// of a [Func].
func (r *Result) DecodeReturned(i int, into any) error {
	return decodeOf(r.Returned, i, "result", into)
}

// decodeOf decodes the value at i of a list of values, each of which is a what.
func decodeOf(list []any, i int, what string, into any) error {
	at := fmt.Sprintf("%s %d", what, i+1)
	if i < 0 || i >= len(list) {
		return contractError(at, errors.New("there is no "+at))
	}
	if err := engine.Decode(list[i], into, at); err != nil {
		return contractError(at, err)
	}
	return nil
}

// Func returns the function of the script in the variable of this name, or that Script.Funcs names; nil if there is
// none.
func (r *Result) Func(name string) *Func {
	f, _ := r.Vars[name].(*Func)
	return f
}

// JSON returns the variable of this name in JSON; nil if there is none. Numbers without a form in JSON, such as NaN,
// become strings, in lists and maps too; errors become their messages, and a value without any form its type in parentheses.
// Methods of the script's own types, such as MarshalJSON, are not called. It never fails, and of the host shows its types alone.
func (r *Result) JSON(name string) json.RawMessage {
	v, ok := r.Vars[name]
	if !ok {
		return nil
	}
	return engine.JSON(v, r.Types[name])
}

func contractError(name string, err error) *Error {
	return &Error{Kind: KindContract, Name: name, Message: err.Error()}
}

// misfit is the error of a result that does not fit what the host wants, which it says.
func misfit(err error, into any) *Error {
	e := contractError(resultVar, err)
	e.Hint = engine.Wants(into)
	return e
}

// contract refuses a program whose result cannot be what the host has asked for.
func (p *Plan) contract(prog *rewrite.Program, s Script) error {
	for _, name := range s.Funcs {
		if !slices.ContainsFunc(prog.Vars(), func(v rewrite.Var) bool { return v.Name == name && isFunc(v.Type) }) {
			return noFunction(prog, name)
		}
	}
	if s.Result == nil {
		return nil
	}
	for _, v := range prog.Vars() {
		if v.Name != resultVar {
			continue
		}
		if err := engine.Fits(v.Type, s.Result, resultVar, p.table.TypeOf, (*Func)(nil)); err != nil {
			e := misfit(err, s.Result)
			e.Pos, e.refused = position(prog, v.Obj.Pos()), true
			return e
		}
		return nil
	}
	text := "the program leaves no " + resultVar
	if prog.ReturnsNil() {
		if engine.Fits(types.Typ[types.UntypedNil], s.Result, resultVar, p.table.TypeOf, (*Func)(nil)) == nil {
			return nil
		}
		text += ": it returns nil"
	}
	e := contractError(resultVar, errors.New(text))
	e.Hint, e.refused = wayToResult(prog), true
	return e
}

// noFunction is the error of a program without a function that the host calls.
func noFunction(prog *rewrite.Program, name string) *Error {
	text := "the program declares no function " + name + ", which the host calls"
	scope := prog.Main().Package.Scope()
	var near []string
	for _, other := range scope.Names() {
		if isFunc(scope.Lookup(other).Type()) && !parse.Reserved(other) {
			near = append(near, other)
		}
	}
	hint := "declare it at the top level, without type parameters: func " + name + "(...)"
	if other := nearest.Name(name, near); other != "" && other != name {
		hint = "rename " + other + " to " + name
	}
	e := contractError(name, errors.New(text))
	e.Hint, e.refused = hint, true
	return e
}

// wayToResult says how a program gives a value to its host.
func wayToResult(prog *rewrite.Program) string {
	if prog.Snippet() {
		return "end with return and the value"
	}
	return "declare it at the top level: var " + resultVar + " ..., and assign to it in main"
}

func isFunc(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// answer decodes what the host has asked for.
func (r *run) answer(list []engine.Var) *Error {
	for _, v := range list {
		if v.Name != resultVar {
			continue
		}
		if err := engine.Decode(v.Value, r.script.Result, resultVar); err != nil {
			return misfit(err, r.script.Result)
		}
		return nil
	}
	if err := engine.Decode(nil, r.script.Result, resultVar); err != nil { // no return statement with a value was reached
		e := contractError(resultVar, errors.New("the program left no "+resultVar))
		e.Hint = wayToResult(r.prog.prog)
		return e
	}
	return nil
}
