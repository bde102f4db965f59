package builtins

import (
	"go/types"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"weak"

	"github.com/sandtrap-go/sandtrap/internal/made"
)

// Tables of the same selection of the standard library have one table of it below them, their base: go/types'
// packages and types of what scripts import take most of the memory of a table, and are alike. A base is
// made of nothing of the host's, so that nothing of a host's gets from one table to another, and lives as long as a
// table that is over it.
//
// Which of both has a type follows from its path alone: see inBase. A table locks its base while it holds its own lock;
// a base knows none of the tables over it.
var bases = struct {
	sync.Mutex
	of map[string]weak.Pointer[Table] // by the Selection of each package
}{of: map[string]weak.Pointer[Table]{}}

// baseOf is the base of a selection that apart made.
func baseOf(std []Package) (*Table, error) {
	var key strings.Builder
	for i := range std {
		key.WriteString(std[i].Selection() + "\n")
	}
	bases.Lock()
	defer bases.Unlock()
	if t := bases.of[key.String()].Value(); t != nil {
		return t, nil
	}
	t, err := newTable(nil, std)
	if err != nil {
		return nil, err
	}
	bases.of[key.String()] = weak.Make(t)
	runtime.AddCleanup(t, dropBase, key.String())
	return t, nil
}

// dropBase forgets a base that is gone, unless there is another by now.
func dropBase(key string) {
	bases.Lock()
	defer bases.Unlock()
	if bases.of[key].Value() == nil {
		delete(bases.of, key)
	}
}

// apart are the packages that a base has, and the others. std is nil if one of the others is neither of these: a
// package of the standard library that something was changed of, or that gives types of such packages another name.
func apart(packages []Package) (std, own []Package) {
	for _, p := range packages {
		switch {
		case p.Selection() != "":
			std = append(std, p)
		case !p.OfHost || inGo(p.Path) || p.Shows != "" || p.Source != "" || renamesGo(&p):
			return nil, nil
		default:
			own = append(own, p)
		}
	}
	return std, own
}

// renamesGo reports a package with a row for a type that is of a base.
func renamesGo(p *Package) bool {
	for i := range p.Members {
		row := &p.Members[i]
		if rt := row.Typ(); rt != nil && (made.Is(rt) || inGo(rt.PkgPath()) || ofShims(rt)) {
			return true
		}
	}
	return false
}

var goPaths = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for path := range strings.FieldsSeq(stdPaths) {
		all[path] = true
	}
	return all
})

// inGo reports a package of Go's own, also those that no program can import.
func inGo(path string) bool {
	return goPaths()[path] || strings.HasPrefix(path, "internal/") || strings.HasPrefix(path, "vendor/")
}

// baseFor is the base of t if that has the package at path, whether scripts may import it or not, else nil.
func (t *Table) baseFor(path string) *Table {
	if b := t.base; b != nil && (b.pkgs[path] != nil || inGo(path) || path == shims || strings.HasPrefix(path, shims+"/")) {
		return b
	}
	return nil
}

// inBase reports a type with a name that the base of t has, and t has not itself. An instance of a generic type is no such
// one: its arguments may be the host's.
func (t *Table) inBase(rt reflect.Type) bool {
	b := t.base
	if b == nil || rt.Name() == "" || strings.Contains(rt.Name(), "[") || made.Is(rt) {
		return false
	}
	if _, ok := b.rows[rt]; ok {
		return true
	}
	return rt.PkgPath() != "" && t.baseFor(rt.PkgPath()) != nil
}

// at is the package at a path that scripts may import or see the types of, nil if there is none.
func (t *Table) at(path string) *pkg {
	if p := t.pkgs[path]; p != nil || t.base == nil {
		return p
	}
	return t.base.pkgs[path]
}

// renamed finds the row of a type that has another name than Go's.
func (t *Table) renamed(rt reflect.Type) (rowRef, bool) {
	ref, ok := t.rows[rt]
	if !ok && t.base != nil {
		ref, ok = t.base.rows[rt]
	}
	return ref, ok
}

// goOf is the Go type of a named type of the table, nil if it is not one. The lock is held.
func (t *Table) goOf(obj types.Object) reflect.Type {
	if rt := t.back[obj]; rt != nil || t.base == nil {
		return rt
	}
	t.base.mu.Lock()
	defer t.base.mu.Unlock()
	return t.base.back[obj]
}
