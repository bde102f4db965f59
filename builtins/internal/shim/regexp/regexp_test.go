package regexp

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
)

var somePatterns = []string{
	``, `a`, `a*`, `a|ab`, `(a|ab)(c|bcd)?`, `^a`, `a$`, `^$`, `(?m)^a*$`, `\b\w+\b`, `\B`, `(?i)É|x`, `[^a]`,
	`(a)(b)?(c)?`, `(?:)|b`, `a*?b`, `.`, `(?s).+?b`, `\pL+`, `(?P<k>\w+)=(?P<v>\w*)`, `x*`, `\z`, `\Aab`, `(?m)$`, `é*`, `a{2,3}`, `()`,
}

// TestRegexp compares long texts, of which the parts are matched one by one, with
// Go's own; so every text counts as long.
func TestRegexp(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", "b", "c", "d", "x", "é", " ", "=", "\n", "\xff", "世"}
	texts := []string{"", "abcd", "k=v a=b", "\xff\xfe"}
	for range 60 {
		var b strings.Builder
		for range rnd.IntN(14) {
			b.WriteString(alphabet[rnd.IntN(len(alphabet))])
		}
		texts = append(texts, b.String())
	}
	for _, expr := range somePatterns {
		for _, longest := range []bool{false, true} {
			want := regexp.MustCompile(expr)
			got := RegexpMustCompile(&shim.Env{})(expr)
			got.budget = -1
			if longest {
				want.Longest()
				got.Longest()
			}
			for _, s := range texts {
				compareRegexps(t, got, want, s)
			}
		}
	}
}

// compareRegexps calls all methods that look at a text by reflection.
func compareRegexps(t *testing.T, got *Regexp, want *regexp.Regexp, s string) {
	t.Helper()
	for _, tc := range []struct {
		name string
		args []any
	}{
		{"MatchString", []any{s}}, {"Match", []any{[]byte(s)}},
		{"Find", []any{[]byte(s)}}, {"FindString", []any{s}}, {"FindIndex", []any{[]byte(s)}}, {"FindStringIndex", []any{s}},
		{"FindSubmatch", []any{[]byte(s)}}, {"FindStringSubmatch", []any{s}},
		{"FindSubmatchIndex", []any{[]byte(s)}}, {"FindStringSubmatchIndex", []any{s}},
		{"FindAll", []any{[]byte(s), -1}}, {"FindAllString", []any{s, -1}}, {"FindAllString", []any{s, 2}}, {"FindAllString", []any{s, 0}},
		{"FindAllIndex", []any{[]byte(s), -1}}, {"FindAllStringIndex", []any{s, 3}},
		{"FindAllSubmatch", []any{[]byte(s), -1}}, {"FindAllStringSubmatch", []any{s, -1}},
		{"FindAllSubmatchIndex", []any{[]byte(s), -1}}, {"FindAllStringSubmatchIndex", []any{s, -1}},
		{"ReplaceAllString", []any{s, "<$0-$1>"}}, {"ReplaceAllString", []any{s, "y"}}, {"ReplaceAllLiteralString", []any{s, "$1"}},
		{"ReplaceAll", []any{[]byte(s), []byte("<${1}>")}}, {"ReplaceAllLiteral", []any{[]byte(s), []byte("z")}},
		{"ReplaceAllStringFunc", []any{s, strings.ToUpper}}, {"ReplaceAllFunc", []any{[]byte(s), bytes.ToUpper}},
		{"Split", []any{s, -1}}, {"Split", []any{s, 2}}, {"Split", []any{s, 1}}, {"Split", []any{s, 0}},
	} {
		var in []reflect.Value
		for _, a := range tc.args {
			in = append(in, reflect.ValueOf(a))
		}
		g := reflect.ValueOf(got).MethodByName(tc.name).Call(in)[0].Interface()
		w := reflect.ValueOf(want).MethodByName(tc.name).Call(in)[0].Interface()
		if !reflect.DeepEqual(g, w) {
			t.Fatalf("%q (longest %v) %s(%q): got %#v, want %#v", want, got.long, tc.name, s, g, w)
		}
	}
}

// TestRegexpRefuses wants programs that would be too large not to be made.
func TestRegexpRefuses(t *testing.T) {
	for name, expr := range map[string]string{
		"instructions": strings.Repeat("(a{1000})", 101),
		"groups":       strings.Repeat("(a?)", 2000),
	} {
		if _, err := RegexpCompile(&shim.Env{})(expr); err == nil || !strings.Contains(err.Error(), "too large") {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if got := shimtest.Outcome(func() { RegexpMustCompile(&shim.Env{})("a(") }); got != "regexp: Compile(`a(`): error parsing regexp: missing closing ): `a(`" {
		t.Errorf("MustCompile: got %v", got)
	}
	if got := shimtest.Outcome(func() { _, _ = RegexpCompile(shimtest.Limited(1 << 20))(strings.Repeat(`\pL`, 1000)) }); got != shimtest.ErrRefused {
		t.Errorf("classes: got %v, want a refused charge", got)
	}
}
