package cluster

import (
	"fmt"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// The subjects. A token of a subject has no dot, space or wildcard in it. The second one is the version of what fronts and workers say to
// each other: fronts give jobs to workers of their own version alone.
//
//	sandtrap.1.job.LEVEL.TENANT       a Job for the workers of an isolation, by the hash of its tenant
//	sandtrap.1.own.WORKER             a Job for a worker that has its session
//	sandtrap.1.give.WORKER            a piece of contents that a worker has asked for
//	sandtrap.1.end.WORKER             the ID of a job that is to end
//	sandtrap.1.back.WORKER.FRONT.JOB  a frame about a job
//	sandtrap.1.here.WORKER            a beat
const (
	version = "1"
	prefix  = "sandtrap." + version + "."
	jobs    = prefix + "job."
	owns    = prefix + "own."
	gives   = prefix + "give."
	ends    = prefix + "end."
	back    = prefix + "back."
	here    = prefix + "here."
	anyHere = "sandtrap.*.here.*" // beats of all versions
	workers = "workers"           // the queue group
	second  = "second-"           // before the instance of a worker, in the place of a job that is to end: another process has its name
	probes  = "gone-"             // before the name of a worker, in the place of a job: that is answered if it is not connected
)

// The bounds of what crosses, in bytes.
const (
	maxPiece = 256 << 10 // of a frame
	maxJob   = 8 << 20   // of a job: the messages of the embedded server have no more
	maxBack  = 64 << 20  // of all frames about a job
	maxHeld  = 512 << 20 // of frames that a front has not read yet
	maxKind  = 64        // of the kind of an error
	maxFiles = 1000      // artifacts of a job
)

// A sent is a job as it is sent.
type sent struct {
	ID    string `cbor:"1,keyasint"` // of this attempt, which nobody can guess
	Front string `cbor:"2,keyasint"`
	Wait  bool   `cbor:"3,keyasint,omitempty"` // it may wait at the worker: all others have too much to do
	Job   dispatch.Job
}

// A kind says what a frame has.
type kind byte

const (
	accepted kind = iota + 1 // the worker does the job; its data is the Instance of the worker
	busy                     // it does not: it has enough
	stdout
	stderr
	recorded // an event of the record in JSON
	outcome  // a piece of it; the last one has Last
	failed   // the worker could not do the job; its own log says why
	wants    // contents of the session of the job
	large    // the session of the job has become too large for workers
)

// A frame is told of a job by its worker. They are numbered from 0: one that is missing, or out of order, is the end of the job.
type frame struct {
	Number uint64 `cbor:"1,keyasint"`
	Kind   kind   `cbor:"2,keyasint"`
	Data   []byte `cbor:"3,keyasint,omitempty"`
	Last   bool   `cbor:"4,keyasint,omitempty"`
}

// A beat tells fronts that a worker is there.
type beat struct {
	Instance string `cbor:"8,keyasint"` // of its process: another one may have its name later
	Slots    int    `cbor:"1,keyasint"` // how many jobs it does at a time; 0 when it takes no more
	Running  int    `cbor:"2,keyasint"`
	Level    string `cbor:"3,keyasint"` // its isolation
	Version  string `cbor:"4,keyasint"` // of the program
	Memory   int64  `cbor:"5,keyasint"` // bytes that all runs may have together
	Free     int64  `cbor:"6,keyasint"` // bytes of it that no run has now
	Load     int    `cbor:"7,keyasint"` // of its machine: how many tasks run or want to, in the mean of a minute, for 100 processors
}

const (
	beatEach  = 250 * time.Millisecond
	silentFor = 16 * beatEach // a worker that is silent for so long is lost: less would be a machine that is busy
)

// encode is a message for a peer.
func encode(v any) []byte {
	b, err := wire.Encode(v)
	if err != nil {
		panic(err) // the types are those of this package
	}
	return b
}

// decode reads a message of a peer. It refuses what no front or worker sends.
func decode(b []byte, v any) error { return wire.Decode(b, v) }

// token reports that a text can be a part of a subject.
func token(text string) bool {
	return text != "" && len(text) <= 64 && !strings.ContainsFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	})
}

// lost is an error about a worker.
func lost(worker, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", dispatch.ErrLost, worker, fmt.Sprintf(format, args...))
}
