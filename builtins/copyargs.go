package builtins

import (
	"context"
	"fmt"
	"net/netip"
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

// What a blocking function is given must not be memory that the script goes on using:
// two goroutines that write one string at a time are the end of the process. So data is
// copied, and what cannot be copied and is not made for several goroutines is refused.

const maxCopyDepth = 1000 // values in values

// copiedArg is v without memory in common with the script.
func copiedArg(e *Env, v reflect.Value, depth int) reflect.Value {
	if depth > maxCopyDepth {
		panic(shim.RuntimeError("a value is nested too deep for a blocking function of the host"))
	}
	k := v.Kind()
	switch {
	case k == reflect.Invalid || v.Type() == contextType || kinds.Nilable.Has(k) && v.IsNil():
		return v
	case k == reflect.Struct, k == reflect.Pointer && !ofScript(v):
		refuseAliases(e, v.Type())
	case k == reflect.Slice:
		e.ChargeProduct(int64(v.Len()), int64(v.Type().Elem().Size()))
	case k == reflect.Map:
		e.ChargeProduct(int64(v.Len()), int64(v.Type().Elem().Size()+v.Type().Key().Size()))
	}
	return kinds.Rebuilt(v, func(part reflect.Value) reflect.Value { return copiedArg(e, part, depth+1) })
}

func refuseAliases(e *Env, t reflect.Type) {
	if bad := aliased(t, map[reflect.Type]bool{}); bad != nil {
		panic(shim.RuntimeError(fmt.Sprintf("a %s cannot be given to a blocking function of the host: the script could use it at the same time", e.NameOf(bad))))
	}
}

// immutable are structs of the standard library that lead to nothing that changes.
var immutable = map[reflect.Type]bool{
	reflect.TypeFor[time.Time]():  true,
	reflect.TypeFor[netip.Addr](): true, reflect.TypeFor[netip.AddrPort](): true, reflect.TypeFor[netip.Prefix](): true,
}

// ofLibrary reports a type of the curated packages, or one of ours in place of theirs.
func ofLibrary(t reflect.Type) bool {
	return ofShims(t) || stdPackage(t.PkgPath()) != nil
}

var contextType = reflect.TypeFor[context.Context]()

// ofScript reports what an engine shows the host for a value of the script's: its
// methods run on the goroutine of the tasks.
func ofScript(v reflect.Value) bool {
	return script.ViewOf(v.Interface()) != nil
}

// aliased is a part of t that leads to memory which the script and the host would
// share: a pointer, unless to a type of the host's own, which has to be made for several
// goroutines anyway. It is nil if there is none.
func aliased(t reflect.Type, seen map[reflect.Type]bool) reflect.Type {
	if seen[t] {
		return nil
	}
	seen[t] = true
	switch k := t.Kind(); {
	case k == reflect.UnsafePointer, k == reflect.Pointer && (t.Elem().PkgPath() == "" || ofLibrary(t.Elem())):
		return t
	case k == reflect.Struct:
		return aliasedField(t, seen)
	case kinds.Composite.Has(k):
		for part := range kinds.Parts(t) {
			if bad := aliased(part, seen); bad != nil {
				return bad
			}
		}
	}
	return nil
}

// aliasedField is aliased for the fields of a struct. Those that are not exported are the business of who declared it, but for
// the library's.
func aliasedField(t reflect.Type, seen map[reflect.Type]bool) reflect.Type {
	ours := ofLibrary(t) && !immutable[t]
	for f := range t.Fields() {
		if !f.IsExported() {
			if ours && !kinds.Basic.Has(f.Type.Kind()) {
				return t
			}
		} else if bad := aliased(f.Type, seen); bad != nil {
			return bad
		}
	}
	return nil
}
