package rewrite

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/rewrite/parse"
)

func TestInterfaceBypass(t *testing.T) {
	for _, tc := range []struct {
		name, src string
		want      string // the method that is named; "" if it is fine
	}{
		{"converted", "type w interface { WriteString(string) (int, error) }\nvar b strings.Builder\nvar x w = &b", "strings.Builder.WriteString"},
		{"asserted", "var b strings.Builder\n_, _ = any(&b).(interface { WriteString(string) (int, error) })", "strings.Builder.WriteString"},
		{"denied", "_, _ = any(new(strings.Builder)).(interface { Grow(int) })", "strings.Builder.Grow"},
		{"constraint", "func f[T interface { WriteString(string) (int, error) }](x T) {}\nf(new(strings.Builder))", "strings.Builder.WriteString"},
		{"promoted", "type w interface { WriteString(string) (int, error); More() }\ntype s struct{ strings.Builder }\nfunc (s) More() {}\nvar x w = &s{}", "strings.Builder.WriteString"},
		{"in a slice", "type w interface { WriteString(string) (int, error) }\nfunc f(l []*strings.Builder) { var x w; for _, x = range l { _ = x } }", "strings.Builder.WriteString"},
		{"method that is what it seems", "type s interface { String() string }\nvar b strings.Builder\nvar x s = &b", ""},
		{"the host's interface", "import \"io\"\nvar w io.Writer\ntype mine interface { io.Writer; More() }\nvar x mine", ""},
		{"another signature", "type w interface { WriteString(string) }\nvar b strings.Builder\nvar x w\n_ = b", ""},
		{"more methods than the host's type has", "type w interface { WriteString(string) (int, error); More() }\nvar b strings.Builder\nvar x w\n_ = b", ""},
		{"no such type in the script", "type w interface { WriteString(string) (int, error) }\nvar x w", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Compile(parse.Source{Text: tc.src}, parse.Bounds{}, newTestUniverse(), nil)
			rs, _ := err.(diag.Rejections)
			switch {
			case tc.want == "" && err != nil:
				t.Errorf("got %v, want none", err)
			case tc.want != "" && (len(rs) != 1 || rs[0].Code != diag.InterfaceBypass || !strings.Contains(rs[0].Message, tc.want)):
				t.Errorf("got %v, want InterfaceBypass of %s", err, tc.want)
			}
		})
	}
}
