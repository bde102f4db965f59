package builtins

import "regexp/syntax"

func init() {
	HasText(func(_ *Env, r *Regexp) (int64, int64) { return int64(len(r.String())), 0 })
	HasText(func(e *Env, re *syntax.Regexp) (int64, int64) { e.payTree(re); return 0, 0 })
}

func syntaxParse(e *Env) func(string, syntax.Flags) (*syntax.Regexp, error) {
	return func(expr string, flags syntax.Flags) (*syntax.Regexp, error) { return e.parse(expr, flags) }
}

// payTree asks for a tree with its repetitions written out.
func (e *Env) payTree(re *syntax.Regexp) {
	var p pattern
	p.add(re, 1)
	e.charge(p.insts * 200)
	e.work(p.insts * 20)
	if p.insts > maxInsts {
		panic(runtimeError("regexp/syntax: expression too large"))
	}
}

func syntaxSimplify(e *Env) func(*syntax.Regexp) *syntax.Regexp {
	return func(re *syntax.Regexp) *syntax.Regexp {
		e.payTree(re)
		return re.Simplify()
	}
}

func syntaxString(e *Env) func(*syntax.Regexp) string {
	return func(re *syntax.Regexp) string {
		e.payTree(re)
		return re.String()
	}
}

func syntaxCompile(e *Env) func(*syntax.Regexp) (*syntax.Prog, error) {
	return func(re *syntax.Regexp) (*syntax.Prog, error) {
		e.payTree(re)
		return syntax.Compile(re)
	}
}
