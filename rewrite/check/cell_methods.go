package check

import (
	"fmt"
	"go/ast"
	"go/token"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/checkcost"
)

// strayMethods refuses methods of types that earlier cells have declared: those types are
// in use, and what they can be used for cannot change any more.
func (c *checker) strayMethods() diag.Rejections {
	s := c.session()
	if s == nil {
		return nil
	}
	own := typesIn(c.parsed.File)
	var rs diag.Rejections
	for _, d := range c.parsed.File.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv == nil || len(f.Recv.List) == 0 {
			continue
		}
		id := checkcost.Receiver(f.Recv.List[0].Type)
		if id == nil || !s.Declares(id.Name) || own[id.Name] {
			continue
		}
		name := id.Name
		rs = append(rs, c.reject(diag.BadType, f.Name, name, fmt.Sprintf("cannot declare a method of %s, which an earlier cell has declared", name),
			fmt.Sprintf("declare type %s again in one cell with its methods", name)))
	}
	return rs
}

func typesIn(f *ast.File) map[string]bool {
	own := map[string]bool{}
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			for _, spec := range g.Specs {
				own[spec.(*ast.TypeSpec).Name.Name] = true
			}
		}
	}
	return own
}
