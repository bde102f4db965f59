package engine

// Hidden stands in Vars for a value that is not handed out: too large, lying in
// itself, or of a kind that only the script can use, such as a function.
type Hidden struct{ Type string }

func (h Hidden) String() string { return "(" + h.Type + ")" }

// MarshalText makes it a text in JSON.
func (h Hidden) MarshalText() ([]byte, error) { return []byte(h.String()), nil }
