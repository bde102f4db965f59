package vm

import (
	"fmt"
	"go/types"
	"math"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/inspect"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
)

// Values of the host's become values of the script's types where nothing gets lost: a
// number that the type can hold, a struct or a map with string keys by the names of the
// fields, and what is in lists, maps and behind pointers likewise. What has the very Go
// type is given as it is, and shared.

// givenAll are the arguments for a function of type t, in cells.
func (m *machine) givenAll(t *ir.Type, in []any) (args *ir.Obj, err error) {
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
		return nil, &engine.ArgumentError{Text: fmt.Sprintf("%s takes %d %s, not %d", typeText(t.T), n, args, len(in))}
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *scriptPanic:
			err = &engine.ArgumentError{Text: m.panicText(&panicRec{val: r.value()})}
		default:
			panic(r)
		}
	}()
	args = ir.NewObj(t.In.W()+1, ir.BankI|ir.BankS|ir.BankR, 1)
	for i, f := range params {
		to := m.newVal(f.Typ)
		if i == n {
			err = m.giveList(reflect.ValueOf(in[n:]), to, "argument")
		} else {
			err = m.fill(reflect.ValueOf(in[i]), to, fmt.Sprintf("argument %d", i+1))
		}
		if err != nil {
			return nil, err
		}
		rawCopy(f.Typ.Cells, args, f.Off, to.load(m), 0)
	}
	return args, nil
}

// misfit is the error for a value that has no place in a t.
func misfit(at string, v reflect.Value, t *ir.Type) error {
	what := "nil"
	if v.IsValid() {
		what = v.Type().String()
	}
	return &engine.ArgumentError{Text: fmt.Sprintf("%s: %s does not fit %s", at, what, typeText(t.T))}
}

// fill stores v, a value of the host's, in the variable to. at says what it is.
func (m *machine) fill(v reflect.Value, to val, at string) error {
	m.look()
	m.deeper()
	defer m.shallower()
	t := to.t
	for v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch {
	case !v.IsValid():
		if !nilable(t.Kind) {
			return misfit(at, v, t)
		}
		return nil
	case v.Type() == handleType:
		return m.giveBack(v.Interface().(*handle), to, at)
	case t.Kind == reflect.Interface:
		return m.giveAny(v, to, at)
	case t.Host != nil && v.Type().AssignableTo(t.Host):
		c := m.newCells(t)
		fromHost(m, v, t, c, 0)
		to.set(m, c, 0)
		return nil
	case v.Kind() == reflect.Pointer && t.Kind != reflect.Pointer:
		return m.fill(v.Elem(), to, at)
	}
	switch t.Kind {
	case reflect.Struct:
		return m.giveFields(v, to, at)
	case reflect.Slice, reflect.Array:
		return m.giveList(v, to, at)
	case reflect.Map:
		return m.giveMap(v, to, at)
	case reflect.Pointer:
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return nil
			}
			v = v.Elem()
		}
		e := m.newVal(t.Elem)
		if err := m.fill(v, e, at); err != nil {
			return err
		}
		to.set(m, e.addr(m).o, 0)
		return nil
	}
	return m.giveBasic(v, to, at)
}

var handleType = reflect.TypeFor[*handle]()

func nilable(k reflect.Kind) bool {
	switch k {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan, reflect.Interface:
		return true
	}
	return false
}

// GiveBack stores a function that came from a script, if it was this one.
func (m *machine) giveBack(h *handle, to val, at string) error {
	switch {
	case h.m != m:
		return &engine.ArgumentError{Text: at + ": a function of another run"}
	case to.t.Kind == reflect.Interface && inspect.IsAny(typeToSee(to.t)):
		to.setRef(&Iface{T: h.t, R: h.c})
		return nil
	case to.t.Kind != reflect.Func || !types.AssignableTo(h.t.T, to.t.T):
		return &engine.ArgumentError{Text: fmt.Sprintf("%s: %s does not fit %s", at, typeText(h.t.T), typeText(to.t.T))}
	}
	to.setRef(h.c)
	return nil
}

// giveAny stores v in an interface: it is what it is.
func (m *machine) giveAny(v reflect.Value, to val, at string) error {
	if !inspect.IsAny(typeToSee(to.t)) && (to.t.Host == nil || !v.Type().Implements(to.t.Host)) {
		return misfit(at, v, to.t)
	}
	to.setRef(hostIface(v.Interface()))
	return nil
}

func (m *machine) giveFields(v reflect.Value, to val, at string) error {
	byName := v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String
	if !byName && v.Kind() != reflect.Struct {
		return misfit(at, v, to.t)
	}
	taken := 0
	for _, f := range m.structFields(to.t) {
		var field reflect.Value
		if byName {
			field = v.MapIndex(reflect.ValueOf(f.Name).Convert(v.Type().Key()))
		} else {
			field = v.FieldByName(f.Name)
		}
		if !f.Exported || !field.IsValid() {
			continue
		}
		taken++
		if err := m.fill(field, to.field(m, f), at+"."+f.Name); err != nil {
			return err
		}
	}
	if byName && taken < v.Len() {
		return &engine.ArgumentError{Text: fmt.Sprintf("%s: not all of its keys are fields of %s", at, typeText(to.t.T))}
	}
	return nil
}

func (m *machine) giveList(v reflect.Value, to val, at string) error {
	switch k := v.Kind(); {
	case k == reflect.Slice && v.IsNil() && to.t.Kind == reflect.Slice:
		return nil
	case k != reflect.Slice && k != reflect.Array, to.t.Kind == reflect.Array && v.Len() != to.t.N:
		return misfit(at, v, to.t)
	}
	if to.t.Kind == reflect.Slice {
		m.growSlice(to, v.Len())
		if v.Len() == 0 {
			to.set(m, sliceCells(newStore(to.t.Elem, 0), 0, 0, 0), 0)
		}
	}
	for i := range v.Len() {
		if err := m.fill(v.Index(i), to.index(m, i), fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func (m *machine) giveMap(v reflect.Value, to val, at string) error {
	if v.Kind() != reflect.Map {
		return misfit(at, v, to.t)
	}
	if v.IsNil() {
		return nil
	}
	m.alloc(mapBytes)
	h := follow(m, newMap(to.t))
	to.setRef(h)
	for it := v.MapRange(); it.Next(); {
		key, elem := m.newVal(to.t.Key), m.newVal(to.t.Elem)
		place := fmt.Sprintf("%s[%v]", at, it.Key())
		if err := m.fill(it.Key(), key, place); err != nil {
			return err
		}
		if err := m.fill(it.Value(), elem, place); err != nil {
			return err
		}
		m.putEntry(h, key.load(m), 0, elem.load(m), 0)
	}
	return nil
}

// giveBasic stores a bool, a number or a string.
func (m *machine) giveBasic(v reflect.Value, to val, at string) error {
	rt := ir.KindTypes[to.t.Kind]
	if rt == nil {
		return misfit(at, v, to.t)
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
		return misfit(at, v, to.t)
	}
	c := m.newCells(to.t)
	fromHost(m, fits, to.t, c, 0)
	to.set(m, c, 0)
	return nil
}
