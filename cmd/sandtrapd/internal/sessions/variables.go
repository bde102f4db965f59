package sessions

import (
	"maps"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// variables are the names of a session for lists, as many as there is room for.
func variables(names []sandtrap.Binding) (list []Variable) {
	for _, b := range names[:min(len(names), maxVariables)] {
		list = append(list, Variable{Kind: b.Kind, Name: clip(b.Name), Type: clip(b.Type)})
	}
	return list
}

// clip cuts a text that is too long for a list.
func clip(text string) string {
	if len(text) > maxText {
		text = text[:maxText-len("...")] + "..."
	}
	return strings.ToValidUTF8(text, "?")
}

func sorted(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }
