package memory

import (
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestHostGrowsBesideLeftOver: what the host has come to hold is charged to nobody, also while a
// run that was given up is still there.
func TestHostGrowsBesideLeftOver(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	began, release, gone := make(chan bool), make(chan bool), make(chan bool)
	p := sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Timeout: 10 * time.Millisecond},
		Funcs: map[string]any{"hang": func() { close(began); <-release; close(gone) }}}
	if _, err := rig.RunOnce(t, p, "hang()"); !errors.Is(err, sandtrap.KindTimeout) {
		t.Fatal(err)
	}
	<-began
	defer func() { close(release); <-gone }()
	held := make([]byte, 2*memoryLimit)
	for _, src := range []string{"for { fmt.Fprintln(os.Stderr, \"0123456789\") }", "for { _ = big.NewInt(3) }"} {
		p := sandtrap.Policy{Std: sandtrap.StdDefault(), Engine: "vm", Limits: sandtrap.Limits{Memory: memoryLimit, Ticks: 1_500_000, Timeout: time.Minute, Output: 64 << 10}}
		if res, err := rig.RunOnce(t, p, src); !errors.Is(err, sandtrap.KindTicks) {
			t.Errorf("%s: %v after %d bytes, want KindTicks", src, err, res.AllocBytes)
		}
	}
	runtime.KeepAlive(held)
}
