package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/guard"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// guard puts the guard of the policy files of o before its functions, or one that only records, if there is none and a record.
func (c *call) guard(o *options) error {
	if err := o.file.Declare(o.policy.Funcs); err != nil {
		return err
	}
	var p guard.Policy
	switch {
	case o.file.Guard != nil:
		p = *o.file.Guard
	case o.ask:
		return errors.New("--ask: no policy file has the key guard, so no call needs approval")
	case o.record == "":
		return nil
	default:
		p.Deny = o.file.Closed()
	}
	p.Approver = unasked{}
	o.guards = o.file.GuardOf(p)
	o.policy.Guard = o.guards
	return nil
}

// unasked is the approver where --ask is not given.
type unasked struct{}

func (unasked) Ask(_ context.Context, requests []decide.Request) (answers []decide.Answer, err error) {
	for _, r := range requests {
		answers = append(answers, decide.Answer{ID: r.ID, Verdict: decide.Deny, Reason: "nobody is asked without --ask"})
	}
	return answers, nil
}

// deciding calls do while the record of o is open, and the terminal at which it asks, if it has them.
func (c *call) deciding(o *options, do func() int) int {
	if o.gate != nil {
		defer o.gate.Close()
	}
	if o.ask {
		terminal, err := openAsker(false)
		if err != nil {
			return c.usage(fmt.Errorf("--ask: %w", err))
		}
		defer terminal.Close()
		o.guards.Approver = terminal
	}
	if o.record == "" {
		return do()
	}
	log, err := record.Open(o.record, record.Options{})
	if err != nil {
		return c.usage(err)
	}
	o.guards.Record = log
	if o.policy.Isolation == sandtrap.Kernel {
		o.policy.Audit = func(r audit.Refusal) {
			_ = log.Write(record.Syscall(decide.Subject{}, r)) // a Log that has failed gives the error to the next call
		}
	}
	code := do()
	if err := log.Close(); err != nil {
		c.usage(err)
		return max(code, exitInternal)
	}
	return code
}
