package carry

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/internal/made"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A Copier copies data within a process as it would cross to another: what has a type that keeps does not report has
// one without a name then, of the fields that others see. Values behind pointers to types that it reports are shared,
// unless Whole copies them too.
type Copier struct {
	Keeps func(reflect.Type) bool
	Whole bool

	making map[reflect.Type]bool
	copied map[copyKey]reflect.Value
	depth  int
}

// A copyKey is a variable that pointers lead to, by its type.
type copyKey struct {
	at uintptr
	t  reflect.Type
}

// CopierBeside is a Copier that also keeps values of type T.
func CopierBeside[T any](keeps func(reflect.Type) bool) *Copier {
	return &Copier{Keeps: func(rt reflect.Type) bool { return keeps(rt) || rt == reflect.TypeFor[T]() }}
}

// Copy is a copy of v. An error is a *KindError.
func (c *Copier) Copy(v any) (_ any, err error) {
	defer caughtKind(&err)
	c.making, c.copied = map[reflect.Type]bool{}, map[copyKey]reflect.Value{}
	rv := reflect.ValueOf(v)
	return c.value(rv, c.typ(rv.Type(), ""), "").Interface(), nil
}

// Flat is v, for an argument, without embedded structs: a type without a name has none on the other side. Their fields are
// those of what they are in.
func (c *Copier) Flat(v any) any {
	rt := reflect.TypeOf(v)
	flat := reflect.New(engine.Plain(rt, c.kept))
	if flat.Type().Elem() == rt || engine.Decode(v, flat.Interface(), "") != nil {
		return v
	}
	return flat.Elem().Interface()
}

// caughtKind, deferred, makes err of a panic with a *KindError.
func caughtKind(err *error) {
	switch p := recover().(type) {
	case nil:
	case *KindError:
		*err = p
	default:
		panic(p)
	}
}

// stays panics with the error about a part that cannot be copied.
func stays(t reflect.Type, path, why string) { panic(&KindError{path, t.String(), why}) }

// kept reports a type that the copy has too.
func (c *Copier) kept(t reflect.Type) bool { return numbered(t) || c.Keeps(t) || made.Is(t) }

// typ is the type that copies of values of t have.
func (c *Copier) typ(t reflect.Type, path string) reflect.Type {
	if c.kept(t) && (t.PkgPath() != "" || t.Kind() <= reflect.Complex128 || t.Kind() == reflect.String) {
		return t
	}
	if c.making[t] {
		for t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		stays(t, "", holdsItself)
	}
	c.making[t] = true
	defer delete(c.making, t)
	switch {
	case t.Kind() == reflect.Struct:
		return c.structType(t, path)
	case t.Kind() == reflect.Interface && (t.NumMethod() == 0 || numbered(t)):
		return t
	case t.Kind() == reflect.Interface, slices.Contains(homebound, t.Kind()):
		stays(t, path, "cannot be copied between host and worker")
	}
	return c.container(t, path)
}

// container is the type that leads to others, or is a basic one.
func (c *Copier) container(t reflect.Type, path string) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return reflect.PointerTo(c.typ(t.Elem(), path))
	}
	switch t.Kind() {
	case reflect.Slice:
		return reflect.SliceOf(c.typ(t.Elem(), path+"[]"))
	case reflect.Array:
		return reflect.ArrayOf(t.Len(), c.typ(t.Elem(), path+"[]"))
	case reflect.Map:
		return reflect.MapOf(c.typ(t.Key(), path+"[key]"), c.typ(t.Elem(), path+"[]"))
	}
	return plain(t)
}

func (c *Copier) structType(t reflect.Type, path string) reflect.Type {
	fields := exported(t)
	if len(fields) == 0 && t.NumField() > 0 {
		stays(t, path, "cannot be copied between host and worker: it has no field that is plain data on both sides")
	}
	for i, f := range fields {
		fields[i] = reflect.StructField{Name: f.Name, Type: c.typ(f.Type, path+"."+f.Name), Tag: f.Tag}
	}
	return reflect.StructOf(fields)
}

// value is a copy of v that has the type to.
func (c *Copier) value(v reflect.Value, to reflect.Type, path string) reflect.Value {
	if c.depth++; c.depth > maxDepth {
		stays(v.Type(), path, "is nested too deep, or holds itself")
	}
	defer func() { c.depth-- }()
	out := reflect.New(to).Elem()
	if t, ok := texts[v.Type()]; ok {
		c.text(t, v, out, path)
		return out
	}
	switch v.Kind() {
	case reflect.Interface:
		c.iface(v, out, path)
	case reflect.Pointer:
		c.pointer(v, out, path)
	case reflect.Struct:
		c.fields(v, out, path)
	default:
		c.contents(v, out, path)
	}
	return out
}

// contents copies those of a list or a map, or a basic value.
func (c *Copier) contents(v, out reflect.Value, path string) {
	to := out.Type()
	switch v.Kind() {
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(to, v.Len(), v.Len()))
			c.elements(v, out, path)
		}
	case reflect.Array:
		c.elements(v, out, path)
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMapWithSize(to, v.Len()))
			for it := v.MapRange(); it.Next(); {
				at := path + "[" + keyText(it.Key()) + "]"
				out.SetMapIndex(c.value(it.Key(), to.Key(), at), c.value(it.Value(), to.Elem(), at))
			}
		}
	default:
		out.Set(v.Convert(to))
	}
}

func (c *Copier) elements(v, out reflect.Value, path string) {
	for i := range v.Len() {
		out.Index(i).Set(c.value(v.Index(i), out.Type().Elem(), fmt.Sprintf("%s[%d]", path, i)))
	}
}

// fields copies those of a struct. Of a type that is kept the others go with it.
func (c *Copier) fields(v, out reflect.Value, path string) {
	if out.Type() == v.Type() {
		out.Set(v)
	}
	for _, f := range exported(v.Type()) {
		to := out.FieldByName(f.Name)
		to.Set(c.value(v.FieldByIndex(f.Index), to.Type(), path+"."+f.Name))
	}
}

// iface copies what is in an interface; errors are what they are.
func (c *Copier) iface(v, out reflect.Value, path string) {
	if v.IsNil() {
		return
	}
	e := v.Elem()
	if _, isError := e.Interface().(error); isError && !c.kept(e.Type()) {
		out.Set(e)
		return
	}
	out.Set(c.value(e, c.typ(e.Type(), path), path))
}

func (c *Copier) pointer(v, out reflect.Value, path string) {
	if v.IsNil() {
		return
	}
	elem := v.Type().Elem()
	if !c.Whole && c.Keeps(elem) && elem.PkgPath() != "" {
		out.Set(v.Convert(out.Type()))
		return
	}
	key := copyKey{v.Pointer(), v.Type()}
	if old, ok := c.copied[key]; ok {
		out.Set(old)
		return
	}
	p := reflect.New(out.Type().Elem())
	c.copied[key] = p
	p.Elem().Set(c.value(v.Elem(), p.Type().Elem(), path))
	out.Set(p)
}

// text copies a value of Go's that says itself what is to cross of it.
func (c *Copier) text(t text, v, out reflect.Value, path string) {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	b, err := t.write(p.Interface())
	if err == nil {
		err = t.read(out.Addr().Interface(), b)
	}
	if err != nil {
		stays(v.Type(), path, "cannot be written: "+err.Error())
	}
}

// Fields is v with maps of their fields in place of structs that no policy lists, and lists of any: types that hold
// themselves have no other form. An error is a *KindError.
func (c *Copier) Fields(v any) (_ any, err error) {
	defer caughtKind(&err)
	return c.fieldsOf(reflect.ValueOf(v), "", 0), nil
}

func (c *Copier) fieldsOf(v reflect.Value, path string, depth int) any {
	if depth > maxDepth {
		stays(v.Type(), path, "is nested too deep, or holds itself")
	}
	if !v.IsValid() || nilable.Has(v.Kind()) && v.IsNil() {
		return nil
	}
	t := v.Type()
	if indirect := t.Kind() == reflect.Pointer; c.kept(t) && t.Kind() != reflect.Interface || indirect && t.Elem().PkgPath() != "" && c.kept(t.Elem()) {
		return v.Interface()
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface:
		return c.fieldsOf(v.Elem(), path, depth+1)
	case reflect.Struct:
		out := map[string]any{}
		for _, f := range exported(t) {
			out[f.Name] = c.fieldsOf(v.FieldByIndex(f.Index), path+"."+f.Name, depth+1)
		}
		if len(out) > 0 || v.NumField() == 0 {
			return out
		}
	}
	switch {
	case t.Kind() == reflect.Slice, t.Kind() == reflect.Array:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = c.fieldsOf(v.Index(i), fmt.Sprintf("%s[%d]", path, i), depth+1)
		}
		return list
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		out := map[string]any{}
		for it := v.MapRange(); it.Next(); {
			out[it.Key().String()] = c.fieldsOf(it.Value(), path+"["+keyText(it.Key())+"]", depth+1)
		}
		return out
	}
	return c.value(v, c.typ(t, path), path).Interface()
}

// nilable are the kinds of data that may be nil.
var nilable = kinds.Of(reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice)
