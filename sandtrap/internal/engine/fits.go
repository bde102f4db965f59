package engine

import (
	"fmt"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// Fits reports that values of type t can be decoded into an rt, as far as types tell: the
// error is what Decode says of those that cannot. Of what lies in interfaces and of numbers
// that are too large they do not tell. into points to an rt; host gives the Go types of those
// of the host; fn has the type that Run.Hand gives for functions.
func Fits(t types.Type, into any, at string, host TypeOf, fn any) error {
	to, err := Target(into, at)
	if err != nil {
		return err
	}
	f := &fitting{host: host, fn: reflect.TypeOf(fn), seen: map[[2]any]bool{}}
	return f.fits(t, to.Type(), variable(at))
}

type fitting struct {
	host TypeOf
	fn   reflect.Type
	seen map[[2]any]bool
}

func (f *fitting) fits(t types.Type, rt reflect.Type, p *place) error {
	t = types.Unalias(t)
	if pair := [2]any{t, rt}; f.seen[pair] {
		return nil
	} else {
		f.seen[pair] = true
	}
	if t == types.Typ[types.UntypedNil] {
		return decodeNil(reflect.Zero(rt), p)
	}
	if own, err := f.host(t); err == nil && own == rt {
		return nil
	}
	if _, ok := t.Underlying().(*types.Signature); ok && rt == f.fn {
		return nil
	}
	if ptr, ok := t.Underlying().(*types.Pointer); ok { // what it leads to is handed out
		if rt.Kind() == reflect.Pointer {
			rt = rt.Elem()
		}
		return f.fits(ptr.Elem(), rt, p)
	}
	if types.IsInterface(t) || ReadsJSON(rt) || ReadsText(rt) && kindOf(t) == reflect.String {
		return nil
	}
	switch rt.Kind() {
	case reflect.Interface:
		return nil
	case reflect.Pointer:
		return f.fits(t, rt.Elem(), p)
	}
	misfit := p.error("%s does not fit %s", types.TypeString(t, (*types.Package).Name), shape(rt))
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if FitsKind(kinds.OfBasic(u), rt.Kind()) {
			return nil
		}
	case *types.Slice:
		if rt.Kind() == reflect.Slice || rt.Kind() == reflect.Array {
			return f.fits(u.Elem(), rt.Elem(), p.at(""))
		}
	case *types.Array:
		if rt.Kind() == reflect.Slice || rt.Kind() == reflect.Array && int64(rt.Len()) == u.Len() {
			return f.fits(u.Elem(), rt.Elem(), p.at(""))
		}
	case *types.Map:
		return f.fitsMap(u, rt, p, misfit)
	case *types.Struct:
		if rt.Kind() == reflect.Struct || rt.Kind() == reflect.Map && rt.Key().Kind() == reflect.String {
			return f.fitsStruct(t, rt, p)
		}
	}
	return misfit
}

func (f *fitting) fitsMap(t *types.Map, rt reflect.Type, p *place, misfit error) error {
	if rt.Kind() == reflect.Struct && FitsKind(kindOf(t.Key()), reflect.String) {
		for _, hf := range hostFields(rt) {
			if err := f.fits(t.Elem(), hf.typ, p.field(hf.Name)); err != nil {
				err.(*DecodeError).Why += "; values of different types fit in a struct or a map[string]any"
				return err
			}
		}
		return nil
	}
	if rt.Kind() != reflect.Map {
		return misfit
	}
	if err := f.fits(t.Key(), rt.Key(), p.at("")); err != nil {
		return err
	}
	return f.fits(t.Elem(), rt.Elem(), p.at(""))
}

func (f *fitting) fitsStruct(t types.Type, rt reflect.Type, p *place) error {
	own := map[string]types.Type{}
	for _, sf := range ScriptFields(t) {
		own[sf.Name] = ScriptField(t, sf.Path).Type()
	}
	names := slices.Sorted(maps.Keys(own))
	if rt.Kind() == reflect.Map {
		for _, name := range names {
			if err := f.fits(own[name], rt.Elem(), p.at(name)); err != nil {
				return err
			}
		}
		return nil
	}
	every := func(string) bool { return true }
	err := p.matched(rt, names, every, func(hf hostField, key string) error {
		return f.fits(own[key], hf.typ, p.field(hf.Name))
	})
	if err != nil && len(names) == 0 && t.Underlying().(*types.Struct).NumFields() > 0 {
		err.(*DecodeError).Why += "; fields of the script's struct have to begin with a capital letter to be seen"
	}
	return err
}

// kindOf is that of a basic type.
func kindOf(t types.Type) reflect.Kind {
	if b, ok := t.Underlying().(*types.Basic); ok {
		return kinds.OfBasic(b)
	}
	return reflect.Invalid
}

// FitsKind reports that values of a basic kind may fit another.
func FitsKind(from, to reflect.Kind) bool {
	a, b := kindClass(from), kindClass(to)
	return a != 0 && (a == b || a == 'i' && b == 'f')
}

// kindClass tells bools, integers, floats, complex numbers and strings apart.
func kindClass(k reflect.Kind) byte {
	switch {
	case k == reflect.Bool:
		return 'b'
	case k == reflect.String:
		return 's'
	case k >= reflect.Int && k <= reflect.Uintptr:
		return 'i'
	case k == reflect.Float32 || k == reflect.Float64:
		return 'f'
	case k == reflect.Complex64 || k == reflect.Complex128:
		return 'c'
	}
	return 0
}

func isNumber(rt reflect.Type) bool { return strings.IndexByte("ifc", kindClass(rt.Kind())) >= 0 }

// shape is a type without names of the host's: for texts that scripts' authors see.
func shape(rt reflect.Type) string { return shapeIn(rt, 0) }

func shapeIn(rt reflect.Type, depth int) string {
	if depth++; depth > 8 {
		return "..."
	}
	switch rt.Kind() {
	case reflect.Struct:
		if rt.PkgPath() == "time" {
			return rt.String()
		}
		return "a struct"
	case reflect.Slice:
		return "[]" + shapeIn(rt.Elem(), depth)
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", rt.Len(), shapeIn(rt.Elem(), depth))
	case reflect.Map:
		return "map[" + shapeIn(rt.Key(), depth) + "]" + shapeIn(rt.Elem(), depth)
	case reflect.Pointer:
		return "*" + shapeIn(rt.Elem(), depth)
	case reflect.Interface:
		if rt.NumMethod() == 0 {
			return "any"
		}
		return "an interface"
	}
	return rt.Kind().String()
}
