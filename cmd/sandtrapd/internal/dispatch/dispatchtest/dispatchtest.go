// Package dispatchtest has the tests that every dispatch.Queue passes.
//
// It may not know which one it tests.
package dispatchtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
)

// Run tests queues. The function makes one with so many turns, whose jobs are done by a handler.
func Run(t *testing.T, open func(t *testing.T, turns int, h dispatch.Handler) dispatch.Queue) {
	for name, test := range map[string]func(*testing.T, opener){
		"outcome": outcome, "large": large, "cancelled": cancelled, "begin": begin, "waiting": waiting, "fair": fair, "once": once, "error": failing,
		"paused": paused, "cell": cell, "cell's contents": contents,
	} {
		t.Run(name, func(t *testing.T) { test(t, open) })
	}
}

// RunOnce tests that each of many jobs is done once.
func RunOnce(t *testing.T, open func(t *testing.T, turns int, h dispatch.Handler) dispatch.Queue) {
	once(t, open)
}

type opener = func(t *testing.T, turns int, h dispatch.Handler) dispatch.Queue

// Job is a job with an ID and a request.
func Job(tenant, id, request string) *dispatch.Job {
	return &dispatch.Job{Run: id, Tenant: tenant, Policy: "default@1", Text: "policy", Request: json.RawMessage(request)}
}

func always() error { return nil }

// outputs are an Output and where it goes.
func outputs() (dispatch.Output, *bytes.Buffer, *bytes.Buffer) {
	var out, err bytes.Buffer
	return dispatch.Output{Stdout: &out, Stderr: &err}, &out, &err
}

// outcome: a worker gets the job as it is, and all that it prints is there, in order, before its outcome.
func outcome(t *testing.T, open opener) {
	job := Job("alpha", "run_1", `{"code":"x"}`)
	job.Session, job.Answers, job.Told = "session_1", json.RawMessage(`[{"id":1}]`), dispatch.Told{Stdout: 1 << 40, Stderr: 7}
	got := make(chan dispatch.Job, 1)
	q := open(t, 2, func(_ context.Context, job *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		got <- *job
		for i := range 1000 {
			fmt.Fprintln(out.Stdout, i)
			fmt.Fprintln(out.Stderr, -i)
		}
		return &dispatch.Outcome{Result: json.RawMessage(`{"a":1}`), Kind: "panic", Ticks: 7, Peak: 8, Duration: time.Microsecond, Artifacts: []dispatch.Artifact{{Name: "a.png", MediaType: "image/png", Data: []byte{0, 1}}}}, nil
	})
	out, stdout, stderr := outputs()
	o, err := q.Do(t.Context(), job, func() error { job.Journal = []byte("a journal\n"); return nil }, out)
	if err != nil {
		t.Fatal(err)
	}
	if got := <-got; fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", *job) {
		t.Errorf("the worker got %+v", got)
	}
	o.Worker = "" // who has done it is for the queue to know
	if want := `{Result:{"a":1} Kind:panic Ticks:7 Peak:8 Duration:1µs Artifacts:[{Name:a.png MediaType:image/png Data:[0 1]}] Journal:[] Become:<nil> Worker:}`; strings.ReplaceAll(fmt.Sprintf("%+v", *o), "[123 34 97 34 58 49 125]", `{"a":1}`) != want {
		t.Errorf("%+v", *o)
	}
	var want, wantErr strings.Builder
	for i := range 1000 {
		fmt.Fprintln(&want, i)
		fmt.Fprintln(&wantErr, -i)
	}
	if stdout.String() != want.String() || stderr.String() != wantErr.String() {
		t.Errorf("the output has %d and %d bytes, want %d and %d", stdout.Len(), stderr.Len(), want.Len(), wantErr.Len())
	}
}

// large: an outcome of 16 MB and as long an output come whole.
func large(t *testing.T, open opener) {
	text := strings.Repeat("0123456789abcdef", 1<<20)
	q := open(t, 2, func(_ context.Context, job *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		fmt.Fprint(out.Stdout, text)
		return &dispatch.Outcome{Result: json.RawMessage(`{"a":"` + text + `"}`)}, nil
	})
	out, stdout, _ := outputs()
	o, err := q.Do(t.Context(), Job("alpha", "run_1", `{"code":"`+text[:4<<20]+`"}`), always, out)
	if err != nil || stdout.String() != text || string(o.Result) != `{"a":"`+text+`"}` {
		t.Errorf("error %v, output of %d bytes", err, stdout.Len())
	}
}

// cancelled: when the context ends, the job is ended, and its outcome says so.
func cancelled(t *testing.T, open opener) {
	began := make(chan struct{})
	q := open(t, 2, func(ctx context.Context, _ *dispatch.Job, _ dispatch.Output) (*dispatch.Outcome, error) {
		close(began)
		<-ctx.Done()
		return &dispatch.Outcome{Result: json.RawMessage(`{}`), Kind: "cancelled"}, nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	out, _, _ := outputs()
	if o, err := q.Do(ctx, Job("alpha", "run_1", `{}`), always, out); err != nil || o.Kind != "cancelled" {
		t.Errorf("%+v, %v", o, err)
	}
}

// begin: a job whose begin is refused is not done, and gives its turn back.
func begin(t *testing.T, open opener) {
	var done atomic.Int64
	q := open(t, 2, func(context.Context, *dispatch.Job, dispatch.Output) (*dispatch.Outcome, error) {
		done.Add(1)
		return &dispatch.Outcome{Result: json.RawMessage(`{}`)}, nil
	})
	out, _, _ := outputs()
	no := errors.New("no")
	for range 5 {
		if _, err := q.Do(t.Context(), Job("alpha", "run_1", `{}`), func() error { return no }, out); !errors.Is(err, no) {
			t.Errorf("error %v", err)
		}
	}
	if _, err := q.Do(t.Context(), Job("alpha", "run_2", `{}`), always, out); err != nil || done.Load() != 1 {
		t.Errorf("%d jobs were done, error %v", done.Load(), err)
	}
}

// waiting: a job whose context ends before its turn is not done.
func waiting(t *testing.T, open opener) {
	begun := time.Now()
	release := make(chan struct{})
	var done atomic.Int64
	q := open(t, 1, func(context.Context, *dispatch.Job, dispatch.Output) (*dispatch.Outcome, error) {
		done.Add(1)
		<-release
		return &dispatch.Outcome{Result: json.RawMessage(`{}`)}, nil
	})
	var first sync.WaitGroup
	first.Go(func() {
		out, _, _ := outputs()
		if _, err := q.Do(t.Context(), Job("alpha", "run_1", `{}`), always, out); err != nil {
			t.Error(err)
		}
	})
	until(t, func() bool { return done.Load() == 1 })
	ctx, cancel := context.WithCancel(t.Context())
	var second sync.WaitGroup
	second.Go(func() {
		out, _, _ := outputs()
		begun := false
		_, err := q.Do(ctx, Job("beta", "run_2", `{}`), func() error { begun = true; return nil }, out)
		if !errors.Is(err, context.Canceled) || begun {
			t.Errorf("begun %t, error %v", begun, err)
		}
	})
	until(t, func() bool { return q.Stats().Queued == 1 })
	if all := q.Waiting(); len(all) != 1 || all[0].Tenant != "beta" || all[0].N != 1 || all[0].Since.Before(begun) || all[0].Since.After(time.Now()) {
		t.Errorf("those that wait: %+v", all)
	}
	cancel()
	second.Wait()
	if all := q.Waiting(); len(all) != 0 {
		t.Errorf("those that wait when none does: %+v", all)
	}
	close(release)
	first.Wait()
	if done.Load() != 1 {
		t.Errorf("%d jobs were done", done.Load())
	}
}

// fair: while jobs of a tenant go on, and a thousand more of it wait, a job of another one begins.
func fair(t *testing.T, open opener) {
	hold := make(chan struct{})
	var few atomic.Bool
	q := open(t, 2, func(_ context.Context, job *dispatch.Job, _ dispatch.Output) (*dispatch.Outcome, error) {
		if job.Tenant == "few" {
			few.Store(true)
		}
		<-hold
		return &dispatch.Outcome{Result: json.RawMessage(`{}`)}, nil
	})
	var all sync.WaitGroup
	do := func(tenant string) {
		all.Go(func() {
			out, _, _ := outputs()
			if _, err := q.Do(t.Context(), Job(tenant, "run", `{}`), always, out); err != nil {
				t.Error(err)
			}
		})
	}
	for range 1000 {
		do("many")
	}
	until(t, func() bool { return q.Stats().Queued == 999 })
	do("few")
	until(t, few.Load)
	close(hold)
	all.Wait()
}

// once: of a thousand jobs at once each is done once, with its own outcome, no more at a time than there are turns.
func once(t *testing.T, open opener) {
	const n, turns = 1000, 4
	var now, most atomic.Int64
	var mu sync.Mutex
	done := map[string]int{}
	q := open(t, turns, func(_ context.Context, job *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		at := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); at > m && !most.CompareAndSwap(m, at); m = most.Load() {
		}
		mu.Lock()
		done[job.Run]++
		mu.Unlock()
		fmt.Fprint(out.Stdout, job.Run)
		return &dispatch.Outcome{Result: json.RawMessage(`{"run":"` + job.Run + `"}`)}, nil
	})
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			out, stdout, _ := outputs()
			id := fmt.Sprint("run_", i)
			o, err := q.Do(t.Context(), Job(fmt.Sprint("tenant", i%7), id, `{}`), always, out)
			if err != nil || string(o.Result) != `{"run":"`+id+`"}` || stdout.String() != id {
				t.Errorf("%s: %v", id, err)
			}
		})
	}
	all.Wait()
	if len(done) != n || most.Load() > turns {
		t.Errorf("%d jobs were done, %d at a time", len(done), most.Load())
	}
	for id, times := range done {
		if times != 1 {
			t.Errorf("%s was done %d times", id, times)
		}
	}
}

// failing: an error of the worker is an error, and its turn is free again.
func failing(t *testing.T, open opener) {
	q := open(t, 2, func(context.Context, *dispatch.Job, dispatch.Output) (*dispatch.Outcome, error) {
		return nil, errors.New("the worker's own")
	})
	for range 4 {
		out, _, _ := outputs()
		if o, err := q.Do(t.Context(), Job("alpha", "run_1", `{}`), always, out); err == nil {
			t.Errorf("outcome %+v", o)
		}
	}
}

func until(t *testing.T, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not come to that")
		}
	}
}
