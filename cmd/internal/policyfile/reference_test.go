package policyfile

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

var update = flag.Bool("update", false, "write the reference of docs/policy.md")

// An object is one of a policy file.
type object struct {
	path string // how errors name it, and a file that has one is made
	keys []key
	file string // a file with the object, which has %s for its keys
}

// objects are all of a policy file.
func objects() []object {
	f := New(&sandtrap.Policy{})
	rule := func(keys string) string { return "guard: {rules: [" + keys + "]}" }
	in := func(key string) string { return rule("{name: r, " + key + ": [{%s}]}") }
	when := func(key string) string { return rule("{name: r, when: [{" + key + ": {%s}}]}") }
	c := &rules.Condition{}
	bounds := boundsKeys(&rules.Range{})
	return []object{
		{"policy", f.keys(), "{%s}"},
		{"limits", limitKeys(&sandtrap.Limits{}), "limits: {%s}"},
		{"network", f.networkKeys(&Network{}), "network: {%s}"},
		{"network.limits", f.networkLimitKeys(&egress.Limits{}), "network: {limits: {%s}}"},
		{"network.limits.run", quotaKeys("run", &egress.Limits{}), "network: {limits: {run: {%s}}}"},
		{"network.limits.tenant", quotaKeys("tenant", &egress.Limits{}), "network: {limits: {tenant: {%s}}}"},
		{"network.secrets", f.secretKeys(&egress.Secret{}, &Source{}), "network: {secrets: [{%s}]}"},
		{"members.NAME", memberKeys(&decide.Attributes{}), "members: {NAME: {%s}}"},
		{"guard", f.guardKeys(&guard.Policy{}), "guard: {%s}"},
		{"guard.grants", f.grantKeys(&guard.Grant{}), "guard: {grants: [{%s}]}"},
		{"guard.rules", f.ruleKeys(&rules.Rule{}), rule("{%s}")},
		{"guard.rules.when", f.conditionKeys("guard.rules.when", c), in("when")},
		{"guard.rules.when.range", bounds, when("range")},
		{"guard.rules.when.length", bounds, when("length")},
		{"guard.rules.when.command", commandKeys(&rules.Command{}), when("command")},
		{"guard.rules.when.count", countKeys(&rules.Count{}), when("count")},
		{"guard.rules.track", f.trackKeys(&rules.Track{}), in("track")},
		{"guard.rules.track.add", addKeys(&rules.Add{}), rule("{name: r, track: [{add: {%s}}]}")},
		{"guard.rules.match", exampleKeys(&rules.Example{}), in("match")},
	}
}

// TestReference: docs/policy.md has each key; go test ./cmd/internal/policyfile -run TestReference -update writes it.
func TestReference(t *testing.T) {
	var want strings.Builder
	for _, o := range objects() {
		if o.path == "guard.rules.when.length" {
			continue // as range
		}
		title := map[string]string{"policy": "All keys", "guard.rules.when.range": "`guard.rules.when.range` and `length`", "guard.rules.match": "`guard.rules.match` and `nomatch`"}[o.path]
		if title == "" {
			title = "`" + o.path + "`"
		}
		fmt.Fprintf(&want, "%s:\n\n| key | such as | |\n|---|---|---|\n", title)
		for _, k := range o.keys {
			like := ""
			if k.like != "" {
				like = "`" + k.like + "`"
			}
			fmt.Fprintf(&want, "| `%s` | %s | %s |\n", k.name, like, k.doc)
		}
		want.WriteString("\n")
	}
	want.WriteString("Profiles:\n\n| profile | |\n|---|---|\n")
	for _, name := range Profiles() {
		fmt.Fprintf(&want, "| `%s` | %s |\n", name, About(name))
	}
	const page, begin, end = "../../../docs/policy.md", "<!-- reference of policy files -->\n\n", "\n<!-- end of the reference -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	have, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatal("the page has no place for the reference")
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+want.String()+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if have != want.String() {
		t.Error("docs/policy.md does not have the keys as they are: go test ./cmd/internal/policyfile -run TestReference -update")
	}
}

// TestMisspelt: each key of each object, with a letter left out, added or changed, is an error with its line, and each value
// that the reference shows can be read.
func TestMisspelt(t *testing.T) {
	for _, o := range objects() {
		for _, k := range o.keys {
			for _, wrong := range []string{k.name[1:], k.name + "x", "x" + k.name, strings.ToUpper(k.name)} {
				err := New(&sandtrap.Policy{}).decode(fmt.Appendf(nil, "# a comment\n"+o.file, wrong+": 1"))
				if want := fmt.Sprintf("line 2: no key %q in %s", wrong, o.path); err == nil || !strings.HasPrefix(err.Error(), want) {
					t.Errorf("%v, want %s", err, want)
				}
			}
			if k.like == "" || k.name == "allow_paths" {
				continue
			}
			file := fmt.Sprintf(o.file, k.name+": "+k.like)
			if o.path == "guard.grants" && k.name == "reason" {
				file = fmt.Sprintf(o.file, "members: [a], reason: "+k.like)
			}
			if o.path == "network.secrets" {
				file = fmt.Sprintf(o.file, secretWith(k))
			}
			if err := New(&sandtrap.Policy{}).decode([]byte(file)); err != nil && !strings.Contains(err.Error(), "a rule has no name") {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// secretWith are the keys of a secret with the example of k.
func secretWith(k key) string {
	keys := map[string]string{"name": "github", "env": "GITHUB_TOKEN", k.name: k.like}
	if k.name == "file" {
		delete(keys, "env")
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		list = append(list, name+": "+keys[name])
	}
	return strings.Join(list, ", ")
}

// TestExample: the file that docs/policy.md shows can be read.
func TestExample(t *testing.T) {
	page, err := os.ReadFile("../../../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## In a file\n")
	section, _, _ = strings.Cut(section, "\n<!-- ")
	var file strings.Builder
	for line := range strings.Lines(section) {
		if text, ok := strings.CutPrefix(line, "    "); ok {
			file.WriteString(text)
		}
	}
	here := strings.NewReplacer("~/data", t.TempDir(), "/usr/share/dict", t.TempDir()) // directories that there are
	f := New(&sandtrap.Policy{})
	if err := f.decode([]byte(here.Replace(file.String()))); err != nil || f.Guard == nil || len(f.Members) == 0 {
		t.Errorf("the file cannot be read: %v", err)
	}
}

// TestConditionExamples: a rule with the example of each condition on a value compiles.
func TestConditionExamples(t *testing.T) {
	for _, k := range New(&sandtrap.Policy{}).conditionKeys("guard.rules.when", &rules.Condition{}) {
		param := map[string]string{"range": "n, ", "prefix": "argv, ", "suffix": "argv, ", "command": "argv, ", "nil": "argv, ", "error": ""}
		of, ok := param[k.name]
		if !ok {
			of = "path, "
		}
		switch k.name {
		case "param", "each", "base", "seen", "not_seen", "count", "flag", "all", "any", "not":
			continue // they are about other values, or about a state
		}
		if of != "" {
			of = "param: " + of
		}
		f, err := read(t, fmt.Sprintf("guard: {rules: [{name: r, on: [f], after: %v, do: warn, text: x, when: [{%s%s: %s}]}]}\n", k.name == "error", of, k.name, k.like))
		if err != nil {
			t.Errorf("%s: %v", k.name, err)
			continue
		}
		_, err = rules.Compile(f.Guard.Rules, []rules.Member{{
			Name: "f", Params: []string{"path", "n", "argv"},
			Types:   []reflect.Type{reflect.TypeFor[string](), reflect.TypeFor[int](), reflect.TypeFor[[]string]()},
			Results: []reflect.Type{reflect.TypeFor[error]()},
		}})
		if err != nil {
			t.Errorf("%s: %v", k.name, err)
		}
	}
}
