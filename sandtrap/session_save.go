package sandtrap

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/fxamacker/cbor/v2"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// savedVersion is that of the format, and what a saved session begins with.
const savedVersion = 2

// maxSaved bounds the bytes of a saved session.
const maxSaved = 256 << 20

// A savedSession is what Save writes, in CBOR.
type savedSession struct {
	Format  string                `cbor:"format"`
	Version int                   `cbor:"version"`
	Cells   *rewrite.SavedSession `cbor:"cells"`
	State   *engine.State         `cbor:"state"`
	Count   int                   `cbor:"count"` // of cells that were run
}

const savedFormat = "sandtrap session"

// Save writes the session down: the sources of the cells that declare what is there, and
// the values of their variables, with what they share and how they refer to each other.
// Functions of the host are saved by their names. What cannot be saved, such as an open
// file, is an error that names the variable.
func (s *Session) Save(w io.Writer) (err error) {
	s.asking.Lock()
	leave, err := s.enter()
	s.asking.Unlock() // w may ask, too
	if err != nil {
		return err
	}
	defer leave()
	defer func() {
		if recover() != nil {
			err = internalError("the sandbox failed while it saved the session")
		}
	}()
	if s.remote != nil {
		return s.remote.save(w)
	}
	s.tidy(true)
	var cells []*rewrite.Cell
	st, err := s.engine.Save(func(others []*rewrite.Cell) []*rewrite.Cell {
		cells = s.scope.Live(others)
		return cells
	})
	if err != nil {
		return fmt.Errorf("sandtrap: the session cannot be saved: %w", err)
	}
	saved, numbers, err := s.scope.Save(cells, valued(st))
	if err != nil {
		return fmt.Errorf("sandtrap: the session cannot be saved: %w", err)
	}
	renumber(st, numbers)
	return cbor.NewEncoder(w).Encode(savedSession{savedFormat, savedVersion, saved, st, s.cells})
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

// renumber makes the numbers of cells in st those of the cells that are saved. Variables
// of packages have none.
func renumber(st *engine.State, numbers *rewrite.Numbering) {
	at := func(n *int, name string) {
		if *n > 0 {
			*n = numbers.Of(st.Cells[*n-1], name)
		}
	}
	for i := range st.Types {
		at(&st.Types[i].Cell, "")
	}
	for i := range st.Objects {
		at(&st.Objects[i].Cell, "")
	}
	for i := range st.Globals {
		at(&st.Globals[i].Cell, st.Globals[i].Name)
	}
}

var errNotSaved = errors.New("sandtrap: not a saved session")

// LoadSession makes a session again that Save has written, maybe under another policy:
// its cells are checked as if they were new, and are refused if one of them uses what the
// policy does not allow. Nothing of the session is run. r may have been written by
// anybody.
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
	mode, err := cbor.DecOptions{
		MaxNestedLevels: 16, MaxArrayElements: 1 << 25, MaxMapPairs: 1 << 20,
		IndefLength: cbor.IndefLengthForbidden, TagsMd: cbor.TagsForbidden, DupMapKey: cbor.DupMapKeyEnforcedAPF,
		ExtraReturnErrors: cbor.ExtraDecErrorUnknownField,
	}.DecMode()
	if err != nil {
		return nil, err
	}
	var saved savedSession
	if err := mode.Unmarshal(text, &saved); err != nil {
		return nil, fmt.Errorf("%w: %w", errNotSaved, err)
	}
	if saved.Format != savedFormat || saved.Cells == nil || saved.State == nil {
		return nil, errNotSaved
	}
	if saved.Version != savedVersion {
		return nil, fmt.Errorf("%w: version %d; this program knows version %d", errNotSaved, saved.Version, savedVersion)
	}
	if session, err = s.Session(); err != nil {
		return nil, err
	}
	session.cells = max(0, saved.Count)
	run := s.newRun(context.Background(), session.env, Script{Name: "load"}, nil)
	out, stuck := engine.Supervise(run.meter, func() engine.Outcome {
		session.env.begin(run) // what is bound asks it
		defer session.env.end()
		return notRun(session.restore(&saved, run.meter))
	})
	switch {
	case out.Stop != nil || stuck:
		err = fmt.Errorf("%w: it takes too long to load", errNotSaved)
	case out.Fault != nil:
		err = loadFailure(out.Fault)
	}
	if err != nil {
		session.Close()
		return nil, err
	}
	return session, nil
}

// restore compiles the cells of saved, and gives their variables the values.
func (s *Session) restore(saved *savedSession, meter *gates.Meter) error {
	r := s.scope.Restore(saved.Cells)
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
	return s.engine.Restore(saved.State, r.Cells(), packages, types, meter)
}

// declare takes a cell through the stages before its run, and makes what it declares
// known.
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
