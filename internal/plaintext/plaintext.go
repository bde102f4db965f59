// Package plaintext shows text of an unknown author: without control characters, which a terminal
// obeys, and without bidirectional ones, which change the order in which text is shown
// (CVE-2021-42574).
//
// It may not trust a text because of where it comes from.
package plaintext

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsBidi reports one of the characters that say in which direction text runs.
func IsBidi(r rune) bool { return r >= 0x61c && unicode.Is(unicode.Bidi_Control, r) }

// Bidi is where in text the first of them is, -1 if there is none.
func Bidi(text []byte) (at int, r rune) {
	if bytes.IndexByte(text, 0xd8) < 0 && bytes.IndexByte(text, 0xe2) < 0 { // all begin with one of these
		return -1, 0
	}
	if at = bytes.IndexFunc(text, IsBidi); at >= 0 {
		r, _ = utf8.DecodeRune(text[at:])
	}
	return at, r
}

// isHidden reports a character that is not shown as it is: line ends and tabs are.
func isHidden(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || IsBidi(r) || r == '\u2028' || r == '\u2029'
}

// Escape is text with what is not shown as Go writes it in a string.
func Escape(text string) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, isHidden) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		switch _, size := utf8.DecodeRuneInString(text[i:]); {
		case r == utf8.RuneError && size <= 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case !isHidden(r):
			b.WriteRune(r)
		default:
			b.WriteString(escaped(r))
		}
	}
	return b.String()
}

// escaped is r as Go writes it in a string.
func escaped(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\t':
		return `\t`
	case r == '\r':
		return `\r`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// Line is text on one line for a person who decides by it: as Escape has it, and all else that cannot be seen, or takes a place
// that is not one letter's, is written so too: line ends, tabs, spaces other than that of ASCII, characters without a width.
func Line(text string) string {
	var b strings.Builder
	for i, r := range text {
		switch _, size := utf8.DecodeRuneInString(text[i:]); {
		case r == utf8.RuneError && size <= 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case unicode.IsPrint(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
			b.WriteRune(r)
		default:
			b.WriteString(escaped(r))
		}
	}
	return b.String()
}

// JSON is text in JSON with what is not shown as escapes of JSON. Outside of strings it has none.
func JSON(text []byte) []byte {
	if bytes.IndexFunc(text, isHidden) < 0 {
		return text
	}
	var b bytes.Buffer
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if isHidden(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.Write(text[:size])
		}
		text = text[size:]
	}
	return b.Bytes()
}
