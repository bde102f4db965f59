package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch/dispatchtest"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// A liar is a worker that answers each job as a test says.
type liar struct {
	conn *nats.Conn
	to   string // the subject of the job
}

func (l *liar) send(f frame) { l.raw(encode(f)) }

func (l *liar) raw(b []byte) { _ = l.conn.Publish(l.to, b) }

// TestLiars: whatever a worker sends, its job fails or is done by another one, and the front holds little of it.
func TestLiars(t *testing.T) {
	accept := frame{Kind: accepted, Data: []byte("i1")}
	whole := func(o dispatch.Outcome) []byte { return encode(&o) }
	for name, lie := range map[string]func(l *liar){
		"nothing":        func(*liar) {},
		"no CBOR":        func(l *liar) { l.raw([]byte("hello")) },
		"empty":          func(l *liar) { l.raw(nil) },
		"fields":         func(l *liar) { l.raw(encode(map[int]any{1: 0, 2: 1, 9: 1})) },
		"accept as none": func(l *liar) { l.send(frame{Kind: accepted}) },
		"accept as two":  func(l *liar) { l.send(frame{Kind: accepted, Data: []byte("i2")}) },
		"accept only":    func(l *liar) { l.send(accept) },
		"no accept":      func(l *liar) { l.send(frame{Kind: outcome, Data: whole(*done), Last: true}) },
		"accept twice":   func(l *liar) { l.send(accept); l.send(frame{Number: 1, Kind: accepted, Data: []byte("i1")}) },
		"gap":            func(l *liar) { l.send(accept); l.send(frame{Number: 2, Kind: stdout, Data: []byte("x")}) },
		"again":          func(l *liar) { l.send(accept); l.send(accept) },
		"kind":           func(l *liar) { l.send(accept); l.send(frame{Number: 1, Kind: 99}) },
		"busy late":      func(l *liar) { l.send(accept); l.send(frame{Number: 1, Kind: busy}) },
		"no outcome":     func(l *liar) { l.send(accept); l.send(frame{Number: 1, Kind: outcome, Data: []byte("x"), Last: true}) },
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
		"pause": func(l *liar) {
			l.send(accept)
			l.send(frame{Number: 1, Kind: outcome, Data: whole(dispatch.Outcome{Result: json.RawMessage(`{}`), Journal: []byte("{}")}), Last: true})
		},
		"failed": func(l *liar) { l.send(accept); l.send(frame{Number: 1, Kind: failed, Last: true}) },
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
			if err := l.conn.Publish(here+"liar", encode(beat{Instance: "i1", Slots: 1, Level: "none"})); err != nil {
				t.Fatal(err)
			}
			has(t, f, 1)
			if o, out, err := do(t, f); !errors.Is(err, dispatch.ErrLost) && !errors.Is(err, dispatch.ErrNoWorker) && !errors.Is(err, errFailed) || out != "" {
				t.Errorf("outcome %+v, error %v, output %q", o, err, out)
			}
			if f.held != 0 || len(f.tries) != 0 {
				t.Errorf("%d bytes of %d jobs are held", f.held, len(f.tries))
			}
		})
	}
}

// TestSubject: events of the record that a worker sends are about its own run and of now, whatever they say, and a run took no longer than its front has waited.
func TestSubject(t *testing.T) {
	s := start(t)
	f := front(t, s)
	work(t, client(t, s, "w1"), "w1", 2, func(_ context.Context, _ *dispatch.Job, out dispatch.Output) (*dispatch.Outcome, error) {
		e := record.Event{Kind: record.KindDecision, Member: "file.open"}
		e.Tenant, e.Run, e.Time = "beta", "run_of_beta", time.Now().Add(-10*time.Hour)
		return &dispatch.Outcome{Result: done.Result, Duration: 20 * time.Hour}, out.Record.Write(e)
	})
	has(t, f, 2)
	var got []record.Event
	out := dispatch.Output{Record: record.Func(func(e record.Event) error { got = append(got, e); return nil })}
	began := time.Now()
	o, err := f.Do(t.Context(), dispatchtest.Job("alpha", "run_1", `{}`), func() error { return nil }, out)
	if err != nil {
		t.Fatal(err)
	}
	if most := time.Since(began); o.Duration > most {
		t.Errorf("it took %s, and %s have passed", o.Duration, most)
	}
	if len(got) != 1 || got[0].Tenant != "alpha" || got[0].Run != "run_1" || got[0].Member != "file.open" || got[0].Time.Before(began) {
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
		nil, []byte("x"), encode(beat{Instance: "i1", Slots: 1 << 30, Level: "none"}), encode(beat{Instance: "i1", Slots: -1, Level: "none"}), encode(beat{Instance: "i1", Slots: 2, Level: "kernel"}),
		encode(beat{Instance: "i1", Slots: 2, Level: "none", Free: 1}), encode(beat{Instance: "i1", Slots: 2, Level: "none", Memory: -1}), encode(beat{Instance: "i1", Slots: 2, Level: "none", Load: 1 << 40}),
		encode(beat{Instance: "i1", Slots: 2, Level: "none", Running: -1}), encode(beat{Instance: "i1", Slots: 2, Level: "a b"}),
		encode(beat{Instance: "i1", Slots: 2, Level: "none", Version: strings.Repeat("v", 1000)}),
	} {
		if f.heard(&nats.Msg{Subject: here + "liar", Data: b}); f.Stats().Turns != 0 {
			t.Errorf("%q gives %d turns", b, f.Stats().Turns)
		}
	}
	if err := conn.Publish(here+"liar", encode(beat{Instance: "i1", Slots: 3, Level: "none"})); err != nil {
		t.Fatal(err)
	}
	until(t, func() bool { return f.Stats().Turns != 0 })
	if n := f.Stats().Turns; n != 3 {
		t.Errorf("%d turns", n)
	}
	has(t, f, 0) // it is silent then
}

// TestFlood: a worker that sends all that it may, as fast as it can, is barred, and keeps no other one from its jobs.
func TestFlood(t *testing.T) {
	for about, message := range map[string]struct {
		subject func(f *Front) string
		data    []byte
	}{
		"beats":       {func(*Front) string { return here + "liar" }, encode(beat{Instance: "i1", Level: "none"})},
		"large beats": {func(*Front) string { return here + "liar" }, make([]byte, 1<<20)},
		"accepts":     {func(f *Front) string { return back + "liar." + f.id + ".a" }, encode(frame{Kind: accepted, Data: []byte("i1")})},
		"frames":      {func(f *Front) string { return back + "liar." + f.id + ".b" }, make([]byte, 1<<20)},
		"probes":      {func(f *Front) string { return back + "liar." + f.id + "." + probes + "honest" }, nil},
	} {
		t.Run(about, func(t *testing.T) {
			s := start(t)
			f := front(t, s)
			f.OnFlood(s.Bar)
			work(t, client(t, s, "honest"), "honest", 2, honest)
			has(t, f, 2)
			conn := client(t, s, "liar")
			var flood sync.WaitGroup
			defer flood.Wait()
			defer conn.Close()
			subject := message.subject(f)
			flood.Go(func() {
				for deadline := time.Now().Add(time.Minute); conn.Publish(subject, message.data) == nil && time.Now().Before(deadline); {
				}
			})
			for range 100 {
				if o, out, err := do(t, f); err != nil || string(o.Result) != string(done.Result) || out != "one\ntwo\n" {
					t.Fatalf("%v, output %q", err, out)
				}
			}
			until(t, conn.IsClosed) // it is not let in again
			if !f.conn.IsConnected() || f.conn.Reconnects != 0 {
				t.Error("the front was disconnected")
			}
		})
	}
}
