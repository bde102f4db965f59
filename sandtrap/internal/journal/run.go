package journal

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// A Run is a run with its journal. It takes the calls of the host functions of the run, and is its engine.Order. It is
// safe for concurrent use.
type Run struct {
	file    *File
	log     *Log             // gets the journal as it grows
	repeats bool             // nothing is called: the run ends where its journal does
	spends  bool             // what calls of the journal have cost counts
	answers map[int]*Outcome // for calls that wait, by their numbers
	heard   map[int]*Heard   // for calls that wait for approval, likewise
	pauses  func(name string) bool

	mu        sync.Mutex
	changed   chan struct{}    // closed when something below has; nil if nobody waits for that
	next      int              // of file.Returns, the one to be delivered
	last      int64            // rest that has come
	known     map[int]*Return  // those of the file, by their calls
	expected  map[int]*Waiting // likewise
	calls     map[int]*call
	completed []int // calls that have returned and were not delivered, in that order
	waiting   map[int]bool
	reached   bool // the end of the journal
	paused    bool
	diverged  error
	unwritten error // of to
	over      bool
}

// A call is one that has begun.
type call struct {
	name, hash, at string
	args           json.RawMessage // as long as it waits
	ask            decide.Deferred // likewise, for approval
	note           *note           // of a call that was decided before
	answer         *Outcome        // its outcome when the run has come to its answers
	out            *Outcome        // nil until it is known
}

// A Heard is what was said about a call that waits for approval: one of that function, with arguments of that hash.
type Heard struct {
	Name, Args string
	Verdicts   []Verdict
}

// to is about this call.
func (h *Heard) to(c *call) bool { return h != nil && c != nil && h.Name == c.name && h.Args == c.hash }

// answers are the verdicts as a decision takes them.
func (h *Heard) answers() (list []decide.Heard) {
	for _, v := range h.Verdicts {
		list = append(list, decide.Heard{
			Deferred: decide.Deferred{Question: v.Question, Reason: v.Ask}, Answer: decide.Answer{Verdict: v.Verdict, Reason: v.Reason, By: v.By},
		})
	}
	return list
}

// An Outcome is how a call ended.
type Outcome struct {
	Result json.RawMessage // an array of the results that are no errors
	Err    string          // see carry.Errors
	Panic  string
	Denied string // see Return

	// Not the end of the call, but what it waits for now: an answer to Ask, if that has a Reason, or its result.
	Waits bool
	Ask   decide.Deferred
}

// outcome is that of a call that has returned.
func (r *Return) outcome() *Outcome {
	return &Outcome{Result: r.Result, Err: r.Err, Panic: r.Panic, Denied: r.Denied}
}

// New is a run that begins with the journal of a file, which the log has, and gets as much as is added to it. With repeats it
// is to be repeated only; spends says that what calls of the journal have cost is not counted yet. The file stays as it is.
func New(f *File, log *Log, repeats, spends bool, pauses func(name string) bool, answers map[int]*Outcome, heard map[int]*Heard) *Run {
	own := *f
	own.Returns = slices.Clip(f.Returns)
	r := &Run{
		file: &own, log: log, repeats: repeats, spends: spends, pauses: pauses, answers: answers, heard: heard,
		known: make(map[int]*Return, len(f.Returns)), expected: map[int]*Waiting{}, calls: make(map[int]*call, len(f.Returns)), waiting: map[int]bool{},
	}
	for i := range f.Returns {
		r.known[f.Returns[i].Call] = &f.Returns[i]
	}
	for i := range f.Waiting {
		r.expected[f.Waiting[i].Call] = &f.Waiting[i]
	}
	if repeats {
		r.answers = nil // they come after its end
	}
	return r
}

// Before is that of engine.Order.
func (r *Run) Before() int { return r.file.Before }

// later is closed at the next change. The lock is held.
func (r *Run) later() <-chan struct{} {
	if r.changed == nil {
		r.changed = make(chan struct{})
	}
	return r.changed
}

// tell wakes who waits for a change. The lock is held.
func (r *Run) tell() {
	if r.changed != nil {
		close(r.changed)
		r.changed = nil
	}
}

// Close says that the run is over.
func (r *Run) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = true
	r.tell()
}

// Paused reports that the run ended because all that goes on waits for answers.
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

// Ended says that the script came to an end of its own, which is too early before that of its journal.
func (r *Run) Ended() {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.reached || r.next == len(r.file.Returns) && r.file.Pause.Rest == 0:
	case r.next < len(r.file.Returns):
		was := r.file.Returns[r.next]
		r.diverge("the script ends, and by the journal call %d, of %s, returns before", was.Call, was.Name)
	default:
		r.diverge("the script ends, and by the journal it waits for %s", WaitingText(r.file.Waiting))
	}
}

// Unwritten is the error of the Writer of the journal, by which the run has ended, or nil.
func (r *Run) Unwritten() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unwritten
}

// Finish writes the calls that the run waits for, or its end, and gives the whole journal.
func (r *Run) Finish(end *End) (*File, error) {
	f := r.whole()
	if f.End = end; end != nil && f.IsCell {
		end.Calls = f.Before + len(r.calls)
	}
	return f, r.log.add(f.tail()...)
}

// Leave writes what the run was told and has not come to, when something else than the run ends it: the answers, and the calls that
// wait if it has not come to these again. It gives the whole journal.
func (r *Run) Leave() (*File, error) {
	f := r.Left()
	return f, r.log.add(f.tail()...)
}

// Left is the journal that Leave gives, which is not written.
func (r *Run) Left() *File {
	f := r.whole()
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.reached {
		f.Pause, f.Waiting = r.file.Pause, r.file.Waiting
	}
	returned := func(n int) bool {
		return slices.ContainsFunc(r.file.Returns, func(was Return) bool { return was.Call == n })
	}
	for n, o := range r.answers {
		if !returned(n) {
			f.Answers = append(f.Answers, Answered{Call: n, Result: o.Result, Err: o.Err, Panic: o.Panic})
		}
	}
	for n, h := range r.heard {
		if last := len(h.Verdicts) - 1; !returned(n) && last >= 0 {
			f.Answers = append(f.Answers, Answered{Call: n, Verdict: h.Verdicts[last], Name: h.Name, Args: h.Args})
		}
	}
	slices.SortFunc(f.Answers, func(a, b Answered) int { return a.Call - b.Call })
	return f
}

// whole is the journal as it is by now.
func (r *Run) whole() *File {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := &File{Header: r.file.Header, IsCell: r.file.IsCell, Before: r.file.Before, Returns: slices.Clone(r.file.Returns)}
	if !r.paused {
		return f
	}
	f.Pause = r.file.Pause
	for n := range r.waiting {
		c := r.calls[n]
		w := Waiting{Call: n, Name: c.name, Args: c.args, At: c.at, Ask: c.ask.Reason, Question: c.ask.Question}
		if h := r.heard[n]; h.to(c) {
			w.Heard = h.Verdicts
		}
		f.Waiting = append(f.Waiting, w)
	}
	slices.SortFunc(f.Waiting, func(a, b Waiting) int { return a.Call - b.Call })
	return f
}
