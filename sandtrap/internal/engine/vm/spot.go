package vm

import "go/token"

// A spot is where in the source an instruction comes from, and what has to be known of
// the indices in it should they be out of range: the loop has no use for that.
type spot uint64

const (
	behindPointer    spot = 1 << (63 - iota) // of an array behind a pointer
	unsignedIndex                            // of 64 bits
	unsignedRowIndex                         // of the element in the row
)

func (s spot) pos() token.Pos {
	return token.Pos(s &^ (behindPointer | unsignedIndex | unsignedRowIndex))
}
