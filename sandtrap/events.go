package sandtrap

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sandtrap-go/sandtrap/rewrite"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/live"
)

// An EventKind says what an Event is about.
type EventKind string

// The kinds. A run that is refused has only EventFinished.
const (
	EventStarted  EventKind = "started"  // the script begins to run; it has been compiled
	EventStdout   EventKind = "stdout"   // Text was printed
	EventStderr   EventKind = "stderr"   // likewise
	EventCall     EventKind = "call"     // a function of the host is called; Text is its name
	EventFinished EventKind = "finished" // Text is the error, empty if all went well
)

// An Event is a step of a run; see Script.Events.
type Event struct {
	Kind EventKind
	Text string
	Time time.Time
	End  Kind // of EventFinished: the kind of its error; empty if all went well, or the error is no *Error
}

// maxEventText bounds the text of an Event. More comes in several.
const maxEventText = 32 << 10

// events show what a run does while it does it.
type events struct {
	link           *live.Link // to the host of this worker; nil in a host
	mu             sync.Mutex // of the writers: functions of the host print too
	stdout, stderr io.Writer

	telling sync.Mutex // of what follows: functions of the host print from any goroutine
	events  chan<- Event
	over    bool // EventFinished was told, which is the last
	end     Kind // of EventFinished
	dropped int64
	failed  []string                   // what became of writers, and warnings of the guard, one line each
	minded  []string                   // reminders of the guard
	decided atomic.Pointer[decide.Run] // nil if nothing is decided

	reached func() (standard, host []string, own bool) // names members; nil if the run has not ended by itself
}

func newEvents(ctx context.Context, s Script) *events {
	return &events{link: live.Of(ctx), stdout: live.Own(ctx, s.Stdout), stderr: live.Own(ctx, s.Stderr), events: s.Events}
}

// wanted reports that somebody wants to know what the run does.
func (f *events) wanted() bool { return f.events != nil || f.link != nil && f.link.Event != nil }

// waits reports that what the run prints goes where that may take long.
func (f *events) waits() bool { return f.stdout != nil || f.stderr != nil }

// tell sends an event, unless nobody is ready for it. It leaves a place for the last.
func (f *events) tell(kind EventKind, text string) {
	if !f.wanted() {
		return
	}
	f.telling.Lock()
	defer f.telling.Unlock()
	if f.over {
		return
	}
	for first := true; first || text != ""; first = false {
		piece := text[:min(len(text), maxEventText)]
		text = text[len(piece):]
		if f.events == nil { // the host has the channel
			f.link.Event(string(kind), piece)
			continue
		}
		f.over = kind == EventFinished && text == ""
		f.send(Event{Kind: kind, Text: piece, Time: time.Now(), End: f.end})
	}
}

// send sends to the channel of the host. telling is held.
func (f *events) send(e Event) {
	if room := cap(f.events) - len(f.events); room == 1 && !f.over {
		f.dropped++
		return
	}
	defer func() {
		if recover() != nil { // the host has closed it, and wants no more
			f.dropped++
		}
	}()
	select {
	case f.events <- e:
	default:
		f.dropped++
	}
}

// finish tells of the end of the run.
func (f *events) finish(res *Result, err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if e, ok := errors.AsType[*Error](err); ok {
		f.telling.Lock()
		f.end = e.Kind
		f.telling.Unlock()
	}
	f.tell(EventFinished, text)
	if run := f.decided.Load(); run != nil {
		(*run).End(decide.Outcome{Kind: string(f.end), Message: text, Ticks: res.Ticks, Used: f.used(res)})
	}
	f.telling.Lock()
	defer f.telling.Unlock()
	res.Dropped = f.dropped
	res.Warnings = append(res.Warnings, f.failed...)
	res.Reminders = f.minded
}

// reaches says what the run that is over could reach.
func (f *events) reaches(prog *rewrite.Program) {
	if f.decided.Load() != nil {
		f.reached = prog.Reached
	} else if f.link != nil {
		f.link.Reached = prog.Reached
	}
}

// used says what the run has used, if that is known.
func (f *events) used(res *Result) func() decide.Used {
	if f.reached == nil {
		return nil
	}
	return func() decide.Used {
		u := decide.Used{Peak: res.PeakBytes, Output: int64(max(len(res.Stdout), len(res.Stderr)))}
		u.Standard, u.Host, u.Own = f.reached()
		for _, a := range res.Artifacts {
			u.Artifacts += int64(len(a.Data))
		}
		return u
	}
}

// remind keeps a reminder for the result.
func (f *events) remind(line string) {
	f.telling.Lock()
	defer f.telling.Unlock()
	f.minded = append(f.minded, line)
}

// printed passes p on, as an event and to the writers.
func (f *events) printed(err bool, p []byte) {
	if f.wanted() {
		kind := EventStdout
		if err {
			kind = EventStderr
		}
		f.tell(kind, string(p))
	}
	f.pass(err, p)
}

// pass passes p on to the writers.
func (f *events) pass(err bool, p []byte) {
	to, name := &f.stdout, "Script.Stdout"
	if err {
		to, name = &f.stderr, "Script.Stderr"
	}
	if f.waits() {
		f.write(to, name, p)
	}
}

// write writes p to a writer of the host's, which is not used again if it does not return.
func (f *events) write(to *io.Writer, name string, p []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if *to == nil {
		return
	}
	w := *to
	*to = nil
	defer func() {
		switch p := recover(); {
		case p != nil:
			f.fail(fmt.Sprintf("%s panicked, and got nothing after that: %.1000q", name, new(carry.Errors).NewPanic(p).Error()))
		case *to == nil:
			f.fail(name + " ended its goroutine, and got nothing after that")
		}
	}()
	_, _ = w.Write(p)
	*to = w
}

// fail keeps a line about a writer for the result.
func (f *events) fail(line string) {
	f.telling.Lock()
	defer f.telling.Unlock()
	f.failed = append(f.failed, line)
}

// printed keeps what was printed, and passes it on.
func (r *run) printed(err bool, p []byte) {
	r.events.printed(err, p)
	r.keep(err, p)
}

func (r *run) keep(err bool, p []byte) {
	tail := r.stdout
	if err {
		tail = r.stderr
	}
	_, _ = tail.Write(p) // never fails
}

// A printer is a run that functions of the host print into, here or in a worker. What
// comes after its end is dropped.
type printer interface {
	print(ctx context.Context, err bool, p []byte)
}

func outputOf(ctx context.Context, err bool) io.Writer {
	if r, ok := ctx.Value(runKey{}).(printer); ok {
		return &output{ctx, r, err}
	}
	if err {
		return os.Stderr
	}
	return os.Stdout
}

// An output is one of a run's, for the host.
type output struct {
	ctx context.Context // of the function's call
	run printer
	err bool
}

func (o *output) Write(p []byte) (int, error) {
	o.run.print(o.ctx, o.err, p)
	return len(p), nil
}

func (r *run) print(_ context.Context, err bool, p []byte) {
	if !r.ended.Load() {
		r.printed(err, p)
	}
}
