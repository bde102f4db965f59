package upstream

import (
	"fmt"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/internal/plaintext"
)

// names are those of one scope. A name that is taken gets a number.
type names struct{ taken map[string]bool }

func newNames() *names { return &names{taken: map[string]bool{}} }

func (n *names) add(name string) string {
	name = cut(name)
	own := name
	for i := 2; n.taken[own]; i++ {
		own = fmt.Sprint(name, i)
	}
	n.taken[own] = true
	return own
}

// maxName bounds a Go name, in bytes.
const maxName = 100

// initialisms are words that Go's names have in capitals.
var initialisms = map[string]bool{
	"api": true, "css": true, "csv": true, "html": true, "http": true, "https": true, "id": true, "ip": true, "json": true, "sha": true, "sql": true,
	"uri": true, "url": true, "uuid": true, "xml": true,
}

// goName is an exported name of Go for one of a server: list_issues is ListIssues.
func goName(name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if initialisms[strings.ToLower(word)] {
			b.WriteString(strings.ToUpper(word))
			continue
		}
		first, size := utf8.DecodeRuneInString(word)
		b.WriteString(string(unicode.ToUpper(first)) + word[size:])
	}
	own := b.String()
	if !token.IsExported(own) || !token.IsIdentifier(own) {
		own = "X" + own
	}
	return cut(own)
}

// cut is a name without what is too long of it.
func cut(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.ToValidUTF8(name[:maxName], "")
}

// The limits on comments, in bytes.
const (
	maxFieldDoc = 300
	maxToolDoc  = 1000
)

// plainDoc is a description as a comment of one line, which nothing in it ends.
func plainDoc(text string, limit int) string {
	if len(text) > 4*limit {
		text = text[:4*limit]
	}
	text = plaintext.Line(strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " "))
	if len(text) > limit {
		text = strings.ToValidUTF8(text[:limit], "") + "…"
	}
	return text
}
