package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/turns"
	"github.com/sandtrap-go/sandtrap/internal/stack"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// A Job is a part of a run, up to its end or to where it waits for answers. It has all that the part is made of, so that any worker can do
// it. What a queue gives to workers elsewhere calls nothing outside, so that it can be done again if its worker is lost.
type Job struct {
	Run     string          // its ID
	Tenant  string          // whose it is
	Session string          // for the record
	Policy  string          // name@version, as package policies has it
	Text    string          // of a policy that was sent; empty for one that the program has
	Request json.RawMessage // as package runs has it, with its tools

	// Those of a run that can wait.
	Journal []byte          // what it is repeated by: a run with the same journal and the same answers comes to the same calls
	Answers json.RawMessage // to calls that wait in the journal, as package runs has them
	Told    Told            // what clients have of its output, which is not told again
	Memory  int64           // bytes that it may have, as its policy says; math.MaxInt64 is no limit

	Background bool `cbor:",omitempty"` // nobody waits for it: it has its turn after all others

	Cell   *Cell  `cbor:",omitempty"` // of a run in a session; nil for others
	Worker string `cbor:"-" json:"-"` // that is to do it if it can: it has the session. Empty for any
}

// Take waits for a turn of the job; it is false if ctx has ended before. The function ends the turn.
func (j *Job) Take(ctx context.Context, t *turns.Turns) (give func(), ok bool) {
	take, end := t.Take, t.Give
	if j.Background {
		take, end = t.TakeBackground, t.GiveBackground
	}
	return func() { end(j.Tenant) }, take(ctx, j.Tenant)
}

// A Told is how many bytes of its output a run has told of in its parts before.
type Told struct{ Stdout, Stderr int64 }

// An Outcome is what has become of a job.
type Outcome struct {
	Result      json.RawMessage // as clients get it
	Kind        string          // of its error; empty if it ended well
	Ticks, Peak int64
	Duration    time.Duration
	Artifacts   []Artifact
	Journal     []byte // of a run that waits: it has the calls, and the run goes on from it; empty if the run has ended

	Become *Become `cbor:",omitempty"` // what its session has become; nil if that is what it was
	Worker string  `cbor:"-"`          // that has done it; empty for this process
}

// An Artifact is a file that a run has left.
type Artifact struct {
	Name, MediaType string
	Data            []byte
}

// An Output gets what a job prints while it goes on, and what the record is to have of it. Its writers are called by one goroutine at a time.
type Output struct {
	Stdout, Stderr io.Writer
	Record         record.Sink                // for a Handler whose plans have no record of their own
	Refused        func() []*decide.Denied    // the requests that were refused, of a job that is done here; may be nil
	Paused         func(journal []byte) error // says whether the job can have come to wait so, before Do returns; nil if it cannot wait
	Contents       Contents                   // of the session of a job with a Cell; nil for others
	Became         func(*Become) error        // says whether that session can have become so; nil if there is none
	Away           func()                     // is called again and again while no worker has the job, as the cluster is away; may be nil, and is safe for concurrent use
}

// Check is for a Queue that has an outcome: the error says that it is none of the job.
func (out *Output) Check(o *Outcome) error {
	if o.Become != nil {
		if out.Became == nil || len(o.Journal) > 0 {
			return errors.New("it changes a session, and cannot")
		}
		if err := out.Became(o.Become); err != nil {
			return err
		}
	}
	switch {
	case len(o.Journal) == 0:
		return nil
	case o.Kind != "":
		return errors.New("the run waits, and has ended")
	case out.Paused == nil:
		return errors.New("the run waits, and it cannot")
	}
	return out.Paused(o.Journal)
}

// A Handler does a job. It ends soon after ctx has. An error is one of the server, which no client is told.
type Handler func(ctx context.Context, job *Job, out Output) (*Outcome, error)

// A Queue has jobs done. It is safe for concurrent use.
type Queue interface {
	// Do waits for the turn of a job, calls begin, which may still set its journal, and has the job done. An error of begin is returned, and nothing is done then. When ctx
	// ends before its turn, the error is that of ctx; later the job is ended, and its outcome says so, or the error is that of ctx if no worker has it then. The error matches ErrNoWorker if
	// nobody took the job, though the cluster was there, ErrLarge if no worker takes one of its size, so that nothing is done, and ErrLost if it is not known what has become
	// of it.
	Do(ctx context.Context, job *Job, begin func() error, out Output) (*Outcome, error)

	// Stats are how many jobs wait for their turn, and how many turns there are.
	Stats() Stats

	// Waiting are the tenants of jobs that wait for their turn, the one that has waited longest first.
	Waiting() []turns.Waiting
}

// Stats are those of a queue.
type Stats struct{ Queued, Turns int }

// Errors of a Queue.
var (
	ErrNoWorker = errors.New("no worker has taken the run")
	ErrLarge    = errors.New("the run is too large for workers") // also of a Handler that finds so
	ErrLost     = errors.New("the worker of the run was lost")
)

// A Local is a Queue of this process.
type Local struct {
	Turns   *turns.Turns
	Handler Handler
}

// Do does a job in its turn.
func (l *Local) Do(ctx context.Context, job *Job, begin func() error, out Output) (*Outcome, error) {
	give, ok := job.Take(ctx, l.Turns)
	if !ok {
		return nil, ctx.Err()
	}
	defer give()
	stack.Roomy()
	if err := begin(); err != nil {
		return nil, err
	}
	o, err := l.Handler(ctx, job, out)
	if err == nil {
		err = out.Check(o)
	}
	if err != nil {
		return nil, err
	}
	return o, nil
}

// Waiting are those of now.
func (l *Local) Waiting() []turns.Waiting { return l.Turns.Waiting() }

// Stats are those of now.
func (l *Local) Stats() Stats { return Stats{l.Turns.Queued(), l.Turns.Size()} }
