package sandtrap

import (
	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// answers are what the engine gets that asks for the runs of a home; those about values are
// the Env's.
type answers struct{ *home }

var _ engine.Host = answers{}

func (a answers) Attach(t script.Tasks)  { a.Tasks = t }
func (a answers) Lend(v script.Values)   { a.Values = v }
func (a answers) Hand(f engine.Func) any { return &Func{nearFunc{a.home, f}} }
