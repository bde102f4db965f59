package engine

import (
	"fmt"
	"go/token"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
)

// Decode stores a value that a script left, as Var has it, in the variable of the host's
// that into points to. Nothing is shared with v afterwards but what pointers of the host's
// own types lead to. at is what the value is called in errors, which are *DecodeErrors and
// tell the way to what does not fit.
//
// The exported function that calls it, (*sandtrap.Result).Decode, says which values fit.
func Decode(v, into any, at string) error {
	to, err := Target(into, at)
	if err != nil {
		return err
	}
	fresh := reflect.New(to.Type()).Elem()
	if err := decode(reflect.ValueOf(v), fresh, variable(at)); err != nil {
		return err
	}
	to.Set(fresh)
	return nil
}

// Target is the variable that into points to.
func Target(into any, at string) (reflect.Value, error) {
	to := reflect.ValueOf(into)
	switch {
	case to.Kind() != reflect.Pointer:
		return to, &DecodeError{at, fmt.Sprintf("a pointer to a variable is needed, got %T", into)}
	case to.IsNil():
		return to, &DecodeError{at, fmt.Sprintf("a pointer to a variable is needed, got a nil %T", into)}
	}
	return to.Elem(), nil
}

// A DecodeError says which part of a value does not fit, and why.
type DecodeError struct{ At, Why string }

func (e *DecodeError) Error() string { return e.At + ": " + e.Why }

// maxPlace bounds how deep values lie in each other.
const maxPlace = 1000

// A place is where in a value something is.
type place struct {
	up    *place
	step  any // a name of a field, or a key
	depth int
}

// A fieldName is a step to a field; the first step is the name of a variable.
type fieldName string

func (p *place) field(name string) *place { return &place{p, fieldName("." + name), p.depth + 1} }
func (p *place) at(key any) *place        { return &place{p, key, p.depth + 1} }

// in is what p leads to.
func (p *place) in() *place { return &place{p.up, p.step, p.depth + 1} }

// variable is the first place.
func variable(name string) *place { return &place{step: fieldName(name)} }

// maxStep is how many bytes of a key an error shows.
const maxStep = 100

// String is made for errors alone.
func (p *place) String() string {
	var steps []string
	for ; p != nil; p = p.up {
		switch step := p.step.(type) {
		case fieldName:
			steps = append(steps, string(step))
		case string:
			steps = append(steps, "["+cut(step)+"]")
		default:
			steps = append(steps, "["+cut(fmt.Sprint(step))+"]")
		}
	}
	slices.Reverse(steps)
	return strings.Join(steps, "")
}

func cut(s string) string {
	if len(s) > maxStep {
		return s[:maxStep] + "..."
	}
	return s
}

func (p *place) error(format string, args ...any) error {
	return &DecodeError{p.String(), fmt.Sprintf(format, args...)}
}

func (p *place) misfit(from reflect.Value, to reflect.Type) error {
	what := "nil"
	if from.IsValid() {
		what = shape(from.Type())
	}
	return p.error("%s does not fit %s", what, shape(to))
}

// decode stores from in to, a zero variable.
func decode(from, to reflect.Value, p *place) error {
	for from.Kind() == reflect.Interface {
		from = from.Elem()
	}
	if p.depth > maxPlace {
		return p.error("values lie too deep in each other")
	}
	if !from.IsValid() {
		return decodeNil(to, p)
	}
	if h, ok := from.Interface().(Hidden); ok {
		return p.error("what the script left, a %s, cannot be handed out: it is too large, lies in itself, or is of use to the script alone", h.Type)
	}
	rt := to.Type()
	if ok, err := readBy(from, to, p); ok {
		return err
	}
	switch {
	case rt.Kind() == reflect.Interface:
		return decodeAny(from, to, p)
	case rt.Kind() == reflect.Slice || rt.Kind() == reflect.Array:
		return decodeList(from, to, p)
	case rt.Kind() == reflect.Map:
		return decodeMap(from, to, p)
	case from.Type() == rt:
		to.Set(from)
		return nil
	case kinds.Nilable.Has(from.Kind()) && from.IsNil():
		return decodeNil(to, p)
	case rt.Kind() == reflect.Pointer:
		to.Set(reflect.New(rt.Elem()))
		return decode(from, to.Elem(), p)
	case from.Kind() == reflect.Pointer:
		return decode(from.Elem(), to, p.in())
	case rt.Kind() == reflect.Struct:
		return decodeStruct(from, to, p)
	}
	return decodeBasic(from, to, p)
}

func decodeNil(to reflect.Value, p *place) error {
	if kinds.Nilable.Has(to.Kind()) {
		return nil
	}
	return p.misfit(reflect.Value{}, to.Type())
}

// decodeAny stores a copy of from in an interface.
func decodeAny(from, to reflect.Value, p *place) error {
	if !from.Type().AssignableTo(to.Type()) {
		return p.misfit(from, to.Type())
	}
	switch from.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		same := reflect.New(from.Type()).Elem()
		if err := decode(from, same, p); err != nil {
			return err
		}
		from = same
	}
	to.Set(from)
	return nil
}

func decodeList(from, to reflect.Value, p *place) error {
	switch k := from.Kind(); {
	case k == reflect.Pointer && !from.IsNil():
		return decode(from.Elem(), to, p.in())
	case k != reflect.Slice && k != reflect.Array:
		return p.misfit(from, to.Type())
	case to.Kind() == reflect.Array && from.Len() != to.Len():
		return p.error("%d elements do not fit %s", from.Len(), shape(to.Type()))
	case to.Kind() == reflect.Slice && k == reflect.Slice && from.IsNil():
		return nil
	}
	if to.Kind() == reflect.Slice {
		to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
	}
	for i := range from.Len() {
		if err := decode(from.Index(i), to.Index(i), p.at(i)); err != nil {
			return err
		}
	}
	return nil
}

func decodeMap(from, to reflect.Value, p *place) error {
	switch {
	case from.Kind() == reflect.Struct && to.Type().Key().Kind() == reflect.String:
		from = mapOf(from)
	case from.Kind() == reflect.Pointer && !from.IsNil():
		return decode(from.Elem(), to, p.in())
	case from.Kind() != reflect.Map:
		return p.misfit(from, to.Type())
	}
	if from.IsNil() {
		return nil
	}
	rt := to.Type()
	to.Set(reflect.MakeMapWithSize(rt, from.Len()))
	for it := from.MapRange(); it.Next(); {
		key, elem := reflect.New(rt.Key()).Elem(), reflect.New(rt.Elem()).Elem()
		if err := decode(it.Key(), key, p.at(it.Key())); err != nil {
			return err
		}
		if !key.Comparable() {
			return p.at(it.Key()).error("this cannot be a key of a map")
		}
		if err := decode(it.Value(), elem, p.at(it.Key())); err != nil {
			return err
		}
		to.SetMapIndex(key, elem)
	}
	return nil
}

// decodeStruct takes structs, what Var has for those of the script, which are maps from the names of their fields, and
// other maps of strings.
func decodeStruct(from, to reflect.Value, p *place) error {
	if from.Kind() != reflect.Struct && (from.Kind() != reflect.Map || from.Type().Key().Kind() != reflect.String) {
		return p.misfit(from, to.Type())
	}
	fields := Fields(from)
	return p.matched(to.Type(), slices.Sorted(maps.Keys(fields)), token.IsExported, func(f hostField, key string) error {
		from := fields[key]
		if f.optional && isNil(from) {
			return nil
		}
		return decode(from, f.in(to), p.field(f.Name))
	})
}

// isNil reports that nothing is in v, for who does not ask what it is not in.
func isNil(v reflect.Value) bool {
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// mapOf is a struct as a map of its fields.
func mapOf(v reflect.Value) reflect.Value {
	fields := map[string]any{}
	for _, f := range hostFields(v.Type()) {
		if fv, ok := f.of(v); ok && !LeavesOut(f.Field, fv) {
			fields[f.Name] = fv.Interface()
		}
	}
	return reflect.ValueOf(fields)
}

// Fields are the exported fields of a struct, by their names in JSON, or the values of a map of strings.
func Fields(v reflect.Value) map[string]reflect.Value {
	fields := map[string]reflect.Value{}
	if v.Kind() == reflect.Map {
		for it := v.MapRange(); it.Next(); {
			fields[it.Key().String()] = it.Value()
		}
		return fields
	}
	for _, f := range hostFields(v.Type()) {
		if fv, ok := f.of(v); ok {
			fields[f.Name] = fv
		}
	}
	return fields
}

// decodeBasic stores a bool, a number or a string.
func decodeBasic(from, to reflect.Value, p *place) error {
	rt := to.Type()
	fits := false
	switch {
	case from.Kind() == rt.Kind():
		fits = from.CanConvert(rt)
	case from.CanInt() && to.CanInt():
		fits = !to.OverflowInt(from.Int())
	case from.CanInt() && to.CanUint():
		fits = from.Int() >= 0 && !to.OverflowUint(uint64(from.Int()))
	case from.CanUint() && to.CanUint():
		fits = !to.OverflowUint(from.Uint())
	case from.CanUint() && to.CanInt():
		fits = from.Uint() <= math.MaxInt64 && !to.OverflowInt(int64(from.Uint()))
	case from.CanFloat() && to.CanFloat(), from.CanComplex() && to.CanComplex():
		fits = from.CanComplex() && !to.OverflowComplex(from.Complex()) || from.CanFloat() && !to.OverflowFloat(from.Float())
	case (from.CanInt() || from.CanUint()) && to.CanFloat():
		fits = from.Convert(rt).Convert(from.Type()).Equal(from)
	}
	if !fits && isNumber(from.Type()) && isNumber(rt) && FitsKind(from.Kind(), rt.Kind()) {
		return p.error("%v does not fit %s", from, shape(rt))
	}
	if !fits {
		return p.misfit(from, rt)
	}
	to.Set(from.Convert(rt))
	return nil
}
