package shim

import (
	"strings"
	"unicode/utf8"
)

const (
	patternTicks = 20      // of parsing a byte
	patternMore  = 40      // and more in a long pattern, of which some take longer than others
	patternLong  = 4 << 10 // bytes
	lastFolded   = 0x1e943 // the last rune that has another case
	foldTicks    = 3       // of looking for the other cases of one
)

// PatternWork is the time, in ticks, in which a regexp is parsed. Where cases do not matter
// the parser goes over all runes in the ranges of classes.
func PatternWork(expr string) int64 {
	n := int64(len(expr))
	work := n*patternTicks + max(0, n-patternLong)*patternMore
	if !folds(expr) {
		return work
	}
	for i := range len(expr) {
		if expr[i] != '-' || i == 0 || i+1 == len(expr) {
			continue
		}
		from, _ := utf8.DecodeLastRuneInString(expr[:i])
		to, _ := utf8.DecodeRuneInString(expr[i+1:])
		if from == '}' || to == '\\' { // it may be written as a number
			from, to = 0, lastFolded
		}
		work += max(0, int64(min(to, lastFolded)-from)) * foldTicks
	}
	return work
}

// folds reports whether there may be a group in which cases do not matter.
func folds(expr string) bool {
	for {
		_, after, ok := strings.Cut(expr, "(?")
		if !ok {
			return false
		}
		flags, _, _ := strings.Cut(after, ")")
		if flags, _, _ = strings.Cut(flags, ":"); strings.Contains(flags, "i") {
			return true
		}
		expr = after
	}
}
