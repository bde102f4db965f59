package dispatch

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/turns"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// A Job is a run that any worker can do: it calls nothing outside, so that it can be done again if its worker is lost.
type Job struct {
	Run     string          // its ID
	Tenant  string          // whose it is
	Session string          // for the record
	Policy  string          // name@version, as package policies has it
	Text    string          // of a policy that was sent; empty for one that the program has
	Request json.RawMessage // as package runs has it

	Background bool `cbor:",omitempty"` // nobody waits for it: it has its turn after all others
}

// Take waits for a turn of the job; it is false if ctx has ended before. The function ends the turn.
func (j *Job) Take(ctx context.Context, t *turns.Turns) (give func(), ok bool) {
	take, end := t.Take, t.Give
	if j.Background {
		take, end = t.TakeBackground, t.GiveBackground
	}
	return func() { end(j.Tenant) }, take(ctx, j.Tenant)
}

// An Outcome is what has become of a job.
type Outcome struct {
	Result      json.RawMessage // as clients get it
	Kind        string          // of its error; empty if it ended well
	Ticks, Peak int64
	Duration    time.Duration
	Artifacts   []Artifact
}

// An Artifact is a file that a run has left.
type Artifact struct {
	Name, MediaType string
	Data            []byte
}

// An Output gets what a job prints while it goes on, and what the record is to have of it. Its writers are called by one goroutine at a time.
type Output struct {
	Stdout, Stderr io.Writer
	Record         record.Sink             // for a Handler whose plans have no record of their own
	Refused        func() []*decide.Denied // the requests that were refused, of a job that is done here; may be nil
}

// A Handler does a job. It ends soon after ctx has. An error is one of the server, which no client is told.
type Handler func(ctx context.Context, job *Job, out Output) (*Outcome, error)

// A Queue has jobs done. It is safe for concurrent use.
type Queue interface {
	// Do waits for the turn of a job, calls begin, and has the job done. An error of begin is returned, and nothing is done then. When ctx
	// ends before its turn, the error is that of ctx; later the job is ended, and its outcome says so. The error matches ErrNoWorker if
	// nobody took the job, and ErrLost if it is not known what has become of it.
	Do(ctx context.Context, job *Job, begin func() error, out Output) (*Outcome, error)

	// Stats are how many jobs wait for their turn, and how many turns there are.
	Stats() Stats
}

// Stats are those of a queue.
type Stats struct{ Queued, Turns int }

// Errors of a Queue.
var (
	ErrNoWorker = errors.New("no worker has taken the run")
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
	if err := begin(); err != nil {
		return nil, err
	}
	return l.Handler(ctx, job, out)
}

// Stats are those of now.
func (l *Local) Stats() Stats { return Stats{l.Turns.Queued(), l.Turns.Size()} }
