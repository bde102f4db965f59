package decide

import (
	"context"
	"encoding/json"
)

// A Subject says on whose behalf a script runs. The host gives it with the context of the run; all of it may be empty.
type Subject struct {
	Tenant  string `json:"tenant,omitempty"`
	Session string `json:"session,omitempty"`
	Run     string `json:"run,omitempty"`
}

type subjectKey struct{}

// WithSubject is ctx for runs on behalf of s.
func WithSubject(ctx context.Context, s Subject) context.Context {
	return context.WithValue(ctx, subjectKey{}, s)
}

// SubjectOf is the subject of ctx, empty if it has none.
func SubjectOf(ctx context.Context) Subject {
	s, _ := ctx.Value(subjectKey{}).(Subject)
	return s
}

// A Call is a call of a member that is to be decided. Nothing in it is shared with the script.
type Call struct {
	Subject
	Sequence int64           `json:"sequence"` // of the call among those that are decided in the run, from 1
	Process  int             `json:"process"`  // ID of the process that decides
	Member   string          `json:"member"`   // "sendMail"; "example.com/mail.Send", by the import path of its package; "file.write" for files
	Args     json.RawMessage `json:"args"`     // an object by the names of the parameters, as encoding/json writes them
	Hash     string          `json:"hash"`     // SHA-256 of Args, in hex
	At       string          `json:"at"`       // position in the script, file:line; as a worker says, which an attacker may control
	Line     string          `json:"line"`     // of the source, at At
	Risk     Risk            `json:"risk,omitempty"`
}

// A Decider is a policy engine of the host's. It can only narrow: it is asked about calls that would be made, after all gates
// that refuse and before anybody is asked for approval. An error, a panic and the end of ctx deny. It is called from any
// goroutine. It should return when ctx ends, as an Approver.
type Decider interface {
	Decide(ctx context.Context, c Call) (Ruling, error)
}

// A Ruling is the answer of a Decider. The zero Ruling denies.
type Ruling struct {
	Allow  bool   `json:"allow"`
	Ask    bool   `json:"ask,omitempty"`    // with Allow: the Approver is asked too
	Reason string `json:"reason,omitempty"` // shown to the script if it denies, to the approver if it asks
}

// An Approver is asked about calls that need approval.
type Approver interface {
	// Ask returns an answer for each request; calls of a run that wait at the same time come together. Requests without an
	// answer, unknown IDs, an error, a panic, and the end of ctx, which comes after the policy's time for it, deny.
	// While it waits the clock of the run stands, and other goroutines of the script go on. It is called from any
	// goroutine, for several runs at a time. It should return when ctx ends: while 64 calls have not, no more are made, and
	// what would be asked is denied.
	Ask(ctx context.Context, requests []Request) ([]Answer, error)
}

// A Request is a call that waits for approval. It has a copy of the arguments: the call is made with them, whatever the
// script does meanwhile.
type Request struct {
	ID int64 `json:"id"` // unique in the run
	Call
	Reason string `json:"reason"`         // why it is asked
	Rule   string `json:"rule,omitempty"` // the name of the rule that asks, if one does
	Always string `json:"always"`         // what Answer.Always would mean, in words
}

// An Answer is the answer to a Request. The zero Verdict denies.
type Answer struct {
	ID      int64   `json:"id"`
	Verdict Verdict `json:"verdict"`
	Always  bool    `json:"always,omitempty"` // with Approve: as Request.Always says, for the rest of the session, or of the run
	Reason  string  `json:"reason,omitempty"` // of a refusal, for the script
	By      string  `json:"by,omitempty"`     // who answered, for the record
}

// A Verdict is what an Approver says to a request.
type Verdict string

// The verdicts. Any other denies.
const (
	Approve Verdict = "approve"
	Deny    Verdict = "deny"
	Later   Verdict = "later" // a run of package durable pauses; any other is denied
)
