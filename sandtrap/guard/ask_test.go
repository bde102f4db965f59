package guard_test

import (
	"context"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
)

// An asker is an Approver.
type asker func(ctx context.Context, list []decide.Request) ([]decide.Answer, error)

func (a *asker) Ask(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
	return (*a)(ctx, list)
}

// asked is how a call ends that such an approver is asked about. The bubble fails if a goroutine is left.
func asked(t *testing.T, ctx context.Context, ask asker) string {
	g := newGated(t, &guard.Policy{MaxRisk: decide.High, Budget: guard.NewBudget(100), Approver: &ask}, send)
	_, err := g.Call(ctx, "send", "script.go:1", []reflect.Value{reflect.ValueOf("a")}, func() []reflect.Value { return nil })
	if err == nil {
		t.Fatal("the call is made")
	}
	return err.Error()
}

// TestAskLate: an answer that comes with the end of the time for it, or after it, denies.
func TestAskLate(t *testing.T) {
	for range 20 { // which of two comes first is a matter of chance
		synctest.Test(t, func(t *testing.T) {
			why := asked(t, t.Context(), func(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
				<-ctx.Done()
				return []decide.Answer{{ID: list[0].ID, Verdict: decide.Approve}}, nil
			})
			if !strings.Contains(why, "nobody has answered within 5m0s") {
				t.Error(why)
			}
		})
	}
}

// TestAskGone: an approver that ends its goroutine denies.
func TestAskGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		why := asked(t, t.Context(), func(context.Context, []decide.Request) ([]decide.Answer, error) {
			runtime.Goexit()
			return nil, nil
		})
		if !strings.Contains(why, "the approver failed") {
			t.Error(why)
		}
	})
}

// TestAskEnds: a call of a run that ends is refused at once, the approver learns of it, and no goroutine is left.
func TestAskEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		told, began := false, time.Now()
		time.AfterFunc(time.Second, cancel)
		why := asked(t, ctx, func(ctx context.Context, list []decide.Request) ([]decide.Answer, error) {
			<-ctx.Done()
			told = true
			return []decide.Answer{{ID: list[0].ID, Verdict: decide.Approve}}, nil
		})
		synctest.Wait()
		if !strings.Contains(why, "the run was over") || !told || time.Since(began) != time.Second {
			t.Error(why, told, time.Since(began))
		}
	})
}
