package plans_test

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestKept: a plan that is used stays, whatever tools and names of policies clients send.
func TestKept(t *testing.T) {
	s := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 2})
	defer s.Close()
	first, err := s.Get(t.Context(), policies.Default+"@builtin", "")
	if err != nil {
		t.Fatal(err)
	}
	first.Release()
	var clients sync.WaitGroup
	for i := range 8 {
		clients.Go(func() {
			if _, err := s.Get(t.Context(), policies.Ref(fmt.Sprintf("no-policy-%d@1", i)), ""); err == nil {
				t.Error("there is a policy", i)
			}
			box, err := s.Get(t.Context(), policies.Default+"@builtin", fmt.Sprintf("package tools\nfunc F%d()", i))
			if err != nil {
				t.Error(err)
				return
			}
			box.Release()
		})
	}
	clients.Wait()
	again, err := s.Get(t.Context(), policies.Default+"@builtin", "")
	if err != nil || again != first {
		t.Errorf("it was made again; %v", err)
	}
	again.Release()
}

// TestEvicted: a box that gives way goes on for those that use it, and is made again for others.
func TestEvicted(t *testing.T) {
	s := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 1})
	defer s.Close()
	text := func(i int) string { return fmt.Sprintf("package tools\nfunc F%d()", i) }
	first, err := s.Get(t.Context(), policies.Default+"@builtin", text(0))
	if err != nil {
		t.Fatal(err)
	}
	other, err := s.Get(t.Context(), policies.Default+"@builtin", text(1))
	if err != nil {
		t.Fatal(err)
	}
	other.Release()
	var journal bytes.Buffer
	if err := first.Begin(sandtrap.Script{Text: "F0()"}, &journal); err != nil {
		t.Error(err)
	}
	if _, pause, err := first.Resume(t.Context(), "alpha", &journal); err != nil || pause == nil {
		t.Errorf("the one in use: %v, %v", pause, err)
	}
	first.Release()
	again, err := s.Get(t.Context(), policies.Default+"@builtin", text(0))
	if err != nil || again == first {
		t.Errorf("it was kept, %v", err)
	}
	again.Release()
}
