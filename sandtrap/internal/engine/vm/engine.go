package vm

import (
	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/call"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/compile"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/ir"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine/vm/wrap"
)

// Engine is the register machine.
type Engine struct{ wrappers ir.WrapperTable }

var _ engine.Engine = Engine{}

// New returns an engine that shows values of scripts to the host as the interfaces
// of the standard library, and with the wrappers, functions func(V) I, as others.
func New(wrappers []any) (engine.Engine, error) {
	t, err := wrap.NewWrapperTable(wrappers)
	return Engine{t}, err
}

// Name is "vm".
func (Engine) Name() string { return "vm" }

// Dispatches says that hostMethod asks the run for what it calls.
func (Engine) Dispatches() {}

// Load compiles a program.
func (e Engine) Load(p *rewrite.Program, host engine.TypeOf, meter *gates.Meter) (engine.Loaded, error) {
	prog, err := compile.Load(p, host, e.wrappers, meter, call.Abilities())
	if err != nil {
		return nil, err
	}
	return loaded{prog}, nil
}

// loaded is a program that is ready to run.
type loaded struct{ *ir.Program }

// Provides reports a binding whose value no code asks the host for: of what nothing calls, or of
// what the program brings itself.
func (l loaded) Provides(i int) bool { return !l.Gates.Asked[i] }

// Schedules says that goroutines of a script are tasks of the engine.
func (l loaded) Schedules() {}
