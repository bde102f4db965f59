package ir

import "go/token"

// A Spot is where in the source an instruction comes from, and what has to be known of
// the indices in it should they be out of range: the loop has no use for that.
type Spot uint64

const (
	BehindPointer    Spot = 1 << (63 - iota) // of an array behind a pointer
	UnsignedIndex                            // of 64 bits
	UnsignedRowIndex                         // of the element in the row
)

func (s Spot) Pos() token.Pos {
	return token.Pos(s &^ (BehindPointer | UnsignedIndex | UnsignedRowIndex))
}
