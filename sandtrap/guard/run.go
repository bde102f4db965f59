package guard

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/arguments"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
	"github.com/sandtrap-go/sandtrap/sandtrap/rules"
)

// process is the ID of this one.
var process = os.Getpid()

// A run decides for one run.
type run struct {
	session *session
	host    decide.Host
	subject decide.Subject
	began   time.Time
	calls   atomic.Int64 // that were decided

	unanswered silence

	warnings, reminders lines
}

// A decision is what becomes of one call.
type decision struct {
	run    *run
	call   decide.Call
	stack  *stack // all its layers have allowed the call, or are about to decide
	args   []reflect.Value
	asks   []question
	taken  []taken         // is given back if the call is not made
	argued bool            // call has its arguments, and so has kept
	kept   json.RawMessage // the arguments for records
	hidden bool            // they are too many to be shown
	cause  error           // of the host's policy engine, or its approver, which has failed: for the record alone
}

// A question is why a call needs approval, and of whom it is asked.
type question struct {
	of     *Policy // whose approver is asked
	reason string
	rule   string // that asks, if one does
	anew   bool   // each time, whatever was said before
	layer  int    // that wants it
	number int    // which of those about the call
}

func (r *run) Call(ctx context.Context, member, at string, args []reflect.Value, do func() []reflect.Value) ([]reflect.Value, error) {
	d := r.decision(member, at, args)
	if err := d.settle(d.decide(ctx)); err != nil {
		return nil, err
	}
	return d.make(do)
}

func (r *run) Start(ctx context.Context, member, at string, args []reflect.Value, refused *decide.Denied) (func(decide.Traffic), error) {
	d := r.decision(member, at, args)
	var err error
	if d.stack = r.session.gate.stack.Load(); refused != nil {
		err = refused
	} else {
		d.stack = new(stack)
		err = d.decide(ctx)
	}
	if err := d.settle(err); err != nil {
		return nil, err
	}
	began := time.Now()
	if err := d.look([]reflect.Value{reflect.Zero(errorType)}); err != nil {
		return nil, err
	}
	return func(t decide.Traffic) { d.ended(t, time.Since(began)) }, nil
}

// decision is what becomes of a call that begins.
func (r *run) decision(member, at string, args []reflect.Value) *decision {
	return &decision{run: r, stack: new(stack), args: args, call: decide.Call{
		Subject: r.subject, Sequence: r.calls.Add(1), Process: process, Member: member, At: at, Risk: r.session.gate.members[member].Risk,
	}}
}

// settle records how the call was decided. One that is not made gives back what it has taken.
func (d *decision) settle(err error) error {
	if failed := d.note(err); failed != nil {
		err = failed
	}
	if err != nil {
		for i := range d.taken {
			d.taken[i].giveBack()
		}
	}
	return err
}

var errorType = reflect.TypeFor[error]()

func (r *run) Repeat(member string, args []reflect.Value, spent bool) {
	d := &decision{run: r, args: args, call: decide.Call{Sequence: r.calls.Add(1), Member: member}}
	layers := r.session.gate.stack.Load().layers
	if first(layers, member) != nil {
		return // no rule has seen it
	}
	for _, l := range layers {
		b := l.members[member]
		if spent {
			_, _ = r.budget(l).take(b.cost)
		}
		if b.rules != nil {
			d.tell(b.rules.Before(args, r.session.state(l)))
		}
	}
}

func (r *run) Return(member string, args, results []reflect.Value) error {
	d := &decision{run: r, args: args, call: decide.Call{Member: member}}
	var refused error
	for _, l := range r.session.gate.stack.Load().layers {
		b := l.members[member]
		if b.rules == nil {
			continue
		}
		if hit := d.tell(b.rules.After(args, results, r.session.state(l))); hit != nil && refused == nil {
			refused = d.blocked(*hit, hintWithheld, "")
		}
	}
	return refused
}

func (r *run) Notice(member string, args, results []reflect.Value) {
	for _, l := range r.session.gate.stack.Load().layers {
		if b := l.members[member]; b != nil && b.rules != nil {
			state := r.session.state(l)
			b.rules.Before(args, state)
			b.rules.After(args, results, state)
		}
	}
}

// tell tells the host of warnings and reminders, and gives the first rule that blocks.
func (d *decision) tell(hits []rules.Hit) (blocks *rules.Hit) {
	for i, hit := range hits {
		switch hit.Do {
		case rules.Ask:
		case rules.Warn:
			d.run.warnings.add(d.call.Member + ": " + hit.Text)
		case rules.Remind:
			d.run.reminders.add(hit.Text)
		default:
			if blocks == nil {
				blocks = &hits[i]
			}
		}
	}
	return blocks
}

func (r *run) Stop(d *decide.Denied) { r.host.Stop(d.Error()) }

// decide passes the gates in their order. What tightens the gate while somebody is asked decides too. The error is a
// *decide.Denied, or a *decide.Deferred.
func (d *decision) decide(ctx context.Context) error {
	for {
		passed := len(d.stack.layers)
		d.stack, d.asks = d.run.session.gate.stack.Load(), nil
		if len(d.stack.layers) == passed {
			return nil
		}
		if err := d.pass(ctx, passed); err != nil {
			return err
		}
	}
}

// pass passes the gates of all layers but those that have allowed the call.
func (d *decision) pass(ctx context.Context, passed int) error {
	layers := d.stack.layers[passed:]
	if denied := first(layers, d.call.Member); denied != nil {
		return denied
	}
	for i, l := range layers {
		if b := l.members[d.call.Member]; b.ask != "" {
			d.wants(question{of: d.approvers(l), reason: b.ask, layer: passed + i})
		}
	}
	for i, l := range layers {
		if p := l.members[d.call.Member].rules; p != nil {
			if err := d.obey(passed+i, p.Before(d.args, d.run.session.state(l)), hintRule); err != nil {
				return err
			}
		}
	}
	if err := d.take(layers); err != nil {
		return err
	}
	for _, l := range layers {
		if l.policy.Decider != nil {
			if err := d.rule(ctx, l); err != nil {
				return err
			}
		}
	}
	for i, q := range d.asks {
		q.number = i
		if !q.anew && d.run.session.allowedAlways(d.call.Member, q.of, q.layer) {
			continue
		}
		if err := d.ask(ctx, q); err != nil {
			return err
		}
	}
	return nil
}

// wants adds a question, unless another layer has the same one for the same approver.
func (d *decision) wants(q question) {
	for i := range d.asks {
		o := &d.asks[i]
		if (o.of == q.of || same(o.of.Approver, q.of.Approver)) && o.reason == q.reason && o.rule == q.rule && o.anew == q.anew {
			o.layer = max(o.layer, q.layer)
			return
		}
	}
	d.asks = append(d.asks, q)
}

// obey does what the rules of a layer say. The hint is that of a rule that blocks.
func (d *decision) obey(layer int, hits []rules.Hit, hint string) error {
	l := d.stack.layers[layer]
	for _, hit := range hits {
		switch hit.Do {
		case rules.Ask:
			if d.approvers(l).Approver == nil {
				return d.blocked(hit, hintRule, ", and nobody is there to be asked")
			}
			d.wants(question{of: d.approvers(l), reason: hit.Text, rule: hit.Rule, layer: layer})
		case rules.Warn:
			d.run.warnings.add(d.call.Member + ": " + hit.Text)
			if err := d.run.recorded(d.stack, d.event(record.Event{Kind: record.KindWarning, Rule: hit.Rule, Reason: hit.Text})); err != nil {
				return err
			}
		case rules.Remind:
			d.run.reminders.add(hit.Text)
		default:
			return d.blocked(hit, hint, "")
		}
	}
	return nil
}

func (d *decision) blocked(hit rules.Hit, hint, more string) *decide.Denied {
	denied := d.no(decide.RuleBlocks, hint, "%s%s", hit.Text, more)
	denied.Rule = hit.Rule
	return denied
}

// make makes the call, and has rules look at its results.
func (d *decision) make(do func() []reflect.Value) ([]reflect.Value, error) {
	began, back := time.Now(), false
	defer func() {
		if !back {
			d.panicked(time.Since(began))
		}
	}()
	results := do()
	back = true
	if results == nil {
		return nil, nil // it has none yet
	}
	err := d.look(results)
	if failed := d.returned(results, time.Since(began), err); failed != nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	return results, nil
}

// look has rules look at the results of a call, all of them: each keeps count of calls that were made.
func (d *decision) look(results []reflect.Value) (err error) {
	for i, l := range d.stack.layers {
		if p := l.members[d.call.Member].rules; p != nil {
			if blocked := d.obey(i, p.After(d.args, results, d.run.session.state(l)), hintWithheld); err == nil {
				err = blocked
			}
		}
	}
	return err
}

// panicked has rules take note of a call that was made and has ended in a panic, which goes on, or with its goroutine. It may have done
// what it is for, so it counts; of its results nothing is known, and there are none to withhold.
func (d *decision) panicked(took time.Duration) {
	for _, l := range d.stack.layers {
		if p := l.members[d.call.Member].rules; p != nil {
			d.tell(p.After(d.args, nil, d.run.session.state(l)))
		}
	}
	if len(d.stack.records) > 0 {
		_ = d.run.recorded(d.stack, d.event(record.Event{Kind: record.KindReturn, Duration: took, Error: "it has not returned"})) // else the run is stopped
	}
}

// approvers is the policy whose approver is asked for l: its own, or else that of the plan.
func (d *decision) approvers(l *layer) *Policy {
	if l.policy.Approver != nil {
		return &l.policy
	}
	return &d.stack.layers[0].policy
}

// no is a refusal.
func (d *decision) no(code decide.Code, hint, format string, args ...any) *decide.Denied {
	return &decide.Denied{Code: code, Member: d.call.Member, Reason: fmt.Sprintf(format, args...), Hint: hint}
}

// take counts the call for rates and budgets.
func (d *decision) take(layers []*layer) error {
	now := time.Now()
	for _, l := range layers {
		for _, r := range d.run.rates(l, d.call.Member) {
			if reason, hint := r.take(now); reason != "" {
				return d.no(decide.RateReached, hint, "%s", reason)
			}
			d.taken = append(d.taken, taken{rate: r, at: now})
		}
	}
	for _, l := range layers {
		if cost := l.members[d.call.Member].cost; cost > 0 {
			budget := d.run.budget(l)
			if reason, hint := budget.take(cost); reason != "" {
				return d.no(decide.BudgetSpent, hint, "%s", reason)
			}
			d.taken = append(d.taken, taken{budget: budget, cost: cost})
		}
	}
	return nil
}

// rule asks a Decider.
func (d *decision) rule(ctx context.Context, l *layer) error {
	if d.argue(); d.hidden {
		return d.no(decide.PolicyRefuses, hintAgain+"pass less at a time", "its arguments are too large, or nested too deep, to be decided about")
	}
	p := &l.policy
	ctx, cancel := context.WithTimeout(ctx, p.DecideTimeout)
	defer cancel()
	ruling, err := answered(ctx, &d.run.session.gate.hung, func() (decide.Ruling, error) { return p.Decider.Decide(ctx, d.call) })
	switch {
	case err == errHung:
		return d.no(decide.PolicyRefuses, hintLater, "the policy engine of the host, or its approver, %v", err)
	case err != nil && ctx.Err() != nil:
		return d.no(decide.PolicyRefuses, hintLater, "the policy engine of the host has not answered within %v", p.DecideTimeout)
	case err != nil:
		d.cause = err
		return d.no(decide.PolicyRefuses, hintLater, "the policy engine of the host failed")
	case !ruling.Allow:
		return d.no(decide.PolicyRefuses, hintNo, "%s", cmp.Or(ruling.Reason, "the policy engine of the host refuses it"))
	case ruling.Ask && d.approvers(l).Approver == nil:
		return d.no(decide.PolicyRefuses, hintNever, "%s, and nobody is there to be asked", cmp.Or(ruling.Reason, "the policy engine of the host wants approval"))
	case ruling.Ask:
		d.wants(question{of: d.approvers(l), reason: cmp.Or(ruling.Reason, "the policy engine of the host wants approval"), anew: true})
	}
	return nil
}

// argue gives the call a copy of its arguments, and its place.
func (d *decision) argue() {
	if d.argued {
		return
	}
	d.argued = true
	m := d.run.session.gate.members[d.call.Member]
	var shown bool
	d.call.Args, shown = arguments.Object(m.Params, d.args)
	d.hidden = !shown
	sum := sha256.Sum256(d.call.Args)
	d.call.Hash = hex.EncodeToString(sum[:])
	d.call.Line = d.run.line(d.call.At)
	if d.kept = d.call.Args; len(m.Unrecorded) > 0 && shown {
		d.kept = without(m.Params, d.args, m.Unrecorded)
	}
}

// without are arguments but for those of some parameters.
func without(params []string, args []reflect.Value, some []string) json.RawMessage {
	var names []string
	var values []reflect.Value
	for i, name := range params {
		if !slices.Contains(some, name) {
			names, values = append(names, name), append(values, args[i])
		}
	}
	text, _ := arguments.Object(names, values)
	return text
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
