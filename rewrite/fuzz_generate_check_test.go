package rewrite

import (
	"math/rand/v2"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// TestGenerated wants most of what the generator writes to compile: else
// FuzzCompile sees nothing of Lower.
func TestGenerated(t *testing.T) {
	u := newCurated(t)
	compiled := 0
	const tries = 200
	for i := range tries {
		src := generateInto("", randomFeed(i))
		p, err := Compile(parse.Source{Text: src}, parse.Bounds{}, u, nil)
		if err != nil {
			t.Logf("%v\n%s", err, src)
			continue
		}
		compiled++
		checkCompiled(t, p, src)
	}
	if compiled < tries*8/10 {
		t.Errorf("%d of %d compiled", compiled, tries)
	}
}

// TestTemplates wants each template of an expression to type-check.
func TestTemplates(t *testing.T) {
	u := newCurated(t)
	try := func(what string, f func(g *generator) string) {
		t.Run(what, func(t *testing.T) {
			src := f(newGenerator(&feed{})) + "\n" + generatedDecls
			p, err := Compile(parse.Source{Text: src}, parse.Bounds{}, u, nil)
			if err != nil {
				t.Fatalf("%v\n%s", err, src)
			}
			checkCompiled(t, p, src)
		})
	}
	for _, typ := range generatedTypes {
		for _, template := range generatedExprs[typ] {
			try(template, func(g *generator) string { return "var v " + typ + " = " + g.fill(template) })
		}
	}
	for _, template := range generatedStmts {
		try(template, func(g *generator) string { return g.fill(template) })
	}
}

// randomFeed makes the same choices for the same number.
func randomFeed(n int) *feed {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	choices := make([]byte, 60)
	for i := range choices {
		choices[i] = byte(rng.Uint32())
	}
	return &feed{choices}
}
