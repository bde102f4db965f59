package record

import (
	"encoding/json"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/jsontext"
)

// maxNesting bounds the depth of arguments in a record.
const maxNesting = 256

// A walk copies a text of JSON without secrets and space. It finds for itself whether the text is valid: a check by
// encoding/json would take longer than the copy.
type walk struct {
	*additions
	in  string // valid UTF-8
	at  int
	out []byte
	bad bool // in is not JSON, or nested too deeply; what was copied is of no use
	hid bool // something was replaced
	dry bool // nothing is looked into or copied: the walk finds the end of a value
}

// whole copies the text, and reports that it is one value of JSON.
func (w *walk) whole() bool {
	w.value(0, false)
	w.space()
	return !w.bad && w.at == len(w.in)
}

// value copies the next value. If hide is set it is a secret: all but null is replaced.
func (w *walk) value(depth int, hide bool) {
	if depth > maxNesting {
		w.bad = true
		return
	}
	start := len(w.out)
	null := false
	switch w.peek() {
	case '{':
		w.object(depth)
	case '[':
		w.list(depth)
	case '"':
		w.content(w.string(), depth)
	default:
		null = w.scalar()
	}
	if hide && !null && !w.dry {
		w.out, w.hid = appendText(w.out[:start], redacted), true
	}
}

func (w *walk) object(depth int) {
	w.take('{')
	for first := true; !w.closes('}'); first = false {
		if !first {
			w.take(',')
		}
		hide := w.key()
		w.take(':')
		w.value(depth+1, hide)
	}
}

// key copies the key of an object, and reports that its value is a secret.
func (w *walk) key() bool {
	quoted := w.next('"')
	if w.dry {
		return false
	}
	key := unquote(quoted)
	w.changed(quoted, key, w.values(key))
	return w.sensitive(key)
}

func (w *walk) list(depth int) {
	w.take('[')
	name := false // the element before is the name of a secret, or a flag
	for first := true; !w.closes(']'); first = false {
		if !first {
			w.take(',')
		}
		hide := name
		name = w.peek() == '"' && !hide && !w.dry && w.isName()
		w.value(depth+1, hide)
	}
}

// isName reports that the element of a list after the next one, a string, is a secret.
func (w *walk) isName() bool {
	ahead := walk{in: w.in, at: w.at}
	s := unquote(ahead.string())
	return len(s) <= 64 && !strings.ContainsAny(s, " =/") && w.sensitive(s)
}

// content copies a string of JSON without secrets.
func (w *walk) content(quoted string, depth int) {
	if w.dry {
		return
	}
	s := unquote(quoted)
	w.changed(quoted, s, w.text(s, depth+1))
}

// changed writes a string: as it was quoted, unless it is another one now.
func (w *walk) changed(quoted, was, now string) {
	if now == was {
		w.out = append(w.out, quoted...)
	} else {
		w.out, w.hid = appendText(w.out, now), true
	}
}

// peek is the next byte after space, 0 at the end.
func (w *walk) peek() byte {
	w.space()
	if w.at < len(w.in) {
		return w.in[w.at]
	}
	return 0
}

func (w *walk) space() {
	for w.at < len(w.in) && (w.in[w.at] == ' ' || w.in[w.at] == '\t' || w.in[w.at] == '\n' || w.in[w.at] == '\r') {
		w.at++
	}
}

// take copies the next byte, which has to be c.
func (w *walk) take(c byte) {
	if w.peek() != c {
		w.bad = true
		return
	}
	w.out = append(w.out, c)
	w.at++
}

// closes reports the end of an object or list, and copies it. Bad text ends all of them.
func (w *walk) closes(end byte) bool {
	if w.bad || w.peek() != end {
		return w.bad
	}
	w.take(end)
	return true
}

// next reads a string after space.
func (w *walk) next(quote byte) string {
	if w.peek() != quote {
		w.bad = true
		return `""`
	}
	return w.string()
}

// string reads a string with its quotation marks.
func (w *walk) string() string {
	start := w.at
	for w.at++; w.at < len(w.in); w.at++ {
		switch c := w.in[w.at]; {
		case c == '"':
			w.at++
			return w.in[start:w.at]
		case c == '\\':
			w.at += escaped(w.in[w.at:])
		case c < ' ':
			w.bad = true
		}
	}
	w.bad, w.at = true, len(w.in)
	return `""`
}

// escaped is how many bytes follow the backslash at the start of s; enough to go beyond s if they are no escape of JSON.
func escaped(s string) int {
	switch {
	case len(s) > 1 && strings.IndexByte(`"\/bfnrt`, s[1]) >= 0:
		return 1
	case len(s) > 5 && s[1] == 'u' && strings.Trim(s[2:6], "0123456789abcdefABCDEF") == "":
		return 5
	}
	return len(s)
}

// scalar copies a number, true, false or null, and reports null. A number that has a secret becomes a string.
func (w *walk) scalar() (null bool) {
	start := w.at
	for w.at < len(w.in) && strings.IndexByte(",]}: \t\r\n", w.in[w.at]) < 0 {
		w.at++
	}
	text := w.in[start:w.at]
	literal := text == "null" || text == "true" || text == "false"
	if !literal && !(jsontext.Costs{}).ValidNumber(text) {
		w.bad = true
		return false
	}
	if w.dry {
		return false
	}
	if kept := w.values(text); kept == text {
		w.out = append(w.out, text...)
	} else {
		w.out, w.hid = appendText(w.out, kept), true
	}
	return text == "null"
}

// unquote is the content of a valid string of JSON.
func unquote(quoted string) string {
	if strings.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1]
	}
	text, _ := jsontext.Unquote([]byte(quoted), jsontext.Costs{})
	return string(text)
}

// appendText appends s as a string of JSON.
func appendText(to []byte, s string) []byte {
	b := jsontext.Buffer{B: to}
	jsontext.String(&b, s, false)
	return b.B
}

// json is text, which should be JSON, without secrets and space. A text that is not JSON becomes a string.
func (a *additions) json(text json.RawMessage) json.RawMessage {
	in := validText(string(text))
	w := walk{additions: a, in: in, out: make([]byte, 0, len(text)+16)}
	if w.whole() {
		return w.out
	}
	return appendText(nil, a.text(in, 0))
}
