package builtins

import (
	"reflect"
)

// overwrite writes all over what a call returned, wherever the run may write, and tells how many variables that
// were.
func (g *got) overwrite() int {
	w := &overwriter{env: g.env, seen: map[seenAt]bool{}}
	for _, v := range g.results {
		w.all(v)
	}
	return w.written
}

type overwriter struct {
	env     *Env
	seen    map[seenAt]bool
	written int
}

// all writes to all that v leads to: variables, fields that scripts see, elements up to the capacity.
func (w *overwriter) all(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && w.once(v, 1) {
			w.variable(v.Elem())
			if w.env.MayWrite(v.Pointer(), v.Type().Elem(), true) && v.Type().Elem().Size() > 0 {
				v.Elem().SetZero()
				w.written++
			}
		}
	case reflect.Interface:
		w.all(v.Elem())
	case reflect.Slice:
		if v.Cap() > 0 && w.once(v, v.Cap()) {
			may := w.env.MayWrite(v.Pointer(), v.Type(), false)
			for i := range v.Cap() {
				w.element(v.Slice(0, v.Cap()).Index(i), may)
			}
		}
	case reflect.Map:
		if !v.IsNil() && w.once(v, 1) {
			w.table(v)
		}
	case reflect.Struct, reflect.Array: // of a result: a copy, which may lead to others
		own := reflect.New(v.Type()).Elem()
		own.Set(v)
		w.variable(own)
	}
}

func (w *overwriter) once(v reflect.Value, n int) bool {
	at := seenAt{v.Pointer(), v.Type(), n}
	was := w.seen[at]
	w.seen[at] = true
	return !was && v.Type() != envType
}

func (w *overwriter) element(v reflect.Value, may bool) {
	if may {
		w.variable(v)
	} else {
		w.all(v)
	}
}

// table writes to a map.
func (w *overwriter) table(v reflect.Value) {
	may := w.env.MayWrite(v.Pointer(), v.Type(), false)
	for _, key := range v.MapKeys() {
		w.all(key)
		w.all(v.MapIndex(key))
		if may {
			v.SetMapIndex(key, reflect.Zero(v.Type().Elem()))
			w.written++
		}
	}
	if may && v.Type().Key().Kind() == reflect.String {
		v.SetMapIndex(reflect.ValueOf("overwritten").Convert(v.Type().Key()), reflect.Zero(v.Type().Elem()))
		w.written++
	}
}

// variable writes to v, which is addressable, after what it leads to.
func (w *overwriter) variable(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for _, i := range w.env.Rules.(rules).t.shownFields(v.Type(), false) {
			w.variable(v.Field(i))
		}
		return
	case reflect.Array:
		for i := range v.Len() {
			w.variable(v.Index(i))
		}
		return
	}
	w.all(v)
	if v.Type().Size() == 0 || !v.CanSet() || !w.env.MayWrite(v.UnsafeAddr(), v.Type(), false) {
		return
	}
	w.written++
	switch {
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.CanInt():
		v.SetInt(v.Int() ^ 0x55)
	case v.CanUint():
		v.SetUint(v.Uint() ^ 0x55)
	case v.CanFloat():
		v.SetFloat(-v.Float() - 0x55)
	case v.Kind() == reflect.String:
		v.SetString("overwritten")
	default:
		v.SetZero()
	}
}
