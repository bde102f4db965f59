package guard_test

import (
	"context"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
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

// TestSilence: after an hour in which somebody was asked in vain a run asks no more, since its clock stands meanwhile. Calls that wait
// at the same time count once, and questions with answers do not count.
func TestSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answers := false
		ask := asker(func(ctx context.Context, list []decide.Request) (got []decide.Answer, err error) {
			if !answers {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			time.Sleep(4 * time.Minute)
			for _, r := range list {
				got = append(got, decide.Answer{ID: r.ID, Verdict: decide.Deny})
			}
			return got, nil
		})
		g := newGated(t, &guard.Policy{MaxRisk: decide.High, Budget: guard.NewBudget(1000), Approver: &ask}, send)
		call := func() string {
			_, err := g.Call(t.Context(), "send", "script.go:1", []reflect.Value{reflect.ValueOf("a")}, func() []reflect.Value { return nil })
			return err.Error()
		}
		began := time.Now()
		for answers = true; time.Since(began) < 2*time.Hour; {
			if why := call(); !strings.Contains(why, "it was refused") {
				t.Fatal(why)
			}
		}
		answers, began = false, time.Now()
		for range 11 { // times five minutes
			var group sync.WaitGroup
			for range 5 {
				group.Go(func() {
					if why := call(); !strings.Contains(why, "nobody has answered within 5m0s") {
						t.Error(why)
					}
				})
			}
			group.Wait()
		}
		for !strings.Contains(call(), "nobody has answered the questions before") {
			if time.Since(began) > 70*time.Minute {
				t.Fatal("it asks on")
			}
		}
		if time.Since(began) < time.Hour {
			t.Errorf("no more questions after %v", time.Since(began))
		}
	})
}

// TestHung: a Decider and an Approver that do not heed the end of their time hold a goroutine for each call, so no more calls of them
// are made than a bound; when some have returned they are asked again.
func TestHung(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var held, calls atomic.Int64
		release := make(chan bool)
		hang := func() {
			calls.Add(1)
			held.Add(1)
			<-release
			held.Add(-1)
		}
		ask := asker(func(context.Context, []decide.Request) ([]decide.Answer, error) {
			hang()
			return nil, nil
		})
		for name, p := range map[string]*guard.Policy{
			"decider":  {MaxRisk: decide.High, Budget: guard.NewBudget(10_000), Grants: []guard.Grant{{Members: []string{"*"}}}, Decider: hanging(hang), DecideTimeout: time.Second},
			"approver": {MaxRisk: decide.High, Budget: guard.NewBudget(10_000), Approver: &ask, AskTimeout: time.Second},
		} {
			calls.Store(0)
			gate, err := p.Compile([]decide.Member{send})
			if err != nil {
				t.Fatal(err)
			}
			call := func() string {
				run := gate.Session().Begin(t.Context(), decide.Host{Stand: func(context.Context) func() { return func() {} }, Warn: func(string) {}})
				_, err := run.Call(t.Context(), "send", "script.go:1", []reflect.Value{reflect.ValueOf("a")}, func() []reflect.Value { return nil })
				if err == nil {
					t.Fatal("the call is made")
				}
				return err.Error()
			}
			before, why := runtime.NumGoroutine(), ""
			for range 200 {
				why = call()
			}
			if !strings.Contains(why, "has not returned from 64 calls") || calls.Load() != 64 || held.Load() != 64 {
				t.Errorf("%s: %q after %d calls, of which %d are held", name, why, calls.Load(), held.Load())
			}
			synctest.Wait()
			if more := runtime.NumGoroutine() - before; more > 70 { // some are of the runtime
				t.Errorf("%s: %d goroutines more", name, more)
			}
			for range held.Load() {
				release <- true
			}
			synctest.Wait()
			if why := call(); !strings.Contains(why, "has not answered within 1s") && !strings.Contains(why, "nobody has answered within 1s") {
				t.Errorf("%s: afterwards: %s", name, why)
			}
			release <- true
			synctest.Wait()
		}
	})
}

// A hanging Decider calls the function before it answers.
type hanging func()

func (h hanging) Decide(context.Context, decide.Call) (decide.Ruling, error) {
	h()
	return decide.Ruling{Allow: true}, nil
}
