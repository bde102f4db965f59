package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/typename"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// literalHint is about x where a value of type want belongs that is best written as a literal of that type.
func (c *checker) literalHint(x ast.Expr, have types.Type, want string) string {
	if want == "time.Duration" && IsString(have) {
		return "write a number and a unit, as in 90*time.Second, or parse the text: d, err := time.ParseDuration(" + exprText(x) + ")"
	}
	t := c.typeAt(want, x.Pos())
	if t == nil {
		return ""
	}
	lit, isLit := x.(*ast.CompositeLit)
	if s, ok := t.Underlying().(*types.Slice); ok && !isLit && types.AssignableTo(have, s.Elem()) && !types.IsInterface(s.Elem()) {
		return "a list is wanted: write " + want + "{" + exprText(x) + "}"
	}
	if isLit && lit.Type != nil && !types.Identical(t, have) && sameForm(t, have) && c.fitsLiteral(lit, t) {
		return "write " + want + "{...}"
	}
	if isLit && isMap(have.Underlying()) || isLiteral(x) {
		if form := c.structForm(strings.TrimPrefix(want, "*"), t); form != "" && strings.HasPrefix(want, "*") {
			return "write &" + form
		} else if form != "" {
			return "write " + form
		}
	}
	return ""
}

// typeAt is the type that text is at pos; nil if it is none.
func (c *checker) typeAt(text string, pos token.Pos) types.Type {
	tv, err := types.Eval(c.parsed.Fset, c.result.Pkg, pos, strings.ReplaceAll(text, "main.", ""))
	if err != nil || !tv.IsType() {
		return nil
	}
	return tv.Type
}

// sameForm reports that t and u are both slices, both arrays or both maps.
func sameForm(t, u types.Type) bool {
	return IsSlice(t.Underlying()) && IsSlice(u.Underlying()) || isArray(t) && isArray(u) || isMap(t.Underlying()) && isMap(u.Underlying())
}

// fitsLiteral reports that the elements of lit may be those of a literal of type t.
func (c *checker) fitsLiteral(lit *ast.CompositeLit, t types.Type) bool {
	for _, e := range lit.Elts {
		elem := t.Underlying()
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if m, ok := elem.(*types.Map); ok && !c.fitsElem(kv.Key, m.Key()) {
				return false
			}
			e = kv.Value
		}
		with, ok := elem.(interface{ Elem() types.Type })
		if !ok || !c.fitsElem(e, with.Elem()) {
			return false
		}
	}
	return true
}

func (c *checker) fitsElem(x ast.Expr, t types.Type) bool {
	have := c.typeOf(x)
	if lit, ok := x.(*ast.CompositeLit); ok && lit.Type == nil && have != nil {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		return types.Identical(have, t) || sameForm(t, have) && c.fitsLiteral(lit, t)
	}
	if lit := literalType(x); lit != nil {
		return types.AssignableTo(lit, t) || isNumeric(lit) && isNumeric(t) && (!isFloat(lit) || isFloat(t))
	}
	return have != nil && types.AssignableTo(have, t)
}

// structForm is a literal of the struct type t, or of the one that it points to, with the names of its fields; "" if it is
// none, or has too many.
func (c *checker) structForm(name string, t types.Type) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || s.NumFields() == 0 || s.NumFields() > maxListed {
		return ""
	}
	var fields []string
	for f := range s.Fields() {
		if f.Exported() || c.result.Own(f.Pkg()) {
			fields = append(fields, f.Name()+": ...")
		}
	}
	return name + "{" + strings.Join(fields, ", ") + "}"
}

// explainStructLit is about T{"Name": v}, as a map is written, and about T{v} where T has more fields or, being a struct of
// the host, may have some that a script does not know.
func explainStructLit(c *checker, e typeError, r *diag.Rejection) {
	if key, ok := strings.CutPrefix(e.Msg, "invalid field name "); ok {
		if key, _, _ = strings.Cut(key, " in struct literal"); strings.HasPrefix(key, `"`) {
			r.Hint = "names of fields have no quotes: " + strings.Trim(key, `"`) + ": ..."
		}
		return
	}
	lit := c.syntax().litAround(e.Pos)
	if lit == nil || c.typeOf(lit) == nil {
		return
	}
	if c.hidesFields(c.typeOf(lit)) {
		name := typename.Of(namedOf(c.typeOf(lit)).Obj())
		r.Code, r.Name = diag.HiddenFields, name
		r.Message = "a literal of " + name + " has to name its fields: not all of them are known here"
		r.Hint = "write " + name + "{Field: value}, or use a function that makes one"
	} else if form := c.structForm(c.typeText(c.typeOf(lit)), c.typeOf(lit)); form != "" {
		r.Hint = "give a value for each field, or name those that you give: " + form
	}
}

// hidesFields reports a struct type of the host's with fields that scripts do not see.
func (c *checker) hidesFields(t types.Type) bool {
	named := namedOf(t)
	if named == nil || !c.isHost(named.Obj()) {
		return false
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if !f.Exported() {
			return true
		}
	}
	return false
}
