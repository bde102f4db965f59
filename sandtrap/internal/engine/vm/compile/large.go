package compile

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/sandtrap-go/sandtrap/rewrite"
)

// go/ssa finds the values of local variables in time and memory that grow with the
// square of a function's branches, with its variables times its branches, and with the
// square of the operands of one instruction. A program with functions beyond these is built
// without that: its variables stay variables, which costs moves at run time.
const (
	maxBranches = 1000
	maxOperands = 500
	maxEdges    = 1_000_000 // variables times branches, of all functions
)

// What else go/ssa does cannot be stopped, and takes time and memory that do not follow from
// the length of a text. A program beyond these is refused.
const (
	maxJoins    = 50_000_000 // squares of the cases of switches, and jumps times branches, in one function
	maxCaptures = 100_000    // names in literals of functions that are nested, for each beyond fewNested
	maxWrappers = 100_000    // methods that types have from embedded fields, and their instructions
	fewNested   = 3
)

// form is how the SSA form of the packages is built.
func form(units []rewrite.Unit) ssa.BuilderMode {
	mode := ssa.InstantiateGenerics | ssa.BareInits
	edges := 0
	for _, u := range units {
		for _, f := range u.Files {
			if int(f.FileEnd-f.FileStart) < min(maxBranches, maxOperands) && f.FileEnd > f.FileStart {
				continue // each takes a byte at least
			}
			for _, d := range f.Decls {
				m := measure(d)
				edges += m.names * m.branches
				if m.operands > maxOperands || m.branches > maxBranches || edges > maxEdges {
					mode |= ssa.NaiveForm
				}
			}
		}
	}
	return mode
}

// A measured is what of a declaration go/ssa takes long for.
type measured struct {
	branches, operands, names int
	jumps, cases, captures    int
	nested                    int // literals of functions around what is looked at
	open                      []ast.Node
}

// measure refuses a declaration that is too large for go/ssa. Literals of functions are counted with what they
// are in.
func measure(d ast.Decl) *measured {
	m := &measured{}
	ast.Inspect(d, func(n ast.Node) bool {
		if n == nil {
			m.leave()
		} else {
			m.enter(n)
		}
		return true
	})
	switch {
	case m.cases+m.jumps*m.branches > maxJoins:
		panic(refused{d.Pos(), "compile a function of this many cases and jumps", "split it into smaller ones"})
	case m.captures > maxCaptures:
		panic(refused{d.Pos(), "compile function literals nested so deep, with this many names", "declare functions at the top level"})
	}
	return m
}

func (m *measured) leave() {
	last := len(m.open) - 1
	if _, ok := m.open[last].(*ast.FuncLit); ok {
		m.nested--
	}
	m.open = m.open[:last]
}

func (m *measured) enter(n ast.Node) {
	m.open = append(m.open, n)
	switch n := n.(type) {
	case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.LabeledStmt:
		m.branches++
	case *ast.BranchStmt:
		m.jumps++
	case *ast.BlockStmt:
		m.clauses(n.List)
	case *ast.BinaryExpr:
		if n.Op == token.LAND || n.Op == token.LOR {
			m.branches++
		}
	case *ast.CallExpr:
		m.operands = max(m.operands, len(n.Args))
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			m.names += len(n.Lhs)
		}
	case *ast.ValueSpec:
		m.names += len(n.Names)
	case *ast.FuncLit:
		m.nested++
	case *ast.Ident:
		m.captures += max(0, m.nested-fewNested)
	}
}

// clauses counts those of a switch or select.
func (m *measured) clauses(list []ast.Stmt) {
	n := 0
	for _, s := range list {
		switch s := s.(type) {
		case *ast.CaseClause:
			n += len(s.List) + 1
		case *ast.CommClause:
			n += 2
		}
	}
	m.branches += n
	m.cases += n * n / 4
}

// wraps counts a method that a type has from an embedded field: nobody wrote the function that calls
// it there, and there are as many as types times methods.
func (c *compiler) wraps(t types.Type, fn *ssa.Function) {
	c.wrapped++
	for _, b := range fn.Blocks {
		c.wrapped += len(b.Instrs)
	}
	if c.wrapped <= maxWrappers {
		return
	}
	pos := c.loader.prog.Main().Files[0].Package
	if n, ok := t.(*types.Named); ok {
		pos = n.Obj().Pos()
	}
	panic(refused{pos, "compile this many methods of embedded fields", "embed fewer types, or types of fewer methods"})
}
