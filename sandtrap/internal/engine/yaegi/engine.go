package yaegi

import (
	"fmt"
	"go/ast"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// Engine is the yaegi engine. The zero value is ready for use.
type Engine struct{}

var _ engine.Engine = Engine{}

// Name is "yaegi".
func (Engine) Name() string { return "yaegi" }

// Load adapts a program to the interpreter, or refuses what the interpreter cannot
// run right.
func (Engine) Load(p *rewrite.Program, _ engine.TypeOf) (engine.Loaded, error) {
	l, err := load(unitOf(p))
	if err != nil {
		return nil, err
	}
	return l, nil
}

func load(u *unit) (l *loaded, err error) {
	defer func() {
		if v := recover(); v != nil {
			l, err = nil, rewrite.Rejections{refusal(u, u.files[0].Package, fmt.Sprintf("adapt this program: %v", v))}
		}
	}()
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
}
