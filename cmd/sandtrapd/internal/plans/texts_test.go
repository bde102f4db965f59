package plans_test

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestTexts: a tenant that sends ever other tools is refused at a bound, and can use those it has; others still can send theirs.
func TestTexts(t *testing.T) {
	s := plans.New(plans.Options{})
	text := func(i int) string {
		return fmt.Sprintf("package tools\nfunc F%d()\n// %s", i, strings.Repeat("x", 60<<10))
	}
	n := 0
	for s.Admit("alpha", text(n)) == nil {
		if n++; n > 1000 {
			t.Fatal("there is no bound")
		}
	}
	if err := s.Admit("alpha", text(n)); !errors.Is(err, plans.ErrTools) || n != 1<<20/(60<<10) {
		t.Errorf("%d texts, then %v", n, err)
	}
	if err := s.Admit("alpha", text(0)); err != nil {
		t.Error(err)
	}
	if err := s.Admit("beta", text(n)); err != nil {
		t.Error(err)
	}
	if err := s.Admit("beta", strings.Repeat("x", 64<<10+1)); err == nil || errors.Is(err, plans.ErrTools) {
		t.Error(err)
	}
	for i := range 20 {
		for k := 0; s.Admit(fmt.Sprint("greedy", i), text(k)) == nil; k++ {
		}
	}
	for _, tenant := range []string{"gamma", "delta"} { // each has its share, and no more
		n := 0
		for s.Admit(tenant, text(n)) == nil {
			n++
		}
		if err := s.Admit(tenant, text(n)); n != 2 || !errors.Is(err, plans.ErrTools) {
			t.Errorf("after greedy ones %s has %d texts, then %v", tenant, n, err)
		}
	}
	if err := s.Admit("gamma", text(0)); err != nil {
		t.Error(err)
	}
}

// TestTextsMemory measures how much memory tools keep that differ. It is for a person: SANDTRAPD_MEASURE=1.
func TestTextsMemory(t *testing.T) {
	if os.Getenv("SANDTRAPD_MEASURE") == "" {
		t.Skip("SANDTRAPD_MEASURE is not set")
	}
	s := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 4})
	heap := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	for _, kind := range []string{"function", "structs"} {
		before, bytes := heap(), 0
		begin := time.Now()
		const n = 300
		for i := range n {
			text := fmt.Sprintf("package tools\nfunc F%s%d(a int) (string, error)\n", kind, i)
			if kind == "structs" {
				for k := range 20 {
					text += fmt.Sprintf("type T%d struct { A%d, B%d_%d int; C []string; D map[string]float64 }\nfunc G%d(t T%d) (T%d, error)\n", k, i, i, k, k, k, k)
				}
			}
			bytes += len(text)
			box, err := s.Get(t.Context(), policies.Default+"@builtin", text)
			if err != nil {
				t.Fatal(err)
			}
			box.Release()
		}
		t.Logf("%s: %d texts of %d bytes keep %d bytes, %v each", kind, n, bytes/n, (heap()-before)/n, time.Since(begin)/n)
	}
}
