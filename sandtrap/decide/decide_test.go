package decide_test

import (
	"encoding/json"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// TestCodes: codes are part of records, so they never change, nor does their order.
func TestCodes(t *testing.T) {
	text, err := json.Marshal(decide.Codes())
	const want = `["inactive","package","hidden","risk","permissions","policy","classification","rule","rate","budget"]`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
}

// TestLevels: a level is read as it is written, and an unknown one is an error that lists them.
func TestLevels(t *testing.T) {
	for _, name := range []string{"low", "medium", "high", "critical"} {
		var r decide.Risk
		if err := r.UnmarshalText([]byte(name)); err != nil || r.String() != name || !r.Valid() {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	for _, name := range []string{"public", "internal", "confidential", "restricted"} {
		var c decide.Class
		if err := c.UnmarshalText([]byte(name)); err != nil || c.String() != name || !c.Valid() {
			t.Errorf("%s: %v, %v", name, c, err)
		}
	}
	for _, name := range []string{"", "Low", "none"} {
		r := decide.Low
		err := r.UnmarshalText([]byte(name))
		if err == nil || err.Error() != `no risk "`+name+`"; there are low, medium, high, critical` {
			t.Errorf("%q: %v", name, err)
		}
	}
	if decide.Risk(9).Valid() || decide.Class(9).Valid() {
		t.Error("a level that is not there is valid")
	}
}
