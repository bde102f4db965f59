package glob_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/glob"
)

// TestMatch compares patterns with regular expressions that say the same, over all names of up to four parts.
func TestMatch(t *testing.T) {
	names := [][]string{nil}
	for from := 0; len(names) < 1+3+9+27+81; from++ {
		for _, part := range []string{"a", "b", "ab"} {
			names = append(names, append(slices.Clip(names[from]), part))
		}
	}
	for pattern, expression := range map[string]string{
		"a":         `^a$`,
		"*":         `^[^/]+$`,
		"a/*":       `^a/[^/]+$`,
		"**":        `^.*$`,
		"a/**":      `^a(/.*)?$`,
		"**/b":      `^(.*/)?b$`,
		"a/**/b":    `^a/(.*/)?b$`,
		"a*/**/*b":  `^a[^/]*/(.*/)?[^/]*b$`,
		"**/a/**/b": `^(.*/)?a/(.*/)?b$`,
		"?/[ab]":    `^[^/]/[ab]$`,
	} {
		p, err := glob.Parse(pattern, "/")
		if err != nil {
			t.Fatal(err)
		}
		want := regexp.MustCompile(expression)
		for _, n := range names {
			if got := p.Match(n); got != want.MatchString(strings.Join(n, "/")) {
				t.Errorf("%s, %v: %v", pattern, n, got)
			}
		}
	}
}

// TestParseErrors: a pattern that cannot mean what it says is an error.
func TestParseErrors(t *testing.T) {
	for _, pattern := range []string{"a**", "a/**b", "***", "[a", `a\`} {
		if p, err := glob.Parse(pattern, "/"); err == nil {
			t.Errorf("%s: %v", pattern, p)
		}
	}
}

// TestLiteral: a part without signs is one word.
func TestLiteral(t *testing.T) {
	p, err := glob.Parse("a/b*/**", "/")
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := p[0].Literal(); text != "a" || !ok {
		t.Errorf("%q, %v", text, ok)
	}
	for i := range p[1:] {
		if text, ok := p[1+i].Literal(); ok {
			t.Errorf("%q is one word", text)
		}
	}
	if p[0].AnyNumber() || p[1].AnyNumber() || !p[2].AnyNumber() {
		t.Error("** is not the last part alone")
	}
}
