package guard

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// record writes an event of the run to the records of all layers.
func (r *run) record(s *stack, e record.Event) error {
	if len(s.records) == 0 {
		return nil
	}
	e.Time, e.Subject, e.Process, e.Script = time.Now(), r.subject, process, r.host.Name
	var failed error
	for _, l := range s.records {
		if err := written(l.policy.Record, e); err != nil && !l.policy.RecordMayFail {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// written writes an event; a sink that panics has failed.
func written(to record.Sink, e record.Event) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the sink panicked with a %T", p)
		}
	}()
	return to.Write(e)
}

// recorded is record for what may only happen if it is recorded: else the run ends.
func (r *run) recorded(s *stack, e record.Event) error {
	if err := r.record(s, e); err != nil {
		r.host.Stop("the record of the run cannot be written: " + err.Error())
		return &decide.Denied{Code: decide.Inactive, Member: e.Member, Reason: "the record of the run cannot be written", Hint: hintRecord}
	}
	return nil
}

// event is e with what it says of the call.
func (d *decision) event(e record.Event) record.Event {
	if len(d.stack.records) > 0 {
		d.argue()
	}
	e.Sequence, e.Member, e.Args, e.Hash, e.At, e.Risk = d.call.Sequence, d.call.Member, d.kept, d.call.Hash, d.call.At, d.call.Risk
	return e
}

// note records what was decided. The error is that of the record.
func (d *decision) note(err error) error {
	if len(d.stack.records) == 0 {
		return nil
	}
	e := record.Event{Kind: record.KindDecision, Decision: record.Allow}
	denied, isDenied := errors.AsType[*decide.Denied](err)
	switch {
	case isDenied:
		e.Decision, e.Code, e.Rule, e.Reason, e.Error = record.Deny, denied.Code, denied.Rule, denied.Reason, d.failure()
	case err != nil:
		e.Decision = record.Later
	default:
		for _, l := range d.stack.layers {
			e.Reason = cmp.Or(e.Reason, l.members[d.call.Member].grant)
		}
	}
	return d.run.recorded(d.stack, d.event(e))
}

// failure is why whoever was asked has failed. The script does not get it, since it may say how the host is made.
func (d *decision) failure() string {
	if d.cause == nil {
		return ""
	}
	return d.cause.Error()
}

// answerEvent is the event of an answer.
func (d *decision) answerEvent(q question, a decide.Answer, err error, took time.Duration) record.Event {
	e := record.Event{Kind: record.KindAnswer, Decision: record.Allow, Rule: q.rule, Reason: a.Reason, By: a.By, Duration: took}
	denied, isDenied := errors.AsType[*decide.Denied](err)
	switch {
	case isDenied:
		e.Decision, e.Code, e.Reason, e.Error = record.Deny, denied.Code, denied.Reason, d.failure()
	case err != nil:
		e.Decision = record.Later
	}
	return d.event(e)
}

// returned records the end of a call whose results rules have refused with err, or have not.
func (d *decision) returned(results []reflect.Value, took time.Duration, err error) error {
	if len(d.stack.records) == 0 {
		return nil
	}
	e := record.Event{Kind: record.KindReturn, Duration: took}
	if denied, ok := errors.AsType[*decide.Denied](err); ok {
		e.Decision, e.Code, e.Rule, e.Reason = record.Deny, denied.Code, denied.Rule, denied.Reason
	}
	if n := len(results); n > 0 {
		if failed, ok := results[n-1].Interface().(error); ok {
			e.Error = failed.Error()
		}
	}
	return d.run.recorded(d.stack, d.event(e))
}

// ended records what a request has come to. If that fails the run ends.
func (d *decision) ended(t decide.Traffic, took time.Duration) {
	if len(d.stack.records) == 0 {
		return
	}
	e := record.Event{Kind: record.KindReturn, Duration: took, Status: t.Status, Sent: t.Sent, Received: t.Received, Error: t.Error, Reason: t.Note}
	if t.Refused != nil {
		e.Decision, e.Code, e.Reason = record.Deny, t.Refused.Code, t.Refused.Reason
	}
	_ = d.run.recorded(d.stack, d.event(e))
}

func (r *run) End(o decide.Outcome) {
	e := record.Event{Kind: record.KindEnd, Outcome: cmp.Or(o.Kind, "ok"), Error: o.Message, Ticks: o.Ticks, Duration: time.Since(r.began)}
	stack := r.session.gate.stack.Load()
	if err := errors.Join(r.recordUse(stack, o), r.record(stack, e)); err != nil {
		r.host.Warn("the end of the run is not in its record: " + err.Error())
	}
}

// recordUse records what the run has used, if that is known.
func (r *run) recordUse(s *stack, o decide.Outcome) error {
	if len(s.records) == 0 || o.Used == nil {
		return nil
	}
	used := o.Used()
	u := record.Use{Standard: used.Standard, Own: used.Own, Peak: used.Peak, Output: used.Output, Artifacts: used.Artifacts}
	for _, name := range used.Host {
		m := r.session.gate.members[name]
		u.Host = append(u.Host, record.Reach{Name: name, Risk: m.Risk, Requires: m.Requires, Class: m.Class, Cost: m.Cost})
	}
	args, err := json.Marshal(u)
	if err != nil {
		return err
	}
	return r.record(s, record.Event{Kind: record.KindUse, Args: args})
}
