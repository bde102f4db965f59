package toolschema

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

type Item struct {
	Name string  `json:"name"`
	Cost float64 `json:"cost,omitempty"`
}

type Order struct {
	ID    string          `json:"id"`
	Items []Item          `json:"items"`
	Notes map[string]Item `json:"notes,omitempty"`
}

type store struct{}

func (store) Put(ctx context.Context, key string, value int) error { return nil }

func policy() sandtrap.Policy {
	return sandtrap.Policy{
		Funcs: map[string]any{
			"orders": sandtrap.Member{
				Value:  func(ctx context.Context, customer string, limit int) ([]Order, error) { return nil, nil },
				Doc:    "The last orders of a customer.",
				Params: []string{"customer", "limit"},
			},
			"join":  func(sep string, parts ...string) string { return strings.Join(parts, sep) },
			"split": sandtrap.Member{Value: strings.Cut, Params: []string{"s", "sep"}, Blocking: true},
			"limit": 3,
			"Item":  (*Item)(nil),
		},
		Docs:     map[string]string{"join": "Joins.", "Item.Cost": "in euros"},
		Packages: []sandtrap.Package{{Path: "app/store", Object: store{}, Docs: map[string]string{"Put": "Keeps a value."}}},
	}
}

// TestOf: tools have schemas that values of the types that they take and give fit, and no others; names, comments and
// what is required come from the policy.
func TestOf(t *testing.T) {
	p := policy()
	if _, err := sandtrap.Compile(p); err != nil {
		t.Fatal(err)
	}
	tools, err := Of(p)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, tool := range tools {
		in, _ := json.Marshal(tool.Input)
		list = append(list, fmt.Sprintf("%s %s %q %s", tool.Package, tool.Name, tool.Description, in))
	}
	want := []string{
		` join "Joins." {"type":"object","properties":{"arg1":{"type":"string"},"arg2":{"type":["null","array"],"items":{"type":"string"}}},"required":["arg1"],"additionalProperties":false}`,
		` orders "The last orders of a customer." {"type":"object","properties":{"customer":{"type":"string"},"limit":{"type":"integer"}},"required":["customer","limit"],"additionalProperties":false}`,
		` split "" {"type":"object","properties":{"s":{"type":"string"},"sep":{"type":"string"}},"required":["s","sep"],"additionalProperties":false}`,
		`app/store Put "Keeps a value." {"type":"object","properties":{"arg1":{"type":"string"},"arg2":{"type":"integer"}},"required":["arg1","arg2"],"additionalProperties":false}`,
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Error(diff)
	}
	orders := tools[1].Output
	if got := orders.Items.Properties["items"].Items.Properties["cost"].Description; got != "in euros" {
		t.Errorf("the comment on a field: %q", got)
	}
	if got := orders.Items.Properties["notes"].AdditionalProperties.Properties["cost"].Description; got != "in euros" {
		t.Errorf("the comment on a field in a map: %q", got)
	}
	if tools[3].Output != nil {
		t.Errorf("Put has a result: %v", tools[3].Output)
	}
	fits(t, orders, []Order{{ID: "a", Items: []Item{{Name: "tea", Cost: 1}}, Notes: map[string]Item{"x": {}}}}, true)
	fits(t, orders, []map[string]any{{"id": 1}}, false)
	fits(t, tools[2].Output, []any{"before", "after", true}, true)
	fits(t, tools[2].Output, []any{"before", "after"}, false)
	fits(t, tools[1].Input, map[string]any{"customer": "ann"}, false)
	fits(t, tools[1].Input, map[string]any{"customer": "ann", "limit": 3}, true)
}

// fits wants what v is in JSON to fit s, or not to.
func fits(t *testing.T, s *jsonschema.Schema, v any, want bool) {
	t.Helper()
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var got any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(got); (err == nil) != want {
		t.Errorf("%s: %v, and it is to fit: %v", text, err, want)
	}
}

// TestOfRefused: a type without a form in JSON, and names that are too few, are errors that name the function.
func TestOfRefused(t *testing.T) {
	for want, fn := range map[string]any{
		"toolschema: f: parameter arg1": func(chan int) {},
		"toolschema: f: result 1":       func() func() { return nil },
		"1 names of parameters":         sandtrap.Member{Value: strings.Repeat, Params: []string{"s"}},
	} {
		if tools, err := Of(sandtrap.Policy{Funcs: map[string]any{"f": fn}}); err == nil || tools != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	p := sandtrap.Policy{Funcs: map[string]any{"bad": func(func()) {}, "good": func(int) {}}, Packages: []sandtrap.Package{{Path: "a/b", Members: map[string]any{"Fine": func() {}, "Wrong": func(chan int) {}}}}}
	tools, err := Of(p)
	if err == nil || len(tools) != 2 || tools[0].Name != "good" || tools[1].Name != "Fine" || !strings.Contains(err.Error(), "bad") || !strings.Contains(err.Error(), "Wrong") {
		t.Errorf("%v, %v", tools, err)
	}
	if _, err := Of(sandtrap.Policy{Packages: []sandtrap.Package{{Path: "a/b", Object: 1}}}); err == nil {
		t.Error("an object without methods")
	}
}

func ExampleOf() {
	price := func(dish string, cups int) (float64, error) { return 3.5 * float64(cups), nil }
	tools, err := Of(sandtrap.Policy{Funcs: map[string]any{
		"price": sandtrap.Member{Value: price, Params: []string{"dish", "cups"}, Doc: "The price of a dish, in euros."},
	}})
	if err != nil {
		panic(err)
	}
	for _, tool := range tools {
		in, _ := json.MarshalIndent(tool.Input, "", "  ")
		fmt.Println(tool.Name+":", tool.Description, string(in))
	}
	// Output:
	// price: The price of a dish, in euros. {
	//   "type": "object",
	//   "properties": {
	//     "dish": {
	//       "type": "string"
	//     },
	//     "cups": {
	//       "type": "integer"
	//     }
	//   },
	//   "required": [
	//     "dish",
	//     "cups"
	//   ],
	//   "additionalProperties": false
	// }
}

func ExampleTool() {
	tools, err := Of(sandtrap.Policy{Funcs: map[string]any{"shout": strings.ToUpper}})
	if err != nil {
		panic(err)
	}
	fmt.Println(tools[0].Name, tools[0].Input.Required, tools[0].Output.Type)
	// Output: shout [arg1] string
}
