package guardtest

import (
	"context"
	"errors"
	"os"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// TestAskKilled: when the worker of a run is killed while its call waits for approval, the run ends, the approver learns of it,
// and its answer makes no call.
func TestAskKilled(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		if b.Isolation == sandtrap.None {
			b.Skip("there is no worker")
		}
		var calls atomic.Int64
		ended := make(chan bool, 1)
		p := rig.Pure()
		p.Funcs = map[string]any{"send": sandtrap.Member{Risk: decide.High, Value: func(int) error { calls.Add(1); return nil }}}
		p.Guard = &guard.Policy{MaxRisk: decide.High, Approver: approver(func(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
			for pid := range rig.Children(b) {
				if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) && err != syscall.ESRCH {
					b.T.Error(err)
				}
			}
			select {
			case <-ctx.Done():
				ended <- true
			case <-time.After(10 * time.Second):
				ended <- false
			}
			return says(decide.Answer{Verdict: decide.Approve})(ctx, list)
		})}
		box := b.Box(p)
		_, err := box.Run(b.Context(), sandtrap.Script{Text: "send(1)"})
		if !errors.Is(err, sandtrap.KindWorker) {
			b.T.Errorf("%v", err)
		}
		if !<-ended || calls.Load() > 0 {
			b.T.Errorf("the approver was asked on, or the call was made: %d calls", calls.Load())
		}
	})
}

// TestAskClosed: closing the sandbox while a call waits for approval leaves no goroutine, and makes no call.
func TestAskClosed(t *testing.T) {
	rig.EachMode(t, func(b rig.Bench) {
		var calls atomic.Int64
		asked := make(chan bool, 1)
		p := rig.Pure()
		p.Limits.Timeout = 2 * time.Second
		p.Funcs = map[string]any{"send": sandtrap.Member{Risk: decide.High, Value: func(int) error { calls.Add(1); return nil }}}
		p.Guard = &guard.Policy{MaxRisk: decide.High, AskTimeout: time.Second, Approver: approver(func(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
			asked <- true
			<-ctx.Done()
			return says(decide.Answer{Verdict: decide.Approve})(ctx, list)
		})}
		box := b.Box(p)
		before := runtime.NumGoroutine()
		done := make(chan error, 1)
		go func() {
			_, err := box.Run(b.Context(), sandtrap.Script{Text: "send(1)"})
			done <- err
		}()
		<-asked
		box.Close()
		<-done
		if calls.Load() > 0 {
			b.T.Error("the call was made")
		}
		left(b.T, before)
	})
}
