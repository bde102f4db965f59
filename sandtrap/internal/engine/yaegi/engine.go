package yaegi

import (
	"fmt"
	"go/ast"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Engine is the yaegi engine. The zero value is ready for use.
type Engine struct{}

var _ engine.Engine = Engine{}

// Name is "yaegi".
func (Engine) Name() string { return "yaegi" }

// Load adapts a program to the interpreter, or refuses what the interpreter cannot
// run right.
func (Engine) Load(p *rewrite.Program, host engine.TypeOf, _ *gates.Meter) (engine.Loaded, error) {
	u := unitOf(p)
	if len(p.Units()) > 1 {
		return nil, diag.Rejections{refusal(u, u.files[0].Package, "run packages from the script's files")}
	}
	if r := unbindable(u, host); len(r) > 0 {
		return nil, r
	}
	l, err := load(u)
	if err != nil {
		return nil, err
	}
	return l, nil
}

func load(u *unit) (l *loaded, err error) {
	defer func() {
		if v := recover(); v != nil {
			l, err = nil, diag.Rejections{refusal(u, u.files[0].Package, fmt.Sprintf("adapt this program: %v", v))}
		}
	}()
	u, r := monomorphic(u)
	if len(r) > 0 {
		return nil, r
	}
	if r := refusals(u); len(r) > 0 {
		return nil, r
	}
	a, r := adapt(u)
	if len(r) > 0 {
		return nil, r
	}
	l = &loaded{unit: a.unit, helpers: a.helpers}
	for _, f := range a.files {
		ast.Inspect(f, func(n ast.Node) bool {
			if n != nil {
				l.nodes++
			}
			if _, ok := n.(*ast.DeferStmt); ok {
				l.defers = true
			}
			return true
		})
	}
	return l, nil
}

// loaded is an adapted program. Runs share it and do not write to it.
type loaded struct {
	*unit
	helpers map[string]bool
	nodes   int
	defers  bool
}

// uncompiled is the refusal of a program that the interpreter does not compile. It
// is known only when a run begins, because compiling needs the values of the host.
func (l *loaded) uncompiled(err error) *diag.Rejection {
	text, _, _ := strings.Cut(err.Error(), "\n")
	r := refusal(l.unit, l.files[0].Package, "")
	if m := compileError().FindStringSubmatch(text); m != nil {
		r.Pos.Line, _ = strconv.Atoi(m[1])
		r.Pos.Column, _ = strconv.Atoi(m[2])
		text = m[3]
	}
	r.Name = "compile this program"
	r.Message = "engine yaegi cannot compile this program: " + clean(l.display(text))
	return r
}

// compileError is an error of the interpreter with its place.
var compileError = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^ ]*?:(\d+):(\d+): (.*)$`) })
