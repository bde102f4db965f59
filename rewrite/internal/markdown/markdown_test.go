package markdown

import (
	"strings"
	"testing"
)

// TestCandidates lists the readings of a text, in their order. The code of a reading is
// as long as the text, and its lines are where they were.
func TestCandidates(t *testing.T) {
	const whole = "*" // the text as it is
	for _, tc := range []struct {
		name, text string
		want       []string // the code of each without space around, or "why: " and the reason
	}{
		{"code alone", "x := 1", []string{whole}},
		{"fence of Go", "Here:\n```go\nx\n```\n", []string{whole, "x"}},
		{"two fences of Go", "```go\nx\n```\nand\n```go\ny\n```\n", []string{whole, "x\n\n\n\ny"}},
		{"Go goes before no language", "```\nout\n```\n```go\nx\n```\n", []string{whole, "x"}},
		{"other language alone", "```bash\nls\n```\n", []string{whole, "why"}},
		{"Go marked as another language", "```python\nx := 1\n```\n", []string{whole, "x := 1", "why"}},
		{"prose before", "Here is the program you want:\nx := 1\n", []string{whole, "x := 1"}},
		{"what is printed", "f(1)\nSum is 3\n", []string{"f(1)", whole}},
		{"printed with a colon", "f(1)\n\nSum: 3\nTotal: 4.5 EUR\n", []string{"f(1)", whole}},
		{"a caption", "f(1)\n\nOutput:\n3\n[1 2]\n", []string{"f(1)", whole}},
		{"a caption of words", "f(1)\n\n**Expected output:**\n```\n3\n```\n", []string{"f(1)", whole, "3"}},
		{"a label that is used", "for {\nbreak Result\n}\nf(1)\nResult:\ng()\n", []string{whole}},
		{"code below a caption", "x := 1\nPrint the result:\nfmt.Println(x)\n", []string{whole}},
		{"a caption of code", "Now print the result:\nf(1)\n", []string{whole, "f(1)"}},
		{"a statement of another language", "x := 1\nprint x\n", []string{whole}},
		{"prose alone", "I am sorry, but I cannot do that.", []string{whole, "why"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got []string
			for c := range Candidates(tc.text) {
				if c.Code == nil {
					got = append(got, "why")
					if c.Why == "" || c.At < 0 || c.At > len(tc.text) {
						t.Errorf("reason %q at %d", c.Why, c.At)
					}
					continue
				}
				if len(c.Code) != len(tc.text) || strings.Count(string(c.Code), "\n") != strings.Count(tc.text, "\n") {
					t.Errorf("positions are lost: %q", c.Code)
				}
				if string(c.Code) == tc.text {
					got = append(got, whole)
				} else {
					got = append(got, squeezed(string(c.Code)))
				}
			}
			if strings.Join(got, "|") != strings.Join(tc.want, "|") {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// squeezed is text without the spaces of its lines, and without empty lines around.
func squeezed(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

func TestFenceLine(t *testing.T) {
	for _, tc := range []struct {
		line, mark, info string
		ok               bool
	}{
		{"```go\n", "```", "go", true},
		{"  ~~~~ \n", "~~~~", "", true},
		{"``` {.go title=x}", "```", "{.go title=x}", true},
		{"``go", "``", "go", false},           // two marks are none
		{"```go``` inline", "```", "", false}, // marks in the info: code in a line of text
		{"x := `a`", "", "x := `a`", false},   // no mark in front
		{"~~`go", "~~", "", false},            // marks are of one kind
	} {
		mark, info, ok := FenceLine(tc.line)
		if ok != tc.ok || ok && (mark != tc.mark || info != tc.info) {
			t.Errorf("%q: got %q %q %v, want %q %q %v", tc.line, mark, info, ok, tc.mark, tc.info, tc.ok)
		}
	}
}

func TestIsProse(t *testing.T) {
	for line, want := range map[string]bool{
		"Here is the program:":               true,
		"# Notes":                            true,
		"**Notes**":                          true,
		"- the first of these is a number":   true,
		"I cannot help with that.":           true,
		"// Here is a comment of some words": false,
		"x := compute(1)":                    false,
		"for i := range 10 {":                false,
		"fmt.Println(\"Here is the text\")":  false,
		"F(\"some words in the text\")":      false,
		"}":                                  false,
		"":                                   false,
	} {
		if got := IsProse(line); got != want {
			t.Errorf("%q: got %v, want %v", line, got, want)
		}
	}
}

func TestBlankKeepsLines(t *testing.T) {
	b := []byte("ab\ncd\r\nef")
	Blank(b, 1, 100)
	if got, want := string(b), "a \n   \n  "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
