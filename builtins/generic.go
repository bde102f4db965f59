package builtins

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strings"
)

// farFileSet returns a file set whose positions no script's file set has: what
// go/types says about a declaration of ours must not point into a script.
func farFileSet() *token.FileSet {
	fset := token.NewFileSet()
	fset.AddFile("", 1<<40, 0)
	return fset
}

// checkSource adds the declarations of the package's Source that no row denies.
func (t *Table) checkSource(p *pkg) error {
	fset := farFileSet()
	file, err := parser.ParseFile(fset, "", "package "+p.Name+"\n"+p.Source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	kept := file.Decls[:0]
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			if row := p.row(f.Name.Name); row != nil && row.Deny {
				continue
			}
		}
		kept = append(kept, d)
	}
	file.Decls = kept
	var errs []error
	conf := types.Config{
		Importer:                 locked{t},
		IgnoreFuncBodies:         true,
		DisableUnusedImportCheck: true,
		Error: func(err error) {
			if te := (types.Error{}); !errors.As(err, &te) || !te.Soft { // soft: no body
				errs = append(errs, err)
			}
		},
	}
	types.NewChecker(&conf, fset, p.types, nil).Files([]*ast.File{file}) //nolint:errcheck // reported to conf.Error
	return errors.Join(errs...)
}

// hasSource reports that the package at path has generic declarations.
func (t *Table) hasSource(path string) bool {
	if b := t.baseFor(path); b != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.hasSource(path)
	}
	return t.entry(path).Source != ""
}

// instance maps an instantiated Go type to the same instance of the table's own
// generic type, nil if there is no such generic type. Reflection does not give
// the type arguments, so they are found by laying the declaration over the type.
func (t *Table) instance(rt reflect.Type) types.Type {
	if !t.hasSource(rt.PkgPath()) {
		return nil
	}
	pkg, err := t.load(rt.PkgPath())
	if err != nil {
		return nil
	}
	base, _, _ := strings.Cut(rt.Name(), "[")
	obj, ok := pkg.Scope().Lookup(base).(*types.TypeName)
	if !ok {
		return nil
	}
	origin, ok := obj.Type().(*types.Named)
	if !ok {
		return nil
	}
	bound := map[*types.TypeParam]reflect.Type{}
	if !unify(origin.Underlying(), rt, bound) {
		return nil
	}
	var args []types.Type
	for param := range origin.TypeParams().TypeParams() {
		if bound[param] == nil {
			return nil
		}
		args = append(args, t.typ(bound[param]))
	}
	typ, err := types.Instantiate(t.inst, origin, args, false)
	if err != nil {
		return nil
	}
	return typ
}

// unify finds the types that the parameters in pattern stand for in rt.
func unify(pattern types.Type, rt reflect.Type, bound map[*types.TypeParam]reflect.Type) bool {
	switch p := pattern.(type) {
	case *types.TypeParam:
		if bound[p] != nil {
			return bound[p] == rt
		}
		bound[p] = rt
		return true
	case *types.Signature:
		return rt.Kind() == reflect.Func && unifyTuple(p.Params(), rt.NumIn(), rt.In, bound) &&
			unifyTuple(p.Results(), rt.NumOut(), rt.Out, bound)
	case *types.Pointer:
		return rt.Kind() == reflect.Pointer && unify(p.Elem(), rt.Elem(), bound)
	case *types.Slice:
		return rt.Kind() == reflect.Slice && unify(p.Elem(), rt.Elem(), bound)
	case *types.Map:
		return rt.Kind() == reflect.Map && unify(p.Key(), rt.Key(), bound) && unify(p.Elem(), rt.Elem(), bound)
	case *types.Basic:
		return types.Identical(p, basic(rt.Kind()))
	}
	return false
}

func unifyTuple(p *types.Tuple, n int, at func(int) reflect.Type, bound map[*types.TypeParam]reflect.Type) bool {
	if p.Len() != n {
		return false
	}
	for i := range n {
		if !unify(p.At(i).Type(), at(i), bound) {
			return false
		}
	}
	return true
}
