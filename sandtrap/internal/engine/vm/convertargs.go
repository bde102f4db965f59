package vm

import (
	"fmt"
	"go/types"
	"math"
	"reflect"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// Values of the host's become values of the script's types where nothing gets lost: a
// number that the type can hold, a struct or a map with string keys by the names of the
// fields, and what is in lists, maps and behind pointers likewise. What has the very Go
// type is given as it is, and shared.

// convertArgs are the arguments for a function of type t, in cells.
func convertArgs(m *exec.Machine, t *ir.Type, in []any) (args *ir.Obj, err error) {
	params := t.In.Fields
	n := len(params)
	variadic := t.T.Underlying().(*types.Signature).Variadic()
	if variadic {
		n--
	}
	if len(in) < n || len(in) > n && !variadic {
		args := "arguments"
		if n == 1 {
			args = "argument"
		}
		return nil, &engine.ArgumentError{Text: fmt.Sprintf("%s takes %d %s, not %d", printer.TypeText(t.T), n, args, len(in))}
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *exec.ScriptPanic:
			err = &engine.ArgumentError{Text: printer.PanicText(m, &exec.PanicRec{Val: r.Value()})}
		default:
			panic(r)
		}
	}()
	args = ir.NewObj(t.In.W()+1, ir.BankI|ir.BankS|ir.BankR, 1)
	for i, f := range params {
		to := mirror.NewVal(m, f.Typ)
		if i == n {
			err = convertList(m, reflect.ValueOf(in[n:]), to, "argument")
		} else {
			err = convertArg(m, reflect.ValueOf(in[i]), to, fmt.Sprintf("argument %d", i+1))
		}
		if err != nil {
			return nil, err
		}
		exec.RawCopy(f.Typ.Cells, args, f.Off, to.Load(m), 0)
	}
	return args, nil
}

// misfit is the error for a value that has no place in a t.
func misfit(m *exec.Machine, at string, v reflect.Value, t *ir.Type) error {
	what := "nil"
	if v.IsValid() {
		what = m.Host.TypeName(v.Interface())
	}
	return &engine.ArgumentError{Text: fmt.Sprintf("%s: %s does not fit %s", at, what, printer.TypeText(t.T))}
}

// convertArg stores v, a value of the host's, in the variable to. at says what it is.
func convertArg(m *exec.Machine, v reflect.Value, to mirror.Val, at string) error {
	m.Poll()
	m.Deeper()
	defer m.Shallower()
	t := to.T
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch {
	case !v.IsValid():
		if !kinds.Nilable.Has(t.Kind) {
			return misfit(m, at, v, t)
		}
		return nil
	case v.Type() == handleType:
		return convertHandle(m, v.Interface().(*handle), to, at)
	case t.Kind == reflect.Interface:
		return convertAny(m, v, to, at)
	case t.Host != nil && v.Type().AssignableTo(t.Host):
		c := mirror.NewCells(m, t)
		exec.FromHost(m, v, t, c, 0)
		to.Set(m, c, 0)
		return nil
	case v.Kind() == reflect.Pointer && t.Kind != reflect.Pointer:
		return convertArg(m, v.Elem(), to, at)
	}
	switch t.Kind {
	case reflect.Struct:
		return convertFields(m, v, to, at)
	case reflect.Slice, reflect.Array:
		return convertList(m, v, to, at)
	case reflect.Map:
		return convertMap(m, v, to, at)
	case reflect.Pointer:
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return nil
			}
			v = v.Elem()
		}
		e := mirror.NewVal(m, t.Elem)
		if err := convertArg(m, v, e, at); err != nil {
			return err
		}
		to.Set(m, e.Addr(m).O, 0)
		return nil
	}
	return convertBasic(m, v, to, at)
}

var handleType = reflect.TypeFor[*handle]()

// convertHandle stores a function that came from a script, if it was this one.
func convertHandle(m *exec.Machine, h *handle, to mirror.Val, at string) error {
	switch {
	case h.m != m:
		return &engine.ArgumentError{Text: at + ": a function of another run"}
	case to.T.Kind == reflect.Interface && inspect.IsAny(mirror.TypeToSee(to.T)):
		to.SetRef(&exec.Iface{T: h.t, R: h.c})
		return nil
	case to.T.Kind != reflect.Func || !types.AssignableTo(h.t.T, to.T.T):
		return &engine.ArgumentError{Text: fmt.Sprintf("%s: %s does not fit %s", at, printer.TypeText(h.t.T), printer.TypeText(to.T.T))}
	}
	to.SetRef(h.c)
	return nil
}

// convertAny stores v in an interface: it is what it is.
func convertAny(m *exec.Machine, v reflect.Value, to mirror.Val, at string) error {
	if !inspect.IsAny(mirror.TypeToSee(to.T)) && (to.T.Host == nil || !v.Type().Implements(to.T.Host)) {
		return misfit(m, at, v, to.T)
	}
	to.SetRef(exec.HostIface(v.Interface()))
	return nil
}

// convertFields stores a struct, or what Vars has in place of one: fields are found by their names in JSON, or in Go.
func convertFields(m *exec.Machine, v reflect.Value, to mirror.Val, at string) error {
	byName := v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String
	if !byName && v.Kind() != reflect.Struct {
		return misfit(m, at, v, to.T)
	}
	from := engine.Fields(v)
	taken := 0
	fields, _ := to.T.InVars()
	for _, f := range fields {
		own := engine.ScriptField(to.T.T, f.Path).Name()
		field, ok := from[f.Name]
		if !ok && byName {
			field, ok = from[own]
		} else if !ok {
			field = v.FieldByName(own)
			ok = field.IsValid() && field.CanInterface()
		}
		if !ok {
			continue
		}
		taken++
		place, err := fieldToSet(m, to, f.Path)
		if err == nil {
			err = convertArg(m, field, place, at+"."+f.Name)
		}
		if err != nil {
			return err
		}
	}
	if byName && taken < v.Len() {
		return &engine.ArgumentError{Text: fmt.Sprintf("%s: not all of its keys are fields of %s", at, printer.TypeText(to.T.T))}
	}
	return nil
}

// fieldToSet is the field at the end of a path, with variables for the pointers that lead to it.
func fieldToSet(m *exec.Machine, v mirror.Val, path []int) (mirror.Val, error) {
	for _, i := range path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(m, mirror.NewVal(m, v.T.Elem).Addr(m).O, 0)
			}
			v = v.Elem(m)
		}
		f, err := mirror.FieldAt(m, v, []int{i})
		if err != nil {
			return f, err
		}
		v = f
	}
	return v, nil
}

func convertList(m *exec.Machine, v reflect.Value, to mirror.Val, at string) error {
	switch k := v.Kind(); {
	case k == reflect.Slice && v.IsNil() && to.T.Kind == reflect.Slice:
		return nil
	case k != reflect.Slice && k != reflect.Array, to.T.Kind == reflect.Array && v.Len() != to.T.N:
		return misfit(m, at, v, to.T)
	}
	if to.T.Kind == reflect.Slice {
		mirror.GrowSlice(m, to, v.Len())
		if v.Len() == 0 {
			to.Set(m, mirror.SliceCells(exec.NewStore(to.T.Elem, 0), 0, 0, 0), 0)
		}
	}
	for i := range v.Len() {
		if err := convertArg(m, v.Index(i), to.Index(m, i), fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func convertMap(m *exec.Machine, v reflect.Value, to mirror.Val, at string) error {
	if v.Kind() != reflect.Map {
		return misfit(m, at, v, to.T)
	}
	if v.IsNil() {
		return nil
	}
	m.Alloc(exec.MapBytes)
	h := exec.Follow(m, exec.NewMap(to.T))
	to.SetRef(h)
	for it := v.MapRange(); it.Next(); {
		key, elem := mirror.NewVal(m, to.T.Key), mirror.NewVal(m, to.T.Elem)
		place := fmt.Sprintf("%s[%v]", at, it.Key())
		if err := convertArg(m, it.Key(), key, place); err != nil {
			return err
		}
		if err := convertArg(m, it.Value(), elem, place); err != nil {
			return err
		}
		m.PutEntry(h, key.Load(m), 0, elem.Load(m), 0)
	}
	return nil
}

// convertBasic stores a bool, a number or a string.
func convertBasic(m *exec.Machine, v reflect.Value, to mirror.Val, at string) error {
	rt := ir.KindTypes[to.T.Kind]
	if rt == nil {
		return misfit(m, at, v, to.T)
	}
	fits := reflect.New(rt).Elem()
	switch {
	case v.Kind() == rt.Kind():
		fits = v.Convert(rt)
	case v.CanInt() && fits.CanInt() && !fits.OverflowInt(v.Int()),
		v.CanInt() && fits.CanUint() && v.Int() >= 0 && !fits.OverflowUint(uint64(v.Int())),
		v.CanUint() && fits.CanUint() && !fits.OverflowUint(v.Uint()),
		v.CanUint() && fits.CanInt() && v.Uint() <= math.MaxInt64 && !fits.OverflowInt(int64(v.Uint())),
		v.CanFloat() && fits.CanFloat() && !fits.OverflowFloat(v.Float()),
		v.CanFloat() && (fits.CanInt() || fits.CanUint()) && v.Convert(rt).Convert(v.Type()).Float() == v.Float() && math.Abs(v.Float()) < 1<<53,
		(v.CanInt() || v.CanUint()) && fits.CanFloat() && v.Convert(rt).Convert(v.Type()).Equal(v):
		fits = v.Convert(rt)
	default:
		return misfit(m, at, v, to.T)
	}
	c := mirror.NewCells(m, to.T)
	exec.FromHost(m, fits, to.T, c, 0)
	to.Set(m, c, 0)
	return nil
}
