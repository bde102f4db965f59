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

// argumentHint is about the argument x of a call that is of another type than its parameter.
func (c *checker) argumentHint(pos token.Pos, x ast.Expr) string {
	call := c.syntax().callAt(pos)
	if call == nil {
		return ""
	}
	sig, ok := c.typeOf(call.Fun).(*types.Signature)
	if !ok || sig.Variadic() || sig.TypeParams() != nil {
		return ""
	}
	if hint := c.lessHint(call, x); hint != "" {
		return hint
	}
	signature := "its signature is func " + exprText(call.Fun) + strings.TrimPrefix(c.typeText(sig), "func")
	if c.swapped(call, sig) {
		return "the arguments stand in another order: " + signature
	}
	if lit, ok := x.(*ast.CompositeLit); ok && isMap(c.typeOf(lit).Underlying()) && len(call.Args) == 1 {
		return "give the values alone: " + signature
	}
	return ""
}

// lessHint is about a function of two elements where sort.Slice and its like want one of two indices.
func (c *checker) lessHint(call *ast.CallExpr, x ast.Expr) string {
	less, ok := c.typeOf(x).(*types.Signature)
	want := c.typeOf(call.Fun).(*types.Signature)
	isLess := func(name string) bool { return c.isFunc(call.Fun, "sort", name) }
	if !ok || less.Params().Len() != 2 || want.Params().Len() != 2 || !slices.ContainsFunc([]string{"Slice", "SliceStable", "SliceIsSorted"}, isLess) {
		return ""
	}
	hint := "the function gets two indices: func(i, j int) bool { return " + exprText(call.Args[0]) + "[i] < " + exprText(call.Args[0]) + "[j] }, with what is compared"
	if types.Identical(less.Params().At(0).Type(), elementOf(c.typeOf(call.Args[0]))) {
		hint += "; slices.SortFunc gives it two elements, and it returns cmp.Compare(a, b)"
	}
	return hint
}

// isFunc tells whether fun is the function of a package with that name.
func (c *checker) isFunc(fun ast.Expr, pkg, name string) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	obj := c.result.Info.Uses[sel.Sel]
	return obj != nil && obj.Name() == name && obj.Pkg() != nil && obj.Pkg().Path() == pkg
}

// swapped tells whether the arguments of call fit its parameters once two of them change places.
func (c *checker) swapped(call *ast.CallExpr, sig *types.Signature) bool {
	n := sig.Params().Len()
	const most = 8
	if len(call.Args) != n || n > most {
		return false
	}
	fits := func(arg, param int) bool {
		t := literalType(call.Args[arg])
		if t == nil {
			t = c.typeOf(call.Args[arg])
		}
		return t != nil && types.AssignableTo(t, sig.Params().At(param).Type())
	}
	var wrong []int
	for i := range n {
		if !fits(i, i) {
			wrong = append(wrong, i)
		}
	}
	return len(wrong) == 2 && fits(wrong[0], wrong[1]) && fits(wrong[1], wrong[0])
}

// literalType is the type of a literal as it would be in a variable: go/types may note the one that is wanted.
func literalType(x ast.Expr) types.Type {
	lit, ok := x.(*ast.BasicLit)
	if !ok {
		return nil
	}
	return map[token.Token]types.Type{
		token.INT: types.Typ[types.Int], token.FLOAT: types.Typ[types.Float64], token.STRING: types.Typ[types.String], token.CHAR: types.Typ[types.Rune],
	}[lit.Kind]
}

// resultHint is about a call without results where a value belongs; msg is "f() (no value) used as value".
func (c *checker) resultHint(pos token.Pos, msg string) string {
	text, ok := strings.CutSuffix(msg, " (no value) used as value")
	if !ok {
		return ""
	}
	for _, call := range c.syntax().calls {
		if call.Pos() != pos || types.ExprString(call) != text {
			continue
		}
		hint := exprText(call.Fun) + " has no result: call it on a line of its own"
		if id, ok := call.Fun.(*ast.Ident); ok && c.result.Own(c.packageOf(id)) {
			hint += ", or give it a result type and return a value"
		}
		return hint
	}
	return ""
}

func (c *checker) packageOf(id *ast.Ident) *types.Package {
	if obj := c.result.Info.Uses[id]; obj != nil {
		return obj.Pkg()
	}
	return nil
}

// explainBadIndex is about the i of x[i].
func explainBadIndex(c *checker, e typeError, r *diag.Rejection) {
	for _, x := range c.syntax().indexes {
		if x.Index.Pos() != e.Pos || c.typeOf(x.X) == nil {
			continue
		}
		text, index := exprText(x.X), c.result.Info.Types[x.Index]
		switch {
		case index.Value != nil && index.Value.Kind() == constant.Int && constant.Sign(index.Value) < 0:
			n := strings.TrimPrefix(index.Value.String(), "-")
			if r.Hint = "write " + text + "[len(" + text + ")-" + n + "], counted from the end"; n == "1" {
				r.Hint = "write " + text + "[len(" + text + ")-1] for the last element"
			}
		case literalType(x.Index) == types.Typ[types.String], index.Type != nil && IsString(index.Type):
			r.Hint = "the elements of " + kindOf(c.typeOf(x.X)) + " have numbers: range over them to find one"
		case index.Type != nil && isFloat(index.Type):
			r.Hint = "convert the index: int(" + exprText(x.Index) + ")"
		}
		return
	}
}

func kindOf(t types.Type) string {
	switch {
	case IsString(t):
		return "a string"
	case isArray(t):
		return "an array"
	}
	return "a slice"
}

// explainUntypedParam is about the i of func(i, j), which is a type to Go. It reports whether it is that.
func (c *checker) explainUntypedParam(pos token.Pos, r *diag.Rejection) bool {
	lists := c.syntax().params
	i := slices.IndexFunc(lists, func(l *ast.FieldList) bool {
		return slices.ContainsFunc(l.List, func(f *ast.Field) bool { return f.Type.Pos() == pos })
	})
	if i < 0 {
		return false
	}
	var names []string
	for _, f := range lists[i].List {
		id, ok := f.Type.(*ast.Ident)
		if !ok || types.Universe.Lookup(id.Name) != nil || token.IsExported(id.Name) {
			return false
		}
		names = append(names, id.Name)
	}
	r.Hint = "a parameter needs a type: func(" + strings.Join(names, ", ") + " int), with the type that is meant"
	return true
}

// promotedHint is about T{Name: v} where Name is a field of what T embeds.
func (c *checker) promotedHint(t types.Type, name string) string {
	obj, path, _ := types.LookupFieldOrMethod(t, true, c.result.Pkg, name)
	u, ok := t.Underlying().(*types.Struct)
	if _, isField := obj.(*types.Var); !isField || !ok || len(path) < 2 {
		return ""
	}
	f := u.Field(path[0])
	embedded := c.typeText(f.Type())
	if p, ok := strings.CutPrefix(embedded, "*"); ok {
		embedded = "&" + p
	}
	return name + " is a field of the embedded " + f.Name() + ": write " + c.typeText(t) + "{" + f.Name() + ": " + embedded + "{" + name + ": ...}}"
}

// timeHint is about an operator between times, which have methods in its place.
func (c *checker) timeHint(x *ast.BinaryExpr) string {
	method := map[token.Token]string{token.SUB: "Sub", token.ADD: "Add", token.LSS: "Before", token.LEQ: "Before", token.GTR: "After", token.GEQ: "After"}[x.Op]
	if method == "" || !isNamed(c.typeOf(x.X), "time", "Time") {
		return ""
	}
	text, other := exprText(x.X), exprText(x.Y)
	if x.Op == token.SUB && isNamed(c.typeOf(x.Y), "time", "Duration") {
		method, other = "Add", "-"+other
	}
	return "write " + text + "." + method + "(" + other + ")"
}

// isNamed tells whether t is the type of a package with that name. t may be nil.
func isNamed(t types.Type, path, name string) bool {
	if t == nil {
		return false
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path && named.Obj().Name() == name
}

// isSeq tells whether t is an iterator.
func isSeq(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return false
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Params().Len() == 1 && yield.Results().Len() == 1
}

func collected(text string) string {
	return "collect the values: slices.Collect(" + text + "), or slices.Sorted(" + text + ")"
}

// explainBuiltin is about an argument that len and the like do not take.
func explainBuiltin(c *checker, e typeError, r *diag.Rejection) {
	x := c.syntax().exprsByPos[e.Pos]
	if t := c.typeOf(x); x != nil && t != nil && isSeq(t) {
		r.Hint = collected(exprText(x))
	} else if t != nil && types.IsInterface(t) {
		r.Hint = takenOut(exprText(x), "[]any") + ", or with another type"
	} else if t != nil && isNumeric(t) {
		r.Hint = "the length of a number is that of its text: len(fmt.Sprint(" + exprText(x) + "))"
	}
}
