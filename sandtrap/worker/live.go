package worker

import (
	"context"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/live"
)

// joined joins the run that begins to the host.
func (j *jobs) joined(s *wire.Script) *live.Link {
	l := &live.Link{}
	if s.Events {
		l.Event = func(kind, text string) {
			_ = j.host.Stream(wire.StreamEvent+kind, []byte(text)) // if the host is gone, so is the run
		}
	}
	j.link.Store(l)
	return l
}

// tell is told what a function of the host has printed.
func (j *jobs) tell(name string, body []byte) {
	if l := j.link.Load(); l != nil && (name == wire.TellStdout || name == wire.TellStderr) {
		l.Printed(name == wire.TellStderr, body)
	}
}

// A printer writes to the host's writers what the script prints, and returns when it is
// written, or the time of the run is over.
type printer struct {
	ctx  context.Context
	host *wire.Host
	err  bool
}

// spare is how long after the end of its time a run is let through: it is the run that
// finds out that it is over.
const spare = 50 * time.Millisecond

// printers are those for standard output and standard error.
func (j *jobs) printers() (out, err *printer, cancel context.CancelFunc) {
	ctx, cancel := context.WithTimeout(j.ctx, j.timeout+spare)
	return &printer{ctx, j.host, false}, &printer{ctx, j.host, true}, cancel
}

func (p *printer) Write(b []byte) (int, error) {
	body, err := wire.Encode(wire.PrintOp{Err: p.err, Data: b})
	if err == nil {
		_, err = p.host.Call(p.ctx, wire.CallPrint, body)
	}
	return len(b), err
}
