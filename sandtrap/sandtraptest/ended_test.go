package sandtraptest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestEndedByHost: a run that its host's context ends says so in the same words in each mode,
// whatever it does then, and whenever that is.
func TestEndedByHost(t *testing.T) {
	eachMode(t, func(b bench) {
		p := sandtrap.Policy{Limits: sandtrap.Limits{Timeout: sandtrap.Forever}, Funcs: map[string]any{
			"each": func(f func(int)) { // goes on, whatever becomes of f
				for i := range 1_000_000_000 {
					f(i)
				}
			},
			"caught": func(ctx context.Context, f func()) (text string) { // and this one hides it
				<-ctx.Done()
				defer func() { text = fmt.Sprint(recover()) }()
				f()
				return ""
			},
		}}
		for name, src := range map[string]string{
			"in a loop":                         "for {}",
			"in a function that the host calls": "each(func(int) {})",
			"before the host calls one":         "caught(func() {})\nfor {}",
			"in a loop of such a function":      "each(func(int) { for {} })",
		} {
			for _, end := range []struct {
				name    string
				after   time.Duration
				ctx     func(context.Context, time.Duration) (context.Context, context.CancelFunc)
				is      error
				because error
				message string
			}{
				{"a deadline", 30 * time.Millisecond, context.WithTimeout, sandtrap.KindTimeout, context.DeadlineExceeded, "the program did not end before the deadline of its host"},
				{"a cancel", 30 * time.Millisecond, soon, sandtrap.KindCancelled, context.Canceled, "the run was cancelled"},
				{"a deadline before", 0, context.WithTimeout, sandtrap.KindTimeout, context.DeadlineExceeded, "the program did not end before the deadline of its host"},
			} {
				b.In(name+", "+end.name, func(b bench) {
					box := b.Box(p)
					if _, err := box.Run(b.Context(), sandtrap.Script{Text: "1"}); err != nil { // a worker is there
						b.Fatal(err)
					}
					ctx, cancel := end.ctx(b.Context(), end.after)
					defer cancel()
					res, err := box.Run(ctx, sandtrap.Script{Text: src})
					if b.RefusedByEngine(res) {
						return
					}
					if !errors.Is(err, end.is) || !errors.Is(err, end.because) || res.Error.Message != end.message {
						b.Errorf("got %v, want %q", err, end.message)
					}
				})
			}
		}
	})
}

// soon is cancelled after a while.
func soon(ctx context.Context, after time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	time.AfterFunc(after, cancel)
	return ctx, cancel
}

// TestEndedWhileStarting: so does one that has no worker yet.
func TestEndedWhileStarting(t *testing.T) {
	eachWorker(t, func(b bench) {
		started, end := make(chan bool), make(chan bool)
		box := b.Box(sandtrap.Policy{Limits: sandtrap.Limits{Timeout: sandtrap.Forever}, Funcs: map[string]any{
			"busy": func() { close(started); <-end },
		}})
		first := make(chan error, 1)
		go func() {
			_, err := box.Run(b.Context(), sandtrap.Script{Text: "busy()"})
			first <- err
		}()
		<-started
		for after := 500 * time.Microsecond; after < 10*time.Millisecond; after += time.Millisecond {
			ctx, cancel := context.WithTimeout(b.Context(), after)
			_, err := box.Run(ctx, sandtrap.Script{Text: "for {}"})
			cancel()
			if !errors.Is(err, sandtrap.KindTimeout) || !errors.Is(err, context.DeadlineExceeded) {
				b.Errorf("after %v: %v", after, err)
			}
			ctx, cancel = soon(b.Context(), after)
			_, err = box.Run(ctx, sandtrap.Script{Text: "for {}"})
			cancel()
			if !errors.Is(err, sandtrap.KindCancelled) || !errors.Is(err, context.Canceled) {
				b.Errorf("cancelled after %v: %v", after, err)
			}
		}
		close(end)
		if err := <-first; err != nil {
			b.Error(err)
		}
	})
}
