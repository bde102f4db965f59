package vm

import (
	"container/list"
	"context"
	"fmt"
	"reflect"
	"sort"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/internal/made"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/mirror"
)

// hostSaved writes down a value of the host's: what a pointer leads to, or what is in an
// interface.
func (s *saver) hostSaved(o any) (engine.Object, bool) {
	if kind, text, ok := exec.RuntimeErrorOf(o); ok {
		return engine.Object{Kind: kind, S: []string{text}}, true
	}
	switch o := o.(type) {
	case *exec.HostVals:
		return s.hostList(o)
	case exec.HostVar:
		return s.write(o.Copied()), true
	}
	if name, ok := sentinelOf(o); ok {
		return engine.Object{Kind: "sentinel", Name: name}, true
	}
	if out, ok := s.remade(o); ok {
		return out, true
	}
	if err, ok := o.(error); ok {
		if out, ok := s.errorSaved(err); ok {
			return out, true
		}
	}
	v := reflect.ValueOf(o)
	switch {
	case v.Kind() == reflect.Pointer && v.Elem().Kind() == reflect.Struct:
		return s.hostStruct(hostPointer, v)
	case v.Kind() == reflect.Pointer:
		return s.hostVariable(v)
	case v.Kind() == reflect.Struct:
		return s.hostStruct("host value", pointerTo(v))
	}
	t, k := s.machine.TypeOfHost(v.Type()), ir.KindTypes[v.Kind()]
	if t != nil && kinds.Elements.Has(v.Kind()) {
		return engine.Object{Kind: "host data", Type: s.typ(t), R: []engine.Value{s.data(v, 0)}}, true
	}
	if t == nil || k == nil {
		return engine.Object{}, false
	}
	basic, _ := basicSaved(v.Convert(k).Interface())
	return engine.Object{Kind: "host basic", Type: s.typ(t), R: []engine.Value{basic}}, true
}

// remade writes down what a text says, mostly a pointer. An error or a context need not be of a type that scripts have a name for.
func (s *saver) remade(o any) (engine.Object, bool) {
	how, text, ok := s.machine.Host.Remade(o)
	if !ok {
		return engine.Object{}, false
	}
	out := engine.Object{Kind: "remade", S: []string{how, text}}
	if !nameless(o) {
		t := s.machine.TypeOfHost(reflect.TypeOf(o).Elem())
		if t == nil {
			return engine.Object{}, false
		}
		out.Type = s.typ(t)
	}
	return out, true
}

// nameless reports what is made again by its text alone, without its type.
func nameless(v any) bool {
	switch v.(type) {
	case error, context.Context:
		return true
	}
	return false
}

// errorSaved writes down errors of the library whose texts and whose errors below say all.
func (s *saver) errorSaved(err error) (engine.Object, bool) {
	if reflect.TypeOf(err) == errorStringType {
		return engine.Object{Kind: "error", S: []string{err.Error()}}, true
	}
	kind, ok := wrappingOf(err)
	if !ok {
		return engine.Object{}, false
	}
	out := engine.Object{Kind: "wrapped", Name: kind}
	for _, e := range engine.Unwrapped(err) {
		out.R = append(out.R, s.hostValue(e))
	}
	if kind != joined { // which makes its text of those that it holds
		out.S = []string{err.Error()}
	}
	return out, true
}

// pointerTo is a pointer to a copy of v.
func pointerTo(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p
}

func (s *saver) hostStruct(kind string, p reflect.Value) (engine.Object, bool) {
	rt := p.Type().Elem()
	out := engine.Object{Kind: kind}
	if name := dataErrorOf(rt); name != "" {
		out.Kind, out.S = "data error", []string{name}
		return out, s.body(&out, p, 0)
	}
	t := s.machine.TypeOfHost(rt)
	if t == nil || t.Kind != ir.KindHost {
		return engine.Object{}, false
	}
	if !s.body(&out, p, 0) {
		return out, false
	}
	out.Type = s.typ(t)
	return out, true
}

// hostPointer is the kind of a pointer of the host's.
const hostPointer = "host pointer"

// hostVariable writes down what a pointer of the host's leads to that is no struct.
func (s *saver) hostVariable(p reflect.Value) (engine.Object, bool) {
	t := s.machine.TypeOfHost(p.Type().Elem())
	switch {
	case t == nil:
		return engine.Object{}, false
	case p.IsNil():
		return engine.Object{Kind: hostPointer, Type: s.typ(t), Name: bodyNil}, true
	}
	return engine.Object{Kind: hostPointer, Type: s.typ(t), R: []engine.Value{s.data(p.Elem(), 0)}}, true
}

// What the body of a struct of the host's is written as.
const (
	bodyNil    = "nil" // a pointer leads to none
	bodyZero   = "zero"
	bodyCodec  = "" // in Bytes
	bodyRemade = "remade"
	bodyZoned  = "zoned"  // a time with its zone, by how that is remade, or by its name and the seconds from UTC
	bodyItems  = "items"  // what it contains, in the order in which it gives that
	bodyFields = "fields" // all of which are exported
)

// body writes down what p, a pointer to a struct of the host's, leads to.
func (s *saver) body(out *engine.Object, p reflect.Value, depth int) bool {
	rt := p.Type().Elem()
	if !s.machine.Host.MayMake(rt) {
		return false
	}
	if p.Elem().IsZero() {
		out.Name = bodyZero
		return true
	}
	if t, ok := p.Interface().(*time.Time); ok && t.Location() != time.UTC && t.Location() != time.Local {
		s.zoned(out, *t)
		return true
	}
	if codec, ok := hostCodecs[rt]; ok {
		b, err := codec.encode(p.Interface())
		if err != nil {
			s.refuse("%v", err)
		}
		out.Bytes = b
		return true
	}
	if how, text, ok := s.machine.Host.Remade(p.Interface()); ok {
		out.Name, out.S = bodyRemade, []string{how, text}
		return true
	}
	switch v := p.Interface().(type) {
	case mapping:
		out.Name = bodyItems
		v.Range(func(key, value any) bool {
			out.R = append(out.R, s.value(exec.HostIface(key)), s.value(exec.HostIface(value)))
			return true
		})
		return true
	case holder:
		out.Name, out.R = bodyItems, []engine.Value{s.value(exec.HostIface(v.Load()))}
		return true
	case *list.List:
		out.Name = bodyItems
		for e := v.Front(); e != nil; e = e.Next() {
			out.R = append(out.R, s.value(exec.HostIface(e.Value)))
		}
		return true
	}
	n, ok := dataFields(rt)
	if !ok {
		return false
	}
	out.Name = bodyFields
	for i := range n {
		out.R = append(out.R, s.data(p.Elem().Field(i), depth+1))
	}
	return true
}

// A mapping is sync.Map.
type mapping interface {
	Range(func(key, value any) bool)
	Store(key, value any)
}

// A holder is atomic.Value.
type holder interface {
	Load() any
	Store(any)
}

// zoned writes down a time of another zone than UTC.
func (s *saver) zoned(out *engine.Object, t time.Time) {
	b, err := t.MarshalBinary()
	if err != nil {
		s.refuse("%v", err)
	}
	out.Name, out.Bytes = bodyZoned, b
	if how, text, ok := s.machine.Host.Remade(t.Location()); ok {
		out.S = []string{how, text}
		return
	}
	name, offset := t.Zone()
	if name != t.Location().String() {
		s.refuse("it holds a time in the zone %s, which the program has made", t.Location())
	}
	out.S, out.I = []string{name}, []int64{int64(offset)}
}

// dataFields is how many fields a struct of plain data has: all are exported. ok is false for any other struct, such as
// one that stands in a worker for a struct of the host's which hides something.
func dataFields(rt reflect.Type) (n int, ok bool) {
	n = rt.NumField()
	if _, stands := made.Name(rt); stands {
		n-- // which says whose value it is
		return n, n > 0 && !made.Hides(rt)
	}
	for f := range rt.Fields() {
		if !f.IsExported() {
			return 0, false
		}
	}
	return n, n > 0
}

// maxData is how deep values of a host's struct lie in each other.
const maxData = 100

// data writes down part of a value of the host's.
func (s *saver) data(v reflect.Value, depth int) engine.Value {
	if depth > maxData {
		s.refuse("its values lie too deep in each other")
	}
	s.spend(valueBytes)
	if k := ir.KindTypes[v.Kind()]; k != nil {
		basic, _ := basicSaved(v.Convert(k).Interface())
		s.spend(int64(len(basic.S)))
		return basic
	}
	kind := v.Kind()
	switch {
	case kinds.Nilable.Has(kind) && v.IsNil():
		return engine.Value{}
	case kind == reflect.Interface || kind == reflect.Pointer:
		return s.hostValue(v.Interface())
	case kind == reflect.Map || kind == reflect.Slice:
		return s.sharedData(v, depth)
	}
	return s.newData(v, depth)
}

// inData is the identity of a map or a slice as part of a value of the host's.
type inData struct{ memory any }

// sharedData writes down a map or a slice once.
func (s *saver) sharedData(v reflect.Value, depth int) engine.Value {
	m := memoryOf(v)
	if m == nil {
		return s.newData(v, depth)
	}
	id := inData{m}
	if n := s.ids[id]; n != 0 {
		return engine.Value{Kind: "object", N: int64(n)}
	}
	out := s.newData(v, depth)
	s.ids[id] = int(out.N)
	return out
}

// newData writes down what is no basic value.
func (s *saver) newData(v reflect.Value, depth int) engine.Value {
	out, kind := engine.Object{Kind: "data"}, v.Kind()
	switch {
	case kinds.Indexable.Has(kind):
		for i := range v.Len() {
			out.R = append(out.R, s.data(v.Index(i), depth+1))
		}
		return s.part(out)
	case kind == reflect.Map:
		for _, e := range entries(v) {
			out.R = append(out.R, s.data(e.key, depth+1), s.data(e.value, depth+1))
		}
		return s.part(out)
	case kind == reflect.Struct && s.body(&out, pointerTo(v), depth):
		return s.part(out)
	}
	s.refuse("it holds a value of the host's with %s in it, which cannot be saved", s.hostText(v.Interface()))
	return engine.Value{}
}

type entry struct {
	text       string // of the key
	key, value reflect.Value
}

// entries are those of a map, in the order of the texts of their keys, so that the same map is always written the same way.
// A key may be one that finds nothing: NaN.
func entries(v reflect.Value) []entry {
	var list []entry
	for it := v.MapRange(); it.Next(); {
		list = append(list, entry{fmt.Sprint(it.Key()), it.Key(), it.Value()})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].text < list[j].text })
	return list
}

// hostValue writes down a value of the host's that another holds.
func (s *saver) hostValue(v any) engine.Value {
	v = exec.HostIface(v)
	if _, own := v.(*exec.Iface); own {
		s.refuse("it holds a value of the host's with one of the script's in it, which cannot be saved")
	}
	return s.value(v)
}

// hostList writes down elements that the host could hold too.
func (s *saver) hostList(h *exec.HostVals) (engine.Object, bool) {
	if !exec.HeldByHost(h.T) {
		if ir.IsNative(h.T) { // which no cells have
			return engine.Object{}, false
		}
		return s.write(copiedBack(h)), true
	}
	out := engine.Object{Kind: "host list", Type: s.typ(h.T), N: h.V.Len()}
	for i := range h.V.Len() {
		out.R = append(out.R, s.data(h.V.Index(i), 0))
	}
	return out, true
}

// hostText names a value of the host's.
func (s *saver) hostText(o any) string {
	switch o.(type) {
	case *exec.HostVals:
		return "memory of the host"
	case reflect.Value, mirror.Rtype:
		return "a value of package reflect"
	}
	return "a value of type " + s.machine.DynName(o)
}
