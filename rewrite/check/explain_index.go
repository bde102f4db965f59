package check

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// explainIndex is about x[i] where x has no elements.
func explainIndex(c *checker, e typeError, r *diag.Rejection) {
	for _, x := range c.syntax().indexes {
		if x.Pos() == e.Pos && strings.Contains(e.Msg, "cannot index "+types.ExprString(x.X)+" (") && c.typeOf(x.X) != nil {
			r.Hint = c.indexHint(x, c.typeOf(x.X))
			return
		}
	}
}

func (c *checker) indexHint(x *ast.IndexExpr, t types.Type) string {
	text := exprText(x.X)
	key, given := c.constText(x.Index)
	if elem := pointed(t); elem != nil && !isStruct(elem) {
		return "follow the pointer: (*" + text + ")[" + exprText(x.Index) + "]"
	} else if elem != nil {
		t = elem
	}
	switch {
	case isStruct(t):
		members := c.membersOf(t)
		if near := nearestName(key, members); given && (near != "" || slices.Contains(members, key)) {
			if slices.Contains(members, key) {
				near = key
			}
			return "write " + text + "." + near + ": a field follows a dot"
		}
		return joined("a field follows a dot", listed(c.nameOf(t), members))
	case isDynamic(t):
		list := "[]any"
		if key := c.typeOf(x.Index); key != nil && IsString(key) {
			list = "map[string]any"
		}
		return takenOut(text, list)
	case isSeq(t):
		return collected(text)
	case isFunc(t):
		return "call the function: " + text + "()[" + exprText(x.Index) + "]"
	}
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return "write a constraint for what is indexed, such as [T ~[]E, E any]"
	}
	return "only slices, arrays, maps and strings have elements"
}

// explainRange is about a loop over what has no elements.
func explainRange(c *checker, e typeError, r *diag.Rejection) {
	x := c.syntax().exprsByPos[e.Pos]
	t := c.typeOf(x)
	if x == nil || t == nil || !strings.HasPrefix(e.Msg, "cannot range over ") {
		return
	}
	text := exprText(x)
	if elem := pointed(t); elem != nil && !isStruct(elem) {
		r.Hint = "follow the pointer: *" + text
		return
	} else if elem != nil {
		t = elem
	}
	switch {
	case isStruct(t):
		members := c.membersOf(t)
		if field := c.listField(t, members); field != "" {
			r.Hint = "range over a field: " + text + "." + field
			return
		}
		r.Hint = joined("a struct has no elements", listed(c.nameOf(t), members))
	case isDynamic(t):
		r.Hint = takenOut(text, "[]any") + " or " + text + ".(map[string]any)"
	case isFunc(t) && t.Underlying().(*types.Signature).Params().Len() == 0:
		r.Hint = "call the function: " + text + "()"
	case isFloat(t):
		r.Hint = "range over a whole number: int(" + text + ")"
	}
}

// listField is the first field of the struct t that a loop could be over, among members.
func (c *checker) listField(t types.Type, members []string) string {
	for f := range t.Underlying().(*types.Struct).Fields() {
		if u := f.Type().Underlying(); slices.Contains(members, f.Name()) && (IsSlice(u) || isMap(u)) {
			return f.Name()
		}
	}
	return ""
}

// membersOf are the fields and methods of t that the script can use.
func (c *checker) membersOf(t types.Type) []string {
	named := namedOf(t)
	if named == nil || !c.isHost(named.Obj()) {
		return Members(t)
	}
	if c.isOpaque(named.Obj()) {
		return nil
	}
	return exported(Members(t))
}

// nameOf is the name of the type t or that it points to, "" if it has none.
func (c *checker) nameOf(t types.Type) string {
	if named := namedOf(t); named != nil {
		return named.Obj().Name()
	}
	return ""
}

// listed says what the type of a name has, if that are not too many members.
func listed(name string, members []string) string {
	if n := len(members); name == "" || n == 0 || n > maxListed {
		return ""
	}
	return withArticle(name) + " has " + strings.Join(members, ", ")
}

func joined(hint, more string) string {
	if more == "" {
		return hint
	}
	return hint + "; " + more
}

// explainAnnotated is about what stands after the colon in x: T = v, which is a label to Go. It reports whether it is that.
func (c *checker) explainAnnotated(pos token.Pos, r *diag.Rejection) bool {
	label := c.syntax().labels[pos]
	if label == nil || c.position(label.Pos()).Line != c.position(pos).Line {
		return false
	}
	a := label.Stmt.(*ast.AssignStmt)
	name, typ, value := label.Label.Name, exprText(a.Lhs[0]), exprText(a.Rhs[0])
	if typ == "str" {
		typ = "string"
	}
	r.Hint = "write var " + name + " " + typ + " = " + value + ", or " + name + " := " + value + ": a type has no colon before it"
	return true
}

// explainNoValue is about a type where a value belongs.
func explainNoValue(c *checker, e typeError, r *diag.Rejection) {
	if c.explainAnnotated(e.Pos, r) {
		return
	}
	r.Hint = "a value is needed here, not a type"
	x := c.syntax().exprsByPos[e.Pos]
	if x == nil || c.typeOf(x) == nil {
		return
	}
	for _, t := range []types.Type{c.typeOf(x), types.NewPointer(c.typeOf(x))} {
		if types.AssignableTo(t, types.Universe.Lookup("error").Type()) {
			r.Hint = "to find an error of this type write var e " + c.typeText(t) + ", and then errors.As(err, &e)"
			return
		}
	}
}

// pointed is what t points to, or nil.
func pointed(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return nil
}

func isStruct(t types.Type) bool { _, ok := t.Underlying().(*types.Struct); return ok }
func isFunc(t types.Type) bool   { _, ok := t.Underlying().(*types.Signature); return ok }

func (c *checker) constText(x ast.Expr) (string, bool) {
	v := c.result.Info.Types[x].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	text := constant.StringVal(v)
	return text, len(text) <= maxFormat
}
