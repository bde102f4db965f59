package rules_test

import (
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// A rule looks at the arguments of a call, whatever their form.
func Example() {
	set, err := rules.Compile([]rules.Rule{{
		Name: "drafts-only",
		On:   []string{"file.write"},
		When: []rules.Condition{{Not: &rules.Condition{Param: "path", Path: []string{"/drafts/**"}}}},
		Do:   rules.Block,
		Text: "{path} is not a draft",
	}}, []rules.Member{{Name: "file.write", Params: []string{"path"}, Types: []reflect.Type{reflect.TypeFor[string]()}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	state := set.NewState()
	for _, path := range []string{"/drafts/a", "/drafts/../etc/passwd"} {
		fmt.Println(set.For("file.write").Before([]reflect.Value{reflect.ValueOf(path)}, state))
	}
	// Output:
	// []
	// [{drafts-only block "/drafts/../etc/passwd" is not a draft}]
}
