package builtins

import (
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/internal/made"
)

// A View is the part of a host type that scripts see, for use in another process.
type View struct {
	Name    string // path and name; without a row the name of the package for scripts, which may be empty, and the type's
	Listed  bool   // it has a row
	Own     bool   // of a package of the host's own
	Fields  []int
	Methods []ViewedMethod
	Denied  []string // exported methods and fields that are not shown
	Handle  bool     // scripts hold it behind a pointer only
}

// A ViewedMethod is a method that scripts see.
type ViewedMethod struct {
	Name   string
	Fn     any // a function of the context, if the method takes one, the receiver and the other parameters
	Grants string
}

// View describes what scripts see of the named type rt.
func (t *Table) View(rt reflect.Type) View {
	t.mu.Lock()
	defer t.mu.Unlock()
	p, row := t.rowOf(rt)
	if row == nil {
		path, name := nameOf(rt)
		return View{Name: t.shellAt(path).Name() + "." + t.ownName(name)}
	}
	v := View{Name: p.Path + "." + row.Name, Listed: true, Own: p.OfHost, Handle: row.Handle}
	if !p.OfHost {
		return v // who has the package knows
	}
	var names []string
	if rt.Kind() == reflect.Struct {
		v.Fields = t.shownFields(rt, false)
	}
	for _, i := range v.Fields {
		names = append(names, rt.Field(i).Name)
	}
	for _, m := range t.shownMethods(rt, p, row) {
		r := Ref{Owner: row.Name, Name: m.name}
		v.Methods = append(v.Methods, ViewedMethod{m.name, contextFirst(m.fn), p.grantsOf(r)})
		names = append(names, m.name)
	}
	for _, name := range deniable(rt) {
		if !slices.Contains(names, name) {
			v.Denied = append(v.Denied, name)
		}
	}
	return v
}

// contextFirst is a method as a function whose context, if it takes one, comes before the
// receiver.
func contextFirst(fn reflect.Value) any {
	ft := fn.Type()
	if !takesContext(ft, 1) {
		return fn.Interface()
	}
	in := slices.Collect(ft.Ins())
	in[0], in[1] = in[1], in[0]
	return reflect.MakeFunc(reflect.FuncOf(in, outs(ft), ft.IsVariadic()), func(args []reflect.Value) []reflect.Value {
		args[0], args[1] = args[1], args[0]
		return call(fn, args)
	}).Interface()
}

// deniable are the members that can be denied: of an interface also methods that cannot be called,
// which keep others from having all.
func deniable(rt reflect.Type) (names []string) {
	if _, ok := made.Name(rt); ok {
		for f := range made.Fields(rt) {
			names = append(names, f.Name)
		}
		return names
	}
	if rt.Kind() != reflect.Interface {
		return rows.MemberNames(rt)
	}
	for m := range rt.Methods() {
		names = append(names, m.Name)
	}
	return names
}
