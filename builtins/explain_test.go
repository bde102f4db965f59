package builtins

import "testing"

func TestExplain(t *testing.T) {
	table := newTable(t, Std("strings", "math", "fmt")...)
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
		{path: "net", want: Facts{Exists: true, Why: "scripts have no network"}},
		{path: "net/http", want: Facts{Exists: true, Why: "scripts have no network"}},
		{path: "bytes", want: Facts{Exists: true, Why: notSelected}},
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
