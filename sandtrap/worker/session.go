package worker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// cell does what is asked of the session.
func (j *worker) cell(ctx context.Context, c *jobs.Cell) ([]byte, error) {
	opens := c.Op == jobs.CellOpen || c.Op == jobs.CellLoad
	if opens != (j.session == nil) {
		return nil, fmt.Errorf("worker: %q out of turn", c.Op)
	}
	if opens {
		j.forget() // a run that was here before: the host has begun to count anew
	}
	var out jobs.CellResult
	err := j.operate(ctx, c, &out)
	if e, ok := errors.AsType[*sandtrap.Error](err); ok {
		out.Error = scriptError(e)
	} else if err != nil {
		out.Failed = err.Error()
	}
	return wire.Encode(out)
}

func (j *worker) operate(ctx context.Context, c *jobs.Cell, out *jobs.CellResult) (err error) {
	switch c.Op {
	case jobs.CellOpen:
		j.session, err = j.box.Session()
	case jobs.CellLoad:
		j.session, err = j.box.LoadSession(reader{ctx, j, wire.CallLoad})
	case jobs.CellSave:
		var skipped map[string]string
		skipped, err = j.session.Save(savedTo{ctx, j})
		for _, name := range slices.Sorted(maps.Keys(skipped)) {
			out.Names = append(out.Names, jobs.Name{Name: name, Type: skipped[name]})
		}
	case jobs.CellSaveAll:
		err = j.session.SaveAll(savedTo{ctx, j})
	case jobs.CellReset:
		err = j.session.Reset()
	case jobs.CellRun:
		if c.Script == nil {
			return fmt.Errorf("worker: a cell without a script")
		}
		out.Run, err = j.runIn(ctx, c.Script, j.session.Run)
	case jobs.CellType:
		out.Text, err = j.session.TypeOf(c.Text)
	case jobs.CellBindings:
		var names []sandtrap.Binding
		names, err = j.session.Bindings()
		for _, b := range names {
			out.Names = append(out.Names, jobs.Name{Kind: b.Kind, Name: b.Name, Type: b.Type})
		}
	case jobs.CellComplete:
		var names []string
		names, err = j.session.Complete(c.Text, c.Offset)
		for _, name := range names {
			out.Names = append(out.Names, jobs.Name{Name: name})
		}
	default:
		return fmt.Errorf("worker: no operation %q", c.Op)
	}
	return err
}

// savedTo hands a session that is being saved to the host, a part at a time.
type savedTo struct {
	ctx context.Context
	j   *worker
}

func (s savedTo) Write(p []byte) (int, error) {
	done := 0
	for done < len(p) {
		next := p[done:min(len(p), done+wire.Part)]
		if _, err := s.j.call(s.ctx, wire.CallSave, next); err != nil {
			raise(err)
			return done, err
		}
		done += len(next)
	}
	return done, nil
}
