package markdown

import (
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// withoutProse blanks the lines before and after the code that read like prose.
// It is tried only on text that does not parse as it is, and what is left has to
// parse, so a wrong guess costs no more than an error message.
func withoutProse(text string) (code []byte, found bool) {
	lines := linesOf(text)
	first, last := 0, len(lines)
	for first < last && lines[first].droppable() {
		found = found || lines[first].prose
		first++
	}
	if found { // more of it may come before the package clause
		for i := first; i < last; i++ {
			if isPackageClause(lines[i].text) {
				first = i
				break
			}
		}
	}
	if tail := afterProgram(lines); tail > first && tail < last {
		last, found = tail, true
	}
	for last > first && lines[last-1].droppable() {
		found = found || lines[last-1].prose
		last--
	}
	code = []byte(text)
	for i, l := range lines {
		if i < first || i >= last {
			Blank(code, l.off, l.off+len(l.text))
		}
	}
	return code, found
}

type line struct {
	off   int
	text  string
	prose bool
}

func (l line) blank() bool     { return strings.TrimSpace(l.text) == "" }
func (l line) droppable() bool { return l.prose || l.blank() }

// linesOf cuts text into lines and marks the prose. A line that does not start
// with a capital is prose only below another one.
func linesOf(text string) []line {
	var lines []line
	off, prose := 0, false
	for l := range strings.Lines(text) {
		prose = IsProse(l) || prose && isContinuation(l)
		lines = append(lines, line{off, l, prose})
		off += len(l)
	}
	return lines
}

func isPackageClause(l string) bool {
	words := strings.Fields(l)
	return len(words) >= 2 && words[0] == "package" && token.IsIdentifier(strings.TrimSuffix(words[1], ";"))
}

// afterProgram is the index of the first line of the prose that follows the last
// brace at the margin, or the number of lines.
func afterProgram(lines []line) int {
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.TrimRight(lines[i].text, " \t\r\n") != "}" {
			continue
		}
		for j := i + 1; j < len(lines); j++ {
			if lines[j].blank() {
				continue
			}
			if lines[j].prose || isCaption(lines[j].text) {
				return j
			}
			break
		}
		break
	}
	return len(lines)
}

// isCaption tells "Output:" from code. It is a label to Go, so the place has
// to tell too.
func isCaption(l string) bool {
	word, ok := strings.CutSuffix(strings.TrimSpace(l), ":")
	r, _ := utf8.DecodeRuneInString(word)
	return ok && unicode.IsUpper(r) && token.IsIdentifier(word)
}

// IsProse tells whether a line reads like the first of a paragraph, a heading or
// a list item, and not like Go.
func IsProse(l string) bool {
	l = strings.TrimSpace(l)
	if strings.HasPrefix(l, "//") || strings.HasPrefix(l, "/*") {
		return false
	}
	if strings.HasPrefix(l, "# ") || strings.HasPrefix(l, "##") || strings.HasPrefix(l, "**") {
		return true
	}
	item := strings.TrimSpace(strings.TrimLeft(l, "-*>0123456789. "))
	first, _ := utf8.DecodeRuneInString(item)
	return isSentence(item) || (unicode.IsUpper(first) || item != l) && isContinuation(item)
}

// isContinuation tells whether a line has three words in a row and nothing that is
// frequent in code.
func isContinuation(l string) bool {
	l = withoutQuotes(strings.TrimSpace(l))
	return !strings.ContainsAny(l, "{}[]=<>;") && wordRun(l) >= 3
}

// isSentence: starts with a capital, ends like a sentence, and has a space between
// or an exclamation mark.
func isSentence(l string) bool {
	if l == "" || strings.ContainsAny(l, "{};=") {
		return false
	}
	first, _ := utf8.DecodeRuneInString(l)
	end := l[len(l)-1]
	return unicode.IsUpper(first) && (end == '!' || strings.IndexByte(".:?", end) >= 0 && strings.Contains(l, " "))
}

// wordRun is the length of the longest run of plain words. Go has never three
// names in a row.
func wordRun(l string) int {
	longest, run := 0, 0
	for _, word := range strings.Fields(l) {
		word = strings.TrimRight(word, ",.:;!?)")
		if isWord(word) {
			run++
		} else {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

func isWord(w string) bool {
	for _, r := range w {
		if !unicode.IsLetter(r) && r != '\'' && r != '’' && r != '-' {
			return false
		}
	}
	first, _ := utf8.DecodeRuneInString(w)
	return unicode.IsLetter(first) && !token.IsKeyword(w)
}

// withoutQuotes cuts out what is quoted, and a comment at the end.
func withoutQuotes(l string) string {
	var b strings.Builder
	quote := rune(0)
	for i, r := range l {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '`':
			quote = r
			b.WriteRune('"')
		case strings.HasPrefix(l[i:], "//"):
			return b.String()
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
