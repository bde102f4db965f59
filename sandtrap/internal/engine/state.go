package engine

import "github.com/sandtrap-go/sandtrap/rewrite"

// A State is the values of a session, as data. What refers to a cell has its number in
// Cells, from 1; to an object its number in Objects, from 1; to a type its index in Types.
type State struct {
	Cells   []*rewrite.Cell     `cbor:"-"`
	Types   []rewrite.SavedType `cbor:"types,omitempty"`
	Objects []Object            `cbor:"objects,omitempty"`
	Globals []Global            `cbor:"globals,omitempty"`

	Skipped map[string]string `cbor:"-"` // variables that are not among Globals, with the reasons
}

// A Global is a variable of a cell, or of a package of the script's that came with it.
type Global struct {
	Cell   int    `cbor:"c"` // 0: of a package
	Name   string `cbor:"n"`
	Object int    `cbor:"o"`
}

// An Object is something that values refer to.
type Object struct {
	Kind  string   `cbor:"k"`
	I     []int64  `cbor:"i,omitempty"`
	S     []string `cbor:"s,omitempty"`
	R     []Value  `cbor:"r,omitempty"`
	Bytes []byte   `cbor:"b,omitempty"`
	Type  int      `cbor:"t,omitempty"`
	N     int      `cbor:"l,omitempty"`
	Cell  int      `cbor:"c,omitempty"`
	Name  string   `cbor:"n,omitempty"`
}

// A Value is what a reference is: nothing, an object, or a basic value of the kind that
// Go's package reflect has a word for.
type Value struct {
	Kind string `cbor:"k,omitempty"`
	N    int64  `cbor:"n,omitempty"` // of an object, its number
	M    int64  `cbor:"m,omitempty"` // the second part of a complex number
	S    string `cbor:"s,omitempty"`
}

// maxState bounds the values of a state where memory has no limit.
const maxState = 1 << 30

// MostSaved is how many bytes the values of a state may have under a limit of memory, which is 0 if there is none.
func MostSaved(limit int64) int64 {
	if limit <= 0 || limit > maxState {
		return maxState
	}
	return limit
}
