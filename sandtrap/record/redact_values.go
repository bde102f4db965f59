package record

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/internal/base64core"
)

// A secret is a value as it may stand in a text.
type secret struct {
	plain string
	hex   string   // in lower case
	cores []string // of base64
}

func newSecret(v string) secret {
	return secret{plain: v, hex: hex.EncodeToString([]byte(v)), cores: base64core.Of(v)}
}

// A span is a part of a text.
type span struct{ from, to int }

// values replaces all registered secrets of s, whether they are encoded or not.
func (a *additions) values(s string) string {
	if len(a.secrets) == 0 || len(s) < minSecret {
		return s
	}
	return hideSpans(s, a.deep(view{text: s}, 0, nil))
}

// maxEncodings is how many times one in the other percent signs and backslashes are decoded to find secrets.
const maxEncodings = 3

// deep appends where secrets stand in v, and in what it encodes.
func (a *additions) deep(v view, encodings int, found []span) []span {
	for _, f := range a.find(v.text, nil) {
		found = append(found, span{v.origin(f.from), v.origin(f.to)})
	}
	if encodings == maxEncodings {
		return found
	}
	percent, plus := strings.IndexByte(v.text, '%') >= 0, strings.IndexByte(v.text, '+') >= 0
	if percent {
		found = a.deep(v.decoded(func(s string) (byte, int) { return percentByte(s, false) }), encodings+1, found)
	}
	if plus {
		found = a.deep(v.decoded(func(s string) (byte, int) { return percentByte(s, true) }), encodings+1, found)
	}
	if strings.IndexByte(v.text, '\\') >= 0 {
		found = a.deep(v.unquoted(), encodings+1, found)
	}
	return found
}

// find appends where secrets stand in s.
func (a *additions) find(s string, found []span) []span {
	lower := ""
	for i := range a.secrets {
		secret := &a.secrets[i]
		found = occurrences(s, secret.plain, found)
		if len(s) >= len(secret.hex) {
			if lower == "" {
				lower = asciiLower(s)
			}
			found = occurrences(lower, secret.hex, found)
		}
		for _, core := range secret.cores {
			n := len(found)
			found = occurrences(s, core, found)
			for j := n; j < len(found); j++ {
				found[j] = wholeBase64(s, found[j])
			}
		}
	}
	return found
}

func occurrences(s, what string, found []span) []span {
	for at := 0; ; {
		i := strings.Index(s[at:], what)
		if i < 0 {
			return found
		}
		found = append(found, span{at + i, at + i + len(what)})
		at += i + len(what)
	}
}

// wholeBase64 is the text of base64 around a part of it.
func wholeBase64(s string, part span) span {
	for part.from > 0 && isBase64(s[part.from-1]) {
		part.from--
	}
	for part.to < len(s) && (isBase64(s[part.to]) || s[part.to] == '=') {
		part.to++
	}
	return part
}

func isBase64(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("+/-_", c) >= 0
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// hideSpans is s with each span, and what touches it, replaced.
func hideSpans(s string, found []span) string {
	if len(found) == 0 {
		return s
	}
	slices.SortFunc(found, func(a, b span) int { return a.from - b.from })
	var out strings.Builder
	done := 0
	for i := 0; i < len(found); {
		part := found[i]
		for i++; i < len(found) && found[i].from <= part.to; i++ {
			part.to = max(part.to, found[i].to)
		}
		out.WriteString(s[done:part.from])
		out.WriteString(redacted)
		done = part.to
	}
	return out.String() + s[done:]
}
