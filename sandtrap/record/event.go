package record

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// An Event is a decision about a call of a script, or a step of a run. All fields but Kind may be empty; an empty Time is the
// time of the write.
type Event struct {
	Time time.Time `json:"time"`
	Kind Kind      `json:"kind"`
	decide.Subject
	Sequence int64           `json:"sequence,omitempty"`  // of the call in its run, from 1
	Process  int             `json:"process,omitempty"`   // ID of the process that decides; of KindSyscall, of the worker's thread
	Script   string          `json:"script,omitempty"`    // its name
	Member   string          `json:"member,omitempty"`    // as in decide.Call; of KindSyscall, the name of the system call
	Args     json.RawMessage `json:"args,omitempty"`      // sinks of this package write a redacted copy
	Hash     string          `json:"args_hash,omitempty"` // SHA-256 of the arguments before they were redacted, in hex
	At       string          `json:"at,omitempty"`        // position in the script, file:line
	Risk     decide.Risk     `json:"risk,omitempty"`
	Decision Decision        `json:"decision,omitempty"`
	Code     decide.Code     `json:"code,omitempty"` // of the gate that refused
	Rule     string          `json:"rule,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	By       string          `json:"by,omitempty"`          // who answered
	Duration time.Duration   `json:"duration_ns,omitempty"` // of the call, the wait for an answer, or the run
	Outcome  string          `json:"outcome,omitempty"`     // of KindEnd: "ok" or the kind of the error
	Error    string          `json:"error,omitempty"`
	Ticks    int64           `json:"ticks,omitempty"`    // of the run so far
	Status   int             `json:"status,omitempty"`   // of the response to a request
	Sent     int64           `json:"sent,omitempty"`     // bytes of a request, with its header
	Received int64           `json:"received,omitempty"` // bytes of its response, with the header, decompressed
}

// A Kind says what an event tells of. Kinds are part of records, so the list is append-only.
type Kind string

// The kinds.
const (
	KindStart    Kind = "start"    // of a run
	KindDecision Kind = "decision" // a call was allowed or denied, needs an answer, or waits
	KindApproval Kind = "approval" // an approver is asked
	KindAnswer   Kind = "answer"   // an approver has answered, or did not in time
	KindReturn   Kind = "return"   // a call that was allowed has returned
	KindWarning  Kind = "warning"  // a rule warns
	KindPause    Kind = "pause"    // the run waits without a process
	KindResume   Kind = "resume"   // it goes on
	KindEnd      Kind = "end"      // of a run
	KindSyscall  Kind = "syscall"  // the kernel refused a system call of a worker
	KindFile     Kind = "file"     // of a Log: a file begins
	KindRepair   Kind = "repair"   // of a Log: the last line of the file was not whole, and is removed
	KindUse      Kind = "use"      // before the end of a run: a Use is its Args
)

// Kinds are all kinds.
func Kinds() []Kind {
	return []Kind{KindStart, KindDecision, KindApproval, KindAnswer, KindReturn, KindWarning, KindPause, KindResume, KindEnd,
		KindSyscall, KindFile, KindRepair, KindUse}
}

// A Decision says how a call was decided.
type Decision string

// The decisions.
const (
	Allow Decision = "allow"
	Deny  Decision = "deny"
	Ask   Decision = "ask"   // an approver is asked
	Later Decision = "later" // the run waits for the answer without a process
)

// Syscall is the event of a system call of a worker that its filter has refused.
func Syscall(s decide.Subject, r audit.Refusal) Event {
	name := r.Call
	if name == "" {
		name = fmt.Sprintf("syscall %d", r.Number)
	}
	args, err := json.Marshal(struct {
		Number int       `json:"number"`
		Args   [6]uint64 `json:"args"`
		Path   string    `json:"path,omitempty"`
	}{r.Number, r.Args, r.Path})
	e := Event{Time: r.Time, Kind: KindSyscall, Subject: s, Process: r.Thread, Member: name, Args: args, Decision: Deny}
	if err != nil {
		e.Error = err.Error()
	}
	return e
}

// Bounds of an event in a Log.
const (
	maxText = 8 << 10
	maxArgs = 256 << 10
)

// bounded is e with no text that would make its line longer than maxLine, and with valid UTF-8 only.
func (e Event) bounded() Event {
	for _, s := range e.texts() {
		*s = boundText(*s)
	}
	e.Args = boundArgs(e.Args)
	return e
}

func boundArgs(args json.RawMessage) json.RawMessage {
	if n := len(args); n > maxArgs {
		return fmt.Appendf(nil, `"[omitted: %d bytes]"`, n)
	}
	return args
}

func boundText(s string) string {
	if len(s) > maxText {
		s = s[:maxText] + "..."
	}
	return validText(s)
}

func validText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// texts are the fields of e that hold text.
func (e *Event) texts() [15]*string {
	return [...]*string{(*string)(&e.Kind), &e.Tenant, &e.Session, &e.Run, &e.Script, &e.Member, &e.Hash, &e.At,
		(*string)(&e.Decision), (*string)(&e.Code), &e.Rule, &e.Reason, &e.By, &e.Outcome, &e.Error}
}
