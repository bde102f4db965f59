package resident

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// innocent holds a fourth of what it may, and lets go of much more.
const innocent = `held := make([]int, 2<<20)
n := 0
for i := range 400 {
	b := make([]byte, 1<<20)
	b[i] = 1
	for j := range 20_000 { n += j & int(b[i]) }
	held[i] = n
}
`

// run runs a text in a sandbox of its own, with a function of the host.
func run(t *testing.T, text string, funcs map[string]any) error {
	t.Helper()
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{Std: sandtrap.StdDefault(), Funcs: funcs, Limits: sandtrap.Limits{Memory: limit, Timeout: 20 * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	_, err = box.Run(context.Background(), sandtrap.Script{Text: text})
	return err
}

// keeper is a function of the host that keeps memory for whoever calls it, and tells nobody.
type keeper struct {
	mu   sync.Mutex
	kept [][]byte
}

// keptMost is how many MiB a keeper keeps. A run that is not stopped before ends well.
const keptMost = 1024

func (k *keeper) keep() (more bool) {
	b := bytes.Repeat([]byte("x"), 1<<20)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept = append(k.kept, b)
	return len(k.kept) < keptMost
}

// keeping takes milliseconds for each MiB: a machine that does much else has to find out meanwhile.
const keeping = "for keep() { for range 1_000_000 {} }"

// TestUnpriced: what a function of the host keeps for a script, without a price, is bounded.
func TestUnpriced(t *testing.T) {
	k := &keeper{}
	if err := run(t, keeping, map[string]any{"keep": k.keep}); !errors.Is(err, sandtrap.KindMemory) {
		t.Fatalf("error %v with %d MiB kept, want KindMemory", err, len(k.kept))
	}
	if err := run(t, innocent, nil); err != nil {
		t.Errorf("the next run, beside what is kept: %v", err)
	}
	runtime.KeepAlive(k)
}

// TestUnpricedBeside: the run that holds too much is stopped, and not one beside it that was charged
// for more.
func TestUnpricedBeside(t *testing.T) {
	k := &keeper{}
	ended := make(chan error)
	go func() { ended <- run(t, keeping, map[string]any{"keep": k.keep}) }()
	for going := true; going; {
		select {
		case err := <-ended:
			if !errors.Is(err, sandtrap.KindMemory) {
				t.Errorf("error %v with %d MiB kept, want KindMemory", err, len(k.kept))
			}
			going = false
		default:
			if err := run(t, innocent, nil); err != nil {
				t.Errorf("an innocent run: %v", err)
			}
		}
	}
	runtime.KeepAlive(k)
}

// TestHostGrows: a host that comes to hold gigabytes beside an innocent run does not stop it.
func TestHostGrows(t *testing.T) {
	most := 2 << 10
	if testing.Short() {
		most = 512
	}
	var mine [][]byte
	grown := make(chan bool)
	go func() {
		for range most {
			mine = append(mine, make([]byte, 1<<20))
			time.Sleep(100 * time.Microsecond)
		}
		close(grown)
	}()
	for going := true; going; {
		select {
		case <-grown:
			going = false
		default:
			if err := run(t, innocent, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	runtime.KeepAlive(mine)
}

// TestHostKeepsResults: what a host keeps of runs that have ended stops none that comes later.
func TestHostKeepsResults(t *testing.T) {
	var kept []any
	done := make(chan error)
	go func() { done <- run(t, "for i := range 60_000_000 { _ = i }", nil) }() // so that some run is always there
	for range 20 {
		err := run(t, "for range 12 { give(make([]int, 1<<17)) }", map[string]any{"give": func(l []int) { kept = append(kept, l) }})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	runtime.KeepAlive(kept)
}

// TestPromptBeside: runs that nobody needs to give up count as others do, so one that was there
// before them is not stopped for what they come to hold.
func TestPromptBeside(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	begin := func() {
		for range 8 {
			wg.Go(func() {
				box, err := sandtrap.New(ctx, sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Memory: limit}})
				if err != nil {
					t.Error(err)
					return
				}
				defer box.Close()
				_, err = box.Run(ctx, sandtrap.Script{Text: "l, n := make([]byte, 40<<20), 0\nfor { n += int(l[0]); time.Sleep(time.Millisecond) }"})
				if !errors.Is(err, sandtrap.KindCancelled) {
					t.Errorf("a run that holds what it may: %v", err)
				}
			})
		}
	}
	if err := run(t, "begin()\n"+innocent+innocent2, map[string]any{"begin": begin}); err != nil {
		t.Errorf("an innocent run: %v", err)
	}
	cancel()
	wg.Wait()
}

// innocent2 goes on for some collections more.
const innocent2 = "for i := range 400 { b := make([]byte, 1<<20); for j := range 20_000 { n += j & int(b[i]) } }\n"
