package plaintext

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestEscape(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "",
		"plain, ünï, 日本, 👩‍🚀": "plain, ünï, 日本, 👩‍🚀",
		"a\tb\nc":             "a\tb\nc",
		"\x1b[31mred\x00":     `\x1b[31mred\x00`,
		"over\rwritten":       `over\rwritten`,
		"\u009b31m\x7f":       `\u009b31m\x7f`,
		"a\u202eb\u2066c":     `a\u202eb\u2066c`,
		"\u200f\u061c\u2028":  `\u200f\u061c\u2028`,
		"not \xff UTF-8 \xe2": `not \xff UTF-8 \xe2`,
		"\ufffd":              "\ufffd",
	} {
		if got := Escape(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"plain, ünï, 日本, 👩‍🚀":                `plain, ünï, 日本, 👩\u200d🚀`,
		"a\tb\nc\r":                          `a\tb\nc\r`,
		"\x1b[31mred\x00\u009b":              `\x1b[31mred\x00\u009b`,
		"a\u202eb":                           `a\u202eb`,
		"zero\u200bwidth\u00adsoft\ufeff":    `zero\u200bwidth\u00adsoft\ufeff`,
		"no\u00a0break\u3000":                `no\u00a0break\u3000`,
		"tag \U000e0041, select \ufe0f":      `tag \U000e0041, select \ufe0f`,
		"filler \u3164\u115f, joiner \u034f": `filler \u3164\u115f, joiner \u034f`,
		"not \xff UTF-8 \xe2":                `not \xff UTF-8 \xe2`,
		"a \\backslash, \ufffd, quotes '\"`": "a \\backslash, \ufffd, quotes '\"`",
	} {
		if got := Line(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestEveryCharacter: what is shown holds no control character and no bidirectional one, and JSON means
// the same as before.
func TestEveryCharacter(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		hidden := unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) || r == 0x2028 || r == 0x2029
		if got := Escape(string(r)); (got != string(r)) != hidden {
			t.Fatalf("%U is shown as %q", r, got)
		}
		if line := Line(string(r)); hidden && line == string(r) || line != string(r) && (line[0] != '\\' || strings.IndexFunc(line, func(r rune) bool { return r <= ' ' || r >= 0x7f }) >= 0) {
			t.Fatalf("%U is on a line as %q", r, line)
		}
		at, found := Bidi([]byte("x" + string(r)))
		if bidi := unicode.Is(unicode.Bidi_Control, r); (at == 1 && found == r) != bidi {
			t.Fatalf("%U: bidirectional at %d", r, at)
		}
		if !hidden {
			continue
		}
		text, err := json.Marshal(string(r))
		if err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal(JSON(text), &back); err != nil || back != string(r) || string(JSON(text)) != fmt.Sprintf("\"\\u%04x\"", r) && string(JSON(text)) != string(text) {
			t.Fatalf("%U: %s, %q, %v", r, JSON(text), back, err)
		}
		if _, found := Bidi(JSON(text)); found != 0 {
			t.Fatalf("%U is in %s", r, JSON(text))
		}
	}
}
