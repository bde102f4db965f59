package toolfile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/kinds"
	"github.com/sandtrap-go/sandtrap/internal/made"
)

// The limits on types. Go prints one that is made at run time with all that it is made of.
const (
	maxSize    = 4 << 10  // bytes of a value, without what it leads to: three bytes of a result may stand for one
	maxText    = 64 << 10 // bytes of a type as Go prints it
	maxAllText = 16 << 20 // of all of a file
	maxParams  = 100      // and results, of which package reflect makes a function of 128
	maxWritten = 16000    // of a type, and of those of a function, as a worker is told of it
	partBytes  = 16       // that a part of a type takes there at most, without names and tags
)

// predeclared is the path of the package of what scripts use without an import.
const predeclared = "sandtrap/host"

// A namedType is a type that a file declares.
type namedType struct {
	name   string
	typ    reflect.Type
	fields []string
}

// A maker makes the types of a file.
type maker struct {
	*refusals
	pkg    *types.Package
	made   map[*types.TypeName]reflect.Type
	making map[*types.TypeName]bool
	taken  map[reflect.Type]int // of the types with a name that there are for each that has none
	deep   map[reflect.Type]int
	text   int
	names  names
	path   string // before the names of types
}

// A refused is a panic of a maker with what is wrong, and where.
type refused struct {
	at   token.Pos
	text string
}

func newMaker(r *refusals, path string, pkg *types.Package) *maker {
	return &maker{refusals: r, path: path + ".", pkg: pkg, made: map[*types.TypeName]reflect.Type{}, making: map[*types.TypeName]bool{}, taken: map[reflect.Type]int{}, deep: map[reflect.Type]int{}, names: names{}}
}

func refuse(at token.Pos, format string, args ...any) {
	panic(refused{at, fmt.Sprintf(format, args...)})
}

// try adds the refusal that make panics with, if any. Package reflect panics with a text.
func (m *maker) try(at token.Pos, make func()) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case refused:
			m.add(p.at, "%s", p.text)
		case string:
			m.add(at, "it cannot be made at run time: %s", p)
		default:
			panic(p)
		}
	}()
	make()
}

// file makes the types and functions of a file. A type that was refused is refused once.
func (m *maker) file(f *ast.File) *File {
	file := &File{names: m.names}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.TYPE {
			for _, s := range d.Specs {
				obj := m.pkg.Scope().Lookup(s.(*ast.TypeSpec).Name.Name).(*types.TypeName)
				m.try(s.Pos(), func() { file.types = append(file.types, m.declared(obj)) })
			}
		}
	}
	for _, d := range f.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && len(m.list) == 0 {
			m.try(d.Pos(), func() { file.funcs = append(file.funcs, m.function(m.pkg.Scope().Lookup(d.Name.Name).(*types.Func))) })
		}
	}
	return file
}

func (m *maker) declared(obj *types.TypeName) namedType {
	t := namedType{name: obj.Name(), typ: m.typ(obj.Type(), obj.Pos())}
	if t.typ.Kind() == reflect.Struct {
		for f := range made.Fields(t.typ) {
			t.fields = append(t.fields, f.Name)
		}
	}
	return t
}

// of makes the Go type of v, a field, a parameter or a result.
func (m *maker) of(v *types.Var) reflect.Type {
	t := m.typ(v.Type(), v.Pos())
	if m.depth(t) >= maxDepth {
		refuse(v.Pos(), "the type of %s is nested more than %d deep, with those that it is made of: pass some apart", v.Name(), maxDepth)
	}
	if m.written(t) > maxWritten {
		refuse(v.Pos(), "the type of %s has too many parts: declare types for some", v.Name())
	}
	return t
}

// written is how many bytes a worker is told t in: of a type with a name a number.
func (m *maker) written(t reflect.Type) int {
	n := partBytes
	if _, declared := m.names[t]; declared || t.PkgPath() != "" {
		return n
	}
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			n += len(f.Name) + len(f.Tag)
		}
	}
	for part := range kinds.Parts(t) {
		n += m.written(part)
	}
	return n
}

// depth is how many types t leads to, one by the other.
func (m *maker) depth(t reflect.Type) int {
	if n, ok := m.deep[t]; ok || t.PkgPath() == "time" {
		return n
	}
	n := 0
	for part := range kinds.Parts(t) {
		n = max(n, 1+m.depth(part))
	}
	m.deep[t] = n
	return n
}

// typ makes the Go type of t, which is at a place.
func (m *maker) typ(t types.Type, at token.Pos) reflect.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return m.basic(t, at)
	case *types.Named:
		return m.named(t.Obj(), at)
	case *types.Pointer:
		return reflect.PointerTo(m.typ(t.Elem(), at))
	case *types.Slice:
		return reflect.SliceOf(m.typ(t.Elem(), at))
	case *types.Array:
		elem := m.typ(t.Elem(), at)
		if t.Len() > maxSize/max(int64(elem.Size()), 1) {
			refuse(at, "an array of %d elements has more than %d bytes: use a list, []%s", t.Len(), maxSize, types.TypeString(t.Elem(), m.local))
		}
		return reflect.ArrayOf(int(t.Len()), elem)
	case *types.Map:
		key := m.typ(t.Key(), at)
		if b, ok := t.Key().Underlying().(*types.Basic); !ok || b.Info()&(types.IsString|types.IsInteger) == 0 {
			refuse(at, "keys of JSON are texts: a map has strings or integers for keys, not %s", types.TypeString(t.Key(), m.local))
		}
		return reflect.MapOf(key, m.typ(t.Elem(), at))
	case *types.Struct:
		return reflect.StructOf(m.fields(t))
	case *types.Interface:
		return reflect.TypeFor[any]()
	}
	refuse(at, "%s has no form in JSON", types.TypeString(t, m.local))
	return nil
}

func (m *maker) local(pkg *types.Package) string {
	if pkg == m.pkg {
		return ""
	}
	return pkg.Name()
}

func (m *maker) basic(t *types.Basic, at token.Pos) reflect.Type {
	rt := kinds.Types[kinds.OfBasic(t)]
	if rt == nil || t.Kind() == types.Uintptr || t.Info()&types.IsComplex != 0 {
		refuse(at, "a %s has no form in JSON: use a number, or a struct of two", t.Name())
	}
	return rt
}

func (m *maker) named(obj *types.TypeName, at token.Pos) reflect.Type {
	switch {
	case obj.Pkg() == nil && obj.Name() == "error":
		refuse(at, "an error has no form in JSON, but as the last result: use a string")
	case obj.Pkg() == nil:
		refuse(at, "%s is no type of values", obj.Name())
	case obj.Pkg() == timePackage && obj.Name() == "Time":
		return reflect.TypeFor[time.Time]()
	case obj.Pkg() == timePackage:
		return reflect.TypeFor[time.Duration]()
	case m.made[obj] != nil:
		return m.made[obj]
	case m.making[obj]:
		refuse(obj.Pos(), "%s holds itself, and no type that is made at run time does: refer to the inner one by its name or number, or use any", obj.Name())
	}
	m.making[obj] = true
	defer delete(m.making, obj)
	rt := m.make(obj)
	m.made[obj], m.names[rt] = rt, obj.Name()
	return rt
}

// make makes what a declaration of a type declares.
func (m *maker) make(obj *types.TypeName) reflect.Type {
	if st, ok := obj.Type().Underlying().(*types.Struct); ok {
		if st.NumFields() > 0 && st.Field(0).Pkg() == timePackage {
			unnameable(obj, "time.Time")
		}
		rt, err := made.Struct(m.path+obj.Name(), m.fields(st), false)
		if err != nil {
			refuse(obj.Pos(), "%s: give its fields other names", strings.TrimPrefix(err.Error(), m.path))
		}
		m.sized(rt, obj.Pos())
		return rt
	}
	bare := m.typ(obj.Type().Underlying(), obj.Pos())
	n := m.taken[bare]
	m.taken[bare]++
	rt := made.Named(bare, n)
	switch written := types.TypeString(obj.Type().Underlying(), m.local); {
	case made.Named(bare, 0) == nil || bare.Kind() == reflect.Interface:
		unnameable(obj, written)
	case rt == nil:
		refuse(obj.Pos(), "%d names for %s are all that can be made at run time: write %s in place of %s", n, written, written, obj.Name())
	}
	return rt
}

func unnameable(obj *types.TypeName, written string) {
	refuse(obj.Pos(), "a name for %s cannot be made at run time: write %s in place of %s, or make it a field of a struct", written, written, obj.Name())
}

// fields makes those of a struct.
func (m *maker) fields(t *types.Struct) (list []reflect.StructField) {
	inJSON := map[string]string{}
	size := uintptr(0)
	for i := range t.NumFields() {
		v, tag := t.Field(i), reflect.StructTag(t.Tag(i))
		name, why := jsonName(v.Name(), tag)
		switch other, twice := inJSON[name]; {
		case why != "":
			refuse(v.Pos(), "the tag of %s: %s", v.Name(), why)
		case twice && name != "-":
			refuse(v.Pos(), "%s and %s have one name in JSON, %q, and neither would be there: give one another", other, v.Name(), name)
		}
		inJSON[name] = v.Name()
		f := reflect.StructField{Name: v.Name(), Type: m.of(v), Tag: tag}
		if size += f.Type.Size(); size > maxSize {
			refuse(v.Pos(), "with %s the struct has more than %d bytes: use lists, or pointers in results", v.Name(), maxSize)
		}
		list = append(list, f)
	}
	m.prints(list, t)
	return list
}

// prints counts what Go prints of a struct with these fields.
func (m *maker) prints(list []reflect.StructField, t *types.Struct) {
	text := 0
	for i, f := range list {
		text += len(f.Name) + 2*len(f.Tag) + len(f.Type.String())
		if text > maxText || m.text+text > maxAllText {
			refuse(t.Field(i).Pos(), "with %s the struct is made of too many others: leave some out, or pass parts as any", f.Name)
		}
	}
	m.text += text
}

func (m *maker) sized(rt reflect.Type, at token.Pos) {
	if rt.Size() > maxSize {
		refuse(at, "the struct has more than %d bytes: use lists, or pointers in results", maxSize)
	}
}
