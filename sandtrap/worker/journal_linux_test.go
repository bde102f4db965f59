package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// journalLies are what a worker says in a run with a journal, by the word after //journal.
var journalLies = map[string]func(ctx context.Context, host *wire.Host){
	"same":     func(ctx context.Context, host *wire.Host) { numberedCall(ctx, host, 1); numberedCall(ctx, host, 1) },
	"negative": func(ctx context.Context, host *wire.Host) { numberedCall(ctx, host, -1) },
	"zero":     func(ctx context.Context, host *wire.Host) { numberedCall(ctx, host, 0) },
	"huge": func(ctx context.Context, host *wire.Host) {
		go numberedWait(ctx, host, 1<<60)
		restAt(ctx, host, jobs.Rest{Number: 1, Calls: 1, Idle: true})
	},
	"huge and over": func(ctx context.Context, host *wire.Host) {
		numberedCall(ctx, host, 1<<60)
		restAt(ctx, host, jobs.Rest{Number: 1, Calls: 1})
		go numberedWait(ctx, host, 2)
		restAt(ctx, host, jobs.Rest{Number: 2, Calls: 2, Idle: true})
	},
	"none": func(ctx context.Context, host *wire.Host) { restAt(ctx, host, jobs.Rest{Number: 1, Idle: true}) },
	"nobody": func(ctx context.Context, host *wire.Host) {
		restAt(ctx, host, jobs.Rest{Number: 1, Calls: 1 << 40, Idle: true})
	},
	"left": func(ctx context.Context, host *wire.Host) {
		go restAt(ctx, host, jobs.Rest{Number: 1, Calls: 1 << 40})
		time.Sleep(20 * time.Millisecond)
	},
	"backwards": func(ctx context.Context, host *wire.Host) {
		numberedCall(ctx, host, 1)
		restAt(ctx, host, jobs.Rest{Number: -5, Calls: 1})
		go numberedWait(ctx, host, 2)
		restAt(ctx, host, jobs.Rest{Number: -6, Calls: 2, Idle: true})
	},
	"at once": func(ctx context.Context, host *wire.Host) {
		numberedCall(ctx, host, 1)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() { restAt(ctx, host, jobs.Rest{Number: 1, Calls: 1, Idle: true}) })
		}
		wg.Wait()
	},
	"late": func(ctx context.Context, host *wire.Host) {
		go numberedWait(ctx, host, 1)
		restAt(ctx, host, jobs.Rest{Number: 1, Calls: 1, Idle: true})
		numberedCall(ctx, host, 2) // once the run has paused
	},
	"garbage": func(ctx context.Context, host *wire.Host) {
		_, _ = host.Call(ctx, wire.CallFunc+"quick", []byte{0xff})
		_, _ = host.Call(ctx, jobs.CallOrder, []byte{0xff})
		restAt(ctx, host, jobs.Rest{Number: 1, Calls: 1, Idle: true})
	},
}

func numberedCall(ctx context.Context, host *wire.Host, n int) { numberedTo(ctx, host, "quick", n) }
func numberedWait(ctx context.Context, host *wire.Host, n int) { numberedTo(ctx, host, "ask", n) }

func numberedTo(ctx context.Context, host *wire.Host, name string, n int) {
	body, err := wire.Encode(jobs.NumberedCall{Number: n, At: "x.go:1", Args: oneText})
	if err != nil {
		panic(err)
	}
	_, _ = host.Call(ctx, wire.CallFunc+name, body)
}

// oneText is what a function with a text for its parameter is called with, as package carry writes it: no new objects, no
// changed ones, and the list of the arguments.
var oneText = []byte{0x80, 0x80, 0x81, 0x41, 'x'}

func restAt(ctx context.Context, host *wire.Host, at jobs.Rest) {
	body, err := wire.Encode(at)
	if err != nil {
		panic(err)
	}
	_, _ = host.Call(ctx, jobs.CallOrder, body)
}

func init() {
	for name, tell := range journalLies {
		forgers["//journal "+name+"\n"] = func(ctx context.Context, _ string, host *wire.Host) ([]byte, error) {
			tell(ctx, host)
			return wire.Encode(jobs.Result{Stdout: "forged"})
		}
	}
}

// durableBox is a box whose functions count their calls.
func durableBox(t testing.TB, isolation sandtrap.Isolation, calls *atomic.Int64) *durable.Box {
	t.Helper()
	b, err := durable.New(sandtrap.Policy{
		Isolation: isolation, Level: levelOf(isolation), Limits: sandtrap.Limits{Timeout: time.Second, Memory: 64 << 20}, Std: sandtrap.StdDefault(), Seed: 1,
		Funcs: map[string]any{
			"ask":   sandtrap.Member{Value: func(s string) string { return s }, Pauses: true},
			"quick": func(s string) string { calls.Add(1); return s },
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestJournalLies: whatever a worker says of the calls of a run with a journal, the run ends, in an error or with a pause
// that is one: it can be saved and gone on with.
func TestJournalLies(t *testing.T) {
	for _, isolation := range isolations() {
		for name := range journalLies {
			t.Run(string(isolation)+"/"+name, func(t *testing.T) {
				var calls atomic.Int64
				b := durableBox(t, isolation, &calls)
				before := runtime.NumGoroutine()
				ctx, cancel := context.WithTimeout(t.Context(), patient)
				defer cancel()
				res, pause, err := b.Start(ctx, sandtrap.Script{Text: "//journal " + name + "\nask(quick(`a`))"}, nil)
				t.Log(res.Stdout, pause, err, calls.Load())
				if ctx.Err() != nil {
					t.Fatal("the run does not end")
				}
				if pause != nil {
					mustGoOn(t, b, pause)
				}
				if name == "late" && calls.Load() > 0 {
					t.Error("a function is called for a run that has paused")
				}
				for range 300 {
					if runtime.NumGoroutine() <= before+2 { // of what starts workers
						return
					}
					time.Sleep(10 * time.Millisecond)
				}
				buf := make([]byte, 1<<20)
				t.Errorf("%d goroutines, and before %d\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
			})
		}
	}
}

// TestJournalLiesInPool: a worker that lies spoils its own run only: the next run of its tenant, in the same pool, is right.
func TestJournalLiesInPool(t *testing.T) {
	var calls atomic.Int64
	b := durableBox(t, isolations()[0], &calls)
	pool, err := b.Pool(t.Context(), sandtrap.PoolLimits{Size: -1, Max: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close(context.Background())
	held, err := pool.Sandbox(t.Context(), "tenant")
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	honest := sandtrap.Script{Text: "fmt.Print(quick(`a`), rand.IntN(1000))\nask(`b`)"}
	want, _, err := durableBox(t, sandtrap.None, &calls).Start(t.Context(), honest, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(durable.WithTenant(t.Context(), "tenant"), patient)
	defer cancel()
	for name := range journalLies {
		_, _, liar := b.Start(ctx, sandtrap.Script{Text: "//journal " + name + "\nask(quick(`a`))"}, nil)
		if res, pause, err := b.Start(ctx, honest, nil); err != nil || pause == nil || res.Stdout != want.Stdout {
			t.Errorf("after %q (%v): %q, %v, %v", name, liar, res.Stdout, pause, err)
		}
	}
}

// mustGoOn saves a pause and goes on with it: its journal is one, and the run waits or goes another way.
func mustGoOn(t *testing.T, b *durable.Box, pause *durable.Pause) {
	t.Helper()
	var file bytes.Buffer
	if err := pause.Save(&file); err != nil {
		t.Fatal(err)
	}
	if len(pause.Pending) == 0 {
		t.Fatalf("nothing waits: %s", file.Bytes())
	}
	if _, _, err := b.Replay(t.Context(), bytes.NewReader(file.Bytes())); errors.Is(err, durable.ErrJournal) {
		t.Fatalf("%v: %s", err, file.Bytes())
	}
}

// TestJournalForged is TestLies for runs with a journal: no function is called that the journal has a result of.
func TestJournalForged(t *testing.T) {
	times := 25
	if testing.Short() {
		times = 8
	}
	for _, isolation := range isolations() {
		t.Run(string(isolation), func(t *testing.T) {
			rand := rand.New(rand.NewPCG(3, 4))
			ends := map[string]int{}
			for range times {
				l := lie{frame: rand.IntN(8), node: rand.IntN(60), with: rand.IntN(len(forgeries))}
				var calls atomic.Int64
				b := durableBox(t, isolation, &calls)
				honest := durableBox(t, sandtrap.None, &calls)
				_, pause, err := honest.Start(t.Context(), sandtrap.Script{Text: l.text() + "go quick(`b`)\nfmt.Println(ask(quick(`a`)))\nask(`b`)"}, nil)
				if err != nil || len(pause.Pending) != 1 {
					t.Fatal(pause, err)
				}
				var file bytes.Buffer
				if err := pause.Save(&file); err != nil {
					t.Fatal(err)
				}
				calls.Store(0)
				ctx, cancel := context.WithTimeout(t.Context(), patient)
				_, pause, err = b.Resume(ctx, &file, nil, durable.Answer{ID: pause.Pending[0].ID, Result: []byte(strconv.Quote("a"))})
				if ctx.Err() != nil {
					t.Fatalf("%+v: the run does not end", l)
				}
				cancel()
				if calls.Load() > 0 {
					t.Errorf("%+v: %d calls", l, calls.Load())
				}
				if pause != nil {
					mustGoOn(t, honest, pause)
				}
				ends[fmt.Sprintf("%.60v", err)]++
			}
			t.Log(ends)
		})
	}
}
