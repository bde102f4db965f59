package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/internal/typename"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// A Program is a checked and lowered script: immutable, safe for concurrent
// use, and the only thing an engine takes.
//
// Calls through an interface of the script have no gate. Host values in such interfaces
// are checked as far as the source shows their types; for other values, an assertion to an
// interface with methods must see the methods that the universe gives the type, or none if
// the universe lacks it.
type Program struct {
	fset     *token.FileSet
	units    []Unit   // the last one is the script
	imports  []string // standard packages, as the units were written
	bindings []Binding
	mirrors  []Mirror
	echoes   []parse.Echo
	vars     []Var
	nodes    int // of its syntax, about
	source   parse.Source
	entry    string
	warnings []string
	snippet  bool
	nothing  bool // a statement of the snippet is return nil
	unechoed string

	// Of cells of a session:
	session *Session
	cell    *Cell
	earlier []*Unit
}

// FileSet maps the positions of the lowered syntax. Every node that the user
// wrote keeps its position in the text as sent; a node written by Lower has the
// position of the construct it guards.
func (p *Program) FileSet() *token.FileSet { return p.fset }

// Forget frees the types of expressions, most of the memory of p, which only the loading of p
// needs. Call it after loading, and before p is shared.
func (p *Program) Forget() {
	for i := range p.units {
		p.units[i].Info = nil
	}
}

// Nodes returns the approximate number of syntax nodes in the units.
func (p *Program) Nodes() int { return p.nodes }

// A Unit is one lowered package. Callers must not change it.
type Unit struct {
	Package *types.Package
	Files   []*ast.File // they import the gate package, its mirrors, other units, and nothing else
	Info    *types.Info // for every expression of Files, those written by Lower too; nil after Forget

	// Outer has the variables and functions of earlier cells that a cell uses, each under
	// its name. It is nil if the unit is not a cell.
	Outer *types.Package

	// Linked is the state of the engine for a unit that Earlier returns for later cells.
	Linked any
}

// Units returns the packages that come with the script, in order of initialisation, and
// last the script itself, package main.
func (p *Program) Units() []Unit { return p.units }

// Main returns the unit of the script.
func (p *Program) Main() Unit { return p.units[len(p.units)-1] }

// Bindings is the program's import section: every host member it can reach,
// and its only way out.
func (p *Program) Bindings() []Binding { return p.bindings }

// Reached names the members of Bindings, each once: import path, type and name with dots between, and, among the standard ones,
// the paths of packages that are imported. Types of others are left out: scripts have values of them without naming them. own reports that the script has packages of its own.
func (p *Program) Reached() (standard, host []string, own bool) {
	standard = slices.Clone(p.imports)
	for _, b := range p.bindings {
		name := typename.Join(b.written(), typename.Join(b.Owner, b.Name))
		switch {
		case b.Kind == abi.BindInput, b.Kind == abi.BindType && b.Standard && !slices.Contains(p.imports, b.Path):
		case b.Standard:
			standard = append(standard, name)
		default:
			host = append(host, name)
		}
	}
	slices.Sort(standard)
	slices.Sort(host)
	return slices.Compact(standard), slices.Compact(host), len(p.units) > 1
}

// Mirrors lists the packages of host types that the units import.
func (p *Program) Mirrors() []Mirror { return p.mirrors }

// Echoes describes the bare top-level expressions, by the id that each passes
// to the Echo gate.
func (p *Program) Echoes() []parse.Echo { return p.echoes }

// Vars lists the package-level variables of the script in order of declaration.
func (p *Program) Vars() []Var { return p.vars }

// Entry returns the name of the function of Main, without parameters and results, that
// runs the program once its package-level variables are initialised. It is main except
// for snippets that have statements and a main of their own.
func (p *Program) Entry() string { return p.entry }

// Source returns the text as sent.
func (p *Program) Source() parse.Source { return p.source }

// A Binding is one host member that the program uses.
type Binding struct {
	Index    int
	Kind     abi.BindingKind
	Path     string       // import path of the package; "" for inputs
	Owner    string       // type name, for methods and fields
	Name     string       // member name
	Pointer  bool         // method: receiver is *T; field: func(*T) *F rather than func(T) F; variable: func() *V
	Type     types.Type   // type of __st.B<Index>; of the type or constant itself for those kinds
	TypeArgs []types.Type // of an instantiated generic function or type
	Object   types.Object // the universe's object
	Standard bool         // of a package of Go's standard library, according to the universe
	Engine   string       // the universe's notes to engines; see Is
	Pos      token.Pos    // first use
}

// Is reports whether the universe's notes to engines about the member have the word; see
// Universe.Engine.
func (b Binding) Is(word string) bool { return hasWord(b.Engine, word) }

func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// String returns the member in Go syntax: "strings.ToUpper",
// "(*strings.Builder).WriteString", "slices.Sort[[]int]".
func (b Binding) String() string {
	var args string
	if len(b.TypeArgs) > 0 {
		list := make([]string, len(b.TypeArgs))
		for i, t := range b.TypeArgs {
			list[i] = types.TypeString(t, typename.Path)
		}
		args = "[" + strings.Join(list, ", ") + "]"
	}
	path := b.written()
	switch {
	case b.Path == "":
		return b.Name
	case b.Owner == "":
		return typename.Join(path, b.Name) + args
	case b.Pointer && b.Kind != abi.BindField:
		return "(*" + typename.Join(path, b.Owner) + args + ")." + b.Name
	}
	return typename.Join(path, b.Owner) + args + "." + b.Name
}

// written is the import path, "" for what needs no import.
func (b Binding) written() string {
	if b.Object != nil && b.Object.Pkg() != nil && b.Path != "" {
		return typename.Path(b.Object.Pkg())
	}
	return b.Path
}

// A Mirror is a package made for one program. It holds the types that the program uses of
// one host package, under their own names.
type Mirror struct {
	Path string // of the host package
	Name string // in lowered code: __st1
}

// A Var is a package-level variable of the script, or an input.
type Var struct {
	Name  string
	Type  types.Type
	Input bool
	Obj   *types.Var
}

// Snippet reports whether the source is statements, without a package clause.
func (p *Program) Snippet() bool { return p.snippet }

// ReturnsNil reports whether a statement of the snippet is return nil: it leaves no variable result.
func (p *Program) ReturnsNil() bool { return p.nothing }

// Warnings returns one line for each feature of the source that its author may not have meant; echoed says that a run shows the
// last statement of a snippet. Warnings do not prevent a run.
func (p *Program) Warnings(echoed bool) []string {
	if echoed || p.unechoed == "" {
		return p.warnings
	}
	return append(slices.Clip(p.warnings), p.unechoed)
}
