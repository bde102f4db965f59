package sessions

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// asked are the methods of a session that do not wait for a cell, and what each says while one
// runs.
var asked = []struct {
	name string
	ask  func(s *sandtrap.Session) error
	says error
}{
	{"Bindings", func(s *sandtrap.Session) error { _, err := s.Bindings(); return err }, sandtrap.ErrReentrant},
	{"TypeOf", func(s *sandtrap.Session) error { _, err := s.TypeOf("1"); return err }, sandtrap.ErrReentrant},
	{"Complete", func(s *sandtrap.Session) error { _, err := s.Complete("t", 1); return err }, sandtrap.ErrReentrant},
	{"Reset", (*sandtrap.Session).Reset, sandtrap.ErrReentrant},
	{"Save", func(s *sandtrap.Session) error { _, err := s.Save(io.Discard); return err }, sandtrap.ErrReentrant},
	{"Run, for a while", func(s *sandtrap.Session) error {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		defer cancel()
		_, err := s.Run(ctx, sandtrap.Script{Text: "x = 0"})
		return err
	}, sandtrap.KindTimeout},
	{"Close", (*sandtrap.Session).Close, nil},
}

// TestSessionBusy: what a function of the host asks of the session is answered at once, while a
// cell calls it and while a function that a cell has left does.
func TestSessionBusy(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		for _, a := range asked {
			b.In(a.name, func(b rig.Bench) {
				var s *sandtrap.Session
				var says error
				p := rig.Pure()
				p.Limits.Timeout = sandtrap.Forever // nothing else ends who waits
				p.Funcs = map[string]any{"ask": func() { says = a.ask(s) }}
				s = b.Session(p)
				b.Cells(s, rig.Cell{"x := 1\nfunc f() { ask(); x++ }", ""}, rig.Cell{"f()\nx", "= 2"})
				if !errors.Is(says, a.says) {
					b.Errorf("in a cell: %v, want %v", says, a.says)
				}
				if errors.Is(says, sandtrap.ErrReentrant) && says.Error() != "sandtrap: the session is busy: a cell runs, or a function of one" {
					b.Errorf("it says %v", says)
				}
				if a.says == nil {
					if _, err := s.Run(b.Context(), sandtrap.Script{Text: "x"}); !errors.Is(err, sandtrap.ErrClosed) {
						b.Errorf("after the cell: %v", err)
					}
					return
				}
				res, err := s.Run(b.Context(), sandtrap.Script{Text: "g := f"})
				if err != nil {
					b.Fatal(err)
				}
				says = nil
				if _, err := res.Vars["g"].(*sandtrap.Func).Call(b.Context()); err != nil || !errors.Is(says, a.says) {
					b.Errorf("in a call: %v, %v, want %v", err, says, a.says)
				}
				if err := a.ask(s); errors.Is(a.says, sandtrap.ErrReentrant) && err != nil {
					b.Errorf("when nothing runs: %v", err)
				}
			})
		}
	})
}

// asking is a writer that asks the session which is saved there.
type asking struct {
	s    *sandtrap.Session
	said error
}

func (a *asking) Write(p []byte) (int, error) {
	_, a.said = a.s.Bindings()
	return len(p), nil
}

// TestSessionSaving: so is what a writer asks that the session is saved to.
func TestSessionSaving(t *testing.T) {
	rig.EachSession(t, func(b rig.Bench) {
		s := b.Session(rig.Pure())
		b.Cells(s, rig.Cell{"x := 1", ""})
		to := &asking{s: s}
		if _, err := s.Save(to); err != nil || !errors.Is(to.said, sandtrap.ErrReentrant) {
			b.Errorf("%v, %v", err, to.said)
		}
		b.Cells(s, rig.Cell{"x", "= 1"})
	})
}
