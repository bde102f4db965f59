package rules_test

import (
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// TestPatterns: * in the name of a member is any text, that of an import path too: a rule about all members leaves none out.
func TestPatterns(t *testing.T) {
	members := []rules.Member{{Name: "send"}, {Name: "example.com/mail.Send"}, {Name: "mail.Send"}}
	for pattern, want := range map[string][3]bool{
		"*": {true, true, true}, "*.Send": {false, true, true}, "example.com/*": {false, true, false}, "mail.*": {false, false, true},
	} {
		set, err := rules.Compile([]rules.Rule{{Name: "r", On: []string{pattern}, Do: rules.Block}}, members)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range members {
			if got := set.For(m.Name) != nil; got != want[i] {
				t.Errorf("%s, %s: %v", pattern, m.Name, got)
			}
		}
	}
}
