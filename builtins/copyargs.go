package builtins

import (
	"context"
	"fmt"
	"net/netip"
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
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
	switch v.Kind() {
	case reflect.Slice:
		return copiedSlice(e, v, depth)
	case reflect.Array:
		out := reflect.New(v.Type()).Elem()
		for i := range v.Len() {
			out.Index(i).Set(copiedArg(e, v.Index(i), depth+1))
		}
		return out
	case reflect.Map:
		return copiedMap(e, v, depth)
	case reflect.Struct:
		refuseAliases(v.Type())
		return copiedStruct(e, v, depth)
	case reflect.Interface:
		if v.IsNil() || v.Type() == contextType {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		out.Set(copiedArg(e, v.Elem(), depth+1))
		return out
	case reflect.Pointer:
		if !v.IsNil() && !ofScript(v) {
			refuseAliases(v.Type())
		}
	}
	return v
}

func refuseAliases(t reflect.Type) {
	if bad := aliased(t, map[reflect.Type]bool{}); bad != nil {
		panic(shim.RuntimeError(fmt.Sprintf("a %v cannot be given to a blocking function of the host: the script could use it at the same time", bad)))
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

func copiedSlice(e *Env, v reflect.Value, depth int) reflect.Value {
	if v.IsNil() {
		return v
	}
	e.ChargeProduct(int64(v.Len()), int64(v.Type().Elem().Size()))
	out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
	if flat(v.Type().Elem()) {
		reflect.Copy(out, v)
		return out
	}
	for i := range v.Len() {
		out.Index(i).Set(copiedArg(e, v.Index(i), depth+1))
	}
	return out
}

func copiedMap(e *Env, v reflect.Value, depth int) reflect.Value {
	if v.IsNil() {
		return v
	}
	e.ChargeProduct(int64(v.Len()), int64(v.Type().Elem().Size()+v.Type().Key().Size()))
	out := reflect.MakeMapWithSize(v.Type(), v.Len())
	for it := v.MapRange(); it.Next(); {
		out.SetMapIndex(copiedArg(e, it.Key(), depth+1), copiedArg(e, it.Value(), depth+1))
	}
	return out
}

func copiedStruct(e *Env, v reflect.Value, depth int) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	for i := range v.NumField() {
		if v.Type().Field(i).IsExported() {
			out.Field(i).Set(copiedArg(e, v.Field(i), depth+1))
		}
	}
	return out
}

// flat reports a type whose values have nothing in common when they are copied.
func flat(t reflect.Type) bool {
	return t.Kind() == reflect.String || t.Kind() <= reflect.Complex128
}

// aliased is a part of t that leads to memory which the script and the host would
// share: a pointer, unless to a type of the host's own, which has to be made for several
// goroutines anyway. It is nil if there is none.
func aliased(t reflect.Type, seen map[reflect.Type]bool) reflect.Type {
	if seen[t] {
		return nil
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer:
		if t.Elem().PkgPath() == "" || ofLibrary(t.Elem()) {
			return t
		}
	case reflect.Slice, reflect.Array:
		return aliased(t.Elem(), seen)
	case reflect.Map:
		if bad := aliased(t.Key(), seen); bad != nil {
			return bad
		}
		return aliased(t.Elem(), seen)
	case reflect.Struct:
		ours := ofLibrary(t) && !immutable[t]
		for i := range t.NumField() {
			f := t.Field(i)
			if ours && !f.IsExported() && !flat(f.Type) {
				return t
			}
			if f.IsExported() {
				if bad := aliased(f.Type, seen); bad != nil {
					return bad
				}
			}
		}
	case reflect.UnsafePointer:
		return t
	}
	return nil
}
