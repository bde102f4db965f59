package builtins

import (
	"fmt"
	"go/token"
	"reflect"
	"slices"

	"github.com/sandtrap-go/sandtrap/builtins/internal/std"
)

// ParamNames returns the names of the parameters of a function of a package, or of a method "T.M", in order and
// without a context that the run supplies; nil if they are unknown. Those of the standard library are its own.
func (t *Table) ParamNames(path, name string) []string {
	p := t.at(path)
	if path == "" {
		p = t.at(predeclaredPath)
	}
	if p == nil {
		return nil
	}
	if row := p.row(name); row != nil && row.Special().Params != nil {
		return row.Special().Params
	}
	if !t.Standard(path) {
		return nil
	}
	return std.ParamNames(path, name)
}

// checkParams looks at names that a host gives the parameters of a function of type ft, after skip of them.
func checkParams(names []string, ft reflect.Type, skip int) error {
	if names == nil {
		return nil
	}
	if takesContext(ft, skip) {
		skip++
	}
	if n := ft.NumIn() - skip; len(names) != n {
		return fmt.Errorf("%d names of parameters for the %d that scripts give", len(names), n)
	}
	for i, name := range names {
		if !token.IsIdentifier(name) || name == "_" || slices.Contains(names[:i], name) {
			return fmt.Errorf("%q is no name of a parameter, or there twice", name)
		}
	}
	return nil
}
