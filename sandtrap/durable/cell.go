package durable

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/journal"
)

// A Base is what a session has when one of its cells begins that runs by itself. The cells before it are not repeated, so the price
// of going on does not grow with the session. Variables that (*sandtrap.Session).Save skips are not there.
type Base struct {
	// ID names all of the Base, such as by a hash. A journal has it, and ResumeCell refuses another one.
	ID string

	// Saved is what (*sandtrap.Session).Save has written; empty for a session without cells.
	Saved []byte

	// Files, if not nil, gives an Open for Policy.Files, which has to be there: it makes the files of the cell, in memory. They have to be the same
	// each time, the times of change among them: what changes while the cell runs has changed at that time, as with vfs.MemAt.
	Files func(at time.Time) *sandtrap.Files

	// Ended, if not nil, is called when the cell is over, with the session as the cell has left it, before that is closed: to save it for
	// the next Base. It is not called for a cell that waits, nor if something else than the script and its limits has
	// ended it, such as the end of its context: then the session has what it had before.
	Ended func(*sandtrap.Session)
}

// StartCell is Start for a cell of a session that has what the Base says. Its journal is that of this cell alone.
func (b *Box) StartCell(ctx context.Context, from Base, script sandtrap.Script, to io.Writer) (*sandtrap.Result, *Pause, error) {
	f, err := b.journalOf(script)
	if err == nil && from.ID == "" {
		err = errors.New("durable: Base.ID is empty: a cell that waits could go on in another session")
	}
	if err != nil {
		return &sandtrap.Result{}, nil, err
	}
	f.From = from.ID
	out, ctx := outputOf(ctx, script)
	return b.runCell(ctx, from, f, to, nil, out)
}

// ResumeCell is Resume for such a cell, with the Base that it began with.
func (b *Box) ResumeCell(ctx context.Context, from Base, r io.Reader, to io.Writer, answers ...Answer) (*sandtrap.Result, *Pause, error) {
	f, err := b.read(r)
	if err != nil {
		return &sandtrap.Result{}, nil, err
	}
	out, ctx := outputOf(ctx, sandtrap.Script{})
	return b.runCell(ctx, from, f, to, answers, out)
}

// runCell runs the cell of a journal, from its beginning.
func (b *Box) runCell(ctx context.Context, from Base, f *journal.File, to io.Writer, answers []Answer, out Output) (*sandtrap.Result, *Pause, error) {
	switch {
	case f.From == "":
		return &sandtrap.Result{}, nil, errors.New("durable: the journal is not that of a cell by itself")
	case f.From != from.ID:
		return &sandtrap.Result{}, nil, fmt.Errorf("durable: %w: the session has something else than when the cell began", ErrDiverged)
	case f.End != nil:
		return &sandtrap.Result{}, nil, fmt.Errorf("durable: %w", over(f))
	}
	return b.runIn(ctx, f, to, false, answers, out, func() (*place, error) { return b.cellPlace(ctx, from, f) })
}

// cellPlace is a session that has what a Base says.
func (b *Box) cellPlace(ctx context.Context, from Base, f *journal.File) (*place, error) {
	var files *sandtrap.Files
	if from.Files != nil {
		if b.policy.Files == nil {
			return nil, errors.New("durable: Base.Files: the policy has no files")
		}
		files = from.Files(f.Epoch)
	}
	box, err := b.sandbox(ctx, f, files)
	if err != nil {
		return nil, err
	}
	s, err := loaded(box, from.Saved)
	if err != nil {
		box.Close()
		return nil, err
	}
	return &place{
		run: s.Run,
		ended: func() {
			if from.Ended != nil {
				from.Ended(s)
			}
		},
		close: func() { s.Close(); box.Close() },
	}, nil
}

// loaded is a session that was saved, or one without cells.
func loaded(box *sandtrap.Sandbox, saved []byte) (*sandtrap.Session, error) {
	if len(saved) == 0 {
		return box.Session()
	}
	return box.LoadSession(bytes.NewReader(saved))
}
