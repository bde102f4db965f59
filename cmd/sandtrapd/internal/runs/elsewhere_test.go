package runs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/turns"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// worker is one of another machine: it has the policies of the program alone.
func worker(t *testing.T) *runs.Worker {
	w := &runs.Worker{Policies: policies.Builtins()}
	w.Plans = plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8, Policies: w.Policies, Record: w})
	t.Cleanup(w.Plans.Close)
	return w
}

// does has a worker do a job of a server that has no record, as a queue does.
func does(ctx context.Context, w *runs.Worker, job *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
	out.Record = record.Func(func(record.Event) error { return nil })
	o, err := w.Do(ctx, job, out)
	if err == nil {
		err = out.Check(o)
	}
	return o, err
}

// A queue has jobs done as a test says.
type queue func(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error)

func (q queue) Do(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
	return q(ctx, job, begin, out)
}

func (queue) Stats() dispatch.Stats { return dispatch.Stats{} }

func (queue) Waiting() []turns.Waiting { return nil }

// openWith is open with a queue of workers.
func openWith(t *testing.T, dir string, q dispatch.Queue) *server {
	t.Helper()
	return openLogged(t, dir, slog.New(slog.DiscardHandler), q)
}

func openLogged(t *testing.T, dir string, log *slog.Logger, q dispatch.Queue) *server {
	t.Helper()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	set := plans.New(plans.Options{Isolation: sandtrap.None, MaxTimeout: time.Minute, Kept: 8})
	t.Cleanup(set.Close)
	m, err := runs.New(t.Context(), runs.Options{Plans: set, Store: st, Log: log, Queue: q})
	if err != nil {
		t.Fatal(err)
	}
	s := &server{m, st}
	t.Cleanup(s.close)
	return s
}

func (s *server) start(t *testing.T, code string) string {
	t.Helper()
	r, err := s.Start(t.Context(), "alpha", runs.Request{Code: code, Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	return r.ID()
}

func (s *server) answer(t *testing.T, id string, call int, value string) {
	t.Helper()
	if _, err := s.Answer(t.Context(), "alpha", id, []runs.Answer{{ID: call, Value: json.RawMessage(value)}}); err != nil {
		t.Fatal(err)
	}
}

// TestRepeated: each part of a run is done by a worker of which nobody hears, and by another one then. Both come to the same calls with the
// same ids, and what clients have of the output is not told again.
func TestRepeated(t *testing.T) {
	lost, other := worker(t), worker(t)
	var mu sync.Mutex
	effects := map[string]string{} // the arguments of each call by its run and its id, as each worker has seen it
	see := func(job *dispatch.Job, journal []byte) {
		for line := range strings.Lines(string(journal)) {
			var call struct {
				Waiting int
				Args    json.RawMessage
			}
			if err := json.Unmarshal([]byte(line), &call); err != nil || call.Waiting == 0 {
				continue
			}
			key := fmt.Sprint(job.Run, " ", call.Waiting)
			mu.Lock()
			if had, ok := effects[key]; ok && had != string(call.Args) {
				t.Errorf("call %s is %s, and was %s", key, call.Args, had)
			}
			effects[key] = string(call.Args)
			mu.Unlock()
		}
	}
	s := openWith(t, t.TempDir(), queue(func(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		text, err := json.Marshal(job) // as another machine has it
		var there dispatch.Job
		if err = errors.Join(err, json.Unmarshal(text, &there)); err != nil {
			return nil, err
		}
		var printed, again bytes.Buffer
		before, err := does(ctx, lost, &there, dispatch.Output{Stdout: &printed, Stderr: io.Discard, Paused: func([]byte) error { return nil }})
		if err != nil {
			return nil, err
		}
		see(job, before.Journal)
		out.Stdout = io.MultiWriter(out.Stdout, &again)
		o, err := does(ctx, other, &there, out)
		if err != nil {
			return nil, err
		}
		see(job, o.Journal)
		if string(before.Journal) != string(o.Journal) || printed.String() != again.String() {
			t.Errorf("the journals are\n%s\n%s\nand the output %q and %q", before.Journal, o.Journal, &printed, &again)
		}
		return o, nil
	}))
	id := s.start(t, `
		n := rand.IntN(1 << 40) // <&>   é
		fmt.Println(n, time.Now().UnixNano(), "\x00\xff <&>   é")
		var all sync.WaitGroup
		for range 3 { all.Go(func() { fmt.Println(Ask(fmt.Sprint(rand.IntN(1 << 40)))) }) }
		all.Wait()
		fmt.Println(Ask(fmt.Sprint(n)), rand.IntN(1 << 40))`)
	v := s.wait(t, id)
	for n := 0; v.State == store.Pending && n < 10; n++ {
		s.answer(t, id, v.Pending[0].ID, fmt.Sprintf(`"answer to %d <&> \u2028 \u0000 \\u00e9 é"`, v.Pending[0].ID))
		v = s.wait(t, id)
	}
	if v.State != store.Done || len(effects) != 4 {
		t.Fatalf("%s: %s, %v", v.State, v.Result, effects)
	}
	var res struct{ Stdout string }
	if err := json.Unmarshal(v.Result, &res); err != nil || strings.Count(res.Stdout, "answer to ") != 4 {
		t.Errorf("%v, %s", err, v.Result)
	}
	if told := s.told(t, id); told != res.Stdout {
		t.Errorf("the events tell of %q, and the result of %q", told, res.Stdout)
	}
}

// told is the output in the events of a run.
func (s *server) told(t *testing.T, id string) (text string) {
	t.Helper()
	r, err := s.Get(t.Context(), "alpha", id)
	if err != nil {
		t.Fatal(err)
	}
	log, err := r.Events()
	if err != nil {
		t.Fatal(err)
	}
	for after := int64(0); ; {
		list := log.After(t.Context(), after)
		if len(list) == 0 {
			return text
		}
		for _, e := range list {
			var data struct{ Text string }
			if after = e.ID; e.Kind == runs.EventStdout && json.Unmarshal(e.Data, &data) == nil {
				text += data.Text
			}
		}
	}
}

// TestLies: a worker that sends a journal which is none of its run has not done the job, and nothing of that is kept.
func TestLies(t *testing.T) {
	honest := worker(t)
	var lie func(journal string) string
	s := openWith(t, t.TempDir(), queue(func(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		o, err := does(ctx, honest, job, out)
		if err != nil {
			return nil, err
		}
		o.Journal = []byte(lie(string(o.Journal)))
		return o, out.Check(o)
	}))
	replace := func(old, new string) func(string) string {
		return func(journal string) string {
			if !strings.Contains(journal, old) {
				t.Errorf("%s is not in %s", old, journal)
			}
			return strings.Replace(journal, old, new, 1)
		}
	}
	before := ""
	for name, test := range map[string]struct {
		lie  func(string) string
		good bool
	}{
		"none":     {func(j string) string { before = j; return j }, true},
		"no":       {func(string) string { return "hello" }, false},
		"script":   {replace("Println(", "Print("), false},
		"seed":     {replace(`"seed":`, `"seed":1`), false},
		"limits":   {replace(`"limits":{`, `"limits":{"Ticks":1,`), false},
		"function": {replace(`"name":"Ask"`, `"name":"Remove"`), false},
		"approval": {replace(`"at":`, `"ask":"may it?","at":`), false},
		"id":       {replace(`"waiting":1`, `"waiting":0`), false},
		"args":     {replace(`{"s":"?"}`, `"?"`), false},
		"large":    {replace(`{"s":"?"}`, `{"s":"`+strings.Repeat("?", 5<<20)+`"}`), false},
		"ended": {func(j string) string {
			return j[:strings.Index(j, "\n")+1] + `{"end":"ok","ticks":1,"output":""}` + "\n"
		}, false},
	} {
		lie = test.lie
		v := s.wait(t, s.start(t, "fmt.Println(Ask(`?`))"))
		if good := v.State == store.Pending && len(v.Pending) == 1; good != test.good || !good && (v.State != store.Failed || len(v.Pending) > 0 || !strings.Contains(string(v.Result), `"kind":"internal"`)) {
			t.Errorf("%s: %s, %v, %s", name, v.State, v.Pending, v.Result)
		}
	}
	lie = func(string) string { return before }
	if v := s.wait(t, s.start(t, "fmt.Println(Ask(`?`))")); v.State != store.Failed {
		t.Errorf("the journal of another run of the same script: %s", v.State)
	}
}

// TestLiesLater: a call that has an answer does not wait again, and what it has returned stays, whatever a worker says later.
func TestLiesLater(t *testing.T) {
	honest := worker(t)
	var journals []string
	lie := func(journal string) string { return journal }
	s := openWith(t, t.TempDir(), queue(func(ctx context.Context, job *dispatch.Job, begin func() error, out dispatch.Output) (*dispatch.Outcome, error) {
		if err := begin(); err != nil {
			return nil, err
		}
		o, err := does(ctx, honest, job, out)
		if err != nil {
			return nil, err
		}
		journals = append(journals, string(o.Journal))
		o.Journal = []byte(lie(string(o.Journal)))
		return o, out.Check(o)
	}))
	const code = "for range 5 { fmt.Println(Ask(`?`)) }"
	for name, lies := range map[string]func(string) string{
		"the one before": func(string) string { return journals[0] },
		"first again":    func(j string) string { return strings.Replace(j, `"waiting":3`, `"waiting":1`, 1) },
		"second again":   func(string) string { return journals[1] },
		"another return": func(j string) string { return strings.Replace(j, `"one"`, `"two"`, 1) },
		"a return less": func(j string) string {
			_, rest, _ := strings.Cut(j, "\n")
			_, rest, _ = strings.Cut(rest, "\n")
			return j[:strings.Index(j, "\n")+1] + rest
		},
		"begun once more": func(j string) string { return strings.Replace(j, "\n", "\n"+j, 1) },
	} {
		journals, lie = nil, func(journal string) string { return journal }
		id := s.start(t, code)
		s.wait(t, id)
		s.answer(t, id, 1, `"one"`)
		if v := s.wait(t, id); v.State != store.Pending || v.Pending[0].ID != 2 {
			t.Fatalf("%s: %s, %v", name, v.State, v.Pending)
		}
		lie = func(journal string) string {
			changed := lies(journal)
			if changed == journal {
				t.Errorf("%s: nothing is changed in %s", name, journal)
			}
			return changed
		}
		s.answer(t, id, 2, `"two"`)
		if v := s.wait(t, id); v.State != store.Failed || len(v.Pending) > 0 {
			t.Errorf("%s: %s, %v", name, v.State, v.Pending)
		}
	}
}
