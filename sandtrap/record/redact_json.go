package record

import (
	"encoding/json"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
)

// maxNesting bounds the depth of arguments in a record.
const maxNesting = 256

// A walk copies a valid text of JSON without secrets.
type walk struct {
	*additions
	in  []byte
	at  int
	out []byte
}

// value copies the next value. If hide is set it is a secret: all but null is replaced.
func (w *walk) value(depth int, hide bool) {
	w.space()
	switch c := w.in[w.at]; {
	case depth > maxNesting:
		w.replace("[omitted: nested too deeply]")
	case c == 'n':
		w.out = append(w.out, w.scalar()...)
	case hide:
		w.replace(redacted)
	case c == '{':
		w.object(depth)
	case c == '[':
		w.list(depth)
	case c == '"':
		w.out = w.content(w.string(), depth)
	default:
		text := w.scalar()
		if kept := w.values(string(text)); kept == string(text) {
			w.out = append(w.out, text...)
		} else {
			w.out = appendText(w.out, kept)
		}
	}
}

func (w *walk) object(depth int) {
	w.open()
	for first := true; !w.closes('}'); first = false {
		if !first {
			w.comma()
		}
		key := unquote(w.string())
		w.out = appendText(w.out, w.values(key))
		w.space()
		w.at++ // the colon
		w.out = append(w.out, ':')
		w.value(depth+1, w.sensitive(key))
	}
}

func (w *walk) list(depth int) {
	w.open()
	name := false // the element before is the name of a secret, or a flag
	for first := true; !w.closes(']'); first = false {
		if !first {
			w.comma()
		}
		hide := name
		name = false
		if w.in[w.at] == '"' && !hide {
			text := w.string()
			name = w.isName(unquote(text))
			w.out = w.content(text, depth)
			continue
		}
		w.value(depth+1, hide)
	}
}

// isName reports that the element of a list after s is a secret.
func (w *walk) isName(s string) bool {
	return len(s) <= 64 && !strings.ContainsAny(s, " =/") && w.sensitive(s)
}

// content appends a string of JSON without secrets.
func (w *walk) content(quoted []byte, depth int) []byte {
	s := unquote(quoted)
	if trimmed := strings.TrimSpace(s); len(trimmed) > 1 && (trimmed[0] == '{' || trimmed[0] == '[') && json.Valid([]byte(trimmed)) {
		inner := walk{additions: w.additions, in: []byte(trimmed)}
		inner.value(depth+1, false)
		return appendText(w.out, w.values(string(inner.out)))
	}
	return appendText(w.out, w.text(s))
}

func (w *walk) open() {
	w.out = append(w.out, w.in[w.at])
	w.at++
	w.space()
}

// closes reports the end of an object or list, and copies it.
func (w *walk) closes(end byte) bool {
	w.space()
	if w.in[w.at] != end {
		return false
	}
	w.out = append(w.out, end)
	w.at++
	return true
}

func (w *walk) comma() {
	w.at++
	w.out = append(w.out, ',')
	w.space()
}

func (w *walk) space() {
	for w.at < len(w.in) && (w.in[w.at] == ' ' || w.in[w.at] == '\t' || w.in[w.at] == '\n' || w.in[w.at] == '\r') {
		w.at++
	}
}

// string reads a string with its quotation marks.
func (w *walk) string() []byte {
	start := w.at
	for w.at++; w.in[w.at] != '"'; w.at++ {
		if w.in[w.at] == '\\' {
			w.at++
		}
	}
	w.at++
	return w.in[start:w.at]
}

// scalar reads a number, true, false or null.
func (w *walk) scalar() []byte {
	start := w.at
	for w.at < len(w.in) && !strings.ContainsRune(",]} \t\r\n", rune(w.in[w.at])) {
		w.at++
	}
	return w.in[start:w.at]
}

// replace writes a string in place of the next value.
func (w *walk) replace(by string) {
	w.skip()
	w.out = appendText(w.out, by)
}

// skip reads a value.
func (w *walk) skip() {
	for nesting := 0; ; {
		w.space()
		switch w.in[w.at] {
		case '"':
			w.string()
		case '{', '[':
			nesting++
			w.at++
		case '}', ']':
			nesting--
			w.at++
		case ',', ':':
			w.at++
		default:
			w.scalar()
		}
		if nesting == 0 {
			return
		}
	}
}

// unquote is the content of a valid string of JSON.
func unquote(quoted []byte) string {
	text, _ := jsontext.Unquote(quoted, jsontext.Costs{})
	return string(text)
}

// appendText appends s as a string of JSON.
func appendText(to []byte, s string) []byte {
	b := jsontext.Buffer{B: to}
	jsontext.String(&b, s, false)
	return b.B
}
