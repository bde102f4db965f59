package check

import (
	"strings"
	"testing"
)

// TestParseVerbs: the verbs of formats, of odd ones too; what is not known is not said to be there.
func TestParseVerbs(t *testing.T) {
	for format, want := range map[string]string{
		"": "", "no verb": "", "%": "?", "%-": "?", "a%": "?", "%%": "", "%%%d": "%d", "% d%+v%#x": "% d %+v %#x", "%5.2f": "%5.2f",
		"%[1]d": "?", "%[": "?", "%.[2]*f": "?", "%é": "%é", "%\xff": "%\xff", "%\xffd%d": "%\xff %d", "%*d": "the * in %*d %*d", "%*.*f": "the * in %*.*f the * in %*.*f %*.*f", "%d%": "?",
	} {
		verbs, ok := parseVerbs(format)
		var got []string
		for _, v := range verbs {
			got = append(got, v.text)
		}
		if text := strings.Join(got, " "); ok && text != want || !ok && want != "?" {
			t.Errorf("%q: %q, %v; want %q", format, text, ok, want)
		}
	}
	if verbs, ok := parseVerbs(strings.Repeat("%*d", 50_000)); !ok || len(verbs) != 100_000 {
		t.Errorf("a long one: %d, %v", len(verbs), ok)
	}
}
