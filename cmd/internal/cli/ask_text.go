package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/token"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/internal/plaintext"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// A text that is longer than the first two together, in bytes, is cut to its first and last part.
const (
	headShown = 400
	tailShown = 200
)

// questionText shows a request, each part with the prefix of its kind, so that none can look like another: those of r with two
// spaces, arguments with four, and the rest of a part that takes several lines with a bar more.
func questionText(title string, r *decide.Request, width int) string {
	var b strings.Builder
	b.WriteByte('\n') // part of a line may have been typed
	b.WriteString(wrap("", "| ", title+": "+short(r.Member), width))
	for _, part := range []struct{ name, text string }{
		{"at", r.At}, {"source", strings.TrimSpace(r.Line)}, {"risk", r.Risk.String()}, {"reason", r.Reason}, {"rule", r.Rule},
	} {
		if part.text != "" {
			b.WriteString(wrap("  ", "  | ", part.name+": "+short(part.text), width))
		}
	}
	names, values, ok := arguments(r.Args)
	switch {
	case !ok:
		b.WriteString(wrap("  ", "  | ", "arguments: "+short(string(r.Args)), width))
	case len(names) == 0:
		b.WriteString("  arguments: none\n")
	default:
		b.WriteString("  arguments:\n")
	}
	for i, name := range names {
		b.WriteString(wrap("    ", "    | ", short(name)+": "+short(values[i]), width))
	}
	if len(r.Args) > headShown+tailShown {
		b.WriteString(wrap("  ", "  | ", fmt.Sprintf("SHA-256 of all arguments: %s", short(r.Hash)), width))
	}
	return b.String()
}

// arguments are names and values of an object, as they are written.
func arguments(text json.RawMessage) (names, values []string, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, false
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, nil, false
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, nil, false
		}
		name := key.(string)
		if !token.IsIdentifier(name) {
			name = fmt.Sprintf("%+q", name)
		}
		names, values = append(names, name), append(values, string(value))
	}
	if _, err := d.Token(); err != nil {
		return nil, nil, false
	}
	_, err := d.Token()
	return names, values, err == io.EOF
}

// short is text on one line. If it is long, its middle is a cut, which wrap shows.
func short(text string) string {
	if len(text) <= headShown+tailShown {
		return plaintext.Line(text)
	}
	head, tail := headShown, len(text)-tailShown
	for head > headShown-utf8.UTFMax && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text)-tailShown+utf8.UTFMax && !utf8.RuneStart(text[tail]) {
		tail++
	}
	return plaintext.Line(text[:head]) + cutBegins + fmt.Sprintf("%d of %d bytes not shown; SHA-256 of all: %x", tail-head, len(text), sha256.Sum256([]byte(text))) + cutEnds + plaintext.Line(text[tail:])
}

// A note about a cut is between these. No text of plaintext.Line has them.
const cutBegins, cutEnds = "\x01", "\x02"

// wrap is text in lines that fit the width: the first one begins with first, the others with rest. Each character that is not of
// ASCII counts as two columns, which is the most that any takes. A note about a cut has lines of its own, with
// a tilde where rest has its bar.
func wrap(first, rest, text string, width int) string {
	var b strings.Builder
	before, text, cut := strings.Cut(text, cutBegins)
	fill(&b, first, rest, before, width)
	for cut {
		var note string
		note, text, _ = strings.Cut(text, cutEnds)
		mark := strings.Replace(rest, "|", "~", 1)
		fill(&b, mark, mark, note, width)
		before, text, cut = strings.Cut(text, cutBegins)
		fill(&b, rest, rest, before, width)
	}
	return b.String()
}

func fill(b *strings.Builder, first, rest, text string, width int) {
	b.WriteString(first)
	used := len(first)
	for _, r := range text {
		takes := 1
		if r >= utf8.RuneSelf {
			takes = 2
		}
		if used+takes >= width {
			b.WriteString("\n" + rest)
			used = len(rest)
		}
		b.WriteRune(r)
		used += takes
	}
	b.WriteByte('\n')
}
