package runjson

import (
	"fmt"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// TestRefusals: each refused request is in the list once, and the list is bounded and begins anew for the next cell.
func TestRefusals(t *testing.T) {
	var r Refusals
	for i := range 3 * maxRefused {
		member := fmt.Sprint("GET https://x.y/", i/2)
		r.Observe(egress.Event{Kind: egress.KindDecision, Denied: &decide.Denied{Member: member}})
		r.Observe(egress.Event{Kind: egress.KindDecision})
	}
	list := r.Take()
	for i, d := range list {
		if want := fmt.Sprint("GET https://x.y/", i); d.Member != want {
			t.Errorf("%d is %s, want %s", i, d.Member, want)
		}
	}
	if len(list) != maxRefused || r.Take() != nil {
		t.Errorf("%d refusals", len(list))
	}
}
