package cluster

import (
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// A try is a job that was sent.
type try struct {
	id     string
	worker string // that has it; empty before
	of     string // the instance of the worker
	since  time.Time
	next   uint64    // number of the frame that comes next
	doubt  time.Time // until when the next frame is to come, as one may have been missed; zero if none was
	size   int       // bytes of all frames
	held   int       // bytes of frames
	frames []frame
	err    error         // why no more come
	more   chan struct{} // has one when there are frames, or an error
	over   bool          // its outcome has come; of the goroutine of Do
}

// fail ends a try. The lock is held.
func (t *try) fail(err error) {
	if t.err == nil {
		t.err = err
	}
	t.wake()
}

func (t *try) wake() {
	select {
	case t.more <- struct{}{}:
	default:
	}
}

// told gets a frame about a job.
func (f *Front) told(m *nats.Msg) {
	parts := strings.Split(strings.TrimPrefix(m.Subject, back), ".") // WORKER, FRONT, JOB: the server sees to the first one
	if len(parts) != 3 {
		return
	}
	if name, ok := strings.CutPrefix(parts[2], probes); ok && parts[0] == nobody { // the server says so: no worker has this name
		f.missed(name)
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.tries[parts[2]]
	if t != nil {
		f.held -= t.held
		defer func() { f.held += t.held }()
	}
	if t == nil || t.err != nil || t.worker != "" && t.worker != parts[0] {
		f.stray(parts[0], len(m.Data))
	}
	switch {
	case t == nil:
		f.late(parts[0], parts[2], m.Data)
	case t.err != nil:
	case m.Header.Get("Status") == "503" && t.worker == "":
		t.fail(errRefused)
	default:
		if t.add(parts[0], m.Data); f.held+t.held > maxHeld {
			t.fail(lost(parts[0], "more than %d bytes of jobs are not read yet", maxHeld))
		}
	}
}

// missedWithin is how long a frame is waited for after the front was cut off: its worker may tell of the job yet.
const missedWithin = 2 * time.Second

// cutOff notes that the front was cut off from the cluster. Workers may have told of the end of jobs meanwhile, of which nothing comes any more.
func (f *Front) cutOff(now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range f.tries {
		if t.worker != "" {
			t.doubt = now.Add(missedWithin)
		}
	}
}

// missedFrames ends tries about which nothing has come since the front was cut off.
func (f *Front) missedFrames(now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range f.tries {
		if !t.doubt.IsZero() && now.After(t.doubt) {
			t.fail(lost(t.worker, "this server was cut off from the cluster, and may have missed its end"))
		}
	}
}

// late ends a job that a worker has begun after its front has given it up.
func (f *Front) late(worker, id string, data []byte) {
	var one frame
	if len(data) <= maxBeat && decode(data, &one) == nil && one.Kind == accepted {
		_ = f.conn.Publish(ends+worker, []byte(id))
	}
}

// add adds a frame of a worker. The lock of the front is held.
func (t *try) add(worker string, data []byte) {
	var one frame
	if t.worker != "" && t.worker != worker {
		return // it is not its job
	}
	err := decode(data, &one)
	t.size += len(data)
	switch {
	case err != nil:
		t.fail(lost(worker, "it sends what is no frame: %v", err))
	case one.Number != t.next:
		t.fail(lost(worker, "frame %d came, and %d was next", one.Number, t.next))
	case t.size > maxBack:
		t.fail(lost(worker, "it sends more than %d bytes about a job", maxBack))
	case one.Number == 0 && one.Kind == busy:
		t.fail(errBusy)
	case (one.Number == 0) != (one.Kind == accepted), one.Kind == accepted && !token(string(one.Data)):
		t.fail(lost(worker, "it sends a frame of kind %d as number %d", one.Kind, one.Number))
	default:
		t.worker = worker
		t.next++
		t.doubt = time.Time{} // none was missed before this one
		if one.Kind == accepted {
			t.of, t.since = string(one.Data), time.Now()
		} else {
			t.frames = append(t.frames, one)
			t.held += len(data)
		}
		t.wake()
	}
}
