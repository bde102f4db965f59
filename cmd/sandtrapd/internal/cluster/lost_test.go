package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

var done = &dispatch.Outcome{Result: json.RawMessage(`{"done":true}`)}

// honest does jobs as they are to be done: it prints two lines.
func honest(_ context.Context, _ *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
	fmt.Fprintln(out.Stdout, "one")
	fmt.Fprintln(out.Stdout, "two")
	return done, nil
}

// do has a front do a job, and gives what it printed.
func do(t *testing.T, f *Front) (*dispatch.Outcome, string, error) {
	t.Helper()
	var out bytes.Buffer
	o, err := f.Do(t.Context(), dispatchtest.Job("alpha", "run_1", `{}`), func() error { return nil }, dispatch.Output{Stdout: &out, Stderr: &out})
	return o, out.String(), err
}

// TestLost: a worker that is lost in the middle of a job gives way to another one, and its output is not told again.
func TestLost(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	conn := client(t, s, "w1")
	began := make(chan struct{}, 10)
	work(t, conn, "w1", 4, func(ctx context.Context, _ *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		fmt.Fprintln(out.Stdout, "one")
		began <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	})
	has(t, f, 4)
	go func() {
		<-began
		work(t, client(t, s, "w2"), "w2", 2, honest)
		conn.Close() // as that of a process that is killed
	}()
	if o, out, err := do(t, f); err != nil || string(o.Result) != string(done.Result) || out != "one\ntwo\n" {
		t.Errorf("%v, output %q", err, out)
	}
	has(t, f, 2)
}

// TestNoWorker: a job without workers fails soon, before it begins, and so does one whose workers have no room.
func TestNoWorker(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	f.noneFor = 50 * time.Millisecond
	begun := false
	_, err := f.Do(t.Context(), dispatchtest.Job("alpha", "run_1", `{}`), func() error { begun = true; return nil }, dispatch.Output{})
	if !errors.Is(err, dispatch.ErrNoWorker) || begun {
		t.Errorf("begun %t, %v", begun, err)
	}
	conn := client(t, s, "w1") // says that it is there, and has no subscription
	if err := conn.Publish(here+"w1", encode(beat{Slots: 2, Level: "none"})); err != nil {
		t.Fatal(err)
	}
	has(t, f, 2)
	if _, _, err := do(t, f); !errors.Is(err, dispatch.ErrNoWorker) {
		t.Error(err)
	}
}

// A liar is a worker that answers each job as a test says.
type liar struct {
	conn *nats.Conn
	to   string // the subject of the job
}

func (l *liar) send(f frame) { l.raw(encode(f)) }

func (l *liar) raw(b []byte) { _ = l.conn.Publish(l.to, b) }

// TestLiars: whatever a worker sends, its job fails or is done by another one, and the front holds little of it.
func TestLiars(t *testing.T) {
	accept := frame{Kind: accepted}
	whole := func(o dispatch.Outcome) []byte { return encode(&o) }
	for name, lie := range map[string]func(l *liar){
		"nothing":      func(*liar) {},
		"no CBOR":      func(l *liar) { l.raw([]byte("hello")) },
		"empty":        func(l *liar) { l.raw(nil) },
		"fields":       func(l *liar) { l.raw(encode(map[int]any{1: 0, 2: 1, 9: 1})) },
		"accept only":  func(l *liar) { l.send(accept) },
		"no accept":    func(l *liar) { l.send(frame{Kind: outcome, Data: whole(*done), Last: true}) },
		"accept twice": func(l *liar) { l.send(accept); l.send(frame{Number: 1, Kind: accepted}) },
		"gap":          func(l *liar) { l.send(accept); l.send(frame{Number: 2, Kind: stdout, Data: []byte("x")}) },
		"again":        func(l *liar) { l.send(accept); l.send(accept) },
		"kind":         func(l *liar) { l.send(accept); l.send(frame{Number: 1, Kind: 99}) },
		"busy late":    func(l *liar) { l.send(accept); l.send(frame{Number: 1, Kind: busy}) },
		"no outcome":   func(l *liar) { l.send(accept); l.send(frame{Number: 1, Kind: outcome, Data: []byte("x"), Last: true}) },
		"no JSON": func(l *liar) {
			l.send(accept)
			l.send(frame{Number: 1, Kind: outcome, Data: whole(dispatch.Outcome{Result: json.RawMessage(`{"a":`)}), Last: true})
		},
		"no result": func(l *liar) {
			l.send(accept)
			l.send(frame{Number: 1, Kind: outcome, Data: whole(dispatch.Outcome{}), Last: true})
		},
		"array": func(l *liar) {
			l.send(accept)
			l.send(frame{Number: 1, Kind: outcome, Data: whole(dispatch.Outcome{Result: json.RawMessage(`[]`)}), Last: true})
		},
		"ticks": func(l *liar) {
			l.send(accept)
			l.send(frame{Number: 1, Kind: outcome, Data: whole(dispatch.Outcome{Result: json.RawMessage(`{}`), Ticks: -1}), Last: true})
		},
		"time": func(l *liar) {
			l.send(accept)
			l.send(frame{Number: 1, Kind: outcome, Data: whole(dispatch.Outcome{Result: json.RawMessage(`{}`), Duration: 1 << 62}), Last: true})
		},
		"kind of error": func(l *liar) {
			l.send(accept)
			l.send(frame{Number: 1, Kind: outcome, Data: whole(dispatch.Outcome{Result: json.RawMessage(`{}`), Kind: strings.Repeat("k", 1000)}), Last: true})
		},
		"artifact": func(l *liar) {
			l.send(accept)
			l.send(frame{Number: 1, Kind: outcome, Data: whole(dispatch.Outcome{Result: json.RawMessage(`{}`), Artifacts: []dispatch.Artifact{{Name: "../../etc/passwd"}}}), Last: true})
		},
		"header": func(l *liar) {
			l.send(accept)
			l.send(frame{Number: 1, Kind: outcome, Data: whole(dispatch.Outcome{Result: json.RawMessage(`{}`), Artifacts: []dispatch.Artifact{{Name: "a", MediaType: "a\r\nb: c"}}}), Last: true})
		},
		"event": func(l *liar) {
			l.send(accept)
			l.send(frame{Number: 1, Kind: recorded, Data: []byte("{"), Last: true})
		},
		"flood": func(l *liar) {
			l.send(accept)
			for i := range uint64(2000) {
				l.send(frame{Number: i + 1, Kind: outcome, Data: make([]byte, maxPiece)})
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t)
			f := front(t, s)
			l := &liar{conn: client(t, s, "liar")}
			asked := 0
			_, err := l.conn.QueueSubscribe(jobs+"none.*", workers, func(m *nats.Msg) {
				var job sent
				if err := decode(m.Data, &job); err != nil {
					t.Error(err)
				}
				asked++
				l.to = back + "liar." + f.id + "." + job.ID
				lie(l)
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := l.conn.Publish(here+"liar", encode(beat{Slots: 1, Level: "none"})); err != nil {
				t.Fatal(err)
			}
			has(t, f, 1)
			if o, out, err := do(t, f); !errors.Is(err, dispatch.ErrLost) && !errors.Is(err, dispatch.ErrNoWorker) || out != "" {
				t.Errorf("outcome %+v, error %v, output %q", o, err, out)
			}
			if f.held != 0 || len(f.tries) != 0 {
				t.Errorf("%d bytes of %d jobs are held", f.held, len(f.tries))
			}
		})
	}
}

// TestLate: a worker that begins a job when its front has given it up is told to end it.
func TestLate(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	conn := client(t, s, "w1")
	end, err := conn.SubscribeSync(ends + "w1")
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Publish(back+"w1."+f.id+".given-up", encode(frame{Kind: accepted})); err != nil {
		t.Fatal(err)
	}
	if m, err := end.NextMsg(time.Minute); err != nil || string(m.Data) != "given-up" {
		t.Errorf("%v, %v", m, err)
	}
}

// TestShutOut: a worker that the cluster does not let in again ends with an error, and ends its jobs.
func TestShutOut(t *testing.T) {
	t.Parallel()
	s, err := Start("127.0.0.1:0", key, "")
	if err != nil {
		t.Fatal(err)
	}
	conn := client(t, s, "w1")
	worked := make(chan error, 1)
	go func() {
		worked <- Work(t.Context(), conn, WorkerOptions{Name: "w1", Slots: 1, Level: "none", Handler: honest, Log: slog.New(slog.DiscardHandler)})
	}()
	at := strings.TrimPrefix(s.URL(), "nats://")
	s.Close()
	other, err := Start(at, strings.Repeat("other", 10), "")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	select {
	case err := <-worked:
		if !errors.Is(err, nats.ErrAuthorization) {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Error("it goes on")
	}
}

// TestCutOff: a worker that cannot reach the cluster for so long that its jobs were given to others ends them.
func TestCutOff(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	began, ended, over := make(chan struct{}), make(chan struct{}), make(chan struct{})
	defer close(over)
	work(t, client(t, s, "w1"), "w1", 1, func(ctx context.Context, _ *dispatch.Job, _ dispatch.Output) (*dispatch.Outcome, error) {
		close(began)
		select {
		case <-ctx.Done():
			close(ended)
		case <-over:
		}
		return nil, ctx.Err()
	})
	has(t, f, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var waits sync.WaitGroup
	waits.Go(func() {
		_, _ = f.Do(ctx, dispatchtest.Job("alpha", "run_1", `{}`), func() error { return nil }, dispatch.Output{})
	})
	<-began
	s.Close()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Error("its job goes on")
	}
	cancel()
	waits.Wait()
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

// TestBeats: beats that no worker of this isolation sends give no turns.
func TestBeats(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	conn := client(t, s, "liar")
	for _, b := range [][]byte{
		nil, []byte("x"), encode(beat{Slots: 1 << 30, Level: "none"}), encode(beat{Slots: -1, Level: "none"}), encode(beat{Slots: 2, Level: "kernel"}),
		encode(beat{Slots: 2, Level: "none", Version: strings.Repeat("v", 1000)}),
	} {
		if err := conn.Publish(here+"liar", b); err != nil {
			t.Fatal(err)
		}
	}
	if err := conn.Publish(here+"liar", encode(beat{Slots: 3, Level: "none"})); err != nil {
		t.Fatal(err)
	}
	until(t, func() bool { return f.Stats().Turns != 0 })
	if n := f.Stats().Turns; n != 3 {
		t.Errorf("%d turns", n)
	}
	has(t, f, 0) // it is silent then
}

// TestGone: a worker that is not connected is lost, even if somebody beats in its name. One that is connected stays.
func TestGone(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	beats := func(name string) {
		conn := client(t, s, name)
		go func() {
			for t.Context().Err() == nil {
				_ = conn.Publish(here+name, encode(beat{Slots: 1, Level: "none"}))
				time.Sleep(20 * time.Millisecond)
			}
		}()
	}
	beats("gone")
	conn := client(t, s, "there")
	if _, err := conn.Subscribe(ends+"there", func(*nats.Msg) {}); err != nil {
		t.Fatal(err)
	}
	beats("there")
	member := func(name string) bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.members[name] != nil
	}
	until(t, func() bool { return member("gone") && member("there") })
	until(t, func() bool {
		for range 10 {
			f.probe(time.Now().Add(time.Hour))
		}
		if err := f.conn.Flush(); err != nil {
			t.Fatal(err)
		}
		return !member("gone")
	})
	if !member("there") {
		t.Error("a worker that is connected is lost")
	}
}
