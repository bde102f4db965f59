package diag

// The codes of engines.
const (
	// EngineCannot: Go, and allowed, but the chosen engine does not run it right;
	// another does. No example: only engines give it, after all stages of package rewrite.
	EngineCannot Code = 400 + iota
)
