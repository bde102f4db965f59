package rules

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestReferenceDocumented: docs/rules.md has the tables of this package, and each key of a condition is in one.
func TestReferenceDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{"param": true, "each": true, "base": true}
	var values, rest, builtin strings.Builder
	for _, r := range table {
		fmt.Fprintf(&values, "| `%s` | %s | %s |\n", r.key, r.fits, r.doc)
		keys[r.key] = true
	}
	for _, r := range others() {
		fmt.Fprintf(&rest, "| `%s` | %s |\n", r.key, r.doc)
		keys[r.key] = true
	}
	for _, b := range builtIns {
		fmt.Fprintf(&builtin, "| `%s` | %s | %s |\n", b.Name, strings.Join(b.Settings, ", "), b.Doc)
	}
	for _, want := range []string{values.String(), rest.String(), builtin.String()} {
		if !strings.Contains(string(page), "|\n"+want+"\n") {
			t.Errorf("docs/rules.md does not have this table:\n%s", want)
		}
	}
	for f := range reflect.TypeFor[Condition]().Fields() {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !keys[key] || f.Tag.Get("json") != f.Tag.Get("yaml") {
			t.Errorf("the key %s of conditions is not documented, or it is another in YAML", key)
		}
	}
}

// TestRulesOfDocs: the rules that docs/rules.md shows compile, and their examples hold.
func TestRulesOfDocs(t *testing.T) {
	page, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```yaml\n")
	text, _, found := strings.Cut(text, "```")
	if !found {
		t.Fatal("there is no example")
	}
	d := yaml.NewDecoder(strings.NewReader(text))
	d.KnownFields(true)
	var list []Rule
	if err := d.Decode(&list); err != nil || len(list) < 4 {
		t.Fatal(list, err)
	}
	texts, one := []reflect.Type{reflect.TypeFor[[]string]()}, []reflect.Type{reflect.TypeFor[string]()}
	_, err = Compile(list, []Member{
		{Name: "file.read", Params: []string{"path"}, Types: one, Results: []reflect.Type{errorType}},
		{Name: "file.write", Params: []string{"path"}, Types: one, Results: []reflect.Type{errorType}},
		{Name: "sendMail", Params: []string{"to"}, Types: texts}, {Name: "search", Params: []string{"text"}, Types: one},
	})
	if err != nil {
		t.Error(err)
	}
}
