package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// TestPausedElsewhere: a run whose worker could not do it, or sends a journal that is refused, is done by another one, from the same journal with
// the same answers.
func TestPausedElsewhere(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	job := dispatchtest.Job("alpha", "run_1", `{}`)
	job.Journal, job.Answers, job.Told.Stdout = []byte("begun\n"), json.RawMessage(`[1]`), 2
	got := make(chan string, 10)
	at := 0
	work(t, client(t, s, "w1"), "w1", 1, func(_ context.Context, job *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		got <- fmt.Sprintf("%+v", *job)
		fmt.Fprintln(out.Stdout, "one")
		switch at++; at {
		case 1:
			return nil, errors.New("the worker's own")
		case 2:
			return &dispatch.Outcome{Result: json.RawMessage(`{}`), Journal: []byte("another one\n")}, nil
		}
		return &dispatch.Outcome{Result: json.RawMessage(`{}`), Journal: append(job.Journal, "waits\n"...)}, nil
	})
	has(t, f, 1)
	var out bytes.Buffer
	o, err := f.Do(t.Context(), job, func() error { return nil }, dispatch.Output{Stdout: &out, Stderr: &out, Paused: func(journal []byte) error {
		if !bytes.HasPrefix(journal, job.Journal) {
			return errors.New("it is that of another run")
		}
		return nil
	}})
	if err != nil || string(o.Journal) != "begun\nwaits\n" || out.String() != "one\n" {
		t.Fatalf("%+v, %v, output %q", o, err, &out)
	}
	for range 3 {
		if got := <-got; got != fmt.Sprintf("%+v", *job) {
			t.Errorf("a worker got %s", got)
		}
	}
}

// TestFailed: a run that no worker could do has not lost its worker.
func TestFailed(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	tries := 0
	work(t, client(t, s, "w1"), "w1", 1, func(context.Context, *dispatch.Job, dispatch.Output) (*dispatch.Outcome, error) {
		tries++
		return nil, errors.New("the worker's own")
	})
	has(t, f, 1)
	if o, _, err := do(t, f); !errors.Is(err, errFailed) || errors.Is(err, dispatch.ErrLost) || strings.Contains(err.Error(), "the worker's own") {
		t.Errorf("%+v, %v", o, err)
	}
	if tries != maxAttempts {
		t.Errorf("%d attempts", tries)
	}
}

// TestLargeJob: a job that no message holds is done by nobody, and its turn is free again.
func TestLargeJob(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	work(t, client(t, s, "w1"), "w1", 1, honest)
	has(t, f, 1)
	job := dispatchtest.Job("alpha", "run_1", `{}`)
	job.Journal = make([]byte, maxJob)
	if o, err := f.Do(t.Context(), job, func() error { return nil }, dispatch.Output{}); !errors.Is(err, dispatch.ErrLarge) {
		t.Errorf("%+v, %v", o, err)
	}
	if _, out, err := do(t, f); err != nil || out != "one\ntwo\n" {
		t.Errorf("the next one: %v, %q", err, out)
	}
}

// TestRecorded: events of the record that a worker sends are about its own run, whatever they say.
func TestRecorded(t *testing.T) {
	s := start(t)
	f := front(t, s)
	work(t, client(t, s, "w1"), "w1", 2, func(_ context.Context, _ *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		e := record.Event{Kind: record.KindDecision, Member: "file.open"}
		e.Tenant, e.Run = "beta", "run_of_beta"
		return done, out.Record.Write(e)
	})
	has(t, f, 2)
	var got []record.Event
	out := dispatch.Output{Record: record.Func(func(e record.Event) error { got = append(got, e); return nil })}
	if _, err := f.Do(t.Context(), dispatchtest.Job("alpha", "run_1", `{}`), func() error { return nil }, out); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Tenant != "alpha" || got[0].Run != "run_1" || got[0].Member != "file.open" {
		t.Errorf("%+v", got)
	}
}
