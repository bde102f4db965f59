package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
)

// Members are the functions of a policy that have a journal, by their names.
type Members struct {
	errs   *carry.Errors
	byName map[string]*wrapped
	pauses map[string]bool // and nothing is decided before

	// Guards reports that a gate decides about calls of a function, and may ask about them, if not nil. It is set before any is added.
	Guards func(name string) (guards, asks bool)
}

// NewMembers are none yet. They know errors by errs.
func NewMembers(errs *carry.Errors) *Members {
	return &Members{errs: errs, byName: map[string]*wrapped{}, pauses: map[string]bool{}}
}

// Add is a function for fn whose calls are those of the Run in their context, which is its first parameter. The error
// says which type a journal cannot hold.
func (m *Members) Add(name string, fn reflect.Value, params []string, pauses bool) (any, error) {
	w, own, err := wrap(name, fn, params, m.errs)
	if err != nil {
		return nil, err
	}
	if w.pauses = pauses; m.Guards != nil {
		w.guarded, w.asked = m.Guards(name)
	}
	m.byName[name], m.pauses[name] = w, pauses && !w.guarded
	return own, nil
}

// Known adds an error that keeps its identity in a journal. All processes add the same in the same order.
func (m *Members) Known(err error) { m.errs.Add(err) }

// Pauses reports that calls of the function wait for answers.
func (m *Members) Pauses(name string) bool { return m.pauses[name] }

// CanWait is the error that no call of a policy waits so: for the result of a function whose calls do not, or for an approval that
// nobody decides about.
func (m *Members) CanWait(w *Waiting) error {
	of := m.byName[w.Name]
	switch {
	case of == nil:
		return fmt.Errorf("the policy has no function %s", w.Name)
	case w.Ask != "" && !of.asked:
		return fmt.Errorf("calls of %s need no approval", w.Name)
	case w.Ask == "" && !of.pauses:
		return fmt.Errorf("calls of %s do not wait", w.Name)
	case !bytes.HasPrefix(w.Args, []byte("{")):
		return fmt.Errorf("the arguments of %s are no object", w.Name)
	}
	return nil
}

// Outcome is that of a call which has returned. The error is that its results do not fit the function.
func (m *Members) Outcome(r *Return) (*Outcome, error) {
	w := m.byName[r.Name]
	if w == nil {
		return nil, fmt.Errorf("the policy has no function %s", r.Name)
	}
	out := r.outcome()
	_, err := w.read(out)
	return out, err
}

// Results are what a call of the function with this outcome gives the script. They panic if the outcome does.
func (m *Members) Results(name string, out *Outcome) ([]reflect.Value, error) {
	return m.byName[name].returned(out)
}

// Answer is the outcome of a call of a function with the result, in JSON, or with an error.
func (m *Members) Answer(name string, result json.RawMessage, failed error) (*Outcome, error) {
	w := m.byName[name]
	if w == nil {
		return nil, fmt.Errorf("the policy has no function %s", name)
	}
	if failed != nil && !w.fails {
		return &Outcome{Panic: m.errs.PanicText(m.errs.NewPanic(failed.Error()))}, nil
	}
	out := &Outcome{}
	if failed != nil {
		out.Err = m.errs.ErrorText(failed)
	}
	switch {
	case len(result) == 0 && failed == nil && len(w.results) > 0:
		return nil, fmt.Errorf("it has no Result: give it %s, or an Err", w.wanted())
	case len(result) == 0:
	case !json.Valid(result):
		return nil, fmt.Errorf("%s is no JSON; Result is %s", short(result), w.wanted())
	case len(w.results) == 1:
		out.Result = append(append(json.RawMessage{'['}, result...), ']')
	default:
		out.Result = result
	}
	if _, err := w.values(out.Result); err != nil {
		return nil, fmt.Errorf("%w; Result is %s", err, w.wanted())
	}
	return out, nil
}
