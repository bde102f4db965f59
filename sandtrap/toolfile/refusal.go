package toolfile

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// maxRefusals is how many errors are reported of a file.
const maxRefusals = 10

// refusals are what is wrong with a file.
type refusals struct {
	fset *token.FileSet
	list []refusal
}

type refusal struct {
	at   token.Position
	text string
}

// add says what is wrong, and what to write instead. Positions are those of the file, whatever its comments say.
func (r *refusals) add(at token.Pos, format string, args ...any) {
	r.list = append(r.list, refusal{r.fset.PositionFor(at, false), fmt.Sprintf(format, args...)})
}

// err is nil if nothing is wrong.
func (r *refusals) err() error {
	slices.SortStableFunc(r.list, func(a, b refusal) int { return cmp.Compare(a.at.Offset, b.at.Offset) })
	list := slices.Compact(r.list)
	var all []error
	for i, one := range list {
		if i == maxRefusals {
			all = append(all, fmt.Errorf("and %d more", len(list)-i))
			break
		}
		all = append(all, fmt.Errorf("%v: %s", one.at, one.text))
	}
	return errors.Join(all...)
}

// parser is err, of package parser, with the positions of the file.
func (r *refusals) parser(err error) error {
	list, ok := errors.AsType[scanner.ErrorList](err)
	if !ok {
		return err
	}
	r.fset.Iterate(func(file *token.File) bool {
		for _, e := range list {
			r.add(file.Pos(e.Pos.Offset), "%s", e.Msg)
		}
		return false
	})
	return r.err()
}

func tooLarge(filename string, n int) error {
	return fmt.Errorf("%s:1:1: %d bytes are more than %d: make several files of it, for one policy each", filename, n, maxBytes)
}

// checked is the package that go/types makes of f.
func (r *refusals) checked(f *ast.File) *types.Package {
	config := types.Config{Importer: timeImporter{}, IgnoreFuncBodies: true, Error: func(err error) {
		var e types.Error
		if errors.As(err, &e) && !strings.HasPrefix(e.Msg, "\t") { // a second line of the error before
			r.add(e.Pos, "%s", e.Msg+wayOut(e.Msg))
		}
	}}
	pkg, _ := config.Check("tools", r.fset, []*ast.File{f}, nil) // Error has what is wrong
	return pkg
}

// wayOut is what to do about an error of the type checker, where that is known.
func wayOut(msg string) string {
	switch {
	case msg == "undefined: time":
		return `: import "time"`
	case strings.HasPrefix(msg, "undefined: time."):
		return ": of package time there are Time and Duration; pass others as numbers or texts"
	}
	return ""
}

// A timeImporter has a package time with the two types that cross as JSON.
type timeImporter struct{}

// timePackage has no method, and so nothing that a declaration can use but the names of its types.
var timePackage = func() *types.Package {
	pkg := types.NewPackage("time", "time")
	hidden := types.NewStruct([]*types.Var{types.NewField(token.NoPos, pkg, "wall", types.Typ[types.Uint64], false)}, nil)
	for name, underlying := range map[string]types.Type{"Time": hidden, "Duration": types.Typ[types.Int64]} {
		obj := types.NewTypeName(token.NoPos, pkg, name, nil)
		types.NewNamed(obj, underlying, nil)
		pkg.Scope().Insert(obj)
	}
	pkg.MarkComplete()
	return pkg
}()

func (timeImporter) Import(string) (*types.Package, error) { return timePackage, nil }
