package worker

import (
	"context"
	"io"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/guarded"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/live"
)

// joined is the context for a run that begins, which the link joins to the host.
func (j *worker) joined(ctx context.Context, events bool) (context.Context, *live.Link) {
	now := jobOf(ctx)
	l := &live.Link{Queued: now.queued}
	if events {
		l.Event = func(kind, text string) {
			_ = now.host.Stream(now.ctx, jobs.StreamEvent+kind, []byte(text)) // if the host is gone, so is the run
		}
	}
	j.link.Store(l)
	if j.placed {
		ctx = guarded.WithSite(ctx, nil)
	}
	return live.With(ctx, l), l
}

// tell is told what a function of the host has printed, and whether the clock stands.
func (j *worker) tell(name string, body []byte) {
	l := j.link.Load()
	if l == nil {
		return
	}
	switch name {
	case jobs.TellStdout, jobs.TellStderr:
		l.Printed(name == jobs.TellStderr, body)
	case jobs.TellStand:
		l.Stand()
	case jobs.TellResume:
		l.Resume()
	}
}

// A printer writes to the host's writers what the script prints, and returns when it is
// written, or the time of the run is over.
type printer struct {
	job  *job
	link *live.Link
	err  bool
}

// spare is how long after the end of its time a run is let through: it is the run that
// finds out that it is over.
const spare = 50 * time.Millisecond

// For is the printer for the run with the context ctx.
func (p *printer) For(ctx context.Context) io.Writer {
	return &printer{jobOf(ctx), live.Of(ctx), p.err}
}

func (p *printer) Write(b []byte) (int, error) {
	ctx, cancel := due(p.job.ctx, p.link.Clock())
	defer cancel()
	for done := 0; ; {
		piece := b[done:min(len(b), done+wire.Part)]
		body, err := wire.Encode(jobs.PrintOp{Err: p.err, Data: piece})
		if err == nil {
			_, err = p.job.host.Call(ctx, wire.CallPrint, body)
		}
		if done += len(piece); err != nil || done >= len(b) {
			return done, err
		}
	}
}

// due ends when the time of the run with that clock is over.
func due(ctx context.Context, clock live.Clock) (context.Context, context.CancelFunc) {
	if clock != nil {
		if end := clock.Deadline(); !end.IsZero() {
			return context.WithDeadline(ctx, end.Add(spare))
		}
	}
	return context.WithCancel(ctx)
}
