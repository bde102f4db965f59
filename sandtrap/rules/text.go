package rules

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// maxShown is how many bytes of an argument a text has.
const maxShown = 100

// A text is that of a rule for a member, in pieces.
type text []piece

type piece struct {
	text string
	at   *access // of the argument that follows the text, if one does
}

// parseText reads the text of r for calls of m.
func parseText(r *rule, m *member) (text, error) {
	var t text
	rest := r.Text
	if rest == "" {
		return text{{text: "rule " + r.Name}}, nil
	}
	for {
		before, after, found := strings.Cut(rest, "{")
		t = append(t, piece{text: before})
		if !found {
			return t, nil
		}
		if after, found = strings.CutPrefix(after, "{"); found {
			t, rest = append(t, piece{text: "{"}), after
			continue
		}
		name, after, found := strings.Cut(after, "}")
		if !found {
			return nil, fmt.Errorf("text: a { without }; {{ is a brace")
		}
		rest = after
		if name == "member" && !slices.Contains(m.Params, name) {
			t = append(t, piece{text: m.Name})
			continue
		}
		a, err := m.access(name, false)
		if err != nil {
			return nil, fmt.Errorf("text: %w", err)
		}
		if a.many {
			return nil, fmt.Errorf("text: %s is several values", name)
		}
		t = append(t, piece{at: &a})
	}
}

// of is the text for a call.
func (t text) of(c *call) string {
	var b strings.Builder
	for _, p := range t {
		b.WriteString(p.text)
		if p.at != nil {
			b.WriteString(p.at.shown(c))
		}
	}
	return b.String()
}

// shown is a's value, in one short line.
func (a *access) shown(c *call) string {
	switch v := a.value(c); {
	case !v.IsValid():
		return "nothing"
	case v.Kind() == reflect.String && v.Len() > maxShown:
		return strconv.Quote(strings.ToValidUTF8(v.String()[:maxShown], "")) + "..."
	case v.Kind() == reflect.String:
		return strconv.Quote(v.String())
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case isNumber(v):
		return numberOf(v).String()
	}
	return "a value"
}
