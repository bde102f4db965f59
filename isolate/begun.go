package isolate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// A worker that somebody has taken over can do what it likes between two jobs: end, leave its socket half
// open or in the middle of a frame, stand still, or go on with something else than reading. The next job is not
// to pay for that. It has not begun as long as the host has heard nothing of it and the worker has not read all
// of it: the kernel knows that, and what a worker does without a word to its host nobody sees.

// ErrNotBegun matches the error of a job that a worker has not begun, and will not begin.
var ErrNotBegun = errors.New("isolate: the worker did not begin the job")

func notBegun(err error) error { return fmt.Errorf("%w: %w", ErrNotBegun, err) }

const (
	look  = 20 * time.Millisecond // between two looks at a worker that has not taken its job
	looks = 3                     // in a row at which no thread of it does anything

	// A worker has read a job after so much processor time: 25 MB/s are slow for a machine.
	deaf        = 500 * time.Millisecond
	deafPerByte = 40 * time.Nanosecond

	tail = 100 * time.Millisecond // for the rest of a frame that came before the job
)

// fit reports whether a job can be given to the worker: what came from it before ends where a frame ends, and
// more can come. If not it is ended.
func (w *Worker) fit(ctx context.Context) bool {
	for end := time.Now().Add(tail); w.conn.Within() && ctx.Err() == nil && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	return !w.silent.Load() && !w.conn.Within()
}

// hears notes that something has come of the job, if there is one.
func (j *job) hears() bool {
	if j != nil && !j.heard.Load() {
		j.heard.Store(true)
	}
	return j != nil
}

// of is hears for what a message says to be of a job. A goroutine of a run that is over may be late with its
// call; it is not to be answered for the next one, which may be somebody else's.
func (j *job) of(id uint64) bool { return j != nil && id == j.id && j.hears() }

// begun reports whether a worker that is dead has begun its job.
func (w *Worker) begun(j *job) bool {
	return j.heard.Load() || w.conn.Last() != wire.Job || !w.reset && !unread(w.socket) && !refused(w.socket)
}

// A watch ends a worker that does not take its job.
type watch struct {
	worker *Worker
	job    *job
	timer  *time.Timer
	asleep int           // looks in a row
	used   time.Duration // of the processor when it was looked at first
	deaf   time.Duration // of it that the worker may use before it has read the job
}

// watch begins one for a job of so many bytes; it is over when it is stopped, or the job has begun.
func (w *Worker) watch(j *job, size int) *watch {
	v := &watch{worker: w, job: j, used: -1, deaf: deaf + time.Duration(size)*deafPerByte}
	v.timer = time.AfterFunc(time.Hour, v.look)
	v.timer.Reset(look) // now look can see the timer
	return v
}

func (v *watch) stop() { v.timer.Stop() }

func (v *watch) look() {
	w := v.worker
	switch sent := v.job.sent.Load(); {
	case v.job.heard.Load():
		return
	case unread(w.socket):
		if v.takesNothing() {
			w.proc.kill()
			return
		}
	case sent:
		return
	default: // the host has not come to send the rest
		v.asleep = 0
	}
	v.timer.Reset(look)
}

// takesNothing reports that nothing in the process is on its way to read, or that it does something
// else. A machine that is busy is no reason for either: a thread that waits for a processor is not asleep, and
// uses none.
func (v *watch) takesNothing() bool {
	if v.worker.proc.look().asleep() {
		v.asleep++
	} else {
		v.asleep = 0
	}
	now, err := v.worker.proc.usage()
	switch {
	case err != nil:
	case v.used < 0:
		v.used = now.CPU
	case now.CPU-v.used > v.deaf:
		return true
	}
	return v.asleep >= looks
}
