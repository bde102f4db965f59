package cluster

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
)

// cellOf has a front do a cell of a session with contents, which a worker is to do if that is there.
func cellOf(t *testing.T, f *Front, worker string, all ...[]byte) (*dispatch.Outcome, error) {
	t.Helper()
	job := dispatchtest.Job("alpha", "run_1", `{}`)
	cell, by := dispatchtest.SessionOf(all...)
	job.Cell, job.Worker = cell, worker
	var out bytes.Buffer
	return f.Do(t.Context(), job, func() error { return nil }, dispatch.Output{Stdout: &out, Stderr: &out, Contents: dispatchtest.From(by), Became: func(*dispatch.Become) error { return nil }})
}

// TestLiesOfContents: a worker that wants what is no part of the session of its job, or more than that has, gets nothing of it, and the job is lost there.
func TestLiesOfContents(t *testing.T) {
	manifest, foreign := []byte("manifest"), sha256.Sum256([]byte("foreign"))
	own := sha256.Sum256(manifest)
	for name, test := range map[string]struct {
		want [][]byte // of frames, one after the other
		gets int      // bytes
	}{
		"nothing of it":  {[][]byte{encode([]part{{foreign[:], 0, 7}})}, 0},
		"no list":        {[][]byte{[]byte("hello")}, 0},
		"no hash":        {[][]byte{encode([]part{{own[:3], 0, 1}})}, 0},
		"before":         {[][]byte{encode([]part{{own[:], -1, 1}})}, 0},
		"behind":         {[][]byte{encode([]part{{own[:], 3, 8}})}, 0},
		"far behind":     {[][]byte{encode([]part{{own[:], 1 << 62, 1}})}, 0},
		"overflow":       {[][]byte{encode([]part{{own[:], math.MaxInt64, 1}})}, 0},
		"no bytes":       {[][]byte{encode([]part{{own[:], 0, 0}})}, 0},
		"all too often":  {[][]byte{encode([]part{{own[:], 0, 8}}), encode([]part{{own[:], 0, 1}})}, 8},
		"often at once":  {[][]byte{encode([]part{{own[:], 0, 8}, {own[:], 0, 8}})}, 0},
		"too much":       {[][]byte{encode([]part{{own[:], 0, maxGive + 1}})}, 0},
		"own and others": {[][]byte{encode([]part{{own[:], 0, 1}, {foreign[:], 0, 7}})}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			f := front(t, s)
			l := &liar{conn: client(t, s, "liar")}
			var got atomic.Int64
			if _, err := l.conn.Subscribe(gives+"liar", func(m *nats.Msg) {
				var g given
				if err := decode(m.Data, &g); err != nil {
					t.Error(err)
				}
				got.Add(int64(len(g.Data)))
			}); err != nil {
				t.Fatal(err)
			}
			asked := 0
			if _, err := l.conn.QueueSubscribe(jobs+"none.*", workers, func(m *nats.Msg) {
				var job sent
				if err := decode(m.Data, &job); err != nil {
					t.Error(err)
				}
				asked++
				l.to = back + "liar." + f.id + "." + job.ID
				l.send(frame{Kind: accepted, Data: []byte("i1")})
				for i, w := range test.want {
					l.send(frame{Number: uint64(i + 1), Kind: wants, Data: w, Last: true})
				}
			}); err != nil {
				t.Fatal(err)
			}
			if err := l.conn.Publish(here+"liar", encode(beat{Instance: "i1", Slots: 1, Level: "none", Memory: 1 << 40})); err != nil {
				t.Fatal(err)
			}
			has(t, f, 1)
			_, err := cellOf(t, f, "", manifest)
			if !errors.Is(err, dispatch.ErrLost) {
				t.Errorf("error %v", err)
			}
			if err := errors.Join(f.conn.Flush(), l.conn.Flush()); err != nil {
				t.Fatal(err)
			}
			until(t, func() bool { return got.Load() >= int64(asked*test.gets) })
			if n := got.Load(); n != int64(asked*test.gets) {
				t.Errorf("%d bytes were given, want %d", n, asked*test.gets)
			}
		})
	}
}

// TestReadOnce: contents that a worker wants byte by byte, one after the other and again, are not read for each of them.
func TestReadOnce(t *testing.T) {
	large, other := bytes.Repeat([]byte("x"), 1<<20), []byte("other")
	cell, by := dispatchtest.SessionOf(large, other)
	job := dispatchtest.Job("alpha", "run_1", `{}`)
	job.Cell = cell
	s := start(t)
	reads := 0
	from := dispatchtest.From(by)
	g := &giving{f: front(t, s), id: "i", job: job, contents: func(ctx context.Context, want []dispatch.Content) ([][]byte, error) {
		reads++
		return from(ctx, want)
	}}
	a, b := sha256.Sum256(large), sha256.Sum256(other)
	var parts []part
	for i := range int64(5) {
		parts = append(parts, part{a[:], i, 1}, part{b[:], i, 1})
	}
	if err := g.give(t.Context(), "liar", encode(parts)); !errors.Is(err, dispatch.ErrLost) || reads > 2 {
		t.Errorf("%v after %d reads", err, reads)
	}
	g.had, g.data, g.bytes, g.parts = nil, nil, 0, 0
	var err error
	frames := 0
	for i := int64(0); err == nil && i < int64(len(large)); frames++ {
		parts = nil
		for ; len(parts) < maxParts; i++ {
			parts = append(parts, part{a[:], i, 1})
		}
		err = g.give(t.Context(), "liar", encode(parts))
	}
	if !errors.Is(err, dispatch.ErrLost) || frames > maxAsked/maxParts+1 {
		t.Errorf("%v after %d frames", err, frames)
	}
}

// TestForged: a worker that is given other contents than it has asked for does not take them for those.
func TestForged(t *testing.T) {
	s := start(t)
	f := front(t, s)
	var failures atomic.Int64
	work(t, client(t, s, "w1"), "w1", 1, func(ctx context.Context, job *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		all, err := out.Contents(ctx, []dispatch.Content{job.Cell.Manifest})
		if err == nil || all != nil {
			t.Errorf("%q is taken", all)
		}
		failures.Add(1)
		return nil, errors.Join(err, errors.New("no cell is done"))
	})
	has(t, f, 1)
	job := dispatchtest.Job("alpha", "run_1", `{}`)
	job.Cell, _ = dispatchtest.SessionOf([]byte("manifest"))
	out := dispatch.Output{Contents: func(context.Context, []dispatch.Content) ([][]byte, error) { return [][]byte{[]byte("MANIFEST")}, nil }}
	if o, err := f.Do(t.Context(), job, func() error { return nil }, out); !errors.Is(err, errFailed) || failures.Load() != maxAttempts {
		t.Errorf("%+v, %v", o, err)
	}
}

// TestDirect: a job for a worker that has its session is done by that one, by another one at once if it is gone or takes no more, and by the next one if it
// has no room.
func TestDirect(t *testing.T) {
	s := start(t)
	f := front(t, s)
	worker := func(name string) (leave func()) {
		return work(t, client(t, s, name), name, 1, honest)
	}
	leave1, leave2 := worker("w1"), worker("w2")
	has(t, f, 2)
	by := func(want, asked string) {
		t.Helper()
		for i := range 20 {
			o, err := cellOf(t, f, asked, []byte("manifest"))
			if err != nil || o.Worker != want {
				t.Fatalf("job %d for %s: %v, %+v; want %s", i, asked, err, o, want)
			}
		}
	}
	by("w1", "w1")
	by("w2", "w2")
	small := client(t, s, "small")
	ctx, stop := context.WithCancel(t.Context())
	left := make(chan error)
	go func() {
		left <- Work(ctx, small, WorkerOptions{Name: "small", Slots: 1, Level: "none", Memory: 1, Handler: honest, Log: quiet})
	}()
	has(t, f, 3)
	for range 20 {
		job := dispatchtest.Job("alpha", "run_2", `{}`)
		job.Worker, job.Memory = "small", 2
		var out bytes.Buffer
		if o, err := f.Do(t.Context(), job, func() error { return nil }, dispatch.Output{Stdout: &out, Stderr: &out}); err != nil || o.Worker == "small" {
			t.Errorf("%+v, %v", o, err)
		}
	}
	if stop(); <-left != nil {
		t.Error("a worker has not left")
	}
	has(t, f, 2)
	leave2()
	has(t, f, 1)
	by("w1", "w2")
	if f.again.Load() != 0 {
		t.Errorf("%d jobs were lost", f.again.Load())
	}
	leave1()
}

// TestLargeSession: a session that is larger than workers take has no cell sent.
func TestLargeSession(t *testing.T) {
	s := start(t)
	f := front(t, s)
	work(t, client(t, s, "w1"), "w1", 1, honest)
	has(t, f, 1)
	job := dispatchtest.Job("alpha", "run_1", `{}`)
	job.Cell = &dispatch.Cell{Bytes: dispatch.MaxCell + 1}
	if o, err := f.Do(t.Context(), job, func() error { return nil }, dispatch.Output{Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer)}); !errors.Is(err, dispatch.ErrLarge) {
		t.Errorf("%+v, %v", o, err)
	}
}

// TestManyWant: jobs of one worker that want much at a time get it, each its own.
func TestManyWant(t *testing.T) {
	s := start(t)
	f := front(t, s)
	conn := client(t, s, "w1")
	work(t, conn, "w1", 8, func(ctx context.Context, job *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		all, err := out.Contents(ctx, []dispatch.Content{job.Cell.Manifest})
		if err == nil && string(all[0][:20]) != fmt.Sprintf("%020d", len(all[0])) {
			t.Errorf("%q", all[0][:20])
		}
		return &dispatch.Outcome{Result: json.RawMessage(`{}`)}, err
	})
	has(t, f, 8)
	done := make(chan error)
	for i := range 8 {
		go func() {
			data := make([]byte, 20<<20+i)
			copy(data, fmt.Sprintf("%020d", len(data)))
			_, err := cellOf(t, f, "", data)
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	if conn.Reconnects != 0 {
		t.Error("the worker was disconnected")
	}
}
