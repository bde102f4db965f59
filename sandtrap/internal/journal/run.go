package journal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// A Run is a run with its journal. It takes the calls of the host functions of the run, and is its engine.Order. It is
// safe for concurrent use.
type Run struct {
	file    *File
	to      io.Writer        // gets the journal as it grows; nil for nobody
	repeats bool             // nothing is called or waited for: what the journal does not have is not there
	answers map[int]*Outcome // for calls that wait, by their numbers
	pauses  func(name string) bool

	mu        sync.Mutex
	changed   chan struct{} // closed, and another one made, when something below has
	next      int           // of file.Returns, the one to be delivered
	known     map[int]*Return
	calls     map[int]*call
	completed []int // calls that have returned and were not delivered, in that order
	waiting   map[int]bool
	paused    bool
	diverged  error
	unwritten error // of to
	over      bool
}

// A call is one that has begun.
type call struct {
	name, hash, at string
	args           json.RawMessage
	out            *Outcome // nil until it is known
}

// An Outcome is how a call ended.
type Outcome struct {
	Result json.RawMessage // an array of the results that are no errors
	Err    string          // see carry.Errors
	Panic  string
}

// New is a run that begins with the journal of a file, which is written to a Writer, and then as much as is
// added to it. With repeats it is to be repeated only.
func New(f *File, to io.Writer, repeats bool, pauses func(name string) bool, answers map[int]*Outcome) (*Run, error) {
	r := &Run{
		file: f, to: to, repeats: repeats, pauses: pauses, answers: answers, changed: make(chan struct{}),
		known: map[int]*Return{}, calls: map[int]*call{}, waiting: map[int]bool{},
	}
	for i := range f.Returns {
		r.known[f.Returns[i].Call] = &f.Returns[i]
	}
	f.Returns = slices.Clip(f.Returns)
	if to == nil {
		return r, nil
	}
	return r, (&File{Header: f.Header, Returns: f.Returns}).Write(to)
}

// tell wakes who waits for a change. The lock is held.
func (r *Run) tell() {
	close(r.changed)
	r.changed = make(chan struct{})
}

// Close says that the run is over.
func (r *Run) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	r.tell()
}

// Paused reports that the run ended because all that goes on waits for answers; Diverged is the error of one that did
// not do what its journal says.
func (r *Run) Paused() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.paused
}

// Diverged is the error of a run that did not do what its journal says, or nil.
func (r *Run) Diverged() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.diverged
}

// Unwritten is the error of the Writer of the journal, by which the run has ended, or nil.
func (r *Run) Unwritten() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unwritten
}

// Finish writes the calls that wait, or the end of the run, and gives the whole journal.
func (r *Run) Finish(end *End) (*File, error) {
	f := r.whole()
	f.End = end
	if r.to == nil {
		return f, nil
	}
	list := []any{}
	for i := range f.Waiting {
		list = append(list, &f.Waiting[i])
	}
	if end != nil {
		list = append(list, end)
	}
	return f, write(r.to, list...)
}

// whole is the journal as it is by now.
func (r *Run) whole() *File {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := &File{Header: r.file.Header, Returns: slices.Clone(r.file.Returns)}
	if !r.paused {
		return f
	}
	for n := range r.waiting {
		c := r.calls[n]
		f.Waiting = append(f.Waiting, Waiting{Call: n, Name: c.name, Args: c.args, At: c.at})
	}
	slices.SortFunc(f.Waiting, func(a, b Waiting) int { return a.Call - b.Call })
	return f
}

// hashOf is the hash of arguments.
func hashOf(args json.RawMessage) string {
	sum := sha256.Sum256(args)
	return hex.EncodeToString(sum[:16])
}

// do gives the outcome of a call of a host function: that of the journal, the answer, or what live gives. It does not
// return for one that waits before ctx ends.
func (r *Run) do(ctx context.Context, name string, args json.RawMessage, live func() *Outcome) *Outcome {
	at := script.CallOf(ctx)
	c, goes := r.begin(at, name, args)
	if c == nil {
		return &Outcome{Panic: ""}
	}
	if goes {
		out := live()
		r.end(at.Number, out)
		return out
	}
	return r.wait(ctx, c)
}

// wait waits until the outcome of c is known.
func (r *Run) wait(ctx context.Context, c *call) *Outcome {
	for {
		r.mu.Lock()
		out, changed := c.out, r.changed
		r.mu.Unlock()
		if out != nil {
			return out
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}

// begin takes a call, and reports that it has to be made.
func (r *Run) begin(at script.Call, name string, args json.RawMessage) (c *call, goes bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.tell()
	if r.calls[at.Number] != nil || at.Number < 1 {
		r.diverge("the call %d of %s has begun before", at.Number, name)
		return nil, false
	}
	c = &call{name: name, hash: hashOf(args), at: at.At, args: args}
	r.calls[at.Number] = c
	if was := r.known[at.Number]; was != nil {
		if was.Name != name || was.Args != c.hash {
			r.diverge("call %d at %s is %s(%s), and in the journal it is one of %s with other arguments", at.Number, at.At, name, short(args), was.Name)
			return c, false
		}
		c.out = &Outcome{was.Result, was.Err, was.Panic}
		return c, false
	}
	if w := r.expected(at.Number); w != nil && (w.Name != name || hashOf(w.Args) != c.hash) {
		r.diverge("call %d at %s is %s(%s), and in the journal it waits as %s(%s)", at.Number, at.At, name, short(args), w.Name, short(w.Args))
		return c, false
	}
	if out := r.answers[at.Number]; out != nil {
		c.out = out
		r.completed = append(r.completed, at.Number)
		return c, false
	}
	if r.repeats || r.pauses(name) {
		r.waiting[at.Number] = true
		return c, false
	}
	return c, true
}

// expected is the call n that waits in the file.
func (r *Run) expected(n int) *Waiting {
	for i := range r.file.Waiting {
		if r.file.Waiting[i].Call == n {
			return &r.file.Waiting[i]
		}
	}
	return nil
}

func (r *Run) end(n int, out *Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls[n].out = out
	r.completed = append(r.completed, n)
	r.tell()
}

// diverge keeps the first difference. The lock is held.
func (r *Run) diverge(format string, args ...any) {
	if r.diverged == nil {
		r.diverged = fmt.Errorf(format, args...)
	}
}

const shortText = 200

func short(text []byte) string {
	if len(text) > shortText {
		return string(text[:shortText]) + "…"
	}
	return string(text)
}

// Next is that of engine.Order.
func (r *Run) Next(at engine.Rest) (int, *gates.Stop) {
	for {
		r.mu.Lock()
		n, stop, known := r.turn(at)
		changed := r.changed
		r.mu.Unlock()
		if known {
			return n, stop
		}
		<-changed
	}
}

// turn is Next as far as it is known. The lock is held.
func (r *Run) turn(at engine.Rest) (n int, stop *gates.Stop, known bool) {
	switch {
	case r.over:
		return 0, &gates.Stop{Reason: gates.Diverged, Message: "the run that the journal is of is over"}, true
	case r.diverged == nil && len(r.calls) < at.Calls:
		return 0, nil, false // they are about to come
	case r.diverged == nil && r.next < len(r.file.Returns):
		n = r.recorded(at)
	case r.diverged == nil && len(r.completed) > 0:
		n, stop = r.deliver(at)
		return n, stop, true
	case r.diverged == nil && !at.Idle:
		return 0, nil, true
	case r.diverged == nil && r.repeats:
		r.diverge("the run waits for calls that the journal says no more of")
	case r.diverged == nil && len(r.calls) == r.next+len(r.waiting):
		r.paused = true
		return 0, &gates.Stop{Reason: gates.Paused, Message: "the run waits for answers"}, true
	case r.diverged == nil:
		return 0, nil, false
	}
	if r.diverged != nil {
		return 0, &gates.Stop{Reason: gates.Diverged, Message: r.diverged.Error()}, true
	}
	return n, nil, true
}

// recorded is the call that returns by the journal, 0 for none.
func (r *Run) recorded(at engine.Rest) int {
	was := &r.file.Returns[r.next]
	switch {
	case was.Rest == at.Number && r.calls[was.Call] != nil:
		r.next++
		return was.Call
	case was.Rest <= at.Number || at.Idle:
		r.diverge("call %d, of %s, returns at another moment", was.Call, was.Name)
	}
	return 0
}

// deliver takes the first call that has returned into the journal. The script is not to know of one that is not there.
func (r *Run) deliver(at engine.Rest) (int, *gates.Stop) {
	n := r.completed[0]
	r.completed = r.completed[1:]
	c := r.calls[n]
	r.file.Returns = append(r.file.Returns, Return{
		Call: n, Name: c.name, Args: c.hash, Rest: at.Number, Result: c.out.Result, Err: c.out.Err, Panic: c.out.Panic,
	})
	r.next++
	if r.to != nil {
		if err := write(r.to, &r.file.Returns[r.next-1]); err != nil {
			r.unwritten = err
			return 0, &gates.Stop{Reason: gates.Diverged, Message: "the journal cannot be written"}
		}
	}
	return n, nil
}
