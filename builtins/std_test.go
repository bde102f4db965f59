package builtins

import (
	"go/constant"
	"go/importer"
	"go/token"
	"go/types"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
)

// toolchain imports packages as the installed Go has them. Its users are in the last files of this package: the types of all
// sources stay in memory, where each of the thousands of collections that TestKeptPaid asks for would go through them.
var toolchain = sync.OnceValue(func() types.Importer {
	return importer.ForCompiler(token.NewFileSet(), "source", nil)
})

func goPackage(t *testing.T, path string) *types.Package {
	t.Helper()
	pkg, err := toolchain().Import(path)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func tableOf(t testing.TB, packages ...Package) *Table {
	t.Helper()
	table, err := NewTable(packages...)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestEveryExportDecided wants a row, allowing or denying, for each exported
// name of each listed package, and for each method and field of each type that is
// allowed.
func TestEveryExportDecided(t *testing.T) {
	for _, p := range Std() {
		t.Run(p.Path, func(t *testing.T) {
			table := tableOf(t, p)
			entry := table.at(p.Path)
			if _, err := table.Import(p.Path); err != nil {
				t.Fatal(err)
			}
			known := map[string]bool{}
			scope := goPackage(t, p.Path).Scope()
			for _, name := range scope.Names() {
				obj := scope.Lookup(name)
				if !obj.Exported() {
					continue
				}
				known[name] = true
				row := entry.row(name)
				generic := entry.types.Scope().Lookup(name) != nil
				if row == nil && !generic {
					t.Errorf("%s.%s is not decided", p.Path, name)
				}
				if row == nil || row.Deny {
					continue
				}
				if rt := row.Typ(); rt != nil && rows.HasWord(p.Shows, rt.PkgPath()) {
					continue // decided in that package
				}
				for _, member := range members(obj) {
					known[name+"."+member] = true
					if types.IsInterface(obj.Type()) {
						continue // shown whole
					}
					own := entry.row(name + "." + member)
					if own == nil && !rows.HasWord(row.With, member) {
						t.Errorf("%s.%s.%s is not decided", p.Path, name, member)
					}
				}
			}
			for name := range entry.index {
				if owner, _, _ := strings.Cut(name, "."); !known[name] && token.IsExported(owner) {
					t.Errorf("%s has a row %q for something Go does not have", p.Path, name)
				}
			}
		})
	}
}

// members lists the exported methods and fields of a type.
func members(obj types.Object) []string {
	tn, ok := obj.(*types.TypeName)
	if !ok {
		return nil
	}
	typ := tn.Type()
	if !types.IsInterface(typ) {
		typ = types.NewPointer(typ)
	}
	var list []string
	for sel := range types.NewMethodSet(typ).Methods() {
		if sel.Obj().Exported() {
			list = append(list, sel.Obj().Name())
		}
	}
	if st, ok := tn.Type().Underlying().(*types.Struct); ok {
		for f := range st.Fields() {
			if f.Exported() {
				list = append(list, f.Name())
			}
		}
	}
	return list
}

func TestEveryRowHasReason(t *testing.T) {
	for _, p := range Std() {
		for _, row := range p.Members {
			if row.Deny && row.Why == "" {
				t.Errorf("%s.%s is denied without a reason", p.Path, row.Name)
			}
			if isShim(reflect.TypeOf(row.Value)) && row.Value == nil {
				t.Errorf("%s.%s has no value", p.Path, row.Name)
			}
		}
		for _, d := range p.Denied {
			if d.Why == "" || d.Names == "" {
				t.Errorf("%s: denial %+v without a reason", p.Path, d)
			}
		}
	}
}

// TestSameAsGo compares what scripts see with what Go has: constants exactly,
// types of functions and variables as text.
func TestSameAsGo(t *testing.T) {
	table := tableOf(t, Std()...)
	for _, path := range table.Paths() {
		pkg, err := table.Import(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		std := goPackage(t, path)
		for _, name := range pkg.Scope().Names() {
			got, want := pkg.Scope().Lookup(name), std.Scope().Lookup(name)
			if !token.IsExported(name) {
				continue // a type of ours that scripts meet in interfaces only
			}
			if want == nil {
				t.Errorf("%s.%s: Go has no such name", path, name)
				continue
			}
			if reflect.TypeOf(got) != reflect.TypeOf(want) {
				t.Errorf("%s.%s: got a %T, want a %T", path, name, got, want)
				continue
			}
			if g, w := plainType(got), plainType(want); g != w {
				t.Errorf("%s.%s: got type %s, want %s", path, name, g, w)
			}
			if c, ok := got.(*types.Const); ok {
				if w := want.(*types.Const).Val(); !constant.Compare(c.Val(), token.EQL, w) {
					t.Errorf("%s.%s: got %v, want %v", path, name, c.Val().ExactString(), w.ExactString())
				}
			}
			compareMethods(t, got, want)
		}
	}
}

// compareMethods wants each method of a type to be Go's.
func compareMethods(t *testing.T, got, want types.Object) {
	t.Helper()
	named, ok := got.Type().(*types.Named)
	if _, isType := got.(*types.TypeName); !ok || !isType || named.TypeParams().Len() > 0 {
		return
	}
	goSet := types.NewMethodSet(types.NewPointer(want.Type()))
	for m := range named.Methods() {
		sel := goSet.Lookup(want.Pkg(), m.Name())
		if sel == nil {
			t.Errorf("%v.%s: Go has no such method", named, m.Name())
			continue
		}
		if g, w := plainSignature(m.Signature()), plainSignature(sel.Obj().(*types.Func).Signature()); g != w {
			t.Errorf("%v.%s: got %s, want %s", named, m.Name(), g, w)
		}
		_, gp := m.Signature().Recv().Type().(*types.Pointer)
		_, wp := sel.Obj().(*types.Func).Signature().Recv().Type().(*types.Pointer)
		if gp != wp && len(sel.Index()) == 1 {
			t.Errorf("%v.%s: got pointer receiver %v, want %v", named, m.Name(), gp, wp)
		}
	}
}

// plainType is the type of an object, without parameter names; the type itself
// of a type, unless that is a struct, which may be filtered.
func plainType(obj types.Object) string {
	typ := obj.Type()
	if sig, ok := typ.(*types.Signature); ok {
		return plainSignature(sig)
	}
	if _, ok := obj.(*types.TypeName); ok {
		typ = typ.Underlying()
		if _, ok := typ.(*types.Struct); ok {
			return "struct"
		}
		if sig, ok := typ.(*types.Signature); ok {
			return plainSignature(sig)
		}
		if i, ok := typ.(*types.Interface); ok && i.IsMethodSet() {
			var methods []string
			for m := range i.Methods() {
				methods = append(methods, m.Name()+plainSignature(m.Signature()))
			}
			slices.Sort(methods)
			return strings.Join(methods, ";")
		}
	}
	return typeText(typ)
}

func plainSignature(sig *types.Signature) string {
	tuple := func(tp *types.Tuple) string {
		var list []string
		for v := range tp.Variables() {
			if s, ok := v.Type().(*types.Signature); ok {
				list = append(list, "func"+plainSignature(s))
				continue
			}
			list = append(list, typeText(v.Type()))
		}
		return "(" + strings.Join(list, ",") + ")"
	}
	return tuple(sig.Params()) + tuple(sig.Results())
}

// sameName writes aliases as what they stand for.
var sameName = strings.NewReplacer("uint8", "byte", "rune", "int32", "interface{}", "any",
	"html/template.FuncMap", "text/template.FuncMap", "os.DirEntry", "io/fs.DirEntry", "os.FileInfo", "io/fs.FileInfo", "os.FileMode", "io/fs.FileMode",
	"*reflect.uncommonType", "*internal/abi.UncommonType")

func typeText(typ types.Type) string { return sameName.Replace(typ.String()) }

func TestStdPaths(t *testing.T) {
	out, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for path := range strings.FieldsSeq(string(out)) {
		if elems := strings.Split(path, "/"); !slices.Contains(elems, "internal") && !slices.Contains(elems, "vendor") {
			want = append(want, path)
		}
	}
	got := strings.Fields(stdPaths)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got %v\nwant %v", got, want)
	}
}

// TestPromptNames: what Prompt names is there.
func TestPromptNames(t *testing.T) {
	for _, p := range Std() {
		table := tableOf(t, p)
		for name := range strings.FieldsSeq(p.Prompt) {
			if name == "*" {
				continue
			}
			owner, member, dotted := strings.Cut(name, ".")
			row := table.at(p.Path).row(owner)
			if row == nil || row.Deny || dotted && member != "*" && !table.at(p.Path).allows(row, member) {
				t.Errorf("%s.%s is not in the table", p.Path, name)
			}
		}
	}
}
