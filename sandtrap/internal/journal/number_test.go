package journal

import (
	"bytes"
	"context"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// TestLyingNumber: a worker that leaves out numbers of calls ends its run; the session can be read again.
func TestLyingNumber(t *testing.T) {
	f := &File{Header: Header{Session: true}}
	var text bytes.Buffer
	log := NewLog(&text, nil)
	if err := log.Begin(f); err != nil {
		t.Fatal(err)
	}
	c := f.AddCell(Script{})
	if err := log.Begin(c); err != nil {
		t.Fatal(err)
	}
	r := New(c, log, false, false, func(string) bool { return false }, nil, nil)
	ctx, cancel := context.WithCancel(script.WithCall(t.Context(), script.Call{Number: 50}))
	cancel() // it does not wait for its turn
	r.do(ctx, "f", []byte("{}"), nil, &Outcome{}, func() *Outcome { return &Outcome{} })
	if n, stop := r.Turn(engine.Rest{Number: 1, Calls: 1, Idle: true}); n != 0 || stop == nil {
		t.Errorf("call %d returns, %v", n, stop)
	}
	if r.Diverged() == nil {
		if _, err := r.Finish(&End{Kind: "ok"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Read(&text, nil); err != nil {
		t.Error(err)
	}
}

// TestLyingWait: so does one that has such a call wait: a run of the script has none to give the answer to.
func TestLyingWait(t *testing.T) {
	r := New(&File{}, nil, false, false, func(string) bool { return true }, nil, nil)
	ctx, cancel := context.WithCancel(script.WithCall(t.Context(), script.Call{Number: 50}))
	cancel()
	r.do(ctx, "f", []byte("{}"), nil, &Outcome{}, func() *Outcome { t.Error("the function is called"); return &Outcome{} })
	if _, stop := r.Turn(engine.Rest{Number: 1, Calls: 1, Idle: true}); stop == nil || r.Paused() || r.Diverged() == nil {
		t.Errorf("%v, paused: %v, %v", stop, r.Paused(), r.Diverged())
	}
}
