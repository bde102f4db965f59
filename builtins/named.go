package builtins

import (
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/made"
)

// named makes the named type of rt: with what its row allows if it has one, else
// opaque, which means that scripts can hold and pass its values and no more. An
// interface is known by its methods either way.
func (t *Table) named(rt reflect.Type) types.Type {
	if rt == shim.ErrorType {
		return types.Universe.Lookup("error").Type()
	}
	pkgPath, name := nameOf(rt)
	if pkgPath == "" {
		return basic(rt.Kind())
	}
	if strings.Contains(rt.Name(), "[") && !made.Is(rt) {
		if typ := t.instance(rt); typ != nil {
			t.types[rt] = typ
			return typ
		}
	}
	p, row := t.rowOf(rt)
	pkg := t.shellAt(pkgPath)
	if row != nil {
		pkg, name = t.shell(p), row.Name
	} else {
		name = t.ownName(name)
	}
	obj := types.NewTypeName(token.NoPos, pkg, name, nil)
	typ := types.NewNamed(obj, nil, nil)
	t.types[rt], t.back[obj] = typ, rt
	if row != nil && p.open && row.Typ() == rt {
		pkg.Scope().Insert(obj) // now, since it writes to obj, which programs have before they import pkg
	}
	typ.SetUnderlying(t.underlying(rt, pkg, p, row))
	if row != nil && rt.Kind() != reflect.Interface {
		t.addMethods(typ, rt, p, row)
	}
	return typ
}

// rowOf finds the row of a type, if it has one that allows it.
func (t *Table) rowOf(rt reflect.Type) (*pkg, *Member) {
	if ref, ok := t.renamed(rt); ok {
		if ref.row.Deny {
			return nil, nil
		}
		return ref.pkg, ref.row
	}
	p := t.at(rt.PkgPath())
	if p == nil || !p.open && !p.shown {
		return nil, nil
	}
	if row := p.row(rt.Name()); row != nil && !row.Deny && row.Typ() == rt {
		return p, row
	}
	return nil, nil
}

func (t *Table) underlying(rt reflect.Type, pkg *types.Package, p *pkg, row *Member) types.Type {
	switch rt.Kind() {
	case reflect.Struct:
		return t.filteredStruct(rt, pkg, p, row)
	case reflect.Interface:
		if made.Is(rt) {
			return t.madeInterface(rt, pkg, p, row)
		}
		supplied := p != nil && p.OfHost
		if row == nil || !p.deniesMember(row) {
			return t.interfaceType(rt, pkg, supplied, nil)
		}
		return t.interfaceType(rt, pkg, supplied, func(name string) bool {
			own := p.row(row.Name + "." + name)
			return own == nil || !own.Deny
		})
	}
	return t.composite(rt)
}

// deniesMember says whether a row denies a method or field of the owner.
func (p *pkg) deniesMember(owner *Member) bool {
	for name, m := range p.rowsByName() {
		if m.Deny && strings.HasPrefix(name, owner.Name+".") {
			return true
		}
	}
	return false
}

// filteredStruct is a struct with the fields that the row allows. The others are
// stood for by one field that no script can name, set, or have in a struct of its
// own: so literals without keys and conversions between structs are refused, and
// == is allowed where Go allows it.
func (t *Table) filteredStruct(rt reflect.Type, pkg *types.Package, p *pkg, row *Member) types.Type {
	var fields []*types.Var
	var tags []string
	for i := range rt.NumField() {
		f := rt.Field(i)
		if f.IsExported() && row != nil && p.allows(row, f.Name) {
			fields = append(fields, types.NewField(token.NoPos, pkg, f.Name, t.typ(f.Type), f.Anonymous))
			tags = append(tags, string(f.Tag))
		}
	}
	if hides(rt, len(fields)) {
		var typ types.Type = types.Typ[types.Int]
		if !rt.Comparable() {
			typ = types.NewArray(types.NewSignatureType(nil, nil, nil, nil, nil, false), 0)
		}
		_, name := nameOf(rt)
		fields = append(fields, types.NewField(token.NoPos, pkg, "hidden_"+name, typ, false))
		tags = append(tags, "")
	}
	return types.NewStruct(fields, tags)
}

// addMethods gives a named type the methods that its row allows.
func (t *Table) addMethods(typ *types.Named, rt reflect.Type, p *pkg, row *Member) {
	for _, m := range t.shownMethods(rt, p, row) {
		recv := types.Type(typ)
		if m.pointer {
			recv = types.NewPointer(typ)
		}
		v := types.NewParam(token.NoPos, typ.Obj().Pkg(), "", recv)
		typ.AddMethod(types.NewFunc(token.NoPos, typ.Obj().Pkg(), m.name, t.signature(m.typ, v, 1, p.OfHost)))
	}
	t.sealMethods(typ, rt, p)
}

// A shownMethod is one that a row allows.
type shownMethod struct {
	name    string
	pointer bool          // its receiver is one
	typ     reflect.Type  // with the receiver as first parameter
	fn      reflect.Value // Go's own, zero for that of a made type
}

// shownMethods are the methods of a type that its row allows. Those of a made type have rows.
func (t *Table) shownMethods(rt reflect.Type, p *pkg, row *Member) (list []shownMethod) {
	switch {
	case made.Is(rt):
		return p.madeMethods(rt, row)
	case rt.Kind() == reflect.Interface:
		return p.interfaceMethods(rt, row)
	}
	pointer := reflect.PointerTo(rt)
	for i := range pointer.NumMethod() {
		name := pointer.Method(i).Name
		if !p.allows(row, name) || t.deniedBelow(rt, p, row, name) {
			continue
		}
		m, onValue := rt.MethodByName(name)
		if !onValue {
			m, _ = pointer.MethodByName(name)
		}
		ft := m.Type
		if own := p.row(row.Name + "." + name); own != nil && own.Value != nil {
			ft = memberType(own)
		}
		list = append(list, shownMethod{name, !onValue, ft, m.Func})
	}
	return list
}

// interfaceMethods are those of an interface that no row denies.
func (p *pkg) interfaceMethods(rt reflect.Type, row *Member) (list []shownMethod) {
	for i := range rt.NumMethod() {
		m := rt.Method(i)
		if own := p.row(row.Name + "." + m.Name); m.IsExported() && (own == nil || !own.Deny) {
			fn := throughInterface(rt, m)
			list = append(list, shownMethod{m.Name, false, fn.Type(), fn})
		}
	}
	return list
}

// sealMethods gives a type the unexported methods by which it implements interfaces
// of its own package that only that package's types can implement.
func (t *Table) sealMethods(typ *types.Named, rt reflect.Type, p *pkg) {
	for i := range p.Members {
		it := p.Members[i].Typ()
		if it == nil || it.Kind() != reflect.Interface || !reflect.PointerTo(rt).Implements(it) {
			continue
		}
		recv := types.Type(typ)
		if !rt.Implements(it) {
			recv = types.NewPointer(typ)
		}
		for k := range it.NumMethod() {
			m := it.Method(k)
			if m.PkgPath == "" || hasHidden(typ, m.Name) {
				continue
			}
			v := types.NewParam(token.NoPos, typ.Obj().Pkg(), "", recv)
			typ.AddMethod(types.NewFunc(token.NoPos, t.shellAt(m.PkgPath), m.Name, t.signature(m.Type, v, 0, false)))
		}
	}
}

func hasHidden(typ *types.Named, name string) bool {
	for m := range typ.Methods() {
		if m.Name() == name {
			return true
		}
	}
	return false
}

// deniedBelow says whether a type that rt embeds, at any depth, denies the
// method. A method that rt declares itself cannot be told from a promoted one, so
// it needs a row of its own to be allowed then.
func (t *Table) deniedBelow(rt reflect.Type, p *pkg, row *Member, name string) bool {
	if p.row(row.Name+"."+name) != nil || rt.Kind() != reflect.Struct || rows.HasWord(row.With, name) {
		return false
	}
	return t.embedsDenied(p, rt, name, map[reflect.Type]bool{})
}

func (t *Table) embedsDenied(p *pkg, rt reflect.Type, name string, seen map[reflect.Type]bool) bool {
	if seen[rt] || rt.Kind() != reflect.Struct {
		return false
	}
	seen[rt] = true
	for i := range rt.NumField() {
		f := rt.Field(i)
		if !f.Anonymous {
			continue
		}
		base := f.Type
		if base.Kind() == reflect.Pointer {
			base = base.Elem()
		}
		if shim.IsGoSync(base) && hasMethod(base, name) { // an Unlock too many ends the process, and a Lock waits on the host
			return true
		}
		if q, row := t.rowOf(base); row != nil && hasMethod(base, name) && !q.allows(row, name) {
			return true
		}
		if row := p.row(base.Name() + "." + name); row != nil && row.Deny {
			return true
		}
		if t.embedsDenied(p, base, name, seen) {
			return true
		}
	}
	return false
}

func hasMethod(rt reflect.Type, name string) bool {
	if rt.Kind() != reflect.Interface {
		rt = reflect.PointerTo(rt)
	}
	_, ok := rt.MethodByName(name)
	return ok
}
