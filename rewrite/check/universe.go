package check

import "go/types"

// A Universe is all that a script can know of the world outside itself:
// the packages it may import, holding only the members it may use. A Universe
// must be safe for concurrent use; it is shared by every program of a policy.
type Universe interface {
	// Import returns the package at path with its allowed members only. The
	// same path gives the same *types.Package each time.
	types.Importer

	// Named lists the import paths of the importable packages whose package
	// name is name, the likeliest first ("rand": math/rand, math/rand/v2).
	Named(name string) []string

	// Predeclared lists host members that need no import, as objects of
	// a package without a name. They are shadowed by declarations of the script.
	Predeclared() []types.Object

	// Handle reports whether scripts may hold the host type only behind a pointer:
	// its values cannot be made, copied or overwritten.
	Handle(*types.TypeName) bool

	// Replaced reports whether the host type has a method of this name that is not
	// just what the universe's gate for it does: it is denied, or something is
	// charged for it, or another function takes its place.
	Replaced(owner *types.TypeName, method string) bool

	// Settable reports whether the variable is one of the run's own, which scripts may
	// assign to.
	Settable(*types.Var) bool

	// Standard reports whether the package at path is the one of Go's library, and not
	// one that has taken its place.
	Standard(path string) bool

	// Engine is what is special to engines about a member of the package of Go's library at path, in words that the
	// universe and the engines share; "" if nothing is. owner is its type, "" for what belongs to none.
	Engine(path, owner, name string) string

	// Explain tells what is known of something the universe does not hold.
	// name is "" for the package itself, else "Func", "Type", "Type.Method" or
	// "Type.Field".
	Explain(path, name string) Explanation
}

// An Explanation says why a name is not there.
type Explanation struct {
	Exists  bool   // there is such a thing, but the policy does not allow it
	Why     string // the reason in the policy's row, if Exists
	Instead string // what to use in its place: "os.ReadFile", "math/rand/v2"; "" if nothing
	Near    string // the nearest allowed name in the same place; "" if none is near
}

// An Input is a variable that the host sets before the program runs.
type Input struct {
	Name string
	Type types.Type // of universe or predeclared types

	Later bool // the variable gets its value when the cell is loaded, and asks nobody for it
}
