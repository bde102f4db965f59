package rules

import (
	"fmt"
	"path"
	"strings"
)

// A glob is a pattern of a path, in segments. In one of them * is any text, ? a character, [a-z] one of some; ** is any number
// of segments, none included.
type glob struct {
	absolute bool
	segments []segment
}

type segment struct {
	text          string
	form          segmentForm
	before, after string // of a simple one, around its *
}

// A segmentForm is how a segment is matched.
type segmentForm uint8

const (
	literal segmentForm = iota
	simple              // with one * and no other sign
	general
	anyNumber // **
)

// parseSegments reads those of a pattern.
func parseSegments(text, separator string) ([]segment, error) {
	var list []segment
	for s := range strings.SplitSeq(text, separator) {
		switch {
		case s == "**":
			list = append(list, segment{form: anyNumber})
			continue
		case strings.Contains(s, "**"):
			return nil, fmt.Errorf("pattern %q: ** is a whole part between two %q", text, separator)
		}
		if _, err := path.Match(s, ""); err != nil {
			return nil, fmt.Errorf("pattern %q: %w", text, err)
		}
		list = append(list, newSegment(s))
	}
	return list, nil
}

func newSegment(text string) segment {
	s := segment{text: text}
	var star bool
	s.before, s.after, star = strings.Cut(text, "*")
	switch {
	case strings.ContainsAny(s.before+s.after, `*?[\`):
		s.form = general
	case star:
		s.form = simple
	}
	return s
}

func (s *segment) matches(word string) bool {
	switch s.form {
	case literal:
		return s.text == word
	case simple:
		return len(word) >= len(s.before)+len(s.after) && strings.HasPrefix(word, s.before) && strings.HasSuffix(word, s.after)
	}
	ok, _ := path.Match(s.text, word)
	return ok
}

// matchSegments reports that the words are as the pattern says. It takes at most the product of their numbers.
func matchSegments(pattern []segment, words []string) bool {
	p, w, star, mark := 0, 0, -1, 0
	for {
		switch {
		case p < len(pattern) && pattern[p].form == anyNumber:
			star, mark = p, w
			if p++; fixed(pattern[p:]) {
				w = max(w, len(words)-len(pattern[p:])) // only the last words can be the rest
			}
		case w == len(words):
			return p == len(pattern)
		case p < len(pattern) && pattern[p].matches(words[w]):
			p++
			w++
		case star >= 0 && !fixed(pattern[star+1:]):
			mark++
			p, w = star+1, mark
		default:
			return false
		}
	}
}

// fixed reports that the pattern is of as many words as it has segments.
func fixed(pattern []segment) bool {
	for i := range pattern {
		if pattern[i].form == anyNumber {
			return false
		}
	}
	return true
}
