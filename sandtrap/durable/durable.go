// Package durable runs scripts that can wait for answers without a process: a run that calls a function whose result comes
// later ends, is saved as the journal of what its functions have returned, and goes on from there in any process, with
// any isolation.
//
// It may not decide what a script may do: that is the policy's.
package durable

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/journal"
)

// A Box runs scripts under one policy. It is safe for concurrent use; each run has a sandbox of its own.
type Box struct {
	// Host is what a journal holds for its host, such as how to make the policy again; see HostOf. It is set before the
	// first run.
	Host json.RawMessage

	// Key, if not empty, has 32 bytes, and is set before the first run. Each line of a journal then has a MAC, an HMAC-SHA256 of the MAC
	// before and the line. Resume and Replay refuse a journal of which a line was changed, left out or put in by one who does
	// not have the key, or which has no MACs; a box without a key refuses one that has them. They do not tell an older copy of the journal, or one
	// without its last lines, from one whose process has ended there.
	Key []byte

	policy  sandtrap.Policy
	plan    *sandtrap.Plan
	pool    atomic.Pointer[sandtrap.Pool] // nil for none
	members *journal.Members
	hash    string // of the policy
	closed  atomic.Bool
}

// New makes a box. The policy is that of sandtrap.New, with these bounds, which are errors that match sandtrap.ErrPolicy: the
// functions take and return what encoding/json keeps, so no functions, channels and structs with unexported fields; types
// of the host have no methods, and there are no variables of the host; Files has neither Open nor Paths; the engine is vm.
//
// Seed and Epoch of the policy, or else those that a run gets when it begins, are its random numbers and its clock.
func New(p sandtrap.Policy) (*Box, error) {
	p, all, err := journalled(p)
	if err != nil {
		return nil, err
	}
	plan, err := sandtrap.Compile(p)
	if err != nil {
		return nil, err
	}
	hash, err := fingerprint(plan, &p)
	if err != nil {
		return nil, err
	}
	return &Box{policy: p, plan: plan, members: all, hash: hash}, nil
}

// HostOf is Box.Host of the box that a journal was begun by. It reads the first line, and checks no MAC: Resume and Replay do. An
// error about the line matches ErrJournal.
func HostOf(r io.Reader) (json.RawMessage, error) {
	head, err := journal.ReadHeader(r)
	if err != nil {
		return nil, fmt.Errorf("durable: %w", err)
	}
	return head.Host, nil
}

// Close ends the use of the box: later runs fail with sandtrap.ErrClosed. It does not close a pool.
func (b *Box) Close() error {
	b.closed.Store(true)
	return nil
}

// A Pause is a run that waits for answers to calls of host functions. Nothing of it is held: it is the journal of
// the run, from which Resume repeats it up to where it waits.
type Pause struct {
	// Pending are all calls that wait, in the order in which they have begun.
	Pending []Pending

	file *journal.File
	key  []byte
}

// A Pending is a call of a host function that waits for its answer.
type Pending struct {
	ID   int             // of the call, the same whenever the run is repeated; see sandtrap.CallInfo
	Name string          // of the function, as scripts write it
	Args json.RawMessage // an object by the names of the parameters, as encoding/json writes them
	At   string          // where the script calls it, file:line

	// Ask is why it needs approval, if it waits for that: an approver of the policy's Guard has answered decide.Later. Its
	// Answer has a Verdict. When the run is resumed without one, the approver is asked again.
	Ask string
}

// An Answer is what a call that waits returns to the script.
type Answer struct {
	ID int

	// Result is the result of the function in JSON, an array of them for a function with more than one; empty for none.
	Result json.RawMessage

	// Err is its error. If the function has no error result it panics with the text. With a Verdict that denies it is the
	// reason, which the script gets.
	Err error

	// Verdict is for a call that waits for approval: decide.Approve or decide.Deny. By says who has answered, for records.
	Verdict decide.Verdict
	By      string
}

// Save writes the journal of the run, for Resume. It is an error if that has more than 512 MiB, or 64 MiB of one call.
func (p *Pause) Save(w io.Writer) error {
	if err := p.file.Write(w, p.key); err != nil {
		return fmt.Errorf("durable: %w", err)
	}
	return nil
}

// ErrJournal is matched by errors about a text that is no journal, ErrDiverged by those of a run that does not do what its
// journal says: the source, the policy or what a function takes has changed. The message names the first call.
var (
	ErrJournal  = journal.ErrFormat
	ErrDiverged = errors.New("the run does not do what its journal says")
)

// Start is (*sandtrap.Sandbox).Run for a run that can wait: when nothing goes on in the script but calls of members with
// Pauses set, it ends, and a Pause is returned. The Result then has what the run has printed so far. All calls of functions of
// the policy go on beside the script, as those of members with Blocking, and are noted in a journal with what they return. The script
// gets of that what encoding/json keeps: numbers in values of type any are float64.
//
// The Writer, if not nil, gets the journal as it grows, whole lines in one Write: what the script has made of a result was
// written before. Its error ends the run. If the process ends, Resume goes on from what was written, and calls the functions again
// that had not returned.
//
// Stdin is read to its end, 16 MiB at most, before the script begins; Inputs are copied as with Script.Copy; Result, Funcs and Events are
// not for such scripts. Stdout and Stderr get the output of this part of the run; WithOutput has that of later ones.
//
// A goroutine that looks again and again for what another one does after such a call keeps the run from waiting, and uses up
// its ticks or its time. Timers and time.Sleep do not: the script's clock stands still while calls of functions go on.
//
// Limits hold for all of the run: when it is repeated it takes its time again, without that of host functions.
func (b *Box) Start(ctx context.Context, script sandtrap.Script, to io.Writer) (*sandtrap.Result, *Pause, error) {
	f, err := b.journalOf(script)
	if err != nil {
		return &sandtrap.Result{}, nil, err
	}
	out, ctx := outputOf(ctx, script)
	return b.run(ctx, f, to, false, nil, out)
}

// Begin writes the journal of a run of a script that has not begun, for Resume: the run gets its random numbers and its clock, and nothing
// runs. A host that keeps it can have any process run the script, and another one do so anew if that process ends. The
// script is that of Start; its Stdout and Stderr are not used.
func (b *Box) Begin(script sandtrap.Script, to io.Writer) error {
	f, err := b.journalOf(script)
	if err != nil {
		return err
	}
	f.Policy = b.hash
	if err := f.Write(to, b.Key); err != nil {
		return unwritten(err)
	}
	return nil
}

// LoadPause reads what Save has written of a run that waits, in another process too, and checks that calls of functions of this policy wait
// there. The error matches ErrJournal or ErrDiverged if it is none. Resume still says whether the run does what the
// journal says.
func (b *Box) LoadPause(r io.Reader) (*Pause, error) {
	f, err := b.read(r)
	if err != nil {
		return nil, err
	}
	run := f
	if f.Session {
		run = f.Last()
	}
	if err := b.checkPolicy(f); err != nil {
		return nil, err
	}
	if run == nil || run.Pause.Rest == 0 {
		return nil, fmt.Errorf("durable: %w: its run does not wait", ErrJournal)
	}
	for _, w := range run.Waiting {
		if err := b.members.CanWait(&w); err != nil {
			return nil, fmt.Errorf("durable: %w: call %d: %w", ErrDiverged, w.Call, err)
		}
	}
	return b.pauseOf(run, f, nil), nil
}

// Replay repeats a run from its journal, and calls no function: the Result has the same output, ticks and error, else the
// error matches ErrDiverged; a run that time or memory has ended is repeated up to there, by its ticks. Where the journal ends with
// calls that wait, or in the middle, a Pause is returned; answers that the journal has to these are for Resume.
func (b *Box) Replay(ctx context.Context, r io.Reader) (*sandtrap.Result, *Pause, error) {
	f, err := b.read(r)
	if err != nil {
		return &sandtrap.Result{}, nil, err
	}
	out, ctx := outputOf(ctx, sandtrap.Script{})
	return b.run(ctx, f, nil, true, nil, out)
}

// Resume goes on with a run from what Save has written, in any process, with the same policy but for its isolation. It
// repeats the run up to where it has waited, calling no function that the journal has a result of, and then goes on as Start does: the
// answers come there, in the order of their calls. Calls without an answer wait on. The Writer is that of Start, and gets all of the
// journal. If the run is cancelled, its context is past its deadline, or its worker ends, before it has come to its answers, they are in that journal, and come when it is
// resumed; an answer that is given then to one of these calls replaces it. A run that does not repeat what its journal says ends with an error
// that matches ErrDiverged; one about the text matches ErrJournal.
func (b *Box) Resume(ctx context.Context, r io.Reader, to io.Writer, answers ...Answer) (*sandtrap.Result, *Pause, error) {
	f, err := b.read(r)
	if err != nil {
		return &sandtrap.Result{}, nil, err
	}
	out, ctx := outputOf(ctx, sandtrap.Script{})
	return b.run(ctx, f, to, false, answers, out)
}
