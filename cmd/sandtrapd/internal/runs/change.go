package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// An Answer is what a call that waits returns to the script: a value, an error, or a verdict for one that waits for approval.
type Answer struct {
	ID      int             `json:"id"`
	Value   json.RawMessage `json:"value,omitempty"`
	Error   string          `json:"error,omitempty"`
	Verdict string          `json:"verdict,omitempty"` // approve or deny
	By      string          `json:"by,omitempty"`      // who has answered, for the record
}

// errCancelled is the cause of the end of a run that somebody has cancelled.
var errCancelled = errors.New("the run was cancelled")

// errUnheard is the error of one whose worker has not said that it has ended it.
var errUnheard = fmt.Errorf("%w; its worker did not answer any more, and what it has done until then is not known", errCancelled)

// Cancel ends a run. One that is over stays as it is.
func (m *Manager) Cancel(ctx context.Context, tenant, id string) (*Run, error) {
	r, err := m.Get(ctx, tenant, id)
	if r == nil {
		return nil, err
	}
	if r.live != nil { // whether it could be written or not
		r.live.cancel(errCancelled)
		_, err := r.Reply(ctx)
		if errors.Is(err, store.ErrState) { // it did not go on after all
			return m.Cancel(ctx, tenant, id)
		}
		return r, err
	}
	if r.of != nil {
		m.o.Stop(r.row.Tenant, id)
		if _, err := r.Reply(ctx); err != nil {
			return nil, err
		}
		return m.Get(ctx, tenant, id)
	}
	if r.row.State != store.Pending {
		return r, nil
	}
	res := &sandtrap.Result{Error: &sandtrap.Error{Kind: sandtrap.KindCancelled, Message: "the run was cancelled while it waited"}}
	kind, result := Ended(res)
	err = m.o.Store.Cancel(r.row.Tenant, id, kind, result)
	if err != nil && !errors.Is(err, store.ErrState) {
		return nil, err
	}
	return m.Get(ctx, tenant, id)
}

// Stop ends a run if it goes on here.
func (m *Manager) Stop(tenant, id string) {
	if l := m.liveOf(tenant, id); l != nil {
		l.cancel(errCancelled)
	}
}

// Delete deletes a run that has ended, with its events and artifacts. Its forks stay, and so does what the record has of it. The error
// matches store.ErrState if it has not ended.
func (m *Manager) Delete(ctx context.Context, tenant, id string) error {
	r, err := m.Get(ctx, tenant, id)
	if err != nil {
		return err
	}
	return m.o.Store.DeleteRun(r.row.Tenant, id)
}

// Abandon ends a run whose client is gone, if it goes on.
func (r *Run) Abandon() {
	if r.live != nil {
		r.live.cancel(errCancelled)
	}
}

// Answer has a run that waits go on. An answer that does not fit its call is an error, and nothing has changed.
func (m *Manager) Answer(ctx context.Context, tenant, id string, answers []Answer) (*Run, error) {
	r, err := m.Get(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	if r.live != nil || r.row.State != store.Pending {
		return nil, store.InState("the run is %s: only one that is pending takes answers", r.View().State)
	}
	var q Request
	if err := json.Unmarshal(r.row.Request, &q); err != nil {
		return nil, err
	}
	in, err := m.runnerOf(ctx, r.row, &q)
	if errors.Is(err, store.ErrState) || errors.Is(err, store.ErrNone) || errors.Is(err, ErrDraining) || errors.Is(err, ErrBusy) { // of the session
		return nil, err
	} else if err != nil {
		return nil, requestError(err)
	}
	l, err := m.answer(ctx, r.row, in, answers)
	if err != nil {
		in.Release()
		return nil, err
	}
	go m.resume(l, in, answers)
	return &Run{row: r.row, live: l}, nil
}

// answer makes a run live that goes on with answers, and writes these.
func (m *Manager) answer(ctx context.Context, row *store.Run, in *runner, answers []Answer) (*live, error) {
	if err := check(in.Box, ViewOf(row).Pending, answers); err != nil {
		return nil, err
	}
	slot, err := m.o.Limits.Resume(row.Tenant)
	if err != nil {
		return nil, err
	}
	row.Answers = encode(answers)
	l, err := m.begin(row, slot, in.Repeats(), false)
	if err != nil {
		return nil, err
	}
	if err := m.o.Store.Answer(row.Tenant, row.ID, row.Part, row.Answers); err != nil {
		return nil, m.refuse(l, err)
	}
	l.caller = ctx
	return l, nil
}

// check checks answers to calls that wait.
func check(box *plans.Box, pending []runjson.Pending, answers []Answer) error {
	if len(answers) == 0 {
		return fmt.Errorf("%w: answers: there are none", ErrRequest)
	}
	seen := map[int]bool{}
	for _, a := range answers {
		at := slices.IndexFunc(pending, func(p runjson.Pending) bool { return p.ID == a.ID })
		switch {
		case at < 0:
			return fmt.Errorf("%w: answers: no call with the id %d waits", ErrRequest, a.ID)
		case seen[a.ID]:
			return fmt.Errorf("%w: answers: there are two to the call %d", ErrRequest, a.ID)
		}
		seen[a.ID] = true
		if err := a.check(box, &pending[at]); err != nil {
			return fmt.Errorf("%w: answers: call %d, %s: %s", ErrRequest, a.ID, pending[at].Name, strings.TrimPrefix(err.Error(), pending[at].Name+": "))
		}
	}
	return nil
}

func (a *Answer) check(box *plans.Box, p *runjson.Pending) error {
	approves := a.Verdict == "approve" || a.Verdict == "deny"
	switch {
	case p.Ask != "" && (!approves || len(a.Value) > 0):
		return errors.New(`it waits for approval: want "verdict": "approve", or "deny" with an error that says why`)
	case p.Ask != "":
		return nil
	case a.Verdict != "":
		return errors.New("it waits for a value, and not for approval")
	case len(a.Value) > 0 && a.Error != "":
		return errors.New("want a value or an error, not both")
	case a.Error == "" && box.Tools != nil:
		return box.Tools.Check(p.Name, a.Value)
	}
	return nil
}

// resume goes on with a run. It prints again what events have told of, which is skipped.
func (m *Manager) resume(l *live, in *runner, answers []Answer) {
	m.wait(l, in)
	if len(answers) > 0 {
		l.log.add(EventResume, now(), map[string]int{"answers": len(answers)})
	}
	m.recordAnswers(l, answers)
	if in.cell == nil {
		m.part(l, in, func() outcome { return m.dispatch(l, in, nil) })
		return
	}
	out := durable.Output{Stdout: l.stdout, Stderr: l.stderr, StdoutSkip: l.stdout.told.Load(), StderrSkip: l.stderr.told.Load()}
	m.inTurn(l, in, func(ctx context.Context) outcome { return in.resume(durable.WithOutput(ctx, out), l.row, answers) })
}

func durableAnswers(answers []Answer) (list []durable.Answer) {
	for _, a := range answers {
		d := durable.Answer{ID: a.ID, Result: a.Value, By: a.By}
		switch a.Verdict {
		case "approve":
			d.Verdict = decide.Approve
		case "deny":
			d.Verdict = decide.Deny
		}
		if a.Error != "" {
			d.Err = errors.New(a.Error)
		}
		list = append(list, d)
	}
	return list
}

// maxForks bounds how many forks one request makes.
const maxForks = 100

// Fork makes n runs of one that waits: each waits where it does, and goes its own way from there.
func (m *Manager) Fork(ctx context.Context, tenant, id string, n int) (list []View, err error) {
	if n < 1 || n > maxForks {
		return nil, fmt.Errorf("%w: n: %d; want 1 to %d", ErrRequest, n, maxForks)
	}
	r, err := m.Get(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	if r.live != nil || r.row.State != store.Pending {
		return nil, store.InState("the run is %s: only one that is pending can be forked", r.View().State)
	}
	if r.row.Session != "" {
		return nil, store.InState("the run is in a session, in which one run goes on at a time: fork the session, which then has what it had before this run")
	}
	if size := burdenOf(r.row).bytes + int64(len(r.row.Pending)); n > 1 && int64(n)*size > maxFork {
		return nil, fmt.Errorf("%w: n: %d, and the run takes %d bytes: want at most %d forks of it at a time", ErrRequest, n, size, max(1, maxFork/size))
	}
	slot, err := m.o.Limits.Fork(ctx, r.row.Tenant, n)
	if err != nil {
		return nil, err
	}
	var rows []*store.Run
	for range n {
		fork := *r.row
		fork.Seq, fork.ID, fork.Parent, fork.Key, fork.Created, fork.Part, fork.Quota = 0, NewID("run"), r.row.ID, "", time.Now(), 0, slot.Quota()
		rows = append(rows, &fork)
		list = append(list, ViewOf(&fork))
	}
	if err := m.o.Store.AddRuns(rows...); err != nil {
		return nil, slot.Refuse(err)
	}
	slot.End(0)
	return list, nil
}
