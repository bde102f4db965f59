package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/gates/abi"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
)

// MaxErrors is how many errors are reported. The type checker is stopped after
// that many, so that the texts of errors cannot cost more than the check.
const MaxErrors = 50

// A typeError is an error of go/types with its continuation lines.
type typeError struct {
	types.Error
	goName string // of its code: "UndeclaredName"
	code   diag.Code
	more   []types.Error // "\tother declaration of x"
}

// collect is given every error by go/types.
func (c *checker) collect(err error) {
	e, ok := err.(types.Error)
	if !ok {
		e = types.Error{Msg: err.Error()}
	}
	if strings.HasPrefix(e.Msg, "\t") && len(c.errs) > 0 {
		last := &c.errs[len(c.errs)-1]
		last.more = append(last.more, e)
		return
	}
	if len(c.errs) == MaxErrors {
		c.conf.Error = nil // the next error ends the check
		return
	}
	row, ok := goCodes[goCode(e)]
	if !ok {
		row.code = diag.BadProgram
	}
	c.errs = append(c.errs, typeError{Error: e, goName: row.name, code: row.code})
}

// rejections translates the errors of the last pass. Those that tend to follow
// from others, such as an unused variable, come last.
func (c *checker) rejections() diag.Rejections {
	var hard, soft diag.Rejections
	rs := append(c.usedBeforeDeclaration(), c.jumpsOver()...)
	for _, e := range c.errs {
		switch {
		case c.harmless(e):
		case e.Soft:
			soft = append(soft, c.translate(e))
		default:
			hard = append(hard, c.translate(e))
		}
	}
	return c.upToMisfit(slices.Concat(c.inOrder(append(rs, hard...)), c.inOrder(soft)))
}

// upToMisfit has the first variable in place of what comes of it: a, x := f() that cannot assign to the x that there is, which
// is then of another type than the script goes on with.
func (c *checker) upToMisfit(rs diag.Rejections) diag.Rejections {
	if len(rs) == 0 || !c.parsed.Snippet {
		return rs
	}
	misfits := c.inOrder(c.assignBacks())
	if len(misfits) == 0 {
		return rs
	}
	first := misfits[0].Pos.Line
	return append(slices.DeleteFunc(rs, func(r *diag.Rejection) bool { return r.Pos.Line >= first }), misfits[0])
}

// harmless reports an error that says nothing, or does not hold for a snippet: go/types takes
// its top-level variables for initialised before anything runs, and so sees cycles
// through functions that mention them. Their true order is checked by
// usedBeforeDeclaration. An import that is not used does no harm: a script is told of it, and
// what a cell imports is for later cells too.
func (c *checker) harmless(e typeError) bool {
	// go/types looks at the package of math.Pi = 3 once more, by itself
	again := func(o typeError) bool { return o.goName == "UnassignableOperand" && o.Pos == e.Pos }
	if e.goName == "InvalidPkgUse" && slices.ContainsFunc(c.errs, again) {
		return true
	}
	return c.parsed.Snippet && e.goName == "InvalidInitCycle" && !c.constantCycle(e) || e.goName == "UnusedImport"
}

// constantCycle reports a cycle that leaves a constant without a value, which no order of the
// statements mends.
func (c *checker) constantCycle(e typeError) bool {
	at := map[token.Pos]bool{e.Pos: true}
	for _, m := range e.more {
		at[m.Pos] = true
	}
	for id, obj := range c.result.Info.Defs {
		if _, isConst := obj.(*types.Const); isConst && at[id.Pos()] {
			return true
		}
	}
	return false
}

// warnUnused names the imports that are left out because nothing uses them.
func (c *checker) warnUnused() {
	for _, e := range c.errs {
		if spec := c.syntax().imports[e.Pos]; e.goName == "UnusedImport" && spec != nil && c.session() == nil {
			c.parsed.Warnings = append(c.parsed.Warnings, c.position(e.Pos).String()+": "+spec.Path.Value+" is imported and not used; the import is left out")
		}
	}
}

// inOrder sorts by position and drops what is said twice.
func (c *checker) inOrder(rs diag.Rejections) diag.Rejections {
	slices.SortStableFunc(rs, func(a, b *diag.Rejection) int {
		if a.Pos.Line != b.Pos.Line {
			return a.Pos.Line - b.Pos.Line
		}
		return a.Pos.Column - b.Pos.Column
	})
	return slices.CompactFunc(rs, func(a, b *diag.Rejection) bool { return *a == *b })
}

// translate makes a rejection of e: the text of go/types first, then whatever
// the explanation of its kind makes of it.
func (c *checker) translate(e typeError) *diag.Rejection {
	r := &diag.Rejection{Code: e.code, Pos: c.position(e.Pos), Message: oneLine(e.Msg)}
	for _, m := range e.more {
		r.Message += c.continuation(m)
	}
	if explain, ok := explanations[e.goName]; ok {
		explain(c, e, r)
	}
	r.Message = withoutGates(r.Message)
	return r
}

// continuation is the text of a second position of an error.
func (c *checker) continuation(m types.Error) string {
	s := "; " + oneLine(strings.TrimSpace(m.Msg))
	if pos := c.position(m.Pos); pos.Line > 0 {
		s += " at line " + strconv.Itoa(pos.Line)
	}
	return s
}

// oneLine joins the lines of a message and bounds its length: a type in it may
// be long.
func oneLine(s string) string {
	const most = 600
	s = strings.NewReplacer("\n\thave ", ": have ", "\n\twant ", ", want ").Replace(s)
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + " ..."
	}
	return s
}

// withoutGates hides names of ours that go/types may mention.
func withoutGates(s string) string {
	s = strings.ReplaceAll(s, " in argument to "+abi.Name+"."+abi.Echo, "")
	for {
		before, rest, ok := strings.Cut(s, valueName)
		if !ok {
			return s
		}
		s = before + "the value" + strings.TrimLeft(rest, "0123456789")
	}
}

func (c *checker) position(pos token.Pos) diag.Position { return c.parsed.Position(pos) }

// reject makes a rejection at a node of the script.
func (c *checker) reject(code diag.Code, n ast.Node, name, message, hint string) *diag.Rejection {
	return &diag.Rejection{Code: code, Pos: c.position(n.Pos()), Name: name, Message: message, Hint: hint}
}
