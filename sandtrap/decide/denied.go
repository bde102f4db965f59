package decide

import (
	"context"
	"strings"
)

// A Code names the gate that refused a call. Codes are part of records and of the command's JSON: the list is append-only,
// and its order is that of the gates: of a call that several would refuse, the first one is the reason.
type Code string

// The gates.
const (
	Inactive       Code = "inactive"       // the plan was revoked
	Package        Code = "package"        // the package of the member is not listed
	Hidden         Code = "hidden"         // the member is not for scripts
	RiskTooHigh    Code = "risk"           // the member declares more risk than is allowed
	Permissions    Code = "permissions"    // the member requires a permission that was not given
	PolicyRefuses  Code = "policy"         // it is denied, was not approved, or is not granted
	Classification Code = "classification" // the member handles data that is too confidential
	RuleBlocks     Code = "rule"           // a rule blocks it
	RateReached    Code = "rate"           // too many calls in a minute
	BudgetSpent    Code = "budget"         // the calls have cost what they may
)

// Codes are all codes, in the order of the gates.
func Codes() []Code {
	return []Code{Inactive, Package, Hidden, RiskTooHigh, Permissions, PolicyRefuses, Classification, RuleBlocks, RateReached, BudgetSpent}
}

// A Denied is the reason for which a call was refused. A function with an error result returns its text to the script; any
// other ends the run with an error of kind denied.
type Denied struct {
	Code   Code   `json:"code"`
	Member string `json:"member"`
	Rule   string `json:"rule,omitempty"` // its name, for RuleBlocks
	Reason string `json:"reason"`         // one line
	Hint   string `json:"hint,omitempty"` // one line: what the script may do instead
}

// Error is one line that a person or a model can act on.
func (d *Denied) Error() string {
	var b strings.Builder
	b.WriteString(d.Member + " is not allowed: " + d.Reason)
	if d.Hint != "" {
		b.WriteString(" (" + d.Hint + ")")
	}
	return b.String()
}

// A Deferred is the error of a call whose approver answers later. Runs of package durable wait for that; others refuse the call.
type Deferred struct {
	Question int    // which of those about the call, from 0
	Reason   string // for which it was asked
}

func (d *Deferred) Error() string { return "decide: the approver answers later: " + d.Reason }

type answerKey struct{}

// A Heard is the answer to a question for which a call was Deferred.
type Heard struct {
	Deferred
	Answer Answer
}

// WithAnswers is ctx for a call about which somebody was asked before: those are the answers.
func WithAnswers(ctx context.Context, list []Heard) context.Context {
	return context.WithValue(ctx, answerKey{}, list)
}

// AnswerTo is the answer to a question about a call with the context ctx, if there is one already.
func AnswerTo(ctx context.Context, q Deferred) (Answer, bool) {
	list, _ := ctx.Value(answerKey{}).([]Heard)
	for _, h := range list {
		if h.Deferred == q {
			return h.Answer, true
		}
	}
	return Answer{}, false
}
