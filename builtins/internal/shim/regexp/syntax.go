package regexp

import (
	"regexp/syntax"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

func init() {
	shim.HasText(func(_ *shim.Env, r *Regexp) (int64, int64) { return int64(len(r.String())), 0 })
	shim.HasText(func(e *shim.Env, re *syntax.Regexp) (int64, int64) { payTree(e, re); return 0, 0 })
}

func SyntaxParse(e *shim.Env) func(string, syntax.Flags) (*syntax.Regexp, error) {
	return func(expr string, flags syntax.Flags) (*syntax.Regexp, error) { return parse(e, expr, flags) }
}

// payTree asks for a tree with its repetitions written out.
func payTree(e *shim.Env, re *syntax.Regexp) {
	var p pattern
	p.add(re, 1)
	e.Charge(p.insts * 200)
	e.Work(p.insts * 20)
	if p.insts > maxInsts {
		panic(shim.RuntimeError("regexp/syntax: expression too large"))
	}
}

func SyntaxSimplify(e *shim.Env) func(*syntax.Regexp) *syntax.Regexp {
	return func(re *syntax.Regexp) *syntax.Regexp {
		payTree(e, re)
		return re.Simplify()
	}
}

func SyntaxString(e *shim.Env) func(*syntax.Regexp) string {
	return func(re *syntax.Regexp) string {
		payTree(e, re)
		return re.String()
	}
}

func SyntaxCompile(e *shim.Env) func(*syntax.Regexp) (*syntax.Prog, error) {
	return func(re *syntax.Regexp) (*syntax.Prog, error) {
		payTree(e, re)
		return syntax.Compile(re)
	}
}
