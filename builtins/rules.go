package builtins

import (
	"context"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimcontext "github.com/sandtrap-go/sandtrap/builtins/internal/shim/context"
	shimregexp "github.com/sandtrap-go/sandtrap/builtins/internal/shim/regexp"
	shimtime "github.com/sandtrap-go/sandtrap/builtins/internal/shim/time"
)

// rules are a table as the Env of a run asks it.
type rules struct{ t *Table }

// Serve makes e query t about values of the host.
func (t *Table) Serve(e *Env) { e.Rules = rules{t} }

func (r rules) Showing(rt reflect.Type) *shim.Showing     { return r.t.showing(rt) }
func (r rules) Untied(rt reflect.Type) reflect.Type       { return r.t.untied(rt) }
func (r rules) TypeName(rt reflect.Type) string           { return r.t.TypeName(rt) }
func (r rules) Shows(rt reflect.Type, method string) bool { return r.t.Shows(rt, method) }
func (r rules) Shape(rt reflect.Type) types.Type          { return r.t.shape(rt) }
func (r rules) Rights(rt reflect.Type) shim.Rights        { return r.t.rightsOf(rt) }
func (r rules) Shared(at uintptr) bool                    { return sharedMemory().holds(at) }

// HoldsError implements shim.Rules.
func (r rules) HoldsError(at uintptr, rt reflect.Type) bool {
	return slices.ContainsFunc(r.t.errorsOfHost(), func(h hostError) bool {
		v := reflect.ValueOf(h.holds())
		return v.Kind() == reflect.Pointer && v.Pointer() == at && v.Type().Elem() == rt
	})
}

// Remade knows values that say all by a text.
func (r rules) Remade(v any) (how, text string, ok bool) {
	switch v := v.(type) {
	case *shimregexp.Regexp:
		how, text = v.Remade()
		return how, text, true
	case *time.Location:
		name := v.String()
		zone, err := shimtime.LoadZone(name)
		return savedZone, name, err == nil && (zone == v || reflect.DeepEqual(zone, v)) // which may be made from the same data
	case context.Context:
		text, ok = shimcontext.Named(v)
		return savedContext, text, ok
	case error:
		name, ok := r.t.errorNamed(v)
		return savedError, name, ok
	}
	return "", "", false
}

const (
	savedZone    = "zone"
	savedContext = "context"
	savedError   = "error"
)

// Remake makes what Remade knows.
func (r rules) Remake(e *Env, how, text string) (any, error) {
	switch how {
	case shimregexp.Saved, shimregexp.SavedLongest:
		return shimregexp.Remake(e, how, text)
	case savedZone:
		return shimtime.LoadZone(text)
	case savedContext:
		return shimcontext.OfName(text)
	case savedError:
		return r.t.namedError(text)
	}
	return nil, fmt.Errorf("nothing is made of %q", how)
}

func (r rules) Method(e *Env, recv reflect.Type, name string) (reflect.Value, error) {
	return r.t.method(e, recv, name)
}
