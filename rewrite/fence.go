package rewrite

// A candidate is one reading of where the code is in a text: as long as the
// text, what is not code blanked.
type candidate struct {
	code     []byte
	likelier bool // its errors say more than those of the candidates before
}

// candidates lists the readings of text, those that need no change first.
func candidates(text string) []candidate {
	return []candidate{{code: []byte(text)}}
}
