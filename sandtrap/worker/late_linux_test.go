package worker

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestTimeOfWorker: a worker that has called a function of the host, and does not end its run, has the time
// that this took, and no more; one in whose run the host is at work is not ended meanwhile; and a success
// after the end of its time is none.
func TestTimeOfWorker(t *testing.T) {
	if testing.Short() && !machine.Raced {
		t.Skip("takes seconds; the plain command runs it")
	}
	t.Parallel()
	const limit, slow = 200 * time.Millisecond, 5 * time.Second // more than a worker has in which to end its run
	box, err := sandtrap.New(t.Context(), sandtrap.Policy{
		Isolation: sandtrap.Process, Limits: sandtrap.Limits{Timeout: limit, HostTime: 30 * time.Second},
		Funcs: map[string]any{
			"twice": func(s string) string { return s + s },
			"slow":  func() { time.Sleep(slow) },
			"apply": func(f func()) { f() },
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { box.Close() })
	for _, tc := range []struct {
		name, text string
		want       error
	}{
		{"cheap call", "//idle", sandtrap.KindTimeout}, {"slow call", "slow()", nil}, {"forged", "//late", sandtrap.KindTimeout},
		{"no answer to the host's function", lie{frame: 1, path: "1", with: 5}.text() + "apply(func() {})", sandtrap.KindTimeout}, // its kind is 0
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			res, err := box.Run(t.Context(), sandtrap.Script{Text: tc.text})
			if !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) || res.Stdout != "" {
				t.Errorf("%q, %v; want %v", res.Stdout, err, tc.want)
			}
			if took := time.Since(began); took > 25*time.Second { // with what a run can get at most it takes 33
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestTimeOfSession: a worker that does not end a cell is ended, by the limits of the policy or of the cell; so is one
// that does not end a run with smaller limits than the policy's.
func TestTimeOfSession(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name        string
		policy, own time.Duration
		cell        bool
	}{{"cell", 200 * time.Millisecond, 0, true}, {"cell of less", time.Hour, 200 * time.Millisecond, true}, {"run of less", time.Hour, 200 * time.Millisecond, false}} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			box, err := sandtrap.New(t.Context(), sandtrap.Policy{
				Isolation: sandtrap.Process, Limits: sandtrap.Limits{Timeout: tc.policy}, Funcs: map[string]any{"twice": func(s string) string { return s + s }},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer box.Close()
			run := box.Run
			if tc.cell {
				s, err := box.Session()
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				run = s.Run
			}
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			began := time.Now()
			_, err = run(ctx, sandtrap.Script{Text: "//idle", Limits: sandtrap.Limits{Timeout: tc.own}})
			if took := time.Since(began); !errors.Is(err, sandtrap.KindTimeout) || took > 15*time.Second {
				t.Errorf("%v after %v", err, took)
			}
		})
	}
}

// TestSuccessAfterContext: a success that a worker tells of when the context of its run has ended is none, and
// what it says that it has left is not taken.
func TestSuccessAfterContext(t *testing.T) {
	box, err := liesPlan(t, sandtrap.Process).New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	ended, end := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, end)
	expired, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for _, tc := range []struct {
		ctx         context.Context
		kind, cause error
	}{{ended, sandtrap.KindCancelled, context.Canceled}, {expired, sandtrap.KindTimeout, context.DeadlineExceeded}} {
		if res, err := box.Run(tc.ctx, sandtrap.Script{Text: "//late"}); !errors.Is(err, tc.kind) || !errors.Is(err, tc.cause) || res.Error == nil {
			t.Errorf("a run: %v, %v; want %v of %v", err, res.Error, tc.kind, tc.cause)
		}
	}
}
