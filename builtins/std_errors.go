package builtins

import "errors"

var stdErrors = Package{
	Path:    "errors",
	Bounded: "New",
	Prints:  "*",
	Prompt:  "New Unwrap",
	Source:  errorsSource,
	Members: []Member{
		{Name: "As", Value: errorsAs, Why: "calls only methods that scripts see"},
		{Name: "Is", Value: errorsIs, Why: "calls only methods that scripts see"},
		{Name: "Join", Value: errorsJoin, Why: "a tree of joined errors can have a text far larger than itself"},
		{Name: "New", Value: errors.New},
		{Name: "Unwrap", Value: errorsUnwrap, Why: "calls only methods that scripts see"},

		{Name: "ErrUnsupported", Value: &errors.ErrUnsupported},
	},
}
