package guard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// A run decides for one run.
type run struct {
	session *session
	host    decide.Host
	subject decide.Subject
	began   time.Time
	records bool         // events go somewhere
	calls   atomic.Int64 // that were decided
}

// A decision is what becomes of one call.
type decision struct {
	run    *run
	call   decide.Call
	layers []*layer
	args   []reflect.Value
	asks   []question
	taken  []func() // give back what the call has used, if it is not made
	argued bool     // call has its arguments
}

// A question is why a call needs approval, and of whom it is asked.
type question struct {
	of     *Policy // whose approver is asked
	reason string
	rule   string // that asks, if one does
	anew   bool   // each time, whatever was said before
}

func (r *run) Call(ctx context.Context, member, at string, args []reflect.Value, do func() []reflect.Value) ([]reflect.Value, error) {
	d := &decision{run: r, layers: *r.session.gate.layers.Load(), args: args}
	d.call = decide.Call{Subject: r.subject, Sequence: r.calls.Add(1), Process: os.Getpid(), Member: member, At: at, Risk: r.session.gate.members[member].Risk}
	err := d.decide(ctx)
	if failed := d.note(err); failed != nil {
		err = failed
	}
	if err != nil {
		for _, giveBack := range d.taken {
			giveBack()
		}
		return nil, err
	}
	return d.make(do)
}

func (r *run) Stop(d *decide.Denied) { r.host.Stop(d.Error()) }

// decide passes the gates in their order. The error is a *decide.Denied, or ErrLater.
func (d *decision) decide(ctx context.Context) error {
	if denied, _ := first(d.layers, d.call.Member); denied != nil {
		return denied
	}
	for _, l := range d.layers {
		if b := l.members[d.call.Member]; b.ask != "" {
			d.asks = append(d.asks, question{of: d.approvers(l), reason: b.ask})
		}
	}
	for _, l := range d.layers {
		if p := l.members[d.call.Member].rules; p != nil {
			if err := d.obey(l, p.Before(d.args, d.run.session.state(l))); err != nil {
				return err
			}
		}
	}
	if err := d.take(); err != nil {
		return err
	}
	for _, l := range d.layers {
		if l.policy.Decider != nil {
			if err := d.rule(ctx, &l.policy); err != nil {
				return err
			}
		}
	}
	for _, q := range d.asks {
		if !q.anew && d.run.session.allowedAlways(d.call.Member) {
			continue
		}
		if err := d.ask(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// obey does what the rules of a layer say.
func (d *decision) obey(l *layer, hits []rules.Hit) error {
	for _, hit := range hits {
		switch hit.Do {
		case rules.Ask:
			if d.approvers(l).Approver == nil {
				return d.blocked(hit, ", and nobody is there to be asked")
			}
			d.asks = append(d.asks, question{of: d.approvers(l), reason: hit.Text, rule: hit.Rule})
		case rules.Warn:
			d.run.host.Warn(d.call.Member + ": " + hit.Text)
			if err := d.run.recorded(d.layers, d.event(record.Event{Kind: record.KindWarning, Rule: hit.Rule, Reason: hit.Text})); err != nil {
				return err
			}
		case rules.Remind:
			d.run.host.Remind(hit.Text)
		default:
			return d.blocked(hit, "")
		}
	}
	return nil
}

func (d *decision) blocked(hit rules.Hit, more string) *decide.Denied {
	denied := d.no(decide.RuleBlocks, "%s%s", hit.Text, more)
	denied.Rule = hit.Rule
	return denied
}

// make makes the call, and has rules look at its results.
func (d *decision) make(do func() []reflect.Value) ([]reflect.Value, error) {
	began := time.Now()
	results := do()
	var err error
	for _, l := range d.layers {
		if p := l.members[d.call.Member].rules; p != nil && err == nil {
			err = d.obey(l, p.After(d.args, results, d.run.session.state(l)))
		}
	}
	if failed := d.returned(results, time.Since(began), err); failed != nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	return results, nil
}

// approvers is the policy whose approver is asked for l: its own, or else that of the plan.
func (d *decision) approvers(l *layer) *Policy {
	if l.policy.Approver != nil {
		return &l.policy
	}
	return &d.layers[0].policy
}

// no is a refusal.
func (d *decision) no(code decide.Code, format string, args ...any) *decide.Denied {
	return &decide.Denied{Code: code, Member: d.call.Member, Reason: fmt.Sprintf(format, args...)}
}

// take counts the call for rates and budgets.
func (d *decision) take() error {
	now := time.Now()
	for _, l := range d.layers {
		for _, r := range l.members[d.call.Member].rates {
			if err := r.take(now); err != nil {
				return d.no(decide.RateReached, "%v", err)
			}
			d.taken = append(d.taken, func() { r.giveBack(now) })
		}
	}
	for _, l := range d.layers {
		cost := l.members[d.call.Member].cost
		if err := l.policy.Budget.take(cost); err != nil {
			return d.no(decide.BudgetSpent, "%v", err)
		}
		d.taken = append(d.taken, func() { l.policy.Budget.giveBack(cost) })
	}
	return nil
}

// rule asks a Decider.
func (d *decision) rule(ctx context.Context, p *Policy) error {
	d.argue()
	ctx, cancel := context.WithTimeout(ctx, p.DecideTimeout)
	defer cancel()
	ruling, err := answered(ctx, func() (decide.Ruling, error) { return p.Decider.Decide(ctx, d.call) })
	switch {
	case err != nil && ctx.Err() != nil:
		return d.no(decide.PolicyRefuses, "the policy engine of the host has not answered within %v", p.DecideTimeout)
	case err != nil:
		return d.no(decide.PolicyRefuses, "the policy engine of the host failed")
	case !ruling.Allow:
		return d.no(decide.PolicyRefuses, "%s", orElse(ruling.Reason, "the policy engine of the host refuses it"))
	case ruling.Ask && p.Approver == nil:
		return d.no(decide.PolicyRefuses, "%s, and nobody is there to be asked", orElse(ruling.Reason, "the policy engine of the host wants approval"))
	case ruling.Ask:
		d.asks = append(d.asks, question{of: p, reason: orElse(ruling.Reason, "the policy engine of the host wants approval"), anew: true})
	}
	return nil
}

// answered is what ask gives, before the end of ctx; a panic, or an end of its goroutine, is an error.
func answered[T any](ctx context.Context, ask func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	got := make(chan answer, 1)
	go func() {
		a := answer{err: errors.New("no answer")}
		defer func() {
			if p := recover(); p != nil {
				a = answer{err: fmt.Errorf("it panicked with a %T", p)}
			}
			got <- a
		}()
		value, err := ask()
		a = answer{value, err}
	}()
	select {
	case a := <-got:
		if ctx.Err() != nil { // it comes too late
			return *new(T), ctx.Err()
		}
		return a.value, a.err
	case <-ctx.Done():
		return *new(T), ctx.Err()
	}
}

// argue gives the call a copy of its arguments, and its place.
func (d *decision) argue() {
	if d.argued {
		return
	}
	d.argued = true
	m := d.run.session.gate.members[d.call.Member]
	d.call.Args = object(m.Params, d.args)
	sum := sha256.Sum256(d.call.Args)
	d.call.Hash = hex.EncodeToString(sum[:])
	d.call.Line = d.run.line(d.call.At)
}

// line is the line of the script at a place.
func (r *run) line(at string) string {
	place, ok := strings.CutPrefix(at, r.host.Name+":")
	n, err := strconv.Atoi(place)
	if !ok || err != nil {
		return ""
	}
	for text := range strings.Lines(r.host.Source) {
		if n--; n == 0 {
			return strings.TrimRight(text, "\r\n")
		}
	}
	return ""
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
