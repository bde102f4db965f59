package sandtrap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// savedVersion is that of the format, and what a saved session begins with.
const savedVersion = 5

// maxSaved bounds the bytes of a saved session.
const maxSaved = 256 << 20

// A savedSession is what Save writes, in CBOR.
type savedSession struct {
	savedHead
	Cells *rewrite.SavedSession `cbor:"cells"`
	State *engine.State         `cbor:"state"`
	Count int                   `cbor:"count"` // of cells that were run
}

type savedHead struct {
	Format  string `cbor:"format"`
	Version int    `cbor:"version"`
}

const savedFormat = "sandtrap session"

// Save writes the session: the sources of the cells whose declarations are in use, and the values of their variables,
// with aliases and references among them. Host functions are saved by name. A variable with a value that cannot be
// saved, such as an open file, is skipped: in the loaded session it has its zero value. skipped has the names of these,
// with the reasons; it is nil if there are none. Saving takes no longer than a run may.
func (s *Session) Save(w io.Writer) (skipped map[string]string, err error) {
	return s.save(w, false)
}

// SaveAll is Save for a session that must not lose anything: if there are variables that cannot be saved, it writes
// nothing, and the error names the first of them, in the order of names, with the reason.
func (s *Session) SaveAll(w io.Writer) error {
	_, err := s.save(w, true)
	return err
}

func (s *Session) save(w io.Writer, all bool) (skipped map[string]string, err error) {
	s.asking.Lock()
	leave, err := s.enter()
	s.asking.Unlock() // w may ask, too
	if err != nil {
		return nil, err
	}
	defer leave()
	defer func() {
		if recover() != nil {
			err = internalError("the sandbox failed while it saved the session")
		}
	}()
	if s.remote != nil {
		return s.remote.save(w, all)
	}
	s.tidy(true)
	saved, err := s.written()
	if err != nil {
		return nil, err
	}
	if lost := saved.State.Skipped; all && len(lost) > 0 {
		name := slices.Min(slices.Collect(maps.Keys(lost)))
		return nil, fmt.Errorf("sandtrap: the session cannot be saved: variable %s: %s", name, lost[name])
	}
	sized := &bounded{to: w, room: maxSaved}
	if err := cbor.NewEncoder(sized).Encode(saved); sized.err == nil && err != nil {
		return nil, err
	}
	return saved.State.Skipped, sized.err
}

// written is what is saved of the session.
func (s *Session) written() (*savedSession, error) {
	scope := &savedScope{Session: s.scope}
	var st *engine.State
	err := s.supervised("save", func(run *run) error {
		st = s.engine.Save(scope, run.given(gates.NewBind(0), false))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("sandtrap: the session cannot be saved: %w", err)
	}
	saved, numbers, unnamed, err := s.scope.Save(scope.cells, valued(st))
	if err != nil {
		return nil, fmt.Errorf("sandtrap: the session cannot be saved: %w", err)
	}
	skip(st, unnamed)
	renumber(st, numbers)
	return &savedSession{savedHead{savedFormat, savedVersion}, saved, st, s.cells}, nil
}

// A savedScope remembers the cells that are saved.
type savedScope struct {
	*rewrite.Session
	cells []*rewrite.Cell
}

func (s *savedScope) Live(others []*rewrite.Cell) []*rewrite.Cell {
	s.cells = s.Session.Live(others)
	return s.cells
}

// An overrun is the end of what is no run of a script, by a limit of one.
type overrun struct{ stop *gates.Stop }

func (e overrun) Error() string {
	switch e.stop.Reason {
	case gates.Timeout:
		return "it takes too long"
	case gates.Memory:
		return "it takes too much memory"
	}
	return e.stop.Message
}

// supervised does what is no run of a script with the time and memory of one.
func (s *Session) supervised(name string, do func(*run) error) error {
	run := s.box.newRun(context.Background(), s.env, Script{Name: name}, nil)
	out, stuck := engine.Supervise(run.meter, func() engine.Outcome {
		s.env.begin(run) // what is bound asks it
		defer s.env.end()
		return notRun(do(run))
	})
	switch stop := run.meter.Stopped(); {
	case out.Stop != nil:
		return overrun{out.Stop}
	case stop != nil: // which may have come as a panic
		return overrun{stop}
	case stuck:
		return errors.New("it does not end")
	}
	return out.Fault
}

// valued are the variables of cells that have values in st.
func valued(st *engine.State) map[*rewrite.Cell][]string {
	out := map[*rewrite.Cell][]string{}
	for _, g := range st.Globals {
		if g.Cell > 0 {
			c := st.Cells[g.Cell-1]
			out[c] = append(out[c], g.Name)
		}
	}
	return out
}

// skip leaves out variables that cannot be declared.
func skip(st *engine.State, unnamed map[*rewrite.Cell]map[string]string) {
	st.Globals = slices.DeleteFunc(st.Globals, func(g engine.Global) bool {
		return g.Cell > 0 && unnamed[st.Cells[g.Cell-1]][g.Name] != ""
	})
	for _, names := range unnamed {
		for name, why := range names {
			if st.Skipped == nil {
				st.Skipped = map[string]string{}
			}
			st.Skipped[name] = why
		}
	}
}

// renumber makes the numbers of cells in st those of the cells that are saved. Variables
// of packages have none.
func renumber(st *engine.State, numbers *rewrite.Numbering) {
	at := func(n *int, of func(*rewrite.Cell) int) {
		if *n > 0 {
			*n = of(st.Cells[*n-1])
		}
	}
	for i := range st.Types {
		at(&st.Types[i].Cell, numbers.Of)
	}
	for i := range st.Objects {
		at(&st.Objects[i].Cell, numbers.Of)
	}
	for i := range st.Globals {
		at(&st.Globals[i].Cell, func(c *rewrite.Cell) int { return numbers.OfVariable(c, st.Globals[i].Name) })
	}
}

var errNotSaved = errors.New("sandtrap: not a saved session")

// LoadSession restores a session that Save has written, possibly under another policy:
// its cells are checked as if they were new, and are refused if one of them uses what the
// policy does not allow. It runs no code of the session. r may be untrusted.
func (s *Sandbox) LoadSession(r io.Reader) (session *Session, err error) {
	defer func() {
		if recover() != nil {
			session, err = nil, internalError("the sandbox failed while it loaded the session")
		}
	}()
	if s.workers != nil {
		return s.remoteSession(r)
	}
	text, err := io.ReadAll(io.LimitReader(r, maxSaved+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxSaved {
		return nil, fmt.Errorf("%w: it has more than %d bytes", errNotSaved, maxSaved)
	}
	saved, err := readSaved(text, s.plan.limits.Memory)
	if err != nil {
		return nil, err
	}
	if session, err = s.Session(); err != nil {
		return nil, err
	}
	session.cells = max(0, saved.Count)
	err = session.supervised("load", func(run *run) error { return session.restore(saved, run) })
	switch _, over := errors.AsType[overrun](err); {
	case over:
		err = fmt.Errorf("%w: %w", errNotSaved, err)
	case err != nil:
		err = loadFailure(err)
	}
	if err != nil {
		session.Close()
		return nil, err
	}
	return session, nil
}

// readSaved reads what Save wrote. Other versions may have other fields. What it takes is not charged to the run that
// loads the session: that is twice as much as its values may take, at most.
func readSaved(text []byte, most int64) (*savedSession, error) {
	saved := &savedSession{}
	err := carry.ReadPlain(text, saved, 2*engine.MostSaved(most))
	if err != nil {
		_ = cbor.Unmarshal(text, &saved.savedHead) // as far as it has one
	}
	switch {
	case saved.Format == savedFormat && saved.Version != savedVersion:
		return nil, fmt.Errorf("%w: version %d; this program knows version %d", errNotSaved, saved.Version, savedVersion)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errNotSaved, err)
	case saved.Format != savedFormat || saved.Cells == nil || saved.State == nil:
		return nil, errNotSaved
	}
	return saved, nil
}

// restore compiles the cells of saved, and gives their variables the values.
func (s *Session) restore(saved *savedSession, run *run) error {
	meter := run.meter
	r := s.scope.Restore(saved.Cells, saved.State.Types)
	s.engine.Restoring()
	var packages *rewrite.Cell
	if prog, err := r.Packages(); err != nil {
		return err
	} else if prog != nil {
		packages = prog.Cell()
		if err := s.declare(prog, meter); err != nil {
			return err
		}
	}
	for {
		prog, uses, err := r.Next()
		if err != nil {
			return err
		}
		if prog == nil {
			break
		}
		s.engine.Uses(uses)
		if err := s.declare(prog, meter); err != nil {
			return err
		}
	}
	types, err := r.Types(saved.State.Types)
	if err != nil {
		return err
	}
	s.engine.Prepare(types)
	last, err := r.Last()
	if err != nil {
		return err
	}
	if err := s.declare(last, meter); err != nil {
		return err
	}
	names, err := r.Done()
	if err != nil {
		return err
	}
	s.engine.Uses(names)
	return s.engine.Restore(saved.State, r.Cells(), packages, types, run.given(gates.NewBind(0), false))
}

// declare takes a cell through the stages before its run, and makes what it declares known.
func (s *Session) declare(prog *rewrite.Program, meter *gates.Meter) error {
	cell, err := s.engine.Load(prog, s.box.plan.table.TypeOf, meter)
	if err != nil {
		return notLoaded(err)
	}
	s.env.reentered = s.env.reentered || reentrant(prog)
	if err := s.bind(cell, nil); err != nil {
		return internalError(err.Error())
	}
	cell.Declare()
	return nil
}

// loadFailure is the Error for a cell that is refused, or says that something is no
// session.
func loadFailure(err error) error {
	if r, ok := errors.AsType[diag.Rejections](err); ok {
		return refusal(r)
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return fmt.Errorf("%w: %w", errNotSaved, err)
}
