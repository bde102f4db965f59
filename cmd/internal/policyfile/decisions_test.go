package policyfile

import (
	"slices"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
)

// TestDecisionsInOrder: the decisions are sorted by member, since a policy has its functions in no order.
func TestDecisionsInOrder(t *testing.T) {
	g := New(&sandtrap.Policy{}).GuardOf(guard.Policy{})
	if _, err := g.Compile([]decide.Member{{Name: "pay"}, {Name: "search"}, {Name: "mail"}}); err != nil {
		t.Fatal(err)
	}
	list, err := g.Decisions()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range list {
		names = append(names, d.Member.Name)
	}
	if want := []string{"mail", "pay", "search"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
}
