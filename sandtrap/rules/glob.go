package rules

import (
	"fmt"
	"path"
	"strings"
)

// A glob is a pattern of a path, in segments. One of them is * is any text, ? a character, [a-z] one of some, and ** is any
// number of segments, none included.
type glob struct {
	text     string
	absolute bool
	segments []segment
}

type segment struct {
	text    string
	literal bool
	any     bool // **
}

// parseSegments reads those of a pattern.
func parseSegments(text, separator string) ([]segment, error) {
	var list []segment
	for s := range strings.SplitSeq(text, separator) {
		switch {
		case s == "**":
			list = append(list, segment{any: true})
			continue
		case strings.Contains(s, "**"):
			return nil, fmt.Errorf("pattern %q: ** is a whole part between two %q", text, separator)
		}
		if _, err := path.Match(s, ""); err != nil {
			return nil, fmt.Errorf("pattern %q: %w", text, err)
		}
		list = append(list, segment{text: s, literal: !strings.ContainsAny(s, `*?[\`)})
	}
	return list, nil
}

func (s *segment) matches(word string) bool {
	if s.literal {
		return s.text == word
	}
	ok, _ := path.Match(s.text, word)
	return ok
}

// matchSegments reports that the words are as the pattern says. It takes at most the product of their numbers.
func matchSegments(pattern []segment, words []string) bool {
	p, w, star, mark := 0, 0, -1, 0
	for w < len(words) {
		switch {
		case p < len(pattern) && pattern[p].any:
			star, mark = p, w
			p++
		case p < len(pattern) && pattern[p].matches(words[w]):
			p++
			w++
		case star >= 0:
			mark++
			p, w = star+1, mark
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p].any {
		p++
	}
	return p == len(pattern)
}
