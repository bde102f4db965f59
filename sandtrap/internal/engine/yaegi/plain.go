package yaegi

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A plainer makes variables of the script values that the host can keep: structs of the script's types are maps. The
// interpreter makes types of Go's for those, without their names, in which all fields are exported.
type plainer struct {
	structs map[string]types.Type // by what such a type looks like
	left    int                   // parts of values, which may hold themselves
	whole   bool                  // fields that JSON leaves out because they are empty are there too
}

const (
	mostPlain = 1 << 20
	deepPlain = 1000
)

func newPlainer(u *unit, whole bool) *plainer {
	p := &plainer{map[string]types.Type{}, mostPlain, whole}
	for e, tv := range u.info.Types {
		if _, ok := e.(*ast.StructType); ok {
			p.add(tv.Type.Underlying().(*types.Struct))
		}
	}
	for _, in := range u.info.Instances {
		if st, ok := in.Type.Underlying().(*types.Struct); ok {
			p.add(st)
		}
	}
	return p
}

func (p *plainer) add(st *types.Struct) {
	var look strings.Builder
	for i := range st.NumFields() {
		name := st.Field(i).Name()
		if !token.IsExported(name) {
			name = "X" + name
		}
		look.WriteString(name + " " + st.Tag(i) + "\n")
	}
	p.structs[look.String()] = st
}

// known is the type of the script's that the interpreter has made rt for; nil if there is none.
func (p *plainer) known(rt reflect.Type) types.Type {
	if rt.Kind() != reflect.Struct || rt.Name() != "" {
		return nil
	}
	var look strings.Builder
	for f := range rt.Fields() {
		look.WriteString(f.Name + " " + string(f.Tag) + "\n")
	}
	return p.structs[look.String()]
}

// holds reports that values of rt may have structs of the script in them.
func (p *plainer) holds(rt reflect.Type, depth int) bool {
	switch k := rt.Kind(); {
	case depth > 100:
		return false
	case k == reflect.Interface:
		return rt.NumMethod() == 0
	case k == reflect.Struct:
		return p.known(rt) != nil
	}
	return rt.Name() == "" && kinds.Elements.Has(rt.Kind()) && rt.Kind() != reflect.Chan && p.holds(rt.Elem(), depth+1)
}

func (p *plainer) of(v reflect.Value, depth int) any {
	if p.left--; p.left < 0 || depth > deepPlain || !v.IsValid() || !p.holds(v.Type(), 0) {
		return asIs(v)
	}
	switch k := v.Kind(); {
	case kinds.Nilable.Has(k) && v.IsNil():
		if k == reflect.Slice {
			return []any(nil)
		}
		return nil
	case k == reflect.Interface || k == reflect.Pointer:
		return p.of(v.Elem(), depth+1)
	case k == reflect.Struct:
		return p.fields(v, depth)
	case k == reflect.Map:
		return p.entries(v, depth)
	}
	list := make([]any, v.Len())
	for i := range list {
		list[i] = p.of(v.Index(i), depth+1)
	}
	return list
}

func asIs(v reflect.Value) any {
	if !v.IsValid() {
		return nil
	}
	return v.Interface()
}

func (p *plainer) fields(v reflect.Value, depth int) any {
	fields := map[string]any{}
	for _, f := range engine.ScriptFields(p.known(v.Type())) {
		if fv := at(v, f); fv.IsValid() && (p.whole || !engine.LeavesOut(f, fv)) {
			fields[f.Name] = p.of(fv, depth+1)
		}
	}
	return fields
}

// at finds a field; it is not valid if it is to be left out.
func at(v reflect.Value, f jsontext.Field) reflect.Value {
	for _, i := range f.Path {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct || i >= v.NumField() {
			return reflect.Value{}
		}
		v = v.Field(i)
	}
	if !v.CanInterface() {
		return reflect.Value{}
	}
	return v
}

func (p *plainer) entries(v reflect.Value, depth int) any {
	out := reflect.MakeMapWithSize(reflect.MapOf(v.Type().Key(), reflect.TypeFor[any]()), v.Len())
	for it := v.MapRange(); it.Next(); {
		elem := reflect.New(reflect.TypeFor[any]()).Elem()
		if e := p.of(it.Value(), depth+1); e != nil {
			elem.Set(reflect.ValueOf(e))
		}
		out.SetMapIndex(it.Key(), elem)
	}
	return out.Interface()
}
