package api_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestAdvice: an error says what a client of the service can do, and names no flag of the command and no field of the library.
func TestAdvice(t *testing.T) {
	r := newRig(t)
	for _, test := range []struct{ body, kind, want string }{
		{`{"code":"for { }","timeout_ms":100}`, "timeout", "timeout_ms"},
		{`{"code":"var s [][]byte; for { s = append(s, make([]byte, 1<<20)) }"}`, "memory", "another policy"},
		{`{"code":"var f func(int) int\nf = func(n int) int { return f(n+1) + 1 }\nfmt.Println(f(0))"}`, "depth", "use a loop"},
		{`{"code":"http.Get(\"https://example.com\")"}`, "denied", "another policy"},
		{`{"code":"fmt.Println(N)","inputs":{"n":1}}`, "type", "did you mean the input n?"},
		{`{"code":"fmt.Println(N)"}`, "type", "declare it"},
	} {
		var res struct {
			Error struct{ Kind, Message, Hint string }
		}
		if err := json.Unmarshal(r.start(t, "alpha", test.body).Result, &res); err != nil {
			t.Fatal(err)
		}
		text := res.Error.Message + " (" + res.Error.Hint + ")"
		if res.Error.Kind != test.kind || !strings.Contains(text, test.want) || strings.Contains(text, "--net") || strings.Contains(text, "Std") {
			t.Errorf("%s: %s: %s", test.body, res.Error.Kind, text)
		}
	}
}
