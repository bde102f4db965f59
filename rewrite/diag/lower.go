package diag

// The codes of lowering and of its second reader.
const (
	// Ungated: an access to the host that cannot be put behind a gate in the form
	// it is written in; the message says which form can.
	// Example: var f = struct{ *strings.Builder }.String
	Ungated Code = 300 + iota

	// Unverified: the second reader does not agree with the lowering: a mistake
	// of package rewrite, never of the script's author. No example can be had.
	Unverified
)
