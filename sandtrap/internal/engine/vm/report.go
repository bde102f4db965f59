package vm

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/templates"
)

// values reads them at the end of the run. They are the host's from then on, and
// nobody's memory: what does not fit into the limit once more stays hidden.
func values(m *exec.Machine, errs *leftErrors) []engine.Var {
	left := roomOfVars(m)
	var out []engine.Var
	for _, v := range m.P.Vars {
		if want := m.Host.Want; want != "" && want != v.Name {
			continue
		}
		before, w := left, &printer.Walk{Left: left, Through: true}
		in, k := cellsOf(m, v)
		out = append(out, engine.Var{Name: v.Name, Type: printer.TypeText(v.T.T), Value: handedOut(m, v.T, in, k, w, errs)})
		if left = w.Left; left < 0 { // it is not handed out, and the walk is what it cost
			left = before / 2
		}
	}
	return out
}

// roomOfVars is how much of the variables is handed out.
func roomOfVars(m *exec.Machine) int {
	room := printer.MaxVarsSize
	if limit := m.Host.Meter.Limits().Memory; limit > 0 {
		room = int(min(int64(room), limit/printer.VarBytes))
	}
	if m.Host.Meter.Stopped() != nil {
		room = min(room, printer.MaxLateSize)
	}
	return room
}

// cellsOf are the cells with a variable, and its place in them.
func cellsOf(m *exec.Machine, v ir.Variable) (in *ir.Obj, k int) {
	if v.In == nil {
		return m.Globals, v.Off
	}
	in = ir.NewObj(v.T.W(), ir.BankI|ir.BankS|ir.BankR, 1) // it may have been moved to the host
	exec.LoadValue(v.T, in, 0, v.In, 0)
	return in, v.Off
}

// handedOut is the value in cells as the host can keep it, or a note that it cannot.
func handedOut(m *exec.Machine, t *ir.Type, b exec.Bank, k int, w *printer.Walk, errs *leftErrors) (out any) {
	hidden := engine.Hidden{Type: printer.TypeText(t.T)}
	defer func() {
		if recover() != nil {
			out = hidden
		}
	}()
	if !w.Fits(t, b, k, 0) {
		return hidden
	}
	return newPlainer(m, m.Host.Want != "", errs).of(t, b, k)
}

// A plainer makes values such as the host can keep.
type plainer struct {
	m     *exec.Machine
	whole bool // fields that JSON leaves out because they are empty are there too: what they are decoded into may need them
	large map[*ir.Type][]jsontext.Field
	errs  *leftErrors // nil: errors of the script's are what they are made of
}

func newPlainer(m *exec.Machine, whole bool, errs *leftErrors) plainer {
	return plainer{m, whole, map[*ir.Type][]jsontext.Field{}, errs}
}

// inVars are the fields of a struct. Those of large ones are noted until this value is made.
func (p plainer) inVars(t *ir.Type) []jsontext.Field {
	if list, ok := p.large[t]; ok {
		return list
	}
	list, noted := t.InVars()
	if !noted {
		p.large[t] = list
	}
	return list
}

// asPlain is one without those.
func asPlain(m *exec.Machine, t *ir.Type, b exec.Bank, k int) any {
	return newPlainer(m, false, nil).of(t, b, k)
}

// of is a value as the host can keep it: Go's own types, maps for structs of the
// script. The walk before has bounded it.
func (p plainer) of(t *ir.Type, b exec.Bank, k int) any {
	if t.Kind == reflect.Interface {
		return p.iface(t, b.R[k])
	}
	switch {
	case t.Host == exec.ValueType, isLock(t.T):
		return engine.Hidden{Type: t.Str}
	case t.Host != nil && t.Kind != reflect.Func && t.Kind != reflect.Chan && (t.Kind != reflect.Pointer || t.Native):
		return p.copied(exec.ToHost(p.m, t, b, k, t.Host)).Interface()
	}
	switch t.Kind {
	case reflect.Struct:
		return p.fields(t, b, k)
	case reflect.Slice:
		off, n := int(b.I[k+1]>>32), int(b.I[k])
		if t.Elem.Kind == reflect.Uint8 && b.R[k] != nil { // which is a text in JSON
			if s := exec.StoreSlice(b.R[k]); s.IsValid() && s.Type() == reflect.TypeFor[[]byte]() {
				return slices.Clone(s.Bytes()[off : off+n])
			}
		}
		return p.list(t.Elem, b.R[k], off, n)
	case reflect.Array:
		return p.list(t.Elem, b.R[k], 0, t.N)
	case reflect.Map:
		return p.entries(t, b.R[k])
	case reflect.Pointer:
		if b.R[k] == nil {
			return nil
		}
		return p.of(t.Elem, printer.Pointee(p.m, t, b, k), 0)
	}
	if rt := ir.KindTypes[t.Kind]; rt != nil {
		return exec.ToHost(p.m, t, b, k, rt).Interface()
	}
	if t.Kind == reflect.Func {
		return hand(p.m, t, b, k)
	}
	return engine.Hidden{Type: printer.TypeText(t.T)}
}

// isLock reports a type of package sync, or a pointer to one: a copy is of no use to the host.
func isLock(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "sync"
}

func (p plainer) iface(t *ir.Type, v any) any {
	switch f := v.(type) {
	case nil:
		return nil
	case *exec.Iface:
		if p.errs != nil && printer.IsError(t) {
			return p.errs.of(f, 0)
		}
		return p.of(f.T, exec.IfaceCells(f), 0)
	case exec.ScriptType:
		return f.String()
	case reflect.Value:
		return engine.Hidden{Type: "reflect.Value"}
	}
	if p.errs != nil {
		if err := p.errs.of(v, 0); err != nil {
			return err
		}
	}
	return v
}

func (p plainer) fields(t *ir.Type, b exec.Bank, k int) any {
	if t.Agg {
		b, k = exec.AsObj(t, b.R[k]), 0
	}
	fields := map[string]any{}
	for _, f := range p.inVars(t) {
		if v, ok := p.field(t, b, k, f); ok {
			fields[f.Name] = v
		}
	}
	return fields
}

// field is one that may lie in embedded structs; ok is false if it is to be left out.
func (p plainer) field(t *ir.Type, b exec.Bank, k int, f jsontext.Field) (v any, ok bool) {
	for i, at := range f.Path {
		if i > 0 {
			switch {
			case t.Kind == reflect.Pointer && b.R[k] == nil:
				return nil, false
			case t.Kind == reflect.Pointer:
				b, k, t = printer.Pointee(p.m, t, b, k), 0, t.Elem
			}
			switch {
			case t.Kind == ir.KindHost:
				return p.hostField(exec.ToHost(p.m, t, b, k, t.Mem), t, f, f.Path[i:])
			case t.Agg:
				b, k = exec.AsObj(t, b.R[k]), 0
			}
		}
		field := t.Fields[at]
		k, t = k+field.Off, field.Typ
	}
	v = p.of(t, b, k)
	if !p.whole && (f.OmitEmpty && empty(t, b, k, v) || f.OmitZero && p.zero(t, b, k, v)) {
		return nil, false
	}
	return v, true
}

// hostField is one in an embedded struct of the host's, of type t, at the end of a path as scripts see that.
func (p plainer) hostField(v reflect.Value, t *ir.Type, f jsontext.Field, path []int) (any, bool) {
	at := t.T
	for _, i := range path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return nil, false
			}
			v, at = v.Elem(), at.Underlying().(*types.Pointer).Elem()
		}
		field := at.Underlying().(*types.Struct).Field(i)
		if v = v.FieldByName(field.Name()); !v.IsValid() || !v.CanInterface() && !field.Embedded() {
			return nil, false
		}
		at = field.Type()
	}
	if !p.whole && engine.LeavesOut(f, v) {
		return nil, false
	}
	return p.copied(v).Interface(), true
}

// empty reports what omitempty leaves out: v is a value of type t, of the script.
func empty(t *ir.Type, b exec.Bank, k int, v any) bool {
	switch {
	case t.Kind == reflect.Pointer || t.Kind == reflect.Interface:
		return b.R[k] == nil
	case v == nil:
		return t.Kind == reflect.Map
	case t.Kind == reflect.Struct || t.Kind == ir.KindHost:
		return false
	}
	return engine.LeavesOut(jsontext.Field{OmitEmpty: true}, reflect.ValueOf(v))
}

// zero reports what omitzero leaves out; methods of the script are not asked.
func (p plainer) zero(t *ir.Type, b exec.Bank, k int, v any) bool {
	switch {
	case t.Kind == reflect.Pointer || t.Kind == reflect.Interface:
		return b.R[k] == nil
	case v == nil:
		return true
	case t.Kind != reflect.Struct && t.Kind != reflect.Array:
		return engine.LeavesOut(jsontext.Field{OmitZero: true}, reflect.ValueOf(v))
	}
	cells := mirror.NewVal(p.m, t)
	cells.Set(p.m, b, k)
	return cells.IsZero(p.m)
}

func (p plainer) list(elem *ir.Type, store any, off, n int) any {
	if store == nil && n == 0 {
		return []any(nil)
	}
	list := make([]any, n)
	if store == nil {
		return list
	}
	if s := exec.StoreSlice(store); s.IsValid() && elem.W() == 1 { // numbers and strings
		for i := range list {
			list[i] = s.Index(off + i).Interface()
		}
		return list
	}
	for i := range list {
		list[i] = p.of(elem, exec.ElemCells1(elem, store, off+i), 0)
	}
	return list
}

// entries has the keys that the map has if those are of a basic kind, else their texts.
func (p plainer) entries(t *ir.Type, v any) any {
	h, _ := v.(*exec.Map)
	if h == nil {
		return nil
	}
	kt := ir.KindTypes[t.Key.Kind]
	if kt == nil {
		kt = ir.KindTypes[reflect.String]
	}
	out := reflect.MakeMapWithSize(reflect.MapOf(kt, reflect.TypeFor[any]()), h.Len())
	h = h.Solid()
	for row := range h.Rows {
		if !h.Alive[row] {
			continue
		}
		var key any
		if ir.KindTypes[t.Key.Kind] != nil {
			key = p.of(t.Key, h.Keys, row*t.Key.W())
		} else {
			key = p.keyText(t.Key, h.Keys, row*t.Key.W())
		}
		elem := reflect.New(reflect.TypeFor[any]()).Elem()
		if e := p.of(t.Elem, h.Vals, row*t.Elem.W()); e != nil {
			elem.Set(reflect.ValueOf(e))
		}
		out.SetMapIndex(reflect.ValueOf(key).Convert(kt), elem)
	}
	return out.Interface()
}

// keyText is a key of another kind as Go prints it, without its methods.
func (p plainer) keyText(t *ir.Type, b exec.Bank, k int) string {
	if t.Kind != reflect.Struct || t.Host != nil {
		return fmt.Sprint(p.of(t, b, k))
	}
	if t.Agg {
		b, k = exec.AsObj(t, b.R[k]), 0
	}
	texts := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		texts[i] = p.keyText(f.Typ, b, k+f.Off)
	}
	return "{" + strings.Join(texts, " ") + "}"
}

// copied is v without memory of the script's: calls of functions that it has left go on
// writing to that. What the host made, behind pointers, stays the host's; values of the script's types in interfaces
// are as asPlain has them.
func (p plainer) copied(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(out, v)
		p.copyElems(out)
		return out
	case reflect.Array:
		out := reflect.New(v.Type()).Elem()
		reflect.Copy(out, v)
		p.copyElems(out)
		return out
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeMapWithSize(v.Type(), v.Len())
		for it := v.MapRange(); it.Next(); {
			out.SetMapIndex(it.Key(), p.copied(it.Value()))
		}
		return out
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		out := reflect.New(v.Type()).Elem()
		f, isOwn := exec.ScriptValue(v.Interface())
		if isOwn && v.NumMethod() == 0 {
			if own := asPlain(p.m, f.T, exec.IfaceCells(f), 0); own != nil {
				out.Set(reflect.ValueOf(own))
			}
			return out
		}
		if err, ok := v.Interface().(error); ok && p.errs != nil && (v.NumMethod() == 0 || v.Type() == templates.ErrorType) {
			out.Set(reflect.ValueOf(p.errs.of(err, 0)))
			return out
		}
		out.Set(p.copied(v.Elem()))
		return out
	}
	return v
}

// copiedKinds are those of which copied makes something new.
var copiedKinds = kinds.Of(reflect.Slice, reflect.Array, reflect.Map, reflect.Interface)

// copyElems makes the elements of a list its own.
func (p plainer) copyElems(list reflect.Value) {
	if copiedKinds.Has(list.Type().Elem().Kind()) {
		for i := range list.Len() {
			list.Index(i).Set(p.copied(list.Index(i)))
		}
	}
}
