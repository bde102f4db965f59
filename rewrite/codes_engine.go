package rewrite

// The codes of engines.
const (
	// EngineCannot: Go, and allowed, but the chosen engine does not run it right;
	// another does. Only engines give it, so it needs no example here.
	EngineCannot Code = 400 + iota
)
