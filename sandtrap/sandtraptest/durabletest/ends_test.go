package durabletest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// manyCalls has calls that return, calls that wait and goroutines that go on.
const manyCalls = `
var wg sync.WaitGroup
for i := range 8 { wg.Go(func() { for k := range 3 { quick(fmt.Sprint(i, k)) ; runtime.Gosched() }; fmt.Println(ask(fmt.Sprint(i))) }) }
wg.Wait()
fmt.Println("end")
`

// TestCancelled: a run whose context ends at any moment ends, as cancelled or with a pause, and leaves no goroutine.
func TestCancelled(t *testing.T) {
	for _, mode := range isolations() {
		t.Run(string(mode), func(t *testing.T) {
			b := mustBox(t, corpusPolicy(mode, true))
			_, pause, err := b.Start(t.Context(), sandtrap.Script{Text: manyCalls}, nil)
			if err != nil {
				t.Fatal(err)
			}
			file := saved(t, pause)
			var answers []durable.Answer
			for _, p := range pause.Pending {
				answers = append(answers, answer(t, p))
			}
			before := runtime.NumGoroutine()
			ends := map[string]int{}
			for i := range 60 {
				ctx, cancel := context.WithCancel(t.Context())
				go func() {
					time.Sleep(time.Duration(i) * 500 * time.Microsecond)
					cancel()
				}()
				var pause *durable.Pause
				var err error
				if i%2 == 0 {
					_, pause, err = b.Start(ctx, sandtrap.Script{Text: manyCalls}, nil)
				} else {
					_, pause, err = b.Resume(ctx, bytes.NewReader(file), nil, answers...)
				}
				switch {
				case err == nil && (pause != nil) == (i%2 == 0):
					ends["whole"]++
				case errors.Is(err, sandtrap.KindCancelled) || errors.Is(err, context.Canceled):
					ends["cancelled"]++
				default:
					t.Errorf("%d: %v, %v", i, pause, err)
				}
				cancel()
			}
			t.Log(ends)
			if n := rig.Settled(before); n > before {
				buf := make([]byte, 1<<20)
				t.Errorf("%d goroutines, and before %d\n%s", n, before, buf[:runtime.Stack(buf, true)])
			}
		})
	}
}

// TestTimeout: a run whose time is over while calls wait, and functions do not return, ends with that; what they
// return later does no harm.
func TestTimeout(t *testing.T) {
	for _, mode := range isolations() {
		release, left := make(chan bool), make(chan bool, 1)
		p := corpusPolicy(mode, true)
		p.Limits.Timeout = 300 * time.Millisecond
		p.Funcs["never"] = func(ctx context.Context) string { <-release; left <- true; return "late" }
		b := mustBox(t, p)
		for _, script := range []string{`go ask("a"); never()`, `go ask("a"); go never(); for { runtime.Gosched() }`} {
			_, pause, err := b.Start(t.Context(), sandtrap.Script{Text: script, Limits: sandtrap.Limits{}}, nil)
			if pause != nil || !errors.Is(err, sandtrap.ErrLimit) {
				t.Errorf("%s: %s: %v, %v", mode, script, pause, err)
			}
			t.Log(err)
			select {
			case release <- true:
				<-left
			case <-time.After(timeout):
				t.Errorf("%s: %s: the function is not called", mode, script)
			}
		}
	}
}

// TestPausedLong: calls that wait hold no goroutine, worker or time of a run: it is over.
func TestPausedLong(t *testing.T) {
	for _, mode := range isolations() {
		b := mustBox(t, corpusPolicy(mode, true))
		if _, _, err := b.Start(t.Context(), sandtrap.Script{Text: `ask("a")`}, nil); err != nil {
			t.Fatal(err)
		}
		before := runtime.NumGoroutine()
		for range 10 {
			if _, pause, err := b.Start(t.Context(), sandtrap.Script{Text: `for range 100 { go ask("b") }; ask("a")`}, nil); err != nil || len(pause.Pending) != 101 {
				t.Fatal(pause, err)
			}
		}
		if n := rig.Settled(before); n > before {
			t.Errorf("%s: %d goroutines, and before %d", mode, n, before)
		}
	}
}

// TestClosed: a box that is closed during runs lets them end, and begins no more.
func TestClosed(t *testing.T) {
	reached, goOn := make(chan bool), make(chan bool)
	b := oneBox(t, sandtrap.None, map[string]any{"hold": func() string { reached <- true; <-goOn; return "held" }})
	var wg sync.WaitGroup
	wg.Go(func() {
		res, _, err := b.Start(t.Context(), sandtrap.Script{Text: `fmt.Println(hold())`}, nil)
		if err != nil || res.Stdout != "held\n" {
			t.Error(res.Stdout, err)
		}
	})
	<-reached
	b.Close()
	b.Close()
	if _, _, err := b.Start(t.Context(), sandtrap.Script{Text: ``}, nil); !errors.Is(err, sandtrap.ErrClosed) {
		t.Error(err)
	}
	if _, _, err := b.Resume(t.Context(), strings.NewReader(""), nil); !errors.Is(err, sandtrap.ErrClosed) && !errors.Is(err, durable.ErrJournal) {
		t.Error(err)
	}
	close(goOn)
	wg.Wait()
}

// TestAtOnce: many boxes with a run each, and many resumes of one journal, do not meet.
func TestAtOnce(t *testing.T) {
	list := boxes(t, true)
	_, first, err := list[0].Start(t.Context(), sandtrap.Script{Text: manyCalls}, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := saved(t, first)
	before := runtime.NumGoroutine()
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			b := list[0]
			if i%10 == 0 {
				b = list[i/10%len(list)]
			}
			if i%2 == 0 {
				own := mustBox(t, corpusPolicy(isolations()[0], true))
				script := fmt.Sprintf(`fmt.Println(ask("%d"))`, i)
				_, pause, err := own.Start(t.Context(), sandtrap.Script{Text: script}, nil)
				if err != nil || pause == nil {
					t.Error(pause, err)
					return
				}
				res, _, err := b.Resume(t.Context(), bytes.NewReader(saved(t, pause)), nil, answer(t, pause.Pending[0]))
				if want := fmt.Sprintf("<%d>\n", i); err != nil || res.Stdout != want {
					t.Errorf("%q, and not %q, %v", res.Stdout, want, err)
				}
				return
			}
			var answers []durable.Answer
			for _, p := range first.Pending {
				answers = append(answers, answer(t, p))
			}
			res, pause, err := b.Resume(t.Context(), bytes.NewReader(file), nil, answers...)
			if err != nil || pause != nil || !strings.HasSuffix(res.Stdout, "end\n") {
				t.Errorf("%q, %v, %v", res.Stdout, pause, err)
			}
		})
	}
	wg.Wait()
	if n := rig.Settled(before); n > before {
		t.Errorf("%d goroutines, and before %d", n, before)
	}
}

// TestSaveAtOnce: a pause is saved by many at once, and after its box is closed.
func TestSaveAtOnce(t *testing.T) {
	b := mustBox(t, corpusPolicy(sandtrap.None, true))
	_, pause, err := b.Start(t.Context(), sandtrap.Script{Text: `ask("a")`}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	want := saved(t, pause)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if got := saved(t, pause); !bytes.Equal(got, want) {
				t.Errorf("%s, and before %s", got, want)
			}
		})
	}
	wg.Wait()
}

// TestScriptsOfJournals: a script whose parts JSON does not keep is no script of a journal.
func TestScriptsOfJournals(t *testing.T) {
	b := mustBox(t, corpusPolicy(sandtrap.None, true))
	for _, s := range []sandtrap.Script{
		{Text: "ask(os.Args[0])", Args: []string{"a\xffb"}},
		{Text: "ask(`a`)", Name: "\xff.go"},
		{Text: "ask(`\xff`)"},
	} {
		_, pause, err := b.Start(t.Context(), s, nil)
		if err == nil {
			_, _, err = b.Replay(t.Context(), bytes.NewReader(saved(t, pause)))
			t.Errorf("%q waits; %v", s.Text, err)
		}
		t.Log(err)
	}
}

// TestLargeResults: a journal that could not be read again is not written.
func TestLargeResults(t *testing.T) {
	b := mustBox(t, sandtrap.Policy{Limits: sandtrap.Limits{Timeout: timeout}, Funcs: map[string]any{
		"large": func(n int) string { return strings.Repeat("x", n) },
		"ask":   sandtrap.Member{Value: ask, Pauses: true},
	}})
	for _, row := range []struct {
		size int
		want string
	}{{1 << 20, ""}, {64 << 20, "line 2 of the journal has 67108"}} {
		_, pause, err := b.Start(t.Context(), sandtrap.Script{Text: fmt.Sprintf(`large(%d); ask("a")`, row.size)}, nil)
		if err != nil || pause == nil {
			t.Fatal(pause, err)
		}
		var file bytes.Buffer
		err = pause.Save(&file)
		if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.Contains(err.Error(), row.want) || file.Len() > 0) {
			t.Errorf("%d bytes: %v", row.size, err)
		}
	}
}

// TestCancelledAnswers: a run that was resumed with answers, and whose context ends at any moment, leaves a journal that has them: it goes
// on without being told again.
func TestCancelledAnswers(t *testing.T) {
	const script = `
for range 10_000 { }
var wg sync.WaitGroup
for i := range 6 { wg.Go(func() { fmt.Println(ask(fmt.Sprint(i))); for range 1000 { } }) }
wg.Wait()
for range 10_000 { }
fmt.Println(quick("end"))
`
	for _, mode := range isolations() {
		t.Run(string(mode), func(t *testing.T) {
			b := mustBox(t, corpusPolicy(mode, true))
			_, pause, err := b.Start(t.Context(), sandtrap.Script{Text: script}, nil)
			if err != nil {
				t.Fatal(err)
			}
			file := saved(t, pause)
			var answers []durable.Answer
			for _, p := range pause.Pending {
				answers = append(answers, answer(t, p))
			}
			start := time.Now()
			want, _, err := b.Resume(t.Context(), bytes.NewReader(file), nil, answers...)
			if err != nil {
				t.Fatal(err)
			}
			took := time.Since(start)
			cancelled := 0
			for i := range 40 {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(took*time.Duration(i)/30, cancel)
				var next, last bytes.Buffer
				_, _, err := b.Resume(ctx, bytes.NewReader(file), &next, answers...)
				cancel()
				if err == nil || next.Len() == 0 {
					continue
				}
				if cancelled++; !errors.Is(err, sandtrap.KindCancelled) && !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
				if _, _, err := b.Replay(t.Context(), bytes.NewReader(next.Bytes())); err != nil {
					t.Fatalf("%v: %s", err, &next)
				}
				got, pause, err := b.Resume(t.Context(), bytes.NewReader(next.Bytes()), &last)
				if pause != nil || end(got, err) != end(want, nil) {
					t.Fatalf("%v: %s\nand with its answers %s\n%s", pause, end(got, err), end(want, nil), &next)
				}
			}
			if t.Logf("%d of 40", cancelled); cancelled == 0 {
				t.Error("no run was cancelled after it began")
			}
		})
	}
}

// TestDeadline: the deadline of its context ends a run as a cancellation does, and not as its limits do: it goes on later.
func TestDeadline(t *testing.T) {
	for _, mode := range isolations() {
		policy := func(slow bool) sandtrap.Policy {
			p := corpusPolicy(mode, false)
			p.Limits.Ticks = 0
			p.Funcs["slow"] = func(c context.Context) int {
				if slow {
					<-c.Done()
				}
				return 7
			}
			return p
		}
		var file bytes.Buffer
		for within := 100 * time.Millisecond; !bytes.Contains(file.Bytes(), []byte(`"name":"quick"`)); within *= 2 { // a busy machine starts no worker by then
			ctx, cancel := context.WithTimeout(t.Context(), within)
			if mode == sandtrap.None {
				ctx = unaware{t.Context(), time.Now().Add(within)}
			}
			file.Reset()
			_, pause, err := mustBox(t, policy(true)).Start(ctx, sandtrap.Script{Text: `fmt.Println(quick("a"), slow())`}, &file)
			cancel()
			if pause != nil || !errors.Is(err, context.DeadlineExceeded) || within > time.Minute {
				t.Fatal(mode, pause, err)
			}
		}
		res, pause, err := mustBox(t, policy(false)).Resume(t.Context(), &file, nil)
		if pause != nil || err != nil || res.Stdout != "qa 7\n" {
			t.Errorf("%s: %q, %v, %v", mode, res.Stdout, pause, err)
		}
	}
}

// An unaware context has a deadline, and does not know yet that it is over.
type unaware struct {
	context.Context
	until time.Time
}

func (u unaware) Deadline() (time.Time, bool) { return u.until, true }
