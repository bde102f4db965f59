package shim

import (
	"go/types"
	"reflect"
)

// A Showing is what printing shows of the values of a type.
type Showing struct {
	Plain  bool  // fmt itself shows just that
	Full   bool  // all that they hold, as compiled Go does
	Fields []int // of a struct, those that are printed

	// Has are the methods that packages look for, of those that scripts see.
	Has map[string]bool
}

// SoughtMethods are those that packages look for in what they are given. Of types that
// scripts are not shown the true ones are open: what errors and texts are asked for. Format
// is none of them, since it may show more than the text.
var SoughtMethods = map[string]bool{
	"Error": true, "String": true, "GoString": true, "Unwrap": true, "Is": true, "As": true,
	"Format": false, "LogValue": false, "MarshalText": false, "MarshalJSON": false,
}

// Rules are what the table of a run says of values of the host's.
type Rules interface {
	Showing(reflect.Type) *Showing                                          // what printing shows of a type's values
	Untied(reflect.Type) reflect.Type                                       // what a placeholder stands for, or the type itself
	TypeName(reflect.Type) string                                           // as scripts know it
	Shows(rt reflect.Type, method string) bool                              // scripts see the method
	Shape(reflect.Type) types.Type                                          // as scripts see values of it
	Method(env *Env, recv reflect.Type, name string) (reflect.Value, error) // for one run; zero without a row and a price
	Rights(reflect.Type) Rights
	Shared(at uintptr) bool                         // memory of the process's, which no run may write to
	HoldsError(at uintptr, rt reflect.Type) bool    // a variable of the host's holds a pointer to there, which is an error
	Remade(v any) (how, text string, ok bool)       // how a value is saved that a text says
	Remake(env *Env, how, text string) (any, error) // it again
}

// Showing is what printing shows of a type's values. Without a table that is what errors
// and texts say of themselves.
func (e *Env) Showing(rt reflect.Type) *Showing {
	if e.Rules == nil {
		return &Showing{Has: SoughtMethods}
	}
	return e.Rules.Showing(rt)
}

// TypeName is the name of v's type as scripts know it.
func (e *Env) TypeName(v any) string { return goTypeName(v, e.NameOf) }

func (e *Env) NameOf(rt reflect.Type) string {
	if e.Rules == nil {
		return rt.String()
	}
	return e.Rules.TypeName(rt)
}
