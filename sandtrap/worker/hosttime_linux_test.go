package worker

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// eachWorker runs a test beside others, for the processes of each isolation: it waits.
func eachWorker(t *testing.T, test func(t *testing.T, isolation sandtrap.Isolation)) {
	t.Parallel()
	for _, isolation := range []sandtrap.Isolation{sandtrap.Process, sandtrap.Kernel} {
		t.Run(string(isolation), func(t *testing.T) {
			t.Parallel()
			if machine.Raced && isolation == sandtrap.Kernel {
				t.Skip("the race detector makes system calls that no worker of isolation kernel may make")
			}
			if lacks := machine.Confinement(); isolation == sandtrap.Kernel && lacks != "" && os.Getenv("SANDTRAP_KERNEL_TESTS") != "required" {
				t.Skip("this machine cannot: ", lacks)
			}
			test(t, isolation)
		})
	}
}

// waits makes a sandbox whose runs have so much time.
func waits(t *testing.T, isolation sandtrap.Isolation, limit time.Duration, funcs map[string]any) *sandtrap.Sandbox {
	t.Helper()
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{
		Std: []string{"time"}, Isolation: isolation, Level: levelOf(isolation), Limits: sandtrap.Limits{Timeout: limit, HostTime: 30 * time.Second}, Funcs: funcs,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	return box
}

// TestHostTime: in a worker what functions of the host take is no time of the script's, as far as the limits
// give it; what it costs to call them is.
func TestHostTime(t *testing.T) {
	if testing.Short() && !machine.Raced {
		t.Skip("takes seconds; the plain command runs it")
	}
	eachWorker(t, func(t *testing.T, isolation sandtrap.Isolation) {
		const little, enough = 300 * time.Millisecond, 3 * time.Second // of a run that is not to end for want of time on a machine that is busy
		for _, tc := range []struct {
			src   string
			limit time.Duration
			want  error
		}{
			{"slow()\nslow()", enough, nil},
			{"slow()\nfor {}", little, sandtrap.KindTimeout},
			{"for { ping() }", little, sandtrap.KindTimeout},
			{"go slow()\nfor {}", little, sandtrap.KindTimeout},
			{"nap()", little, sandtrap.KindTimeout},
			{"slow()\ntime.Sleep(time.Minute)", little, sandtrap.KindTimeout},
		} {
			t.Run(tc.src, func(t *testing.T) {
				t.Parallel()
				slow := func() { time.Sleep(tc.limit * 5 / 4) }
				box := waits(t, isolation, tc.limit, map[string]any{"ping": func() {}, "slow": slow, "nap": sandtrap.Member{Value: slow, Blocking: true}})
				if res, err := box.Run(t.Context(), sandtrap.Script{Text: tc.src}); !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
					t.Errorf("%v, want %v, after %v", err, tc.want, res.Duration)
				}
			})
		}
	})
}

// TestFuncStuck: a call that a function of the host holds up is given up in time, and so is
// one that waits for it.
func TestFuncStuck(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for half a minute")
	}
	eachWorker(t, func(t *testing.T, isolation sandtrap.Isolation) {
		release := make(chan struct{})
		defer close(release)
		var hold *sandtrap.Func
		nested := make(chan error, 1)
		box := waits(t, isolation, 50*time.Millisecond, map[string]any{"hold": func() {
			_, err := hold.Call(context.Background()) // waits for its own end
			nested <- err
			<-release
		}})
		res, err := box.Run(t.Context(), sandtrap.Script{Text: "f := func() { hold() }"})
		if err != nil {
			t.Fatal(err)
		}
		hold = res.Vars["f"].(*sandtrap.Func)
		if _, err := hold.Call(t.Context()); !errors.Is(err, sandtrap.KindTimeout) {
			t.Errorf("error %v", err)
		}
		if err := <-nested; err != sandtrap.ErrRunOver {
			t.Errorf("the one that waited: %v", err)
		}
		if _, err := hold.Call(t.Context()); err != sandtrap.ErrRunOver {
			t.Errorf("after it: %v", err)
		}
	})
}
