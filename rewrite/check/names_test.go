package check

import (
	"slices"
	"strings"
	"testing"
)

// TestNearest: a misspelt name is the one that was meant, and what is like no name has none.
func TestNearest(t *testing.T) {
	names := []string{"Total", "TotalCount", "Name", "Names", "At", "ToUpper", "ToUpperSpecial", "HasPrefix", "ReadAll", "x", "_"}
	for _, tc := range []struct{ name, want string }{
		{"Totl", "Total"},
		{"total", "Total"},
		{"Toatl", "Total"}, // two letters changed places
		{"Nam", "Name"},
		{"Namez", "Name"},
		{"toUpper", "ToUpper"},
		{"Upper", "ToUpper"},
		{"Prefix", "HasPrefix"},
		{"readall", "ReadAll"},
		{"zzz", ""},
		{"x", ""},
		{"_", ""},
		{"", ""},
		{strings.Repeat("Total", 20), ""},
	} {
		if got := nearestName(tc.name, names); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.name, got, tc.want)
		}
	}
	if got := nearestName("Total", nil); got != "" {
		t.Errorf("of no names: %q", got)
	}
}

// TestNearestMember: names that other languages have for a member share its words.
func TestNearestMember(t *testing.T) {
	names := []string{"ToUpper", "ToUpperSpecial", "ToLower", "HasPrefix", "HasSuffix", "Split", "SplitN", "TrimSpace", "ReplaceAll", "LastIndex", "EqualFold"}
	for _, tc := range []struct{ name, want string }{
		{"UpperCase", "ToUpper"},
		{"LowerCase", "ToLower"},
		{"to_upper_case", "ToUpper"},
		{"StartsWithPrefix", "HasPrefix"},
		{"SpaceTrimmed", "TrimSpace"},
		{"ReplaceEvery", "ReplaceAll"},
		{"Equal", "EqualFold"},
		{"Frobnicate", ""},
		{"With", ""},
	} {
		if got := nearestMember(tc.name, names); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestFunctionHints: a function of another library has its hint however its name is written, and names no function that
// merely looks alike.
func TestFunctionHints(t *testing.T) {
	for _, tc := range []struct{ pkg, name, want string }{
		{"strings", "Lowercase", "did you mean strings.ToLower?"},
		{"strings", "LowerCase", "did you mean strings.ToLower?"},
		{"strings", "Concat", "write a + b"},
		{"slices", "Find", "use slices.IndexFunc"},
		{"math", "Mean", "write a loop"},
		{"strconv", "ToInt", "use strconv.Atoi"},
		{"maps", "HasKey", "write v, ok := m[key]"},
		{"strings", "Frobnicate", ""},
		{"nosuch", "Map", ""},
	} {
		if got := functionHint(tc.pkg, tc.name); got != tc.want {
			t.Errorf("%s.%s: %q, want %q", tc.pkg, tc.name, got, tc.want)
		}
	}
}

// TestWordsOf: a name's words begin with capitals, or after underscores.
func TestWordsOf(t *testing.T) {
	for name, want := range map[string]string{
		"ToUpper":       "to upper",
		"toUpper":       "to upper",
		"to_upper_case": "to upper case",
		"ID":            "i d",
		"x":             "x",
		"Übergröße":     "übergröße",
		"aÄb":           "a äb",
	} {
		if got := strings.Join(slices.DeleteFunc(wordsOf(name), func(w string) bool { return w == "" }), " "); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
