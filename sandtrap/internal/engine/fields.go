package engine

import (
	"encoding"
	"encoding/json"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/internal/made"
)

// ScriptFields are the fields of a struct of the script's that Vars has, by the names of encoding/json.
func ScriptFields(t types.Type) []jsontext.Field { return jsontext.Fields(t, scriptStruct) }

func scriptStruct(t types.Type) []jsontext.StructField[types.Type] {
	st := t.Underlying().(*types.Struct)
	list := make([]jsontext.StructField[types.Type], st.NumFields())
	for i := range list {
		f := st.Field(i)
		list[i] = jsontext.StructField[types.Type]{Name: f.Name(), Tag: reflect.StructTag(st.Tag(i)).Get("json"), Embedded: f.Embedded(), Exported: f.Exported()}
		ft := types.Unalias(f.Type())
		if ptr, ok := ft.(*types.Pointer); ok {
			ft = types.Unalias(ptr.Elem())
		}
		if _, ok := ft.Underlying().(*types.Struct); ok && !hasMethod(ft, "MarshalJSON") && !hasMethod(ft, "MarshalText") {
			list[i].Struct = ft
		}
	}
	return list
}

// hasMethod reports that variables of t have a method. An embedded struct that says itself what it is in JSON is a field
// of its own: its fields, as those of a time.Time, tell nothing.
func hasMethod(t types.Type, name string) bool {
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, nil, name)
	_, ok := obj.(*types.Func)
	return ok
}

// ScriptField is the field of t at the end of a path.
func ScriptField(t types.Type, path []int) (f *types.Var) {
	for _, i := range path {
		if ptr, ok := t.Underlying().(*types.Pointer); ok {
			t = ptr.Elem()
		}
		f = t.Underlying().(*types.Struct).Field(i)
		t = f.Type()
	}
	return f
}

// A hostField is an exported field of a struct of the host's that values are decoded into, or of one embedded in it.
type hostField struct {
	jsontext.Field
	typ      reflect.Type
	optional bool
	made     bool   // it lies behind a pointer, which it takes a value to make
	own      string // name in Go
	closed   bool   // it is, or lies behind a pointer, that only its package can set
}

var knownHostFields sync.Map // from reflect.Type to []hostField

// hostFields are those of rt that JSON has.
func hostFields(rt reflect.Type) (list []hostField) {
	if known, ok := knownHostFields.Load(rt); ok {
		return known.([]hostField)
	}
	for _, f := range jsontext.Fields(rt, hostStruct) {
		list = append(list, newHostField(rt, f))
	}
	knownHostFields.Store(rt, list)
	return list
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

func hostStruct(rt reflect.Type) (list []jsontext.StructField[reflect.Type]) {
	for f := range made.Fields(rt) {
		sf := jsontext.StructField[reflect.Type]{Name: f.Name, Tag: f.Tag.Get("json"), Embedded: f.Anonymous, Exported: f.IsExported()}
		if ft := behind(f.Type); ft.Kind() == reflect.Struct && !reflect.PointerTo(ft).Implements(marshaler) && !reflect.PointerTo(ft).Implements(textMarshaler) {
			sf.Struct = ft
		}
		list = append(list, sf)
	}
	return list
}

// behind is rt or, if that is a pointer without a name, what it leads to.
func behind(rt reflect.Type) reflect.Type {
	if rt.Kind() == reflect.Pointer && rt.Name() == "" {
		return rt.Elem()
	}
	return rt
}

func newHostField(rt reflect.Type, jf jsontext.Field) hostField {
	f := hostField{Field: jf, optional: jf.OmitEmpty || jf.OmitZero}
	for i, k := range jf.Path {
		sf := behind(rt).Field(k)
		rt, f.typ, f.own = sf.Type, sf.Type, sf.Name
		last := i == len(jf.Path)-1
		if rt.Kind() == reflect.Pointer {
			f.optional, f.made = true, !last
		}
		f.closed = f.closed || !sf.IsExported() && (last || rt.Kind() == reflect.Pointer)
	}
	return f
}

// of finds the field in a struct; there is none if a pointer on the way is nil, or if nobody may see it.
func (f *hostField) of(v reflect.Value) (reflect.Value, bool) {
	for _, i := range f.Path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, v.CanInterface()
}

// in finds the field in a variable, and makes the structs that lie on the way.
func (f *hostField) in(v reflect.Value) reflect.Value {
	for _, i := range f.Path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
}

// LeavesOut reports that JSON has no field f with the value v, of a type of Go's.
func LeavesOut(f jsontext.Field, v reflect.Value) bool {
	if f.OmitZero {
		if z, ok := v.Interface().(interface{ IsZero() bool }); ok && !(v.Kind() == reflect.Pointer && v.IsNil()) {
			if z.IsZero() {
				return true
			}
		} else if v.IsZero() {
			return true
		}
	}
	return f.OmitEmpty && isEmpty(v)
}

func isEmpty(v reflect.Value) bool {
	switch k := v.Kind(); {
	case kinds.Ranged.Has(k):
		return v.Len() == 0
	case k == reflect.Struct || k == reflect.Func || v.CanComplex():
		return false
	}
	return v.IsZero()
}

// from is the key in keys of the value for f: its name in JSON, in Go, or the one that differs in the case of letters
// alone, as in package encoding/json. free are those that are no field's name in JSON.
func (f *hostField) from(keys, free []string) (key string, ok bool) {
	if slices.Contains(keys, f.Name) {
		return f.Name, true
	}
	if keys = free; slices.Contains(keys, f.own) {
		return f.own, true
	}
	fold := func(key string) bool { return strings.EqualFold(key, f.Name) }
	if i := slices.IndexFunc(keys, fold); i >= 0 && !slices.ContainsFunc(keys[i+1:], fold) {
		return keys[i], true
	}
	return "", false
}

// sameLetters reports whether two names differ by case, by what is no letter or digit, or by letters in another order: one
// of them is most probably misspelt.
func sameLetters(a, b string) bool {
	letters := func(s string) string {
		list := []rune(strings.Map(func(r rune) rune {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return -1
			}
			return unicode.ToLower(r)
		}, s))
		slices.Sort(list)
		return string(list)
	}
	return letters(a) == letters(b)
}

// matched pairs the fields of a struct of the host's with the keys of what is decoded into it. refused reports whether
// a key that no field takes is an error.
func (p *place) matched(rt reflect.Type, keys []string, refused func(key string) bool, each func(f hostField, key string) error) error {
	var names, absent []string
	taken := map[string]bool{}
	fields := hostFields(rt)
	isName := func(key string) bool {
		return slices.ContainsFunc(fields, func(f hostField) bool { return f.Name == key })
	}
	free := slices.DeleteFunc(slices.Clone(keys), isName)
	for _, f := range fields {
		names = append(names, f.Name)
		key, there := f.from(keys, free)
		switch {
		case there:
			taken[key] = true
			if f.closed {
				return p.field(f.Name).error("this field cannot be set: in the host's type it is behind an embedded one that is not exported")
			}
			if err := each(f, key); err != nil {
				return err
			}
		case !f.optional:
			return p.field(f.Name).error("missing")
		default:
			absent = append(absent, f.Name)
		}
	}
	for _, key := range keys {
		misspelt := func(name string) bool { return sameLetters(name, key) }
		if !taken[key] && (refused(key) || slices.ContainsFunc(absent, misspelt)) {
			return p.field(key).error("there is no such field; there are %s", strings.Join(names, ", "))
		}
	}
	return nil
}

// Plain is a type whose variables take what those of rt take, with any where only methods of rt's own tell: it has no
// embedded structs, no types in themselves and none that read their values themselves. known are those that stay.
func Plain(rt reflect.Type, known func(reflect.Type) bool) reflect.Type {
	return (&plain{known, map[reflect.Type]bool{}}).of(rt)
}

type plain struct {
	known  func(reflect.Type) bool
	within map[reflect.Type]bool
}

func (x *plain) of(rt reflect.Type) reflect.Type {
	switch k := rt.Kind(); {
	case x.known(rt):
		return rt
	case ReadsJSON(rt) || ReadsText(rt) || x.within[rt]:
		return reflect.TypeFor[any]()
	case k == reflect.Struct || kinds.Elements.Has(k) && rt.Name() != "":
		x.within[rt] = true
		defer delete(x.within, rt)
	}
	switch k := rt.Kind(); {
	case k == reflect.Struct:
		return x.fields(rt)
	case kinds.Elements.Has(k) && k != reflect.Chan:
		return x.elements(rt)
	}
	return rt
}

// elements is rt where what it is made of is as it was.
func (x *plain) elements(rt reflect.Type) reflect.Type {
	elem := x.of(rt.Elem())
	if rt.Kind() == reflect.Map {
		if key := x.of(rt.Key()); key != rt.Key() || elem != rt.Elem() {
			return reflect.MapOf(key, elem)
		}
	}
	switch k := rt.Kind(); {
	case elem == rt.Elem():
		return rt
	case k == reflect.Slice:
		return reflect.SliceOf(elem)
	case k == reflect.Array:
		return reflect.ArrayOf(rt.Len(), elem)
	}
	return reflect.PointerTo(elem)
}

func (x *plain) fields(rt reflect.Type) reflect.Type {
	var list []reflect.StructField
	taken := map[string]bool{}
	same := !slices.ContainsFunc(reflect.VisibleFields(rt), func(f reflect.StructField) bool { return f.Anonymous && len(f.Index) == 1 })
	for i, f := range hostFields(rt) {
		sf := reflect.StructField{Name: f.own, Type: x.of(f.typ), Tag: reflect.StructTag("json:" + strconv.Quote(f.Name+","))}
		if taken[f.own] {
			sf.Name += "_" + strconv.Itoa(i)
		}
		if f.optional {
			sf.Tag = reflect.StructTag("json:" + strconv.Quote(f.Name+",omitempty"))
		}
		same, taken[sf.Name] = same && sf.Type == f.typ, true
		if f.made && sf.Type.Kind() != reflect.Pointer {
			sf.Type = reflect.PointerTo(sf.Type)
		}
		if !f.closed {
			list = append(list, sf)
		}
	}
	if same {
		return rt
	}
	return reflect.StructOf(list)
}
