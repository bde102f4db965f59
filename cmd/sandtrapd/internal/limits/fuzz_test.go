package limits_test

import (
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
)

// malformed are texts that are no limits, with a part of the error.
var malformed = map[string]string{
	"default:\n  runs_at_one: 1\n":                     `f: line 2: no key "runs_at_one" in default; did you mean "runs_at_once"?`,
	"\ndefalt:\n  bytes: 1\n":                          `f: line 2: no key "defalt" in the limits; did you mean "default"?`,
	"tenants:\n  alpha:\n    bytes: 1\n    bytes: 2\n": `f: line 4: key "bytes" stands twice`,
	"tenants:\n  alpha: {}\n  alpha: {}\n":             `f: line 3: key "alpha" stands twice`,
	"tenants:\n  Alpha: {bytes: 1}\n":                  "f: line 2: Alpha: the tenant is not a name",
	"default:\n  bytes: -1\n":                          "f: line 2: bytes: want a number, 0 or more",
	"default:\n  bytes: 10GB\n":                        "f: line 2: bytes: want a number, 0 or more",
	"default:\n  runs_at_once: 1.5\n":                  "f: line 2: runs_at_once: want a number",
	"default:\n  runs_at_once:\n":                      "f: line 2: runs_at_once: want a number",
	"default:\n  runs_at_once: 99999999999999999999":   "f: line 2: runs_at_once: want a number",
	"default: 5\n":                                     "f: line 1: default: want keys and values",
	"- a\n":                                            "f: line 1: the limits: want keys and values",
	"tenants: 5\n":                                     "f: line 1: tenants: want keys and values",
	"default: {}\n---\ndefault: {}\n":                  "f: line 2: the limits: want one document",
	"default: [\n":                                     "f: line ",
}

// FuzzParse: a text is refused as a whole with the file named, or each number of it is a limit, none is less than 0, and what it leaves
// out is as it is without it. Package yaml says which numbers there are.
func FuzzParse(f *testing.F) {
	for text := range malformed {
		f.Add(text)
	}
	f.Add("default:\n  runs_at_once: 7\n  bytes: 1000\ntenants:\n  alpha: {bytes: 0, pending_runs: 3}\n")
	f.Add(`{"default":{"runs_at_once":7},"tenants":{"alpha":{"bytes":0x10,"run_seconds_per_hour":3}}}`)
	f.Add("default: &a {bytes: 1}\ntenants: {alpha: *a, beta: {<<: *a}}")
	f.Add("# nothing\n")
	f.Add("\v") // no space of YAML
	f.Fuzz(func(t *testing.T, text string) {
		table, err := limits.Parse("f", []byte(text))
		if err != nil {
			if table != nil || !strings.HasPrefix(err.Error(), "f: ") {
				t.Errorf("%q: %+v, %v", text, table, err)
			}
			return
		}
		var file struct {
			Default map[string]int64
			Tenants map[string]map[string]int64
		}
		if err := yaml.Unmarshal([]byte(text), &file); err != nil {
			t.Fatalf("%q is taken, and package yaml says %v", text, err)
		}
		others := limits.Default()
		set(t, &others, file.Default)
		if got := table.Of("nobody-has-this-name"); got != others {
			t.Errorf("%q: %+v, want %+v", text, got, others)
		}
		for tenant, numbers := range file.Tenants {
			want := others
			set(t, &want, numbers)
			if got := table.Of(tenant); got != want {
				t.Errorf("%q: %s has %+v, want %+v", text, tenant, got, want)
			}
		}
	})
}

// set sets fields by the names that they have in YAML.
func set(t *testing.T, l *limits.Limits, numbers map[string]int64) {
	t.Helper()
	v := reflect.ValueOf(l).Elem()
	for name, n := range numbers {
		i := 0
		for i < v.NumField() && v.Type().Field(i).Tag.Get("yaml") != name {
			i++
		}
		if i == v.NumField() || n < 0 {
			t.Fatalf("%s: %d is taken", name, n)
		}
		v.Field(i).SetInt(n)
	}
}
