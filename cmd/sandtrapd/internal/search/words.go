package search

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// split is the words of a text, and of the identifiers in it, in lower case and without the s of a plural.
func split(text string) (words []string) {
	for _, part := range identifiers(text) {
		runes := []rune(part)
		begin, before := 0, len(words)
		for i := 1; i <= len(runes); i++ {
			if i == len(runes) || boundary(runes, i) {
				words = append(words, stem(strings.ToLower(string(runes[begin:i]))))
				begin = i
			}
		}
		if len(words) > before+1 {
			words = append(words, strings.ToLower(part)) // who knows the name finds it first
		}
	}
	return words
}

// identifiers are the parts of a text that are made of letters and digits.
func identifiers(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// boundary reports that a word begins at i: listIssues, HTMLPage.
func boundary(r []rune, i int) bool {
	if !unicode.IsUpper(r[i]) {
		return false
	}
	return !unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1])
}

func stem(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
		return w[:len(w)-1]
	}
	return w
}

// maxListed bounds how many packages Describe names.
const maxListed = 40

// Describe says in few words what can be found: the packages with the numbers of their functions. It is for the description of a tool that
// calls Find.
func (x *Index) Describe() string {
	var b strings.Builder
	b.WriteString("Packages of this server that scripts can import, with the number of their functions: ")
	paths := slices.Sorted(maps.Keys(x.counts))
	for i, path := range paths[:min(len(paths), maxListed)] {
		if i > 0 {
			b.WriteString(", ")
		}
		if path == "" {
			path = "no package needed"
		}
		fmt.Fprintf(&b, "%s (%d)", path, x.counts[paths[i]])
	}
	if n := len(paths) - maxListed; n > 0 {
		fmt.Fprintf(&b, " and %d more", n)
	}
	if len(paths) == 0 {
		b.WriteString("none")
	}
	return b.String() + "."
}
