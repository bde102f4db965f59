// Package glob matches names of several parts, such as paths and hosts, with patterns. In a part of a pattern * is any text, ? a
// character, [a-z] one of some; the part ** is any number of parts, none included.
//
// It may not import another package of the module, or know where names come from.
package glob

import (
	"fmt"
	"path"
	"strings"
)

// A Pattern is matched part by part. It is safe for concurrent use.
type Pattern []Part

// A Part is one of a pattern.
type Part struct {
	text          string
	form          form
	before, after string // of a simple one, around its *
}

// A form is how a part is matched.
type form uint8

const (
	literal form = iota
	simple       // with one * and no other sign
	general
	anyNumber // **
)

// Parse reads the parts of a pattern.
func Parse(text, separator string) (Pattern, error) {
	var list Pattern
	for s := range strings.SplitSeq(text, separator) {
		switch {
		case s == "**":
			list = append(list, Part{form: anyNumber})
			continue
		case strings.Contains(s, "**"):
			return nil, fmt.Errorf("pattern %q: ** is a whole part between two %q", text, separator)
		}
		if _, err := path.Match(s, ""); err != nil {
			return nil, fmt.Errorf("pattern %q: %w", text, err)
		}
		list = append(list, newPart(s))
	}
	return list, nil
}

func newPart(text string) Part {
	p := Part{text: text}
	var star bool
	p.before, p.after, star = strings.Cut(text, "*")
	switch {
	case strings.ContainsAny(p.before+p.after, `*?[\`):
		p.form = general
	case star:
		p.form = simple
	}
	return p
}

// Literal is the only word that p matches, if there is only one.
func (p *Part) Literal() (string, bool) { return p.text, p.form == literal }

// AnyNumber reports that p is **.
func (p *Part) AnyNumber() bool { return p.form == anyNumber }

func (p *Part) matches(word string) bool {
	switch p.form {
	case literal:
		return p.text == word
	case simple:
		return len(word) >= len(p.before)+len(p.after) && strings.HasPrefix(word, p.before) && strings.HasSuffix(word, p.after)
	}
	ok, _ := path.Match(p.text, word)
	return ok
}

// Match reports that the words are as the pattern says. It takes at most the product of their numbers.
func (pattern Pattern) Match(words []string) bool {
	p, w, star, mark := 0, 0, -1, 0
	for {
		switch {
		case p < len(pattern) && pattern[p].form == anyNumber:
			star, mark = p, w
			if p++; pattern[p:].fixed() {
				w = max(w, len(words)-len(pattern[p:])) // only the last words can be the rest
			}
		case w == len(words):
			return p == len(pattern)
		case p < len(pattern) && pattern[p].matches(words[w]):
			p++
			w++
		case star >= 0 && !pattern[star+1:].fixed():
			mark++
			p, w = star+1, mark
		default:
			return false
		}
	}
}

// fixed reports that the pattern is of as many words as it has parts.
func (pattern Pattern) fixed() bool {
	for i := range pattern {
		if pattern[i].form == anyNumber {
			return false
		}
	}
	return true
}
