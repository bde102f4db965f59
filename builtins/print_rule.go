package builtins

import (
	"go/types"
	"reflect"
	"strings"
)

// A showing is what printing shows of the values of a type.
type showing struct {
	plain  bool  // fmt itself shows just that
	full   bool  // all that they hold, as compiled Go does
	fields []int // of a struct, those that are printed

	// has are the methods that packages look for, of those that scripts see.
	has map[string]bool
}

// soughtMethods are those that packages look for in what they are given. Of types that
// scripts are not shown the true ones are open: what errors and texts are asked for. Format
// is none of them, since it may show more than the text.
var soughtMethods = map[string]bool{
	"Error": true, "String": true, "GoString": true, "Unwrap": true, "Is": true, "As": true,
	"Format": false, "LogValue": false, "MarshalText": false, "MarshalJSON": false,
}

// A shower knows what printing shows of the values of a type, and how it is called.
type shower interface {
	showing(reflect.Type) *showing
	untied(reflect.Type) reflect.Type
	TypeName(reflect.Type) string
	Shows(rt reflect.Type, method string) bool
	shape(reflect.Type) types.Type
	method(env *Env, recv reflect.Type, name string) (reflect.Value, error)
	rightsOf(reflect.Type) rights
}

// showing is what printing shows of a type's values. Without a table that is what errors
// and texts say of themselves.
func (e *Env) showing(rt reflect.Type) *showing {
	if e.table == nil {
		return &showing{has: soughtMethods}
	}
	return e.table.showing(rt)
}

// TypeName is the name of v's type as scripts know it.
func (e *Env) TypeName(v any) string { return goTypeName(v, e.nameOf) }

func (e *Env) nameOf(rt reflect.Type) string {
	if e.table == nil {
		return rt.String()
	}
	return e.table.TypeName(rt)
}

// showing is the rule for a type: one of the standard library whose package says so is
// printed as Go does; of others there is what the policy shows.
func (t *Table) showing(rt reflect.Type) *showing {
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.shows[rt]
	if w == nil {
		w = t.newShowing(rt)
		t.shows[rt] = w
	}
	return w
}

// newShowing finds it. The lock is held, as in what follows.
func (t *Table) newShowing(rt reflect.Type) *showing {
	base := rt
	if rt.Kind() == reflect.Pointer && rt.Name() == "" {
		base = rt.Elem()
	}
	w := &showing{full: t.full(base), plain: t.plain(rt, map[reflect.Type]bool{}), has: map[string]bool{}}
	for name := range soughtMethods {
		if hasOwnMethod(rt, base, name) && (w.full || t.methodShown(rt, base, name)) {
			w.has[name] = true
		}
	}
	if base.Kind() == reflect.Struct {
		w.fields = t.shownFields(base, w.full)
	}
	return w
}

// full reports that the values of a type are printed with all they hold. Those of Go's
// internal packages, and handles, are parts of others.
func (t *Table) full(rt reflect.Type) bool {
	if strings.HasPrefix(rt.PkgPath(), "internal/") || rt.PkgPath() == "unique" {
		return true
	}
	p := t.pkgs[rt.PkgPath()]
	name, _, _ := strings.Cut(rt.Name(), "[")
	return p != nil && !p.own && (p.Prints == "*" || hasWord(p.Prints, name))
}

// Shows reports that scripts see a method that values of rt have.
func (t *Table) Shows(rt reflect.Type, method string) bool {
	base := rt
	if rt.Kind() == reflect.Pointer && rt.Name() == "" {
		base = rt.Elem()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.full(base) || t.methodShown(rt, base, method)
}

// methodShown reports that a method that a type has is there for scripts. A type without a
// name has those of what is embedded in it.
func (t *Table) methodShown(rt, base reflect.Type, name string) bool {
	if _, row := t.rowOf(base); row != nil || base.Name() == "" {
		obj, _, _ := types.LookupFieldOrMethod(t.typ(rt), false, nil, name)
		_, ok := obj.(*types.Func)
		return ok
	}
	if p := t.pkgs[base.PkgPath()]; p != nil {
		if row := p.row(base.Name() + "." + name); row != nil && row.Deny {
			return false
		}
	}
	return soughtMethods[name]
}

// shownFields are the fields of a struct that are printed.
func (t *Table) shownFields(rt reflect.Type, full bool) []int {
	var p *pkg
	var row *Member
	named := rt.Name() != "" || isMade(rt)
	if !full && named {
		p, row = t.rowOf(rt)
	}
	var list []int
	for i := range rt.NumField() {
		f := rt.Field(i)
		if full || f.IsExported() && (!named || row != nil && p.allows(row, f.Name)) {
			list = append(list, i)
		}
	}
	return list
}

// plain reports that fmt shows of a type's values what a script may see: nothing in them
// points anywhere, and nothing is hidden.
func (t *Table) plain(rt reflect.Type, seen map[reflect.Type]bool) bool {
	switch rt.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return false
	}
	if rt.PkgPath() != "" && !t.full(rt) && rt.NumMethod() > 0 || seen[rt] || t.replaced(rt) {
		return false
	}
	seen[rt] = true
	defer delete(seen, rt)
	switch rt.Kind() {
	case reflect.Slice, reflect.Array:
		return t.plain(rt.Elem(), seen)
	case reflect.Map:
		return t.plain(rt.Key(), seen) && t.plain(rt.Elem(), seen)
	case reflect.Struct:
		for i := range rt.NumField() {
			if !t.plain(rt.Field(i).Type, seen) {
				return false
			}
		}
		return len(t.shownFields(rt, t.full(rt))) == rt.NumField()
	}
	return true
}

// replaced reports a type of ours that scripts know by another name.
func (t *Table) replaced(rt reflect.Type) bool {
	_, ok := t.rows[rt]
	return ok
}

// TypeName is the name of a type as package reflect gives it, by the names that scripts
// know: those of Go for the types that stand in for some of the standard library.
func (t *Table) TypeName(rt reflect.Type) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.nameOf(rt)
}

func (t *Table) nameOf(rt reflect.Type) string {
	rt = t.untied(rt)
	if rt.Name() != "" || isMade(rt) {
		if p, row := t.rowOf(rt); row != nil {
			return p.Name + "." + row.Name
		}
		if path, name := nameOf(rt); isMade(rt) || path != rt.PkgPath() {
			return lastElement(path) + "." + name
		}
		return rt.String()
	}
	switch rt.Kind() {
	case reflect.Pointer:
		return "*" + t.nameOf(rt.Elem())
	case reflect.Slice:
		return "[]" + t.nameOf(rt.Elem())
	case reflect.Map:
		return "map[" + t.nameOf(rt.Key()) + "]" + t.nameOf(rt.Elem())
	case reflect.Array:
		head, _, _ := strings.Cut(rt.String(), "]")
		return head + "]" + t.nameOf(rt.Elem())
	}
	return rt.String()
}
