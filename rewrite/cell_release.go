package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"weak"

	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/checkcost"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/markdown"
)

// Linked is the state of an engine for a cell.
type Linked interface {
	// Working reports whether functions made by the statements of the cell are still
	// referenced.
	Working() bool
}

// Of a cell whose statements are over, and of whose function literals nobody knows any
// more, two things remain: what is declared with func, type and const, which its source
// tells, and variables, which have types and no need of a source. So the cell need not
// refer any more to those whose variables its statements have used.

// rest is what a cell comes to when it is settled.
type rest struct {
	kept []stretch       // of the source: the declarations
	uses map[string]bool // names that these use
}

type stretch struct{ from, to int }

// restOf finds what remains of a cell; nil if it always needs all of its source.
func restOf(c *check.Checked) *rest {
	out := &rest{}
	for _, d := range c.File.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT && slices.ContainsFunc(g.Specs, isUnnamed) {
			return nil
		}
		if !outlives(c, d) {
			continue
		}
		out.kept = append(out.kept, stretch{c.Fset.Position(d.Pos()).Offset, c.Fset.Position(d.End()).Offset})
		if out.uses == nil {
			out.uses = map[string]bool{}
		}
		maps.Copy(out.uses, namesIn(d))
	}
	return out
}

// isUnnamed reports an import that no name stands for.
func isUnnamed(s ast.Spec) bool {
	name := s.(*ast.ImportSpec).Name
	return name != nil && (name.Name == "." || name.Name == "_")
}

// outlives reports a declaration that is there when the statements of its cell are over.
func outlives(c *check.Checked, d ast.Decl) bool {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d != c.Body && (d.Recv != nil || d.Name.Name != "init")
	case *ast.GenDecl:
		return d.Tok == token.TYPE || d.Tok == token.CONST
	}
	return false
}

// release drops what the statements of c needed. Variables are declared from now on by
// themselves, before the source, but for those of its own types, which come at its end.
func (c *Cell) release() {
	spelled := map[string]string{}
	for _, obj := range c.names {
		if v, ok := obj.(*types.Var); ok && c.mentionsOwn(v.Type()) {
			text, ok := c.spell(v)
			if !ok {
				c.rest = nil
				return
			}
			spelled[v.Name()] = text
		}
	}
	uses := map[string]*Cell{}
	for name := range c.rest.uses {
		if c.variable(name) != nil { // even if its statements have used one of an earlier cell
			uses[name] = c
		} else if u := c.uses[name]; u != nil {
			uses[name] = u
		}
	}
	c.source.Text = c.rest.text(c.source.Text)
	c.rest, c.inputs, c.uses, c.spelled, c.settled = nil, nil, uses, spelled, true
}

// text is what of text is kept, where it was.
func (r *rest) text(text string) string {
	out := []byte(text)
	at := 0
	for _, k := range r.kept {
		markdown.Blank(out, at, k.from)
		if at > 0 && out[at] != '\n' {
			out[at] = ';' // another declaration may follow on the line
		}
		at = k.to
	}
	return string(out[:at])
}

// mentionsOwn reports that t is made of a type which c declares.
func (c *Cell) mentionsOwn(t types.Type) (own bool) {
	pkg := c.pkg.Value()
	_, err := (&TypeWriter{Cell: func(p *types.Package) (int, error) {
		own = own || p == pkg
		return 0, nil
	}}).Add(t)
	return own || err != nil
}

// spell is the declaration of v, if all packages that it names are imported and all other
// types of cells in it are those of c.
func (c *Cell) spell(v *types.Var) (text string, ok bool) {
	pkg, ok := c.pkg.Value(), true
	w := &TypeWriter{Cell: func(p *types.Package) (int, error) {
		if p != pkg {
			return 0, errNoCell
		}
		return 0, nil
	}}
	if _, err := w.Add(v.Type()); err != nil {
		return "", false
	}
	t := types.TypeString(v.Type(), func(p *types.Package) string {
		if p == pkg {
			return ""
		}
		for name, path := range c.imports {
			if path == p.Path() {
				return name
			}
		}
		ok = false
		return ""
	})
	return "\nvar " + v.Name() + " " + t, ok
}

// Tidy frees state that only removed cells needed, or cells whose statements have ended.
// The engine must know by then which these are.
func (s *Session) Tidy() {
	s.members = checkcost.Members{}
	maps.DeleteFunc(s.cells, func(_ weak.Pointer[types.Package], w weak.Pointer[Cell]) bool {
		c := w.Value()
		if c == nil {
			return true
		}
		s.members.Add(c.costs)
		if c.rest != nil && c.Linked != nil && !c.Linked.Working() {
			c.release()
		}
		return false
	})
}

// variable is the variable of that name that c declares, nil if there is none.
func (c *Cell) variable(name string) *types.Var {
	v, _ := c.declares(name).(*types.Var)
	return v
}
