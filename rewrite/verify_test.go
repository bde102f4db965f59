package rewrite

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// whole is a program that has something for every defence of Verify.
const whole = `package main

import (
	"fmt"
	"image"
	"io"
	"strings"
)

type script struct{ image.Point }

func (s script) method() {}

func main() {
	defer func() { recover() }()
	var b strings.Builder
	b.WriteString(strings.ToUpper("x"))
	var p image.Point
	p.X = 1
	var s script
	s.method()
	fmt.Println(io.EOF, s.X)
	for {
		break
	}
	for range 2 {
	}
	goto end
end:
}
`

// wreck finds the first node that match accepts and lets it break it.
func wreck(p *Program, match func(ast.Node) bool) {
	done := false
	ast.Inspect(p.Main().Files[0], func(n ast.Node) bool {
		if !done && n != nil {
			done = match(n)
		}
		return !done
	})
	if !done {
		panic("nothing to break")
	}
}

// bodyOf breaks the first function declaration with the given name.
func bodyOf(p *Program, name string) *ast.BlockStmt {
	for _, d := range p.Main().Files[0].Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name {
			return f.Body
		}
	}
	panic("no function " + name)
}

// selected wrecks the first selector of the given package and member.
func selected(p *Program, pkg, member string, change func(*ast.SelectorExpr)) {
	wreck(p, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		x, ok := sel.X.(*ast.Ident)
		if !ok || x.Name != pkg || sel.Sel.Name != member {
			return false
		}
		change(sel)
		return true
	})
}

func bindingNamed(p *Program, name string) Binding {
	for _, b := range p.bindings {
		if b.Name == name && b.Kind != abi.BindType {
			return b
		}
	}
	panic("no binding " + name)
}

// plainMember puts x.member in place of the first statement of main after the
// tick, for a local variable x of main.
func plainMember(p *Program, x, member string) {
	var obj types.Object
	for id, def := range p.Main().Info.Defs {
		if id.Name == x && def != nil {
			obj = def
		}
	}
	id := ast.NewIdent(x)
	p.Main().Info.Uses[id] = obj
	p.Main().Info.Types[id] = types.TypeAndValue{Type: obj.Type()}
	sel := &ast.SelectorExpr{X: id, Sel: ast.NewIdent(member)}
	body := bodyOf(p, "main")
	body.List = append(body.List, &ast.ExprStmt{X: sel})
}

func TestVerifyRefuses(t *testing.T) {
	tests := []struct {
		name string
		harm func(*Program)
		want string
	}{
		{"function without tick", func(p *Program) {
			b := bodyOf(p, "main")
			b.List = b.List[1:]
		}, "does not start with a tick"},
		{"method without tick", func(p *Program) { bodyOf(p, "method").List = nil }, "does not start with a tick"},
		{"function without body", func(p *Program) {
			wreck(p, func(n ast.Node) bool {
				f, ok := n.(*ast.FuncDecl)
				if ok {
					f.Body = nil
				}
				return ok
			})
		}, "does not start with a tick"},
		{"closure without tick", func(p *Program) {
			wreck(p, func(n ast.Node) bool {
				f, ok := n.(*ast.FuncLit)
				if ok {
					f.Body.List = f.Body.List[1:]
				}
				return ok
			})
		}, "does not start with a tick"},
		{"loop without tick", func(p *Program) {
			wreck(p, func(n ast.Node) bool {
				f, ok := n.(*ast.ForStmt)
				if ok {
					f.Body.List = f.Body.List[1:]
				}
				return ok
			})
		}, "does not start with a tick"},
		{"range without tick", func(p *Program) {
			wreck(p, func(n ast.Node) bool {
				f, ok := n.(*ast.RangeStmt)
				if ok {
					f.Body.List = nil
				}
				return ok
			})
		}, "does not start with a tick"},
		{"another gate for the tick", func(p *Program) {
			selected(p, "__st", "Tick", func(s *ast.SelectorExpr) { s.Sel.Name = "Echo" })
		}, "does not start with a tick"},
		{"a tick in name only", func(p *Program) {
			selected(p, "__st", "Tick", func(s *ast.SelectorExpr) {
				p.Main().Info.Uses[s.Sel] = p.Main().Info.Uses[s.Sel].Pkg().Scope().Lookup("Echo")
			})
		}, "Tick is not in the import section"},
		{"goto without tick", func(p *Program) {
			b := bodyOf(p, "main")
			for i, s := range b.List {
				if j, ok := s.(*ast.BranchStmt); ok && j.Tok == token.GOTO {
					b.List = append(b.List[:i-1:i-1], b.List[i:]...)
					return
				}
			}
			panic("no goto")
		}, "goto without a tick"},
		{"labelled goto", func(p *Program) {
			b := bodyOf(p, "main")
			jump := &ast.BranchStmt{Tok: token.GOTO, Label: ast.NewIdent("end")}
			b.List = append(b.List, &ast.LabeledStmt{Label: ast.NewIdent("l"), Stmt: jump})
		}, "goto without a tick"},
		{"recover without gate", func(p *Program) {
			wreck(p, func(n ast.Node) bool {
				e, ok := n.(*ast.ExprStmt)
				if !ok {
					return false
				}
				call := e.X.(*ast.CallExpr)
				if len(call.Args) == 1 {
					if inner, ok := call.Args[0].(*ast.CallExpr); ok && len(inner.Args) == 0 {
						e.X = inner
						return true
					}
				}
				return false
			})
		}, "recover without its gate"},
		{"import of a host package", func(p *Program) {
			p.Main().Files[0].Imports[1].Path.Value = `"os"`
		}, `import of "os"`},
		{"import under another name", func(p *Program) {
			p.Main().Files[0].Imports[0].Name = nil
		}, "import of"},
		{"binding out of range", func(p *Program) {
			b := bindingNamed(p, "ToUpper")
			selected(p, "__st", abi.Binding(b.Index), func(s *ast.SelectorExpr) { s.Sel.Name = "B99" })
		}, "B99 is not in the import section"},
		{"binding that is not listed", func(p *Program) {
			p.bindings = p.bindings[:len(p.bindings)-1]
		}, "is not in the import section"},
		{"type that is not listed", func(p *Program) {
			for i, b := range p.bindings {
				if b.Kind == abi.BindType {
					p.bindings[i].Name = "Other"
				}
			}
		}, "is not in the import section"},
		{"type of another package", func(p *Program) {
			selected(p, "__st1", "Point", func(s *ast.SelectorExpr) {
				p.Main().Info.Uses[s.Sel] = types.Universe.Lookup("error")
			})
		}, "is not in the import section"},
		{"reserved name", func(p *Program) {
			b := bodyOf(p, "main")
			b.List = append(b.List, &ast.ExprStmt{X: ast.NewIdent("__ST_x")})
		}, "reserved name __ST_x"},
		{"reserved name declared", func(p *Program) {
			bodyOf(p, "method").List = append(bodyOf(p, "method").List, &ast.LabeledStmt{Label: ast.NewIdent("__stL"), Stmt: &ast.EmptyStmt{}})
		}, "reserved name __stL"},
		{"host object by a bare name", func(p *Program) {
			id := ast.NewIdent("EOF")
			p.Main().Info.Uses[id] = bindingNamed(p, "EOF").Object
			b := bodyOf(p, "main")
			b.List = append(b.List, &ast.ExprStmt{X: id})
		}, "host member EOF without a gate"},
		{"host method", func(p *Program) { plainMember(p, "b", "WriteString") }, "host member WriteString without a gate"},
		{"host field", func(p *Program) { plainMember(p, "p", "X") }, "host member X without a gate"},
		{"promoted host field", func(p *Program) { plainMember(p, "s", "X") }, "host member X without a gate"},
		{"promoted host method", func(p *Program) { plainMember(p, "s", "String") }, "host member String without a gate"},
		{"member that does not exist", func(p *Program) { plainMember(p, "s", "Nothing") }, "unknown member Nothing"},
		{"operand of unknown type", func(p *Program) {
			b := bodyOf(p, "main")
			b.List = append(b.List, &ast.ExprStmt{X: &ast.SelectorExpr{X: ast.NewIdent("q"), Sel: ast.NewIdent("X")}})
		}, "operand of unknown type"},
		{"package as a value", func(p *Program) {
			wreck(p, func(n ast.Node) bool {
				e, ok := n.(*ast.ExprStmt)
				if ok {
					e.X = e.X.(*ast.CallExpr).Fun.(*ast.SelectorExpr).X
				}
				return ok
			})
		}, "is not selected from"},
		{"unknown syntax", func(p *Program) {
			b := bodyOf(p, "main")
			b.List = append(b.List, &ast.BadStmt{})
		}, "BadStmt is not known"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p := lower(t, whole)
			tc.harm(p)
			err := Verify(p)
			var r *diag.Rejection
			if !errors.As(err, &r) || r.Code != diag.Unverified || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("Verify: %v, want %q", err, tc.want)
			}
		})
	}
}

func TestNamesOfLowering(t *testing.T) {
	for name, want := range map[string][2]bool{ // whether it may be a temporary, a package of the script
		"_main": {true, false}, "_o1": {true, false}, "_r20": {true, false}, "_t3": {true, false},
		"_p1": {false, true}, "_p123": {false, true},
		"_": {}, "_p": {}, "_o": {}, "_x1": {}, "_o1x": {}, "_p1 ": {}, "_main2": {}, "_p-1": {}, "main": {}, "_P1": {},
	} {
		if got := [2]bool{temporary(abi.Prefix + name), ownName(abi.Prefix + name)}; got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
		if temporary(name) || ownName(name) {
			t.Errorf("%s is taken without the prefix", name)
		}
	}
}
