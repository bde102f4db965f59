package net

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim/shimtest"
)

// TestMailHeaderIsPaid: a header is charged for as what it becomes, the body as nothing.
func TestMailHeaderIsPaid(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "%x:\n", i)
	}
	for _, tc := range []struct {
		text    string
		refused bool
	}{{b.String() + "\n", true}, {"a: b\n\n" + strings.Repeat("x", 1<<20), false}} {
		p := shimtest.Outcome(func() {
			if _, err := MailReadMessage(shimtest.Limited(300_000))(strings.NewReader(tc.text)); err != nil {
				t.Error(err)
			}
		})
		if (p == shimtest.ErrRefused) != tc.refused || p != nil && !tc.refused {
			t.Errorf("a message of %d bytes ends with %v, want refused %t", len(tc.text), p, tc.refused)
		}
	}
}
