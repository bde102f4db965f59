// Package paused has programs wait: it splices calls of a function that pauses into them, and checks that they go on as if
// they had not waited.
//
// It may not leave out a program that differs: who gives it has to say why.
package paused

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"slices"
	"strings"
)

// A site is a place for a call: the start of a list of statements.
type site struct {
	at   token.Pos
	kind string
}

// kinds are those of sites, with how many of each kind a program gets, and how often each of these waits.
var kinds = []struct {
	name         string
	sites, times int
}{
	{"main", 1, 1}, {"goroutine", 2, 1}, {"deferred", 2, 1}, {"loop", 2, 2}, {"callback", 2, 1}, {"case", 1, 1}, {"method", 1, 1}, {"function", 1, 1},
}

// helper is what sites call. What the program does must not depend on how many goroutines have come to one of them before.
const helper = `

var pausedTimes [100]int

func pausedAt(site, most int) {
	if pausedTimes[site]++; pausedTimes[site] > most {
		return
	}
	if got := pausing(site, pausedTimes[site]); got != pausedAnswer(site) {
		panic(got)
	}
}

func pausedAnswer(site int) string {
	answer := make([]byte, site)
	for i := range answer {
		answer[i] = 'x'
	}
	return string(answer)
}
`

// splice puts calls into a program at some of its sites. It is "" for a text that is no program with a function main.
func splice(text string, rnd *rand.Rand) string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", text, parser.SkipObjectResolution)
	if err != nil || f.Name.Name != "main" {
		return ""
	}
	found := map[string][]site{}
	for _, s := range sitesOf(f) {
		found[s.kind] = append(found[s.kind], s)
	}
	if len(found["main"]) == 0 {
		return ""
	}
	var chosen []site
	most := map[string]int{}
	for _, k := range kinds {
		list := found[k.name]
		rnd.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		chosen = append(chosen, list[:min(len(list), k.sites)]...)
		most[k.name] = k.times
	}
	slices.SortFunc(chosen, func(a, b site) int { return int(a.at - b.at) })
	var b strings.Builder
	last := 0
	for i, s := range chosen {
		at := fset.Position(s.at).Offset
		fmt.Fprintf(&b, "%s pausedAt(%d, %d); ", text[last:at], i, most[s.kind])
		last = at
	}
	return b.String() + text[last:] + helper
}

// sitesOf finds all sites of a program.
func sitesOf(f *ast.File) (list []site) {
	kindOf := map[*ast.FuncLit]string{}
	literal := func(e ast.Expr, kind string) {
		if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
			kindOf[lit] = kind
		}
	}
	block := func(b *ast.BlockStmt, kind string) {
		if b != nil {
			list = append(list, site{b.Lbrace + 1, kind})
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			switch {
			case n.Recv != nil:
				block(n.Body, "method")
			case n.Name.Name == "main":
				block(n.Body, "main")
			default:
				block(n.Body, "function")
			}
		case *ast.GoStmt:
			literal(n.Call.Fun, "goroutine")
		case *ast.DeferStmt:
			literal(n.Call.Fun, "deferred")
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "Go" && len(n.Args) == 1 {
				literal(n.Args[0], "goroutine")
			}
		case *ast.FuncLit:
			kind := kindOf[n]
			if kind == "" {
				kind = "callback"
			}
			block(n.Body, kind)
		case *ast.ForStmt:
			block(n.Body, "loop")
		case *ast.RangeStmt:
			block(n.Body, "loop")
		case *ast.CaseClause:
			list = append(list, site{n.Colon + 1, "case"})
		case *ast.CommClause:
			list = append(list, site{n.Colon + 1, "case"})
		}
		return true
	})
	return list
}
