package durable

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/journal"
)

// A Session is a sandtrap.Session of which each cell can wait, as a run of Start can. Between its cells, and while one waits, it can be
// saved, and goes on in any process, with any isolation: the cells are repeated from the journal, up to where it was.
//
// Cells run one at a time, from any goroutine: another one waits its turn, or until its context ends, and so do the other methods.
type Session struct {
	box  *Box
	turn chan struct{} // has something while nobody has it
	file *journal.File
	log  *journal.Log

	sandbox *sandtrap.Sandbox
	live    *sandtrap.Session // nil until the cells of the journal are repeated
	over    error             // why there can be no more cells
	paid    int               // so many cells the budget of the guard knows of
}

// Session begins a session without cells. The Writer, if not nil, gets its journal as it grows, as that of Start.
func (b *Box) Session(to io.Writer) (*Session, error) {
	if err := b.checkKey(); err != nil {
		return nil, err
	}
	f := b.newFile()
	f.Session = true
	return b.sessionOf(f, to)
}

// LoadSession goes on with a session from what its Writer has, or from what Save has written, with the same policy but for its isolation. Its
// cells are repeated when it is first used, calling no function, and an error then that matches ErrDiverged says that they do
// not do what the journal says. They spend again what they have spent of the guard's budget, once for each Session. The Writer, if not nil, gets all
// of the journal.
func (b *Box) LoadSession(r io.Reader, to io.Writer) (*Session, error) {
	f, err := b.readSession(r)
	if err != nil {
		return nil, err
	}
	return b.sessionOf(f, to)
}

func (b *Box) readSession(r io.Reader) (*journal.File, error) {
	f, err := b.read(r)
	if err == nil && !f.Session {
		err = errors.New("durable: the journal is that of a run: Resume goes on with it, Replay repeats it")
	}
	return f, err
}

func (b *Box) sessionOf(f *journal.File, to io.Writer) (*Session, error) {
	if b.closed.Load() {
		return nil, sandtrap.ErrClosed
	}
	if err := b.checkPolicy(f); err != nil {
		return nil, err
	}
	s := &Session{box: b, turn: make(chan struct{}, 1), file: f, log: journal.NewLog(to, b.Key)}
	s.turn <- struct{}{}
	if err := s.log.Begin(f); err != nil {
		return nil, unwritten(err)
	}
	s.ended()
	return s, nil
}

// ReplaySession repeats the cells of a session from its journal, and calls no function: the Results are theirs, with the same output, ticks and
// errors, else the error matches ErrDiverged. If the last cell waits, or was not ended, there is a Pause, and its Result is as far as it came.
func (b *Box) ReplaySession(ctx context.Context, r io.Reader) ([]*sandtrap.Result, *Pause, error) {
	f, err := b.readSession(r)
	if err != nil {
		return nil, nil, err
	}
	s, err := b.sessionOf(f, nil)
	if err != nil {
		return nil, nil, err
	}
	defer s.drop()
	s.paid = len(f.Cells)
	return s.repeat(ctx, f.Cells)
}

// A sessionKey is that of the session in the context of a cell, and of the calls it makes.
type sessionKey struct{}

// enter takes the turn, and says how to end it.
func (s *Session) enter(ctx context.Context) (leave func(), err error) {
	if ctx.Value(sessionKey{}) == s {
		return nil, fmt.Errorf("durable: %w: this call came from inside its own session", sandtrap.ErrReentrant)
	}
	select {
	case <-s.turn:
		return s.leave, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("durable: waiting for the session: %w", ctx.Err())
	}
}

// leave ends the turn.
func (s *Session) leave() { s.turn <- struct{}{} }

// Run runs one cell, as (*sandtrap.Session).Run does; it can wait, as a run of Start can. The numbers of calls go on from those of earlier
// cells. While a cell waits there can be no other: Resume goes on with it. So it does with one that was cancelled, or whose worker ended.
//
// A cell that time or memory has ended ends the session, since it would not end at the same place when it is repeated.
func (s *Session) Run(ctx context.Context, script sandtrap.Script) (*sandtrap.Result, *Pause, error) {
	none := &sandtrap.Result{}
	leave, err := s.enter(ctx)
	if err != nil {
		return none, nil, err
	}
	defer leave()
	if last := s.file.Last(); s.over == nil && last != nil && last.End == nil {
		return none, nil, fmt.Errorf("durable: cell %d of the session is not over: %s: Resume goes on with it", len(s.file.Cells), why(last))
	}
	out, ctx := outputOf(ctx, script)
	own, err := journalScript(script)
	if err != nil {
		return none, nil, fmt.Errorf("durable: %w", err)
	}
	if err := s.wake(ctx); err != nil {
		return none, nil, err
	}
	cell := s.file.AddCell(own)
	if err := s.log.Begin(cell); err != nil {
		return none, nil, s.end(unwritten(err))
	}
	p, err := s.box.part(cell, nil)
	if err != nil {
		return none, nil, s.end(err)
	}
	out.to(&p.script)
	return s.run(ctx, &p)
}

// why says why the run of a journal is not over.
func why(f *journal.File) string {
	if len(f.Waiting) > 0 {
		return "it waits for " + journal.WaitingText(f.Waiting)
	}
	return "something else ended it"
}

// Resume goes on with the last cell, which waits, or was ended by something else than the script and its limits: see Box.Resume.
func (s *Session) Resume(ctx context.Context, answers ...Answer) (*sandtrap.Result, *Pause, error) {
	none := &sandtrap.Result{}
	leave, err := s.enter(ctx)
	if err != nil {
		return none, nil, err
	}
	defer leave()
	cell := s.file.Last()
	if s.over == nil && (cell == nil || cell.End != nil) {
		return none, nil, errors.New("durable: no cell of the session waits: Run runs the next one")
	}
	out, ctx := outputOf(ctx, sandtrap.Script{})
	if err := s.wake(ctx); err != nil {
		return none, nil, err
	}
	p, err := s.box.part(cell, answers)
	if err != nil {
		return none, nil, err
	}
	if cell.Waits() {
		if err := s.log.Resume(cell); err != nil {
			return none, nil, s.end(unwritten(err))
		}
	}
	out.to(&p.script)
	return s.run(ctx, &p)
}

// Pending are the calls that the last cell waits for; see Pause.
func (s *Session) Pending() []Pending {
	<-s.turn
	defer s.leave()
	if last := s.file.Last(); last != nil {
		return pending(last)
	}
	return nil
}

// Save writes the journal of the session, for LoadSession. The error is that of (*Pause).Save.
func (s *Session) Save(w io.Writer) error {
	<-s.turn
	defer s.leave()
	return (&Pause{file: s.file, key: s.box.Key}).Save(w)
}

// Close ends the session, after a cell that runs. Its journal is as it was.
func (s *Session) Close() error {
	<-s.turn
	defer s.leave()
	s.drop()
	s.over = sandtrap.ErrClosed
	return nil
}

// run runs the last cell.
func (s *Session) run(ctx context.Context, p *part) (*sandtrap.Result, *Pause, error) {
	last := len(s.file.Cells) - 1
	p.spends = s.paid <= last
	res, f, err := p.run(context.WithValue(ctx, sessionKey{}, s), s.live.Run, s.log, false)
	if f == nil {
		if p.left != nil {
			s.file.Cells[last] = p.left
		}
		return res, nil, s.end(err)
	}
	s.file.Cells[last] = f
	if f.End != nil || f.Pause.Rest > 0 && err == nil {
		s.paid = last + 1
	}
	if s.ended(); f.End == nil {
		s.drop() // it has stopped in the middle
	}
	return res, s.pauseOf(f, err), err
}

// pauseOf is the pause of the last cell, if it has ended so. It keeps the journal as it is now.
func (s *Session) pauseOf(last *journal.File, err error) *Pause {
	all := *s.file
	all.Cells = slices.Clone(s.file.Cells)
	return s.box.pauseOf(last, &all, err)
}

// end ends the session by an error, and returns it.
func (s *Session) end(err error) error {
	s.drop()
	s.over = fmt.Errorf("durable: the session is over: %w", err)
	return err
}

// ended ends a session whose last cell does not end at the same place again.
func (s *Session) ended() {
	if last := s.file.Last(); last != nil && endedByChance(last.End) {
		s.drop()
		s.over = fmt.Errorf("durable: the session is over: cell %d was ended (%s), and would not end at the same place when it is repeated", len(s.file.Cells), last.End.Kind)
	}
}

// drop lets go of what runs the cells. They can be repeated.
func (s *Session) drop() {
	if s.live != nil {
		s.live.Close()
	}
	if s.sandbox != nil {
		s.sandbox.Close()
	}
	s.sandbox, s.live = nil, nil
}

// wake repeats the cells that are over, if that was not done.
func (s *Session) wake(ctx context.Context) error {
	switch {
	case s.box.closed.Load():
		return sandtrap.ErrClosed
	case s.over != nil:
		return s.over
	case s.live != nil:
		return nil
	}
	cells := s.file.Cells
	if last := s.file.Last(); last != nil && last.End == nil {
		cells = cells[:len(cells)-1]
	}
	_, _, err := s.repeat(ctx, cells)
	if err != nil {
		s.drop()
	}
	return err
}

// repeat repeats cells in a new sandbox. The error is not that of a cell.
func (s *Session) repeat(ctx context.Context, cells []*journal.File) (list []*sandtrap.Result, pause *Pause, err error) {
	if s.sandbox, err = s.box.sandbox(ctx, s.file, nil); err != nil {
		return nil, nil, err
	}
	if s.live, err = s.sandbox.Session(); err != nil {
		return nil, nil, err
	}
	for i, cell := range cells {
		p, err := s.box.part(cell, nil)
		if err != nil {
			return list, nil, err
		}
		p.spends = s.paid <= i
		res, f, err := p.run(context.WithValue(ctx, sessionKey{}, s), s.live.Run, nil, true)
		list = append(list, res)
		switch {
		case endedByChance(cell.End) && res.Error != nil && string(res.Error.Kind) == cell.End.Kind:
			if i < len(cells)-1 {
				return list, nil, fmt.Errorf("durable: %w: cell %d was ended (%s), and the journal has another one after it", ErrJournal, i+1, cell.End.Kind)
			}
			return list, nil, nil
		case cell.End == nil && err == nil: // likewise
			return list, s.pauseOf(f, nil), nil
		case err != nil && (f == nil || f.End == nil):
			return list, nil, fmt.Errorf("durable: cell %d: %w", i+1, err)
		case f.End == nil:
			return list, nil, fmt.Errorf("durable: %w: cell %d waits, and by the journal it ends", ErrDiverged, i+1)
		}
		s.paid = max(s.paid, i+1)
	}
	return list, nil, nil
}
