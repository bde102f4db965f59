package builtins

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestExplain(t *testing.T) {
	table := tableOf(t, Std("strings", "math", "fmt")...)
	for _, tc := range []struct {
		path, name string
		want       Facts
	}{
		{path: "strings"},
		{path: "strings", name: "Uper"},
		{path: "strings", name: "ToUper", want: Facts{Near: "ToUpper"}},
		{path: "strings", name: "toupper", want: Facts{Near: "ToUpper"}},
		{path: "strings", name: "Builder.WriteStr", want: Facts{Near: "WriteString"}},
		{path: "string", want: Facts{Near: "strings"}},
		{path: "os/exec", want: Facts{Exists: true, Why: "scripts may not start programs"}},
		{path: "net", want: Facts{Exists: true, Why: notSelected}},
		{path: "image/gif", want: Facts{Exists: true, Why: "each frame has its own size, so the cost of decoding is not known before"}},
		{path: "net/http", want: Facts{Exists: true, Why: "scripts have no network: this policy has no Network (--net in the command), which lists the requests that they may make; with net/http in Std they have its handlers and requests alone"}},
		{path: "net/rpc", want: Facts{Exists: true, Why: "scripts open no connections; with a Network of the policy they make requests with net/http"}},
		{path: "bytes", want: Facts{Exists: true, Why: notSelected}},
		{path: "net/url", want: Facts{Exists: true, Why: notSelected}},
		{path: "archive/zip", want: Facts{Exists: true, Why: notSelected}},
		{path: "log/slog", want: Facts{Exists: true, Why: notSelected, Instead: "fmt"}},
		{path: "github.com/x/y"},
		{path: "math", name: "Jn", want: Facts{Exists: true,
			Why:     "takes time in proportion to its first argument, and cannot be stopped",
			Instead: "math.J0, math.J1", Near: "J0"}},
	} {
		if got := table.Explain(tc.path, tc.name); got != tc.want {
			t.Errorf("%s.%s: got %+v, want %+v", tc.path, tc.name, got, tc.want)
		}
	}
}

// TestDeniedDocumented: policy.md has the row of each denial of packages that no policy can
// have. Others are for policies that leave them out.
func TestDeniedDocumented(t *testing.T) {
	doc, err := os.ReadFile("../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	offered := func(path string) bool { return len(Std(path)) > 0 && !strings.HasSuffix(path, "/...") }
	quoted := func(words string) string {
		return "`" + strings.Join(strings.Fields(words), "` `") + "`"
	}
	for _, d := range deniedPackages {
		instead := ""
		if d.Instead != "" {
			instead = quoted(d.Instead)
		}
		row := "| " + quoted(d.Names) + " | " + d.Why + " | " + instead + " |\n"
		if d.Why == notSelected || slices.ContainsFunc(strings.Fields(d.Names), offered) {
			continue
		}
		if !strings.Contains(string(doc), row) {
			t.Errorf("policy.md has no row\n%s", row)
		}
	}
}

func TestMatchPath(t *testing.T) {
	for _, tc := range []struct {
		pattern, path string
		want          bool
	}{
		{"net", "net", true},
		{"net", "net/http", false},
		{"net/...", "net", true},
		{"net/...", "net/http", true},
		{"net/...", "netx", false},
		{"...", "a/b", true},
	} {
		if got := MatchPath(tc.pattern, tc.path); got != tc.want {
			t.Errorf("%s of %s: got %v, want %v", tc.path, tc.pattern, got, tc.want)
		}
	}
}
