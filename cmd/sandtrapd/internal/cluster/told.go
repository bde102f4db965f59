package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// A told is what the workers of a job have told of it. If it is done again, it tells again: what clients have is skipped.
type told struct {
	job     *dispatch.Job
	out     dispatch.Output
	give    func(ctx context.Context, worker string, data []byte) error // gives a worker contents that it wants, of a job in a session
	streams [2]stream
	outcome []byte
}

// A stream is an output of a job.
type stream struct{ had, skip int }

// again has the next worker begin anew.
func (t *told) again() {
	t.outcome = nil
	for i := range t.streams {
		t.streams[i].skip = t.streams[i].had
	}
}

// write gives a client what it has not yet.
func (s *stream) write(w io.Writer, data []byte) {
	n := min(s.skip, len(data))
	s.skip -= n
	if data = data[n:]; len(data) > 0 {
		s.had += len(data)
		_, _ = w.Write(data) // a client that is gone is no error of the job
	}
}

// add takes a frame. It is the outcome if that is whole.
func (t *told) add(ctx context.Context, worker string, f frame) (*dispatch.Outcome, error) {
	switch f.Kind {
	case stdout:
		t.streams[0].write(t.out.Stdout, f.Data)
	case stderr:
		t.streams[1].write(t.out.Stderr, f.Data)
	case recorded:
		return nil, t.record(worker, f)
	case wants:
		return nil, t.give(ctx, worker, f.Data)
	case large:
		if t.job.Cell == nil {
			return nil, lost(worker, "it says that a session is large, and there is none")
		}
		return nil, fmt.Errorf("%w: so its worker says", dispatch.ErrLarge)
	case failed:
		return nil, fmt.Errorf("%w: %s: its log says why", errFailed, worker)
	case outcome:
		if t.outcome = append(t.outcome, f.Data...); !f.Last {
			return nil, nil
		}
		var o dispatch.Outcome
		if err := decode(t.outcome, &o); err != nil {
			return nil, lost(worker, "its outcome is malformed: %v", err)
		}
		if err := check(&o); err != nil {
			return nil, lost(worker, "its outcome is malformed: %v", err)
		}
		if err := t.out.Check(&o); err != nil {
			return nil, lost(worker, "its outcome is none of the job: %v", err)
		}
		o.Worker = worker
		return &o, nil
	default:
		return nil, lost(worker, "it sends frames of kind %d", f.Kind)
	}
	return nil, nil
}

// record writes an event of the record. A worker tells of its own run alone.
func (t *told) record(worker string, f frame) error {
	var e record.Event
	if err := json.Unmarshal(f.Data, &e); err != nil || !f.Last {
		return lost(worker, "an event of the record is malformed: %v", err)
	}
	if t.out.Record == nil {
		return nil
	}
	return t.write(e)
}

// write writes an event of the record, of the run of the job.
func (t *told) write(e record.Event) error {
	e.Time = time.Now() // the clock of the worker may be off
	e.Subject = decide.Subject{Tenant: t.job.Tenant, Session: t.job.Session, Run: t.job.Run}
	return t.out.Record.Write(e)
}

// check checks an outcome of a worker, which may lie.
func check(o *dispatch.Outcome) error {
	switch {
	case !json.Valid(o.Result) || o.Result[0] != '{':
		return errors.New("the result is no object of JSON")
	case len(o.Kind) > maxKind || o.Kind != "" && !token(o.Kind):
		return errors.New("the kind of the error is none")
	case o.Ticks < 0 || o.Peak < 0 || o.Duration < 0 || o.Duration > 24*time.Hour:
		return errors.New("a figure is out of range")
	case len(o.Artifacts) > maxFiles:
		return fmt.Errorf("there are %d artifacts", len(o.Artifacts))
	}
	for _, a := range o.Artifacts {
		if !fs.ValidPath(a.Name) || len(a.Name) > 255 || len(a.MediaType) > 255 || !utf8.ValidString(a.MediaType) || strings.ContainsAny(a.MediaType, "\r\n") {
			return errors.New("an artifact has no name or media type")
		}
	}
	return nil
}
