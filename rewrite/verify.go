package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// Verify checks a lowered program again, without any code of Lower, and refuses one in
// which a gate is missing. The error is of type Rejections.
func Verify(p *Program) error {
	section, own := importable(p), p.ownUnits()
	var errs diag.Rejections
	for _, u := range p.units {
		v := &verifier{Program: p, pkg: u.Package, info: u.Info, section: section, units: own}
		for _, f := range u.Files {
			ast.Inspect(f, v.visit)
		}
		errs = append(errs, v.errs...)
		p.nodes += v.nodes
	}
	if len(errs) > 0 {
		return errs
	}
	return nil
}

type verifier struct {
	*Program
	pkg     *types.Package // of the unit, as info is
	info    *types.Info
	errs    diag.Rejections
	nodes   int // that were seen
	section map[string]types.Object
	units   []Unit            // of the script
	guarded map[ast.Node]bool // recover calls and gotos behind their gate
}

func (v *verifier) fail(n ast.Node, format string, args ...any) {
	at := v.fset.Position(n.Pos())
	v.errs = append(v.errs, &diag.Rejection{
		Code: diag.Unverified, Pos: diag.Position{Name: at.Filename, Line: at.Line, Column: at.Column},
		Message: "internal: the lowered program is not safe: " + fmt.Sprintf(format, args...),
	})
}

// guard notes that n stands behind its gate.
func (v *verifier) guard(n ast.Node) {
	if v.guarded == nil {
		v.guarded = map[ast.Node]bool{}
	}
	v.guarded[n] = true
}

// visit checks one node. Parents come before their children.
func (v *verifier) visit(n ast.Node) bool {
	if n != nil {
		v.nodes++
	}
	switch n := n.(type) {
	case nil, *ast.BasicLit, *ast.CompositeLit, *ast.ParenExpr, *ast.IndexExpr, *ast.IndexListExpr,
		*ast.SliceExpr, *ast.TypeAssertExpr, *ast.StarExpr, *ast.UnaryExpr, *ast.BinaryExpr,
		*ast.KeyValueExpr, *ast.Ellipsis, *ast.ArrayType, *ast.StructType, *ast.FuncType,
		*ast.InterfaceType, *ast.MapType, *ast.ChanType, *ast.Field, *ast.FieldList,
		*ast.File, *ast.GenDecl, *ast.ValueSpec, *ast.TypeSpec,
		*ast.DeclStmt, *ast.EmptyStmt, *ast.LabeledStmt, *ast.ExprStmt, *ast.SendStmt,
		*ast.IncDecStmt, *ast.AssignStmt, *ast.ReturnStmt, *ast.IfStmt, *ast.SwitchStmt,
		*ast.TypeSwitchStmt, *ast.SelectStmt:
	case *ast.ImportSpec:
		v.importSpec(n)
		return false
	case *ast.FuncDecl:
		v.paysTick(n, n.Body)
	case *ast.FuncLit:
		v.paysTick(n, n.Body)
	case *ast.ForStmt:
		v.paysTick(n, n.Body)
	case *ast.RangeStmt:
		v.paysTick(n, n.Body)
	case *ast.BlockStmt:
		v.gotos(n.List)
	case *ast.CaseClause:
		v.gotos(n.Body)
	case *ast.CommClause:
		v.gotos(n.Body)
	case *ast.BranchStmt:
		if n.Tok == token.GOTO && !v.guarded[n] {
			v.fail(n, "goto without a tick")
		}
	case *ast.GoStmt:
		v.guard(n.Call)
	case *ast.DeferStmt:
		v.guard(n.Call)
	case *ast.CallExpr:
		v.call(n)
	case *ast.SelectorExpr:
		return v.selector(n)
	case *ast.Ident:
		v.name(n)
	default:
		v.fail(n, "%T is not known", n)
	}
	return true
}

// FixedGate is the name of the gate that e is, or "". That it is the gate is checked
// where e is visited.
func (v *verifier) fixedGate(e ast.Expr) string {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if x, ok := sel.X.(*ast.Ident); ok && x.Name == abi.Name {
		return sel.Sel.Name
	}
	return ""
}

func (v *verifier) isTick(s ast.Stmt) bool {
	if l, ok := s.(*ast.LabeledStmt); ok {
		return v.isTick(l.Stmt)
	}
	e, ok := s.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	return ok && v.fixedGate(call.Fun) == abi.Tick
}

func (v *verifier) paysTick(n ast.Node, body *ast.BlockStmt) {
	if body == nil || len(body.List) == 0 || !v.isTick(body.List[0]) {
		v.fail(n, "a body does not start with a tick")
	}
}

// gotos notes the gotos that follow a tick.
func (v *verifier) gotos(list []ast.Stmt) {
	for i, s := range list {
		if b, ok := s.(*ast.BranchStmt); ok && b.Tok == token.GOTO && i > 0 && v.isTick(list[i-1]) {
			v.guard(b)
		}
	}
}

// call checks that what recover returns goes to its gate.
func (v *verifier) call(n *ast.CallExpr) {
	if v.fixedGate(n.Fun) == abi.Recover && len(n.Args) == 1 {
		v.guard(n.Args[0])
	}
	id, ok := ast.Unparen(n.Fun).(*ast.Ident)
	if !ok || id.Name != "recover" || v.guarded[n] {
		return
	}
	if obj := v.info.Uses[id]; obj == nil || obj.Pkg() != v.pkg { // else the script's own
		v.fail(n, "recover without its gate")
	}
}

func (v *verifier) importSpec(n *ast.ImportSpec) {
	path, err := strconv.Unquote(n.Path.Value)
	ok := err == nil && n.Name != nil && n.Name.Name == abi.Name && path == abi.Path
	for _, u := range v.units { // under any name that is not reserved
		reserved := n.Name != nil && strings.HasPrefix(strings.ToLower(n.Name.Name), abi.Prefix) && !ownName(n.Name.Name)
		ok = ok || err == nil && u.Package != v.pkg && u.Package.Path() == path && !reserved
	}
	for _, m := range v.mirrors {
		ok = ok || err == nil && n.Name != nil && n.Name.Name == m.Name && path == abi.MirrorPath(m.Path)
	}
	if !ok {
		v.fail(n, "import of %s", n.Path.Value)
	}
}

// temporary says whether lowering may declare the name.
func temporary(name string) bool {
	rest, ok := strings.CutPrefix(name, abi.Prefix+"_")
	return ok && (rest == "main" || numbered(rest, "kortv") || strings.HasPrefix(name, abi.Earlier))
}

// ownName says whether lowering may give the name to a package of the script.
func ownName(name string) bool {
	rest, ok := strings.CutPrefix(name, abi.Prefix+"_")
	return ok && numbered(rest, "p")
}

// numbered says whether s is one of the letters, and decimal digits.
func numbered(s, letters string) bool {
	return len(s) > 1 && strings.IndexByte(letters, s[0]) >= 0 && strings.Trim(s[1:], "0123456789") == ""
}

// ownUnits are the packages of the script, those of earlier cells too.
func (p *Program) ownUnits() []Unit {
	units := slices.Clone(p.units)
	for _, u := range p.earlier {
		units = append(units, *u)
	}
	return units
}

// own reports whether pkg is one of the script's.
func (v *verifier) own(pkg *types.Package) bool {
	for _, u := range v.units {
		if u.Package == pkg {
			return true
		}
	}
	return v.cellmate(pkg)
}

// cellmate reports whether pkg is another cell of the session: no package of the host is
// called main.
func (v *verifier) cellmate(pkg *types.Package) bool {
	return v.Main().Outer != nil && pkg.Path() == "main"
}

// name checks an identifier that is not selected.
func (v *verifier) name(id *ast.Ident) {
	obj := v.info.Uses[id]
	_, isPackage := obj.(*types.PkgName)
	switch {
	case isPackage: // those in selectors are not visited
		v.fail(id, "package %s is not selected from", id.Name)
	case strings.HasPrefix(strings.ToLower(id.Name), abi.Prefix) && !temporary(id.Name):
		v.fail(id, "reserved name %s", id.Name)
	case obj != nil && obj.Pkg() != nil && obj.Pkg() != v.pkg && !v.cellmate(obj.Pkg()):
		if f, ok := obj.(*types.Var); !ok || !f.IsField() {
			v.fail(id, "host member %s without a gate", id.Name)
		}
	}
}

// selector checks what n selects, and tells whether its operand is to be visited.
func (v *verifier) selector(n *ast.SelectorExpr) bool {
	if x, ok := n.X.(*ast.Ident); ok {
		if pkg, ok := v.info.Uses[x].(*types.PkgName); ok {
			v.imported(n, pkg)
			return false
		}
	}
	t := v.info.Types[n.X].Type
	if t == nil {
		v.fail(n, "operand of unknown type")
		return false
	}
	obj, index, _ := types.LookupFieldOrMethod(t, true, v.pkg, n.Sel.Name)
	if obj == nil || strings.HasPrefix(strings.ToLower(n.Sel.Name), abi.Prefix) {
		v.fail(n, "unknown member %s", n.Sel.Name)
		return false
	}
	_, field := obj.(*types.Var)
	if v.throughHost(t, index, field) || !field && v.hostMethod(t, obj) {
		v.fail(n, "host member %s without a gate", n.Sel.Name)
	}
	ast.Inspect(n.X, v.visit)
	return false
}

// imported checks the selection of a member of the gate package or a mirror,
// by its names, which is what is printed, and by its object, which is what is built.
func (v *verifier) imported(n *ast.SelectorExpr, pkg *types.PkgName) {
	if v.own(pkg.Imported()) {
		if used := v.info.Uses[n.Sel]; used == nil || used.Pkg() != pkg.Imported() || used.Name() != n.Sel.Name || !used.Exported() {
			v.fail(n, "%s.%s is not in that package", pkg.Name(), n.Sel.Name)
		}
		return
	}
	name := pkg.Name() + "." + n.Sel.Name
	obj, known := v.section[name]
	known = known || fixed[name] || pkg.Name() == abi.Name && v.binds(n.Sel.Name)
	used := v.info.Uses[n.Sel]
	if known && obj == nil && used != nil && used.Name() == n.Sel.Name && used.Pkg() == pkg.Imported() && used.Pkg().Path() == abi.Path {
		return // a gate
	}
	if !known || obj == nil || obj != used {
		v.fail(n, "%s.%s is not in the import section", pkg.Name(), n.Sel.Name)
	}
}

// fixed are the gates that every program can select.
var fixed = func() map[string]bool {
	all := map[string]bool{}
	for _, g := range abi.Table {
		all[abi.Name+"."+g.Name] = true
	}
	return all
}()

// binds reports the gate of a binding.
func (p *Program) binds(name string) bool {
	i, ok := abi.Number(name)
	return ok && i < len(p.bindings) && p.bindings[i].Kind != abi.BindConst && p.bindings[i].Kind != abi.BindType
}

// importable lists the host types that can be selected from the imports of p, by their
// names in mirrors. The gates have no object yet.
func importable(p *Program) map[string]types.Object {
	section := map[string]types.Object{}
	mirrors := map[string]string{}
	for _, m := range p.mirrors {
		mirrors[m.Path] = m.Name
	}
	for _, b := range p.bindings {
		if b.Kind == abi.BindType {
			section[mirrors[b.Path]+"."+b.Name] = b.Object
		}
	}
	return section
}

func (v *verifier) isHost(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && !v.own(n.Obj().Pkg())
}

// throughHost reports whether one of the structs on the way to a member is the host's.
func (v *verifier) throughHost(t types.Type, index []int, field bool) bool {
	if !field {
		index = index[:len(index)-1]
	}
	for _, i := range index {
		if v.isHost(t) {
			return true
		}
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		if v.isHost(t) {
			return true
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return true
		}
		t = s.Field(i).Type()
	}
	return false
}

// hostMethod reports whether the method m, selected on t, is the host's. Those of
// interfaces without a name are nobody's.
func (v *verifier) hostMethod(t types.Type, m types.Object) bool {
	if m.Pkg() == nil || v.own(m.Pkg()) {
		return false
	}
	literal, ok := types.Unalias(t).(*types.Interface)
	return !ok || literal.NumEmbeddeds() > 0
}
