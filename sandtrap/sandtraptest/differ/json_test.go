package differ

import "testing"

// TestJSONDifferential: compiled Go and the vm make the same JSON of random types, and
// the same values and errors of random JSON.
func TestJSONDifferential(t *testing.T) {
	differ(t, jsonProgram, "encoding/json", "errors", "fmt", "strconv", "strings", "time")
}
