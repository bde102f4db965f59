package builtins

import (
	"go/types"
	"reflect"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/internal/made"
	"github.com/sandtrap-go/sandtrap/internal/typename"
)

// showing is the rule for a type: one of the standard library whose package says so is
// printed as Go does; of others there is what the policy shows.
func (t *Table) showing(rt reflect.Type) *shim.Showing {
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
func (t *Table) newShowing(rt reflect.Type) *shim.Showing {
	base := rt
	if rt.Kind() == reflect.Pointer && rt.Name() == "" {
		base = rt.Elem()
	}
	w := &shim.Showing{Full: t.full(base), Plain: t.plain(rt, map[reflect.Type]bool{}), Has: map[string]bool{}}
	for name := range shim.SoughtMethods {
		if hasOwnMethod(rt, base, name) && (w.Full || t.methodShown(rt, base, name)) {
			w.Has[name] = true
		}
	}
	if base.Kind() == reflect.Struct {
		w.Fields = t.shownFields(base, w.Full)
	}
	return w
}

// full reports that the values of a type are printed with all they hold. Those of Go's
// internal packages, and handles, are parts of others.
func (t *Table) full(rt reflect.Type) bool {
	if strings.HasPrefix(rt.PkgPath(), "internal/") || rt.PkgPath() == "unique" {
		return true
	}
	p := t.at(rt.PkgPath())
	name, _, _ := strings.Cut(rt.Name(), "[")
	return p != nil && !p.OfHost && (p.Prints == "*" || rows.HasWord(p.Prints, name))
}

// Shows reports whether scripts see a method of values of rt.
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
	if p := t.at(base.PkgPath()); p != nil {
		if row := p.row(base.Name() + "." + name); row != nil && row.Deny {
			return false
		}
	}
	return shim.SoughtMethods[name]
}

// shownFields are the fields of a struct that are printed.
func (t *Table) shownFields(rt reflect.Type, full bool) []int {
	var p *pkg
	var row *Member
	named := rt.Name() != "" || made.Is(rt)
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
	if k := rt.Kind(); kinds.Nilable.Has(k) && !kinds.Composite.Has(k) {
		return false
	}
	if rt.PkgPath() != "" && !t.full(rt) && rt.NumMethod() > 0 || seen[rt] || t.replaced(rt) || rt.Name() != "" && t.nameOf(rt) != rt.String() {
		return false
	}
	seen[rt] = true
	defer delete(seen, rt)
	for part := range kinds.Parts(rt) {
		if !t.plain(part, seen) {
			return false
		}
	}
	return rt.Kind() != reflect.Struct || len(t.shownFields(rt, t.full(rt))) == rt.NumField()
}

// replaced reports a type of ours that scripts know by another name.
func (t *Table) replaced(rt reflect.Type) bool {
	_, ok := t.renamed(rt)
	return ok
}

// TypeName returns the name of a type in the form of package reflect, with the names that
// scripts know: Go's names for types that stand in for some of the standard library.
func (t *Table) TypeName(rt reflect.Type) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.nameOf(rt)
}

func (t *Table) nameOf(rt reflect.Type) string {
	rt = t.untied(rt)
	if rt.Name() != "" || made.Is(rt) {
		if p, row := t.rowOf(rt); row != nil {
			return typename.Join(p.Name, row.Name)
		}
		path, name := nameOf(rt)
		if path == "" {
			return rt.String()
		}
		return typename.Join(t.shellAt(path).Name(), t.ownName(name))
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
	case reflect.Struct:
		return t.structName(rt)
	}
	return rt.String()
}

// structName is that of a struct type without a name.
func (t *Table) structName(rt reflect.Type) string {
	var fields []string
	for f := range rt.Fields() {
		text := t.nameOf(f.Type)
		if !f.Anonymous {
			text = f.Name + " " + text
		}
		if f.Tag != "" {
			text += " " + strconv.Quote(string(f.Tag))
		}
		fields = append(fields, " "+text)
	}
	if len(fields) == 0 {
		return "struct {}"
	}
	return "struct {" + strings.Join(fields, ";") + " }"
}
