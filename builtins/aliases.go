package builtins

import (
	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// What rows are made of, and what shims are given.
type (
	Package = rows.Package
	Member  = rows.Member
	Denial  = rows.Denial
	Literal = rows.Literal
	Filter  = rows.Filter
	Env     = shim.Env
)
