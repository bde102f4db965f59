package builtins

import (
	"fmt"
	"go/token"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/made"
)

// predeclaredPath is the path of the package whose members need no import. It
// cannot be imported, and has no name: see packageName.
const predeclaredPath = "sandtrap/host"

// A Variable is a host variable that scripts read: Variable{&count}. Each read returns
// the current value. They cannot assign to it.
type Variable struct{ Pointer any }

// Host makes a package of a host's own members:
//
//	func                a function; a leading context.Context is the run's, and not seen by scripts
//	(*T)(nil)           the type T, with its exported methods and fields; a reflect.Type does too
//	Literal             an untyped constant
//	bool, number, string   a typed constant
//	Variable{&v}        a variable
//	Function{...}       a function that takes long, or takes contexts from scripts
//	Made{...}           a type of another process
//	Read{...}           a variable of another process
//	Registered{...}     one of the above, with what is special about it
//	any other value     a variable that holds it; an error whose type is not among the members has type error
//
// Scripts can hold and pass values of a type that is not among the members, but see none
// of its methods and fields. Values are shared: a script can change a map or the target
// of a pointer as far as its type allows.
//
// The error names the member and the fault.
func Host(importPath, name string, members map[string]any) (Package, error) {
	if err := checkPath(importPath); err != nil {
		return Package{}, err
	}
	if name == "" {
		name = rows.LastElement(importPath)
	}
	if !token.IsIdentifier(name) || name == "main" {
		return Package{}, fmt.Errorf("%q: %q cannot be the name of a package: Name has to say another", importPath, name)
	}
	p := Package{Path: importPath, Name: name, Renamed: true, OfHost: true}
	for _, member := range slices.Sorted(maps.Keys(members)) {
		if !token.IsExported(member) {
			return Package{}, fmt.Errorf("%s.%s: the name is not exported", importPath, member)
		}
		make := hostRow
		if strings.Contains(member, ".") {
			make = func(name string, value any) (Member, error) { return methodRow(name, value, members) }
		}
		row, err := make(member, members[member])
		if err != nil {
			return Package{}, fmt.Errorf("%s.%s: %w", importPath, member, err)
		}
		p.Members = append(append(p.Members, row), madeRows(member, members[member])...)
	}
	return p, nil
}

// Predeclare makes a package whose members scripts use without an import, with names of
// any case. A table has at most one.
func Predeclare(members map[string]any) (Package, error) {
	p := Package{Path: predeclaredPath, Renamed: true, OfHost: true}
	for _, member := range slices.Sorted(maps.Keys(members)) {
		if !token.IsIdentifier(member) || member == "_" {
			return Package{}, fmt.Errorf("%q is not a Go name", member)
		}
		row, err := hostRow(member, members[member])
		if err != nil {
			return Package{}, fmt.Errorf("%s: %w", member, err)
		}
		p.Members = append(append(p.Members, row), madeRows(member, members[member])...)
	}
	return p, nil
}

func checkPath(p string) error {
	switch {
	case p == "" || p != path.Clean(p) || strings.HasPrefix(p, ".") || strings.HasPrefix(p, "/") || strings.ContainsAny(p, " \t\n\"`\\'"):
		return fmt.Errorf("%q is not an import path", p)
	case p == "main" || p == "unsafe" || p == "C" || p == "sandtrap" || strings.HasPrefix(p, "sandtrap/"):
		return fmt.Errorf("the path %q is reserved", p)
	}
	return nil
}

// hostRow turns what a host gives into a row of Member's form, in which a
// pointer means something else.
func hostRow(name string, value any) (Member, error) {
	rv := reflect.ValueOf(value)
	row := Member{Name: name, Value: value}
	switch v := value.(type) {
	case nil:
		return row, fmt.Errorf("the value is nil")
	case reflect.Type:
		rv = reflect.Zero(reflect.PointerTo(v))
		row.Value = rv.Interface()
	case Function:
		return v.row(name)
	case Registered:
		return v.row(name)
	case Made:
		return v.row(name)
	case Read:
		return v.row(name)
	case Variable:
		rv = reflect.ValueOf(v.Pointer)
		if rv.Kind() != reflect.Pointer || rv.IsNil() {
			return row, fmt.Errorf("a Variable needs a pointer to it")
		}
		row.Value = v.Pointer
		return row, nil
	}
	if err, ok := row.Value.(error); ok && (rv.Kind() != reflect.Pointer || !rv.IsNil()) {
		row.Own = &rows.Own{Error: err}
	}
	switch {
	case rv.Kind() == reflect.Func && rv.IsNil():
		return row, fmt.Errorf("the function is nil")
	case rv.Kind() == reflect.UnsafePointer:
		return row, fmt.Errorf("an unsafe.Pointer is not for scripts")
	case rv.Kind() == reflect.Pointer && rv.IsNil():
		if rv.Type().Elem().Name() == "" && !made.Is(rv.Type().Elem()) {
			return row, fmt.Errorf("a nil %v stands for a type, but %v has no name", rv.Type(), rv.Type().Elem())
		}
		row.With = "*"
	case rv.Kind() == reflect.Pointer:
		rt := rv.Type()
		if rt.Implements(shim.ErrorType) && !token.IsExported(rt.Elem().Name()) {
			rt = shim.ErrorType // of errors.New: the type shows nothing
		}
		holder := reflect.New(rt)
		holder.Elem().Set(rv)
		row.Value = holder.Interface()
	}
	return row, nil
}
