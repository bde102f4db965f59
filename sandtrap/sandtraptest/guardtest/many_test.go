package guardtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
)

// boxes is how many sandboxes ask at once.
const boxes = 64

// approvals is how many calls they ask about: 10,000, or SANDTRAP_APPROVALS.
func approvals(t *testing.T) int {
	n := 10_000
	if text := os.Getenv("SANDTRAP_APPROVALS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	} else if testing.Short() {
		n = 1000
	}
	return n
}

// A book notes what becomes of calls, by their number.
type book struct {
	mu     sync.Mutex
	asked  map[int]int
	answer map[int]decide.Verdict // empty if it was not answered
	made   map[int]int
}

// Ask answers in a random order, after a random time: three of eight calls are denied, and one of eight is not answered.
func (b *book) Ask(ctx context.Context, list []decide.Request) (answers []decide.Answer, err error) {
	b.mu.Lock()
	for _, r := range list {
		var n int
		if _, err := fmt.Sscanf(string(r.Args), `{"n":%d}`, &n); err != nil {
			return nil, err
		}
		b.asked[n]++
		a := decide.Answer{ID: r.ID, Verdict: decide.Approve}
		switch n % 8 {
		case 0, 1, 2:
			a.Verdict = decide.Deny
		case 3:
			continue
		}
		b.answer[n] = a.Verdict
		answers = append(answers, a)
	}
	b.mu.Unlock()
	rand.Shuffle(len(answers), func(i, j int) { answers[i], answers[j] = answers[j], answers[i] })
	time.Sleep(time.Duration(rand.IntN(5)) * time.Millisecond)
	if rand.IntN(20) == 0 { // nobody answers
		b.mu.Lock()
		for _, r := range list {
			var n int
			_, _ = fmt.Sscanf(string(r.Args), `{"n":%d}`, &n)
			delete(b.answer, n)
		}
		b.mu.Unlock()
		<-ctx.Done()
	}
	return answers, nil
}

// TestManyApprovals: of thousands of calls that many sandboxes ask about, some of which are cancelled, each one is asked about
// once, each approved one is made once, and no other one is; no goroutine is left.
func TestManyApprovals(t *testing.T) {
	before := runtime.NumGoroutine()
	b := &book{asked: map[int]int{}, answer: map[int]decide.Verdict{}, made: map[int]int{}}
	p := sandtrap.Policy{Std: sandtrap.StdDefault(), Limits: sandtrap.Limits{Timeout: time.Minute}}
	p.Funcs = map[string]any{"send": sandtrap.Member{Params: []string{"n"}, Risk: decide.High, Value: func(n int) error {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.made[n]++
		return nil
	}}}
	p.Guard = &guard.Policy{MaxRisk: decide.High, Approver: b, AskTimeout: time.Second}
	plan, err := sandtrap.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	each := approvals(t) / boxes
	var oks [boxes]string
	var wg sync.WaitGroup
	for i := range boxes {
		wg.Go(func() {
			box, err := plan.New(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			defer box.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%8 == 7 {
				time.AfterFunc(time.Duration(rand.IntN(200))*time.Millisecond, cancel)
			}
			res, err := box.Run(ctx, sandtrap.Script{Text: fmt.Sprintf(`var wg sync.WaitGroup
var mu sync.Mutex
ok := map[int]bool{}
for g := range 8 {
	wg.Go(func() {
		for i := g; i < %d; i += 8 {
			if send(%d+i) == nil { mu.Lock(); ok[%[2]d+i] = true; mu.Unlock() }
		}
	})
}
wg.Wait()
fmt.Print(ok)`, each, i*each)})
			switch {
			case i%8 == 7:
				oks[i] = "cancelled"
			case err != nil:
				t.Error(err)
			default:
				oks[i] = res.Stdout
			}
		})
	}
	wg.Wait()
	time.Sleep(100 * time.Millisecond) // a call that is made late would be seen
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range boxes {
		ok := map[int]bool{}
		for n := i * each; n < (i+1)*each; n++ {
			cancelled, approved := oks[i] == "cancelled", b.answer[n] == decide.Approve
			if b.asked[n] > 1 || b.asked[n] == 0 && !cancelled {
				t.Errorf("call %d was asked about %d times", n, b.asked[n])
			}
			if b.made[n] > 1 || b.made[n] == 1 && !approved || b.made[n] == 0 && approved && !cancelled {
				t.Errorf("call %d was made %d times; approved %v, cancelled %v", n, b.made[n], approved, cancelled)
			}
			if b.made[n] == 1 {
				ok[n] = true
			}
		}
		if oks[i] != "cancelled" && oks[i] != fmt.Sprint(ok) {
			t.Errorf("sandbox %d: the script says %s, and the calls are %v", i, oks[i], ok)
		}
	}
	t.Logf("%d asked, %d made", len(b.asked), len(b.made))
	left(t, before)
}

// left fails if there are more goroutines than before, and stay.
func left(t *testing.T, before int) {
	t.Helper()
	end := time.Now().Add(10 * time.Second)
	for runtime.NumGoroutine() > before {
		if time.Now().After(end) {
			text := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, text[:runtime.Stack(text, true)])
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestSharedBudget: plans and sandboxes that share a budget do not spend more together, however many call at once.
func TestSharedBudget(t *testing.T) {
	budget := guard.NewBudget(10)
	var calls atomic.Int64
	var mu sync.Mutex
	var said []string
	var wg sync.WaitGroup
	for range boxes {
		p := sandtrap.Policy{Std: sandtrap.StdDefault(), Guard: &guard.Policy{Budget: budget}}
		p.Funcs = map[string]any{"pay": sandtrap.Member{Cost: 3, Value: func() error { calls.Add(1); return nil }}}
		wg.Go(func() {
			box, err := sandtrap.New(t.Context(), p)
			if err != nil {
				t.Error(err)
				return
			}
			defer box.Close()
			res, err := box.Run(t.Context(), sandtrap.Script{Text: "fmt.Print(pay())"})
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			said = append(said, res.Stdout)
		})
	}
	wg.Wait()
	slices.Sort(said)
	const no = "pay is not allowed: it costs 3, and 1 of the budget of 10 are left (calling it again does not help; calls that cost 1 or less can be made)"
	if calls.Load() != 3 || budget.Spent() != 9 || len(said) != boxes || said[2] != "<nil>" || said[3] != no || said[boxes-1] != no {
		t.Errorf("%d calls, %d spent, %q", calls.Load(), budget.Spent(), said)
	}
}
