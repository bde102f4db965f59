package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/rewrite/check"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/internal/rewritetest"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

// curated shows the tables of the standard library to the rewriter, as the
// sandbox does.
type curated struct{ *builtins.Table }

func (c curated) Explain(path, name string) check.Explanation {
	return check.Explanation(c.Table.Explain(path, name))
}

func newCurated(t testing.TB) check.Universe {
	table, err := builtins.NewTable(builtins.Std()...)
	if err != nil {
		t.Fatal(err)
	}
	return curated{table}
}

// FuzzCompile takes a text, edited as the bytes say, through all stages. It wants
// no panic, an end in time, rejections that a reader can use, and of what
// compiles that it is what Lower promises. Edits of tokens and generated
// statements reach Lower, where edits of bytes seldom do.
func FuzzCompile(f *testing.F) {
	seeds := compileSeeds(f)
	for i, src := range seeds {
		switch i % 16 { // the others come in by edits: a baseline of all would take minutes
		case 0:
			f.Add(src, []byte{})
		case 8:
			f.Add(src, []byte(strings.Repeat(string(rune('a'+i%26)), 9)))
		}
	}
	for i := range 64 {
		f.Add("", []byte{0, opGenerate, 0, 0, byte(i), byte(i * 7), byte(i * 13), byte(i * 29), 5, 4, 3, 2, 1})
	}
	u := newCurated(f)
	programs := append(compiling(seeds, u), "")
	f.Fuzz(func(t *testing.T, src string, edits []byte) {
		src = edited(src, programs, edits)
		var p *Program
		var err error
		rewritetest.InTime(t, 2*time.Second, func() {
			p, err = Compile(parse.Source{Text: src}, parse.Bounds{}, u, fuzzInputs)
		})
		if err != nil {
			checkUsable(t, err, src)
			return
		}
		checkCompiled(t, p, src)
	})
}

// compiling are the sources that make a program.
func compiling(sources []string, u check.Universe) []string {
	var list []string
	for _, src := range sources {
		if _, err := Compile(parse.Source{Text: src}, parse.Bounds{}, u, fuzzInputs); err == nil && len(src) < 8<<10 {
			list = append(list, src)
		}
	}
	return list
}

// fuzzInputs are named so that sources of the corpus use or declare them.
var fuzzInputs = []check.Input{{Name: "input", Type: types.Typ[types.String]}, {Name: "n", Type: types.Typ[types.Int]}}

// compileSeeds are the corpora and the examples.
func compileSeeds(f *testing.F) []string {
	list := rewritetest.Corpus(f, "..")
	examples, err := filepath.Glob("../docs/examples/*.go")
	if err != nil || len(examples) == 0 {
		f.Fatalf("no examples: %v", err)
	}
	for _, path := range examples {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		list = append(list, string(text))
	}
	return list
}

// checkUsable wants rejections of one line each, at places in the text.
func checkUsable(t *testing.T, err error, src string) {
	t.Helper()
	rs, ok := err.(diag.Rejections)
	if !ok || len(rs) == 0 || len(rs) > 2*check.MaxErrors {
		t.Fatalf("error %T of %d, want a few rejections:\n%s", err, len(rs), src)
	}
	lines := strings.Split(src, "\n")
	for _, r := range rs {
		if r.Pos.Line < 1 || r.Pos.Line > len(lines) || r.Pos.Column < 1 || r.Pos.Column > len(lines[r.Pos.Line-1])+1 {
			t.Errorf("%v: position outside of the text:\n%s", r, src)
		}
		if r.Message == "" || strings.ContainsAny(r.Error(), "\n\x00") || r.Code.String() == "" || len(r.Error()) > 1500 {
			t.Errorf("%q: a message is one short line", r.Error())
		}
		if strings.Contains(r.Error(), "internal:") {
			t.Errorf("%v: ours:\n%s", r, src)
		}
		if strings.Contains(r.Error(), "__st") && !strings.Contains(strings.ToLower(src), "__st") {
			t.Errorf("%v: speaks of lowered code:\n%s", r, src)
		}
	}
}

// checkCompiled wants a program to be verified, and its text to be the same program.
func checkCompiled(t *testing.T, p *Program, src string) {
	t.Helper()
	if err := Verify(p); err != nil {
		t.Fatalf("does not verify again: %v\n%s", err, src)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "lowered.go", p.Text(), parser.SkipObjectResolution); err != nil {
		t.Fatalf("text does not parse: %v\n%s\nlowered:\n%s", err, src, p.Text())
	}
	if err := recheck(p); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	if err := buildSSA(p); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	ast.Inspect(p.Main().Files[0], func(n ast.Node) bool {
		if n != nil && n.Pos().IsValid() && p.FileSet().Position(n.Pos()).Offset > len(src) {
			t.Fatalf("%T lies outside of the text:\n%s", n, src)
		}
		return true
	})
}
