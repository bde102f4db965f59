package builtins

import "errors"

var stdErrors = Package{
	Path:   "errors",
	Prompt: "New Unwrap",
	Source: errorsSource,
	Members: []Member{
		{Name: "As", Value: errors.As},
		{Name: "Is", Value: errors.Is},
		{Name: "Join", Value: errorsJoin, Why: "a tree of joined errors can have a text far larger than itself"},
		{Name: "New", Value: errors.New},
		{Name: "Unwrap", Value: errors.Unwrap},

		{Name: "ErrUnsupported", Value: &errors.ErrUnsupported},
	},
}
