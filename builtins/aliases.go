package builtins

import (
	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// The elements of rows, and the environment of shims.
type (
	Package = rows.Package
	Member  = rows.Member
	Denial  = rows.Denial
	Literal = rows.Literal
	Filter  = rows.Filter
	Env     = shim.Env
)
