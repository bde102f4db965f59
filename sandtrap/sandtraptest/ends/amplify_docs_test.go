package ends

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestAmplifiersDocumented: each program of the tables is in a row of security.md, and
// each word of the rows is that of a program.
func TestAmplifiersDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(doc), "\n| amplifier |")
	table, _, _ = strings.Cut(table, "\n\n")
	var words []string
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) > 4 && !strings.HasPrefix(cells[1], "-") {
			words = append(words, strings.Split(strings.TrimSpace(cells[1]), ", ")...)
		}
	}
	names := slices.Concat(slices.Sorted(maps.Keys(amplifiers)), slices.Sorted(maps.Keys(encoders)), slices.Sorted(maps.Keys(found)), slices.Sorted(maps.Keys(wide)))
	if len(words) < 20 {
		t.Fatalf("security.md has %d amplifiers", len(words))
	}
	for _, name := range names {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) }) {
			t.Errorf("security.md has no row for %q", name)
		}
	}
	for _, w := range words {
		if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, w) }) {
			t.Errorf("security.md: no program has %q in its name", w)
		}
	}
}
