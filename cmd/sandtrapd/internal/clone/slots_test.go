package clone

import (
	"context"
	"errors"
	"testing"
)

// TestShares: clones of one tenant leave a slot for another one, and nothing is kept of who has none.
func TestShares(t *testing.T) {
	s := newSlots(2)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	first, err := s.take(t.Context(), "alpha")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.take(over, "alpha"); !errors.Is(err, context.Canceled) {
		t.Fatalf("a second slot of the tenant: %v", err)
	}
	second, err := s.take(t.Context(), "beta")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.take(over, "gamma"); !errors.Is(err, context.Canceled) {
		t.Errorf("a third slot: %v", err)
	}
	first()
	third, err := s.take(t.Context(), "alpha")
	if err != nil {
		t.Fatal(err)
	}
	second()
	third()
	if len(s.tenants) != 0 || len(s.all) != 0 {
		t.Errorf("%d tenants and %d slots are left", len(s.tenants), len(s.all))
	}
}
