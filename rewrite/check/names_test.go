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
		if got := nearest(tc.name, names); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.name, got, tc.want)
		}
	}
	if got := nearest("Total", nil); got != "" {
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

// TestDistance: the distance of two texts is that of Damerau and Levenshtein, up to a bound.
func TestDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		most int
		want int
	}{
		{"", "", 9, 0},
		{"a", "", 9, 1},
		{"", "abc", 9, 3},
		{"abc", "abc", 9, 0},
		{"abc", "abd", 9, 1},
		{"abc", "acb", 9, 1},
		{"abc", "bca", 9, 2},
		{"kitten", "sitting", 9, 3},
		{"abcdef", "a", 3, 3},
		{"ca", "abc", 9, 3}, // no letter is changed twice
	} {
		if got := distance(tc.a, tc.b, tc.most); got != tc.want {
			t.Errorf("%q and %q: %d, want %d", tc.a, tc.b, got, tc.want)
		}
		if got := distance(tc.b, tc.a, tc.most); got != tc.want {
			t.Errorf("%q and %q: %d, want %d", tc.b, tc.a, got, tc.want)
		}
	}
}
