package markdown

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// outputFrom is the offset of what follows code and shows what it prints: a caption with all below it, or lines at the
// end that are no Go. It is not asked whether they are: what is before has to parse.
func outputFrom(text string) (at int, found bool) {
	if !mayShowOutput(text) {
		return 0, false
	}
	lines, labels := linesOf(text), usedLabels(text)
	first := len(lines)
	for first > 0 && (lines[first-1].blank() || isPrinted(lines[first-1].text, labels)) {
		first--
	}
	for i := first - 1; i >= 0 && !looksLikeCode(lines[i]); i-- {
		if isOutputCaption(lines[i].text, labels) {
			first = i
		}
	}
	for first < len(lines) && lines[first].blank() {
		first++
	}
	if first == len(lines) || !strings.ContainsAny(text[:lines[first].off], "(=") {
		return 0, false
	}
	return lines[first].off, true
}

// mayShowOutput is false for most scripts, which have neither a line like a caption nor a last one like a sentence: those
// pay nothing more.
func mayShowOutput(text string) bool {
	caption, last := false, ""
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			caption, last = caption || strings.HasSuffix(strings.TrimRight(l, "#*_ "), ":"), l
		}
	}
	first, _ := utf8.DecodeRuneInString(last)
	return caption || unicode.IsUpper(first)
}

func looksLikeCode(l line) bool {
	mark, info, ok := FenceLine(l.text)
	return ok && mark != "" && language(info) == "go" || looksLikeGo(l.text)
}

// looksLikeGo tells whether text has what few other languages and no prose have.
func looksLikeGo(text string) bool {
	return slices.ContainsFunc([]string{":=", "fmt.", "func ", "package main", "import \""}, func(s string) bool { return strings.Contains(text, s) })
}

// isOutputCaption tells whether a line announces what a program prints: Output:, **Expected output:**, This prints:
func isOutputCaption(l string, labels map[string]bool) bool {
	words, ok := strings.CutSuffix(strings.Trim(strings.TrimSpace(l), "#*_ "), ":")
	if !ok || labels[words] {
		return false
	}
	about := false
	for word := range strings.FieldsSeq(strings.ToLower(words)) {
		if !isWord(word) {
			return false
		}
		about = about || slices.Contains([]string{"output", "outputs", "print", "prints", "result", "results", "stdout"}, word)
	}
	return about
}

// isPrinted tells whether a line can be no Go and reads like something printed: Sum is 3, or Sum: 3. The latter is
// a label to Go.
func isPrinted(l string, labels map[string]bool) bool {
	l = strings.TrimSpace(l)
	first, _ := utf8.DecodeRuneInString(l)
	if !unicode.IsUpper(first) || strings.ContainsAny(l, "{}[]()=;`\"<>|&/") {
		return false
	}
	words := strings.Fields(l)
	if before, value, ok := strings.Cut(l, ": "); ok {
		return strings.TrimSpace(value) != "" && !slices.ContainsFunc(strings.Fields(before), notWord) && !labels[before]
	}
	if len(words) < 2 || notWord(words[0]) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(words[1])
	return unicode.IsLetter(next) || unicode.IsDigit(next)
}

func notWord(w string) bool { return !isWord(w) }

// usedLabels are the labels that statements of text go to.
func usedLabels(text string) map[string]bool {
	labels := map[string]bool{}
	before := ""
	for word := range strings.FieldsSeq(text) {
		if before == "goto" || before == "break" || before == "continue" {
			labels[strings.TrimRight(word, ";}")] = true
		}
		before = word
	}
	return labels
}
