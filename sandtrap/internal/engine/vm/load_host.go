package vm

import (
	"container/list"
	"errors"
	"go/types"
	"math"
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/exec"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/printer"
)

// items are what a value of the host's contains that has methods to put it in.
type items struct {
	in  any
	all *ir.Obj // one in each cell
}

// hostLoaded makes a value of the host's again. What a pointer leads to comes later, and may lead back to it.
func (r *restorer) hostLoaded(o *engine.Object) any {
	text := ""
	if len(o.S) > 0 {
		text = o.S[0]
	}
	if e := exec.RuntimeErrors[o.Kind]; e != nil {
		return e(text)
	}
	switch o.Kind {
	case "error":
		return errors.New(text)
	case "wrapped":
		if e := wrapped(o.Name, text, r.errors(o.R)); e != nil {
			return e
		}
	case "sentinel":
		return sentinels[o.Name]
	case "data error":
		if rt := dataErrors[text]; rt != nil {
			p := reflect.New(rt)
			r.body(p, o, 0)
			return p.Interface()
		}
	case "remade":
		v := r.remade(o)
		if nameless(v) {
			return v
		}
		if t := r.typeAt(o.Type); t.Kind == ir.KindHost && reflect.TypeOf(v) == reflect.PointerTo(t.Mem) {
			return v
		}
	case hostPointer:
		return r.hostPointer(o)
	case "host value":
		p := r.hostStruct(o)
		r.body(p, o, 0)
		return p.Elem().Interface()
	case "host data":
		t := r.typeAt(o.Type)
		if t.Host == nil || len(o.R) != 1 || t.Host.Kind() == reflect.Pointer || !kinds.Elements.Has(t.Host.Kind()) {
			break
		}
		v := reflect.New(t.Host).Elem()
		r.data(v, o.R[0], 0)
		return v.Interface()
	case "host basic":
		return r.hostBasic(r.typeAt(o.Type), o.R[0]).Interface()
	case "host list":
		return r.hostList(o)
	case "data":
		return part{}
	}
	return nil
}

// part stands for an object that is part of a value of the host's.
type part struct{}

// fillHost gives what a pointer of the host's leads to its value.
func (r *restorer) fillHost(p any, o *engine.Object) {
	v := reflect.ValueOf(p)
	switch {
	case o.Kind != hostPointer || o.Name == bodyNil:
	case v.Elem().Kind() == reflect.Struct:
		r.body(v, o, 0)
	default:
		r.data(v.Elem(), o.R[0], 0)
	}
}

func (r *restorer) errors(list []engine.Value) (out []error) {
	for _, v := range list {
		err, ok := printer.ExportProxy(r.machine, r.hostValue(v)).(error)
		if !ok {
			panic("an error that is none")
		}
		out = append(out, err)
	}
	return out
}

// hostValue is a value of the host's that another holds.
func (r *restorer) hostValue(v engine.Value) any {
	x := r.value(v)
	if x == nil || isOwn(x) {
		panic("a value of the host's that is none")
	}
	return x
}

// hostPointer is a pointer to a new variable, which is filled later; nil if it is not saved so.
func (r *restorer) hostPointer(o *engine.Object) any {
	t := r.typeAt(o.Type)
	rt := t.Host
	if t.Kind == ir.KindHost {
		rt = t.Mem
	}
	switch {
	case rt == nil:
		return nil
	case o.Name == bodyNil:
		return reflect.Zero(reflect.PointerTo(rt)).Interface()
	case rt.Kind() != reflect.Struct && len(o.R) != 1:
		return nil
	}
	return reflect.New(rt).Interface()
}

// hostStruct is a pointer to a new struct of the host's.
func (r *restorer) hostStruct(o *engine.Object) reflect.Value {
	t := r.typeAt(o.Type)
	if t.Kind != ir.KindHost {
		panic("a type that is not the host's")
	}
	return reflect.New(t.Mem)
}

// body gives the struct of the host's that p points to what is saved of it.
func (r *restorer) body(p reflect.Value, o *engine.Object, depth int) {
	rt := p.Type().Elem()
	if !r.run.Host.MayMake(rt) {
		panic("a struct that scripts cannot make")
	}
	switch o.Name {
	case bodyZero:
	case bodyCodec:
		codec, ok := hostCodecs[rt]
		if !ok {
			panic("a struct that is not saved so")
		}
		if err := codec.decode(p.Interface(), o.Bytes); err != nil {
			panic(err)
		}
	case bodyRemade:
		v := reflect.ValueOf(r.remade(o))
		if v.Type() != p.Type() {
			panic("a struct of another type")
		}
		p.Elem().Set(v.Elem())
	case bodyZoned:
		t, ok := p.Interface().(*time.Time)
		if !ok {
			panic("a struct that is not saved so")
		}
		if err := t.UnmarshalBinary(o.Bytes); err != nil {
			panic(err)
		}
		*t = t.In(r.zone(o))
	case bodyItems:
		r.items = append(r.items, items{p.Interface(), &ir.Obj{R: r.values(o.R)}})
	case bodyFields:
		if n, ok := dataFields(rt); !ok || len(o.R) != n {
			panic("a struct that is not saved so")
		}
		for i, v := range o.R {
			r.data(p.Elem().Field(i), v, depth+1)
		}
	default:
		panic("a struct that is not saved so")
	}
}

// remade is a value that a text says, a pointer.
func (r *restorer) remade(o *engine.Object) any {
	if len(o.S) != 2 {
		panic("a value that is not saved so")
	}
	v, err := r.run.Host.Remake(o.S[0], o.S[1])
	if err != nil {
		panic(err)
	}
	return v
}

// zone is that of a time.
func (r *restorer) zone(o *engine.Object) *time.Location {
	if len(o.S) == 1 && len(o.I) == 1 && o.I[0] == int64(int32(o.I[0])) {
		return time.FixedZone(o.S[0], int(o.I[0]))
	}
	loc, ok := r.remade(o).(*time.Location)
	if !ok {
		panic("a zone that is none")
	}
	return loc
}

// data sets part of a value of the host's.
func (r *restorer) data(at reflect.Value, v engine.Value, depth int) {
	if depth > maxData {
		panic("values that lie too deep in each other")
	}
	k := at.Kind()
	if v.Kind == "" {
		if !kinds.Nilable.Has(k) {
			panic("part of a struct that is not there")
		}
		return
	}
	if v.Kind != "object" || k == reflect.Interface || k == reflect.Pointer {
		x := reflect.ValueOf(r.hostValue(v))
		if k == reflect.Interface && !x.Type().AssignableTo(at.Type()) {
			x = reflect.ValueOf(printer.ExportProxy(r.machine, x.Interface()))
		}
		switch {
		case x.Type().AssignableTo(at.Type()):
			at.Set(x)
		case ir.KindTypes[k] == x.Type():
			at.Set(x.Convert(at.Type()))
		default:
			panic("part of a struct that is of another type")
		}
		return
	}
	if made := r.made[v.N]; made.IsValid() && made.Type() == at.Type() {
		at.Set(made)
		return
	}
	o := r.once(v)
	if k == reflect.Slice {
		at.Set(reflect.MakeSlice(at.Type(), len(o.R), len(o.R)))
	}
	if k == reflect.Slice || k == reflect.Map {
		defer func() { r.made[v.N] = at }()
	}
	switch {
	case kinds.Indexable.Has(k) && k != reflect.String && at.Len() == len(o.R):
		for i, e := range o.R {
			r.data(at.Index(i), e, depth+1)
		}
	case k == reflect.Map:
		at.Set(reflect.MakeMap(at.Type()))
		for i := 0; i+1 < len(o.R); i += 2 {
			key, elem := reflect.New(at.Type().Key()).Elem(), reflect.New(at.Type().Elem()).Elem()
			r.data(key, o.R[i], depth+1)
			r.data(elem, o.R[i+1], depth+1)
			at.SetMapIndex(key, elem)
		}
	case k == reflect.Struct:
		r.body(at.Addr(), o, depth)
	default:
		panic("part of a struct that is of another type")
	}
}

// once is the object that v is, which is made once: else there could be any number of it.
func (r *restorer) once(v engine.Value) *engine.Object {
	if v.Kind != "object" || v.N < 1 || v.N > int64(len(r.state.Objects)) || r.used[int(v.N)] {
		panic("part of a value that is not there")
	}
	r.used[int(v.N)] = true
	return &r.state.Objects[v.N-1]
}

// contents are the checks of all that is to be put into values of the host's.
func (r *restorer) contents() (list []check) {
	t := r.Program.Types.Of(types.Universe.Lookup("any").Type())
	for _, it := range r.items {
		for i := range it.all.R {
			list = append(list, check{t, it.all, i})
		}
	}
	return list
}

// putIn puts into values of the host's what they contain, which is found to be right, and stays the script's own.
func (r *restorer) putIn() (err error) {
	r.machine.Crossing = exec.Crossing{Keeping: true}
	defer func() {
		r.machine.Crossing = exec.Crossing{}
		if v := recover(); v != nil {
			err = damaged(v)
		}
	}()
	for _, it := range r.items {
		all := it.all.R
		switch in := it.in.(type) {
		case mapping:
			for i := 0; i+1 < len(all); i += 2 {
				in.Store(r.machine.Export(all[i]), r.machine.Export(all[i+1]))
			}
		case holder:
			for _, v := range all {
				in.Store(r.machine.Export(v))
			}
		case *list.List:
			for _, v := range all {
				in.PushBack(r.machine.Export(v))
			}
		default:
			panic("a struct that contains nothing")
		}
	}
	return nil
}

func (r *restorer) hostBasic(t *ir.Type, v engine.Value) reflect.Value {
	b, ok := basicLoaded(v)
	if !ok || t.Host == nil || ir.KindTypes[t.Kind] == nil || reflect.TypeOf(b) != ir.KindTypes[t.Kind] {
		panic("a basic value of another type")
	}
	return reflect.ValueOf(b).Convert(t.Host)
}

func (r *restorer) hostList(o *engine.Object) any {
	t := r.typeAt(o.Type)
	if !exec.HeldByHost(t) || o.N != len(o.R) || o.N > math.MaxInt32 {
		panic("a list of another type")
	}
	v := reflect.MakeSlice(reflect.SliceOf(t.Host), o.N, o.N)
	for i, e := range o.R {
		r.data(v.Index(i), e, 0)
	}
	return &exec.HostVals{M: r.machine, T: t, V: v}
}
