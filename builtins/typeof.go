package builtins

import (
	"go/token"
	"go/types"
	"reflect"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/made"
)

func (t *Table) shape(rt reflect.Type) types.Type {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.typ(rt)
}

// typ is the go/types form of a Go type, the same each time. The lock is held.
func (t *Table) typ(rt reflect.Type) types.Type {
	rt = t.untied(rt)
	if typ := t.types[rt]; typ != nil {
		return typ
	}
	if rt.Name() != "" || made.Is(rt) {
		if t.inBase(rt) {
			return t.base.shape(rt)
		}
		return t.named(rt) // enters itself, before it looks at what it is made of
	}
	typ := t.composite(rt)
	t.types[rt] = typ
	if k := rt.Kind(); k == reflect.Struct || k == reflect.Interface {
		t.unnamed = append(t.unnamed, unnamedType{typ, rt})
	}
	return typ
}

// An unnamedType is a struct or interface without a name that the host uses.
type unnamedType struct {
	typ types.Type
	rt  reflect.Type
}

// goUnnamed finds the Go type of one.
func (t *Table) goUnnamed(typ types.Type) (reflect.Type, error) {
	if t.base != nil {
		t.base.mu.Lock()
		rt, err := t.base.goUnnamed(typ)
		t.base.mu.Unlock()
		if err == nil {
			return rt, nil
		}
	}
	for _, u := range t.unnamed {
		if types.Identical(u.typ, typ) {
			return u.rt, nil
		}
	}
	return nil, errNoGoType
}

// composite is the type with the structure of rt, without regard to its name.
func (t *Table) composite(rt reflect.Type) types.Type {
	switch rt.Kind() {
	case reflect.Pointer:
		return types.NewPointer(t.typ(rt.Elem()))
	case reflect.Slice:
		return types.NewSlice(t.typ(rt.Elem()))
	case reflect.Array:
		return types.NewArray(t.typ(rt.Elem()), int64(rt.Len()))
	case reflect.Map:
		return types.NewMap(t.typ(rt.Key()), t.typ(rt.Elem()))
	case reflect.Chan:
		return types.NewChan(chanDir(rt.ChanDir()), t.typ(rt.Elem()))
	case reflect.Func:
		return t.signature(rt, nil, 0, false)
	case reflect.Interface:
		return t.interfaceType(rt, nil, false, nil)
	case reflect.Struct:
		return t.structType(rt)
	}
	return basic(rt.Kind())
}

func chanDir(d reflect.ChanDir) types.ChanDir {
	switch d {
	case reflect.SendDir:
		return types.SendOnly
	case reflect.RecvDir:
		return types.RecvOnly
	}
	return types.SendRecv
}

// basic is the predeclared type of a kind. A uint8 is shown as a byte, which it
// nearly always is.
func basic(k reflect.Kind) types.Type {
	switch k {
	case reflect.Uint8:
		return types.Universe.Lookup("byte").Type()
	case reflect.String:
		return types.Typ[types.String]
	case reflect.UnsafePointer:
		return types.Typ[types.UnsafePointer]
	}
	// Bool to Complex128 have the same order in both packages.
	return types.Typ[types.Bool+types.BasicKind(k-reflect.Bool)]
}

// signature is the type of a function without its first skip parameters, and
// without a leading context if the run supplies that.
func (t *Table) signature(rt reflect.Type, recv *types.Var, skip int, supplied bool) *types.Signature {
	if supplied && takesContext(rt, skip) {
		skip++
	}
	params := make([]*types.Var, 0, rt.NumIn())
	for i := skip; i < rt.NumIn(); i++ {
		params = append(params, types.NewParam(token.NoPos, nil, "", t.typ(rt.In(i))))
	}
	results := make([]*types.Var, 0, rt.NumOut())
	for i := range rt.NumOut() {
		results = append(results, types.NewParam(token.NoPos, nil, "", t.typ(rt.Out(i))))
	}
	return types.NewSignatureType(recv, nil, nil, types.NewTuple(params...), types.NewTuple(results...), rt.IsVariadic())
}

// takesContext says whether the parameter at skip is a context.Context.
func takesContext(rt reflect.Type, skip int) bool {
	if rt.NumIn() <= skip {
		return false
	}
	in := rt.In(skip)
	return in.Kind() == reflect.Interface && in.PkgPath() == "context" && in.Name() == "Context"
}

// interfaceType is an interface with the methods of rt. If some are not to be
// used (keep says so), they are left out, and a method takes their place that no
// script can implement.
func (t *Table) interfaceType(rt reflect.Type, pkg *types.Package, supplied bool, keep func(string) bool) types.Type {
	if rt == shim.AnyType {
		return types.Universe.Lookup("any").Type()
	}
	var methods []*types.Func
	hidden := false
	for i := range rt.NumMethod() {
		m := rt.Method(i)
		if keep != nil && m.PkgPath == "" && !keep(m.Name) {
			hidden = true
			continue
		}
		owner := pkg
		if m.PkgPath != "" {
			owner = t.shellAt(m.PkgPath)
		}
		methods = append(methods, types.NewFunc(token.NoPos, owner, m.Name, t.signature(m.Type, nil, 0, supplied)))
	}
	if hidden {
		methods = append(methods, sealingMethod(pkg, rt.Name()))
	}
	return types.NewInterfaceType(methods, nil).Complete()
}

// sealingMethod is one that no script can write.
func sealingMethod(pkg *types.Package, name string) *types.Func {
	return types.NewFunc(token.NoPos, pkg, "hidden_"+name, types.NewSignatureType(nil, nil, nil, nil, nil, false))
}

// structType is an unnamed struct type, with all its fields.
func (t *Table) structType(rt reflect.Type) types.Type {
	fields := make([]*types.Var, rt.NumField())
	tags := make([]string, rt.NumField())
	for i := range fields {
		f := rt.Field(i)
		var pkg *types.Package
		if f.PkgPath != "" {
			pkg = t.shellAt(f.PkgPath)
		}
		fields[i] = types.NewField(token.NoPos, pkg, f.Name, t.typ(f.Type), f.Anonymous)
		tags[i] = string(f.Tag)
	}
	return types.NewStruct(fields, tags)
}
