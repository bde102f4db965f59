package checkcost

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// The most memory that a value of one type may take, and all package-level
// variables together; and a variable of a function, of which there is one for each
// call. What a script allocates at run time is charged there; this is what would
// be laid out before.
const (
	MaxBytes      = 256 << 20
	maxLocalBytes = 64 << 20
)

// HugeTypes refuses types and literals that take too much memory, limit of them at most. Text
// writes a type for a message.
func HugeTypes(f Typed, text func(types.Type) string, limit int, refused Refuse) diag.Rejections {
	var m Measure
	globals := 0.0
	var rs diag.Rejections
	refuse := func(n ast.Node, what string) {
		if len(rs) < limit {
			rs = append(rs, refused(diag.TypeTooLarge, n, "", what+" takes too much memory", "use a slice that grows, or a map"))
		}
	}
	for x, tv := range f.Info.Types {
		if tv.Type != nil && m.Bytes(tv.Type) > MaxBytes {
			refuse(x, "a value of type "+text(tv.Type))
		}
		if lit, ok := x.(*ast.CompositeLit); ok && m.literal(f.Info, lit) > MaxBytes {
			refuse(x, "the literal")
		}
	}
	for id, obj := range f.Info.Defs {
		v, ok := obj.(*types.Var)
		if !ok || v.IsField() {
			continue
		}
		n := m.Bytes(v.Type())
		if v.Parent() == f.Pkg.Scope() {
			globals += n
		} else if n > maxLocalBytes {
			refuse(id, "variable "+v.Name())
		}
	}
	if globals > MaxBytes && len(rs) == 0 {
		refuse(f.File.Name, "the sum of the package-level variables")
	}
	return rs
}

// literal is the memory of the elements of a slice literal, whose length
// is its largest key.
func (m *Measure) literal(info *types.Info, lit *ast.CompositeLit) float64 {
	t := info.TypeOf(lit)
	if t == nil {
		return 0
	}
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return 0
	}
	next, largest := 0.0, 0.0
	for _, elt := range lit.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if v := info.Types[kv.Key].Value; v != nil {
				next, _ = constant.Float64Val(constant.ToFloat(v))
			}
		}
		next++
		largest = max(largest, next)
	}
	return largest * m.Bytes(s.Elem())
}

// Layouts are those of values in memory, of Go's compiler.
var Layouts = types.SizesFor("gc", "amd64")

// A Measure remembers the sizes of the types that are made of others.
type Measure struct {
	sizes map[types.Type]float64
}

// Bytes is the size of t in memory, about.
func (m *Measure) Bytes(t types.Type) float64 {
	const word = 8
	t = types.Unalias(t)
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsUntyped != 0 || u.Kind() == types.Invalid {
			return word
		}
		return float64(Layouts.Sizeof(u))
	case *types.Slice:
		return 3 * word
	case *types.Interface:
		return 2 * word
	case *types.Array, *types.Struct:
		if n, ok := m.sizes[t]; ok {
			return n
		}
		if m.sizes == nil {
			m.sizes = map[types.Type]float64{}
		}
		m.sizes[t] = 0 // for an invalid type that holds itself
		n := m.layout(u)
		m.sizes[t] = n
		return n
	}
	return word
}

// layout is the size of an array or struct.
func (m *Measure) layout(t types.Type) float64 {
	sum := 0.0
	switch t := t.(type) {
	case *types.Array:
		sum = float64(t.Len()) * m.Bytes(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			sum += m.Bytes(f.Type())
		}
	}
	return min(sum, most)
}
