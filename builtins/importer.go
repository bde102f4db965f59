package builtins

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
)

// Import returns the package at path with its allowed members. The same path returns the
// same package each time. The error says only that there is none; see Explain for the
// reason.
func (t *Table) Import(path string) (*types.Package, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.at(path); p == nil || !p.open || path == predeclaredPath {
		return nil, fmt.Errorf("package %s is not importable", path)
	}
	return t.load(path)
}

// Named lists the importable packages with this package name, the likeliest first.
func (t *Table) Named(name string) []string {
	var paths []string
	for _, path := range t.paths {
		if t.at(path).Name == name {
			paths = append(paths, path)
		}
	}
	return sortByPreference(paths)
}

// Predeclared lists the members that need no import.
func (t *Table) Predeclared() []types.Object {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.pkgs[predeclaredPath] == nil {
		return nil
	}
	pkg, err := t.load(predeclaredPath)
	if err != nil {
		return nil
	}
	var list []types.Object
	for _, name := range pkg.Scope().Names() {
		list = append(list, pkg.Scope().Lookup(name))
	}
	return list
}

// locked is the importer of a table whose lock is held.
type locked struct{ *Table }

func (l locked) Import(path string) (*types.Package, error) { return l.load(path) }

// insert makes the objects of the rows that are wanted.
func (t *Table) insert(p *pkg, wanted func(*Member) bool) {
	for i := range p.Members {
		row := &p.Members[i]
		if !row.Deny && row.Value != nil && !strings.Contains(row.Name, ".") && wanted(row) {
			p.types.Scope().Insert(t.object(p, row))
		}
	}
}

// load makes the package at path complete. The lock is held.
func (t *Table) load(path string) (*types.Package, error) {
	if b := t.baseFor(path); b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.load(path)
	}
	p := t.entry(path)
	if p.done {
		return p.types, p.err
	}
	p.done = true // also for those that ask while it is being made
	p.types = t.shell(p)
	if p.Source != "" {
		t.insert(p, func(row *Member) bool { return row.Typ() != nil && rows.HasWord(p.Mentions, row.Name) })
		p.err = t.checkSource(p)
	}
	t.insert(p, func(row *Member) bool { return p.types.Scope().Lookup(row.Name) == nil })
	p.types.MarkComplete()
	return p.types, p.err
}

// shellAt returns the package object at a path, perhaps without its members.
func (t *Table) shellAt(path string) *types.Package {
	if b := t.baseFor(path); b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.shellAt(path)
	}
	return t.shell(t.entry(path))
}

// shell returns that of an entry of the table's own.
func (t *Table) shell(p *pkg) *types.Package {
	if p.types == nil {
		p.types = types.NewPackage(p.Path, p.Name)
	}
	return p.types
}

// object makes the object of a row. Scripts have the types of packages that they cannot import already,
// without a scope: they get another name here, which inserting may write to.
func (t *Table) object(p *pkg, row *Member) types.Object {
	pkg, name := t.shell(p), row.Name
	if rt := row.Typ(); rt != nil {
		if named, ok := t.typ(rt).(*types.Named); ok && p.open && named.Obj().Name() == name && named.Obj().Pkg() == pkg {
			return named.Obj()
		}
		return types.NewTypeName(token.NoPos, pkg, name, t.typ(rt)) // an alias
	}
	if lit, ok := row.Value.(Literal); ok {
		val, typ := literalValue(lit)
		return types.NewConst(token.NoPos, pkg, name, typ, val)
	}
	rt := memberType(row)
	if rt.Kind() == reflect.Func && !row.Settable {
		return types.NewFunc(token.NoPos, pkg, name, t.signature(rt, nil, 0, p.OfHost && !row.Special().Context))
	}
	if val := typedConstant(row.Value); val != nil {
		return types.NewConst(token.NoPos, pkg, name, t.typ(rt), val)
	}
	return types.NewVar(token.NoPos, pkg, name, t.typ(rt))
}

// memberType is the Go type of the function, variable or typed constant of a row.
func memberType(m *Member) reflect.Type {
	rt := reflect.TypeOf(m.Value)
	switch {
	case isShim(rt) && m.Settable:
		return rt.Out(0).Elem()
	case isShim(rt):
		return rt.Out(0)
	case rt.Kind() == reflect.Pointer:
		return rt.Elem()
	}
	return rt
}
