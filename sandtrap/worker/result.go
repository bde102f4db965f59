package worker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
)

// A leftOut is a reason for which values of variables do not cross, and the variables.
type leftOut struct {
	why   string
	names []string
}

// leave adds the variable of a name, which does not cross because of err, to list.
func leave(list []leftOut, name string, err error) []leftOut {
	why := err.Error()
	if kind, ok := errors.AsType[*carry.KindError](err); ok {
		name, why = kind.Of(name), kind.Why
	}
	for i := range list {
		if list[i].why == why {
			list[i].names = append(list[i].names, name)
			return list
		}
	}
	return append(list, leftOut{why, []string{name}})
}

// notCopied adds a warning about values that stay here.
func notCopied(out *jobs.Result, line string) {
	out.Warnings, out.NotCopied = append(out.Warnings, line), append(out.NotCopied, line)
}

// result is r as it crosses. Variables whose values cannot are left out, with a
// warning for each reason.
func (j *worker) result(r *sandtrap.Result) jobs.Result {
	out := jobs.Result{
		Stdout: r.Stdout, Stderr: r.Stderr, Types: r.Types, Error: scriptError(r.Error),
		Ticks: r.Ticks, Alloc: r.AllocBytes, Peak: r.PeakBytes, Duration: int64(r.Duration),
		Warnings: slices.Clone(r.Warnings),
	}
	for _, e := range r.Echo {
		out.Echo = append(out.Echo, jobs.Echo(e))
	}
	for _, p := range r.Prints {
		out.Prints = append(out.Prints, j.print(p))
	}
	var left []leftOut
	for _, name := range slices.Sorted(maps.Keys(r.Vars)) {
		data, err := j.encode(r.Vars[name])
		if err != nil {
			left = leave(left, name, err)
			delete(out.Types, name)
			continue
		}
		if out.Vars == nil {
			out.Vars = map[string][]byte{}
		}
		out.Vars[name] = data
	}
	for _, l := range left {
		notCopied(&out, strings.Join(l.names, ", ")+": "+l.why)
	}
	return out
}

// encode is v as it crosses. An error may panic when it is asked what it says.
func (j *worker) encode(v any) (data []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			data, err = nil, fmt.Errorf("it cannot be asked what it is: %v", p)
		}
	}()
	data, err = j.handles.Load().Encode(v)
	if e, ok := errors.AsType[*carry.KindError](err); ok {
		e.Type = builtins.GoName(e.Type)
	}
	return data, err
}

// sendAhead sends what is printed up to the last part of it. What the host does not want is
// lost.
func (j *worker) sendAhead(ctx context.Context, out *jobs.Result) {
	for _, s := range []struct {
		text *string
		err  bool
	}{{&out.Stdout, false}, {&out.Stderr, true}} {
		lost := 0
		for len(*s.text) > wire.Part {
			body, err := wire.Encode(jobs.PrintOp{Err: s.err, Data: []byte((*s.text)[:wire.Part])})
			if err == nil {
				_, err = j.call(ctx, wire.CallAhead, body)
			}
			if err != nil {
				lost += wire.Part
			}
			*s.text = (*s.text)[wire.Part:]
		}
		if lost > 0 {
			out.Warnings = append(out.Warnings, fmt.Sprintf("%d bytes of what was printed are lost: it is too much for a worker; bound it with Limits.Output, or take it as it comes with Script.Stdout", lost))
		}
	}
}

// cut is text, or the beginning of it that there is room for, and takes that room.
func cut(text string, room *int) string {
	had := *room
	*room = max(0, had-len(text))
	if len(text) <= had {
		return text
	}
	return strings.ToValidUTF8(text[:had], "") + fmt.Sprintf("… (%d bytes more)", len(text)-had)
}

// print is p as it crosses. A value that cannot is its text.
func (j *worker) print(p sandtrap.Print) jobs.Print {
	out := jobs.Print{Text: p.Text, Types: p.Types}
	for _, v := range p.Values {
		data, err := j.encode(v)
		if err != nil {
			data, _ = j.handles.Load().Encode(fmt.Sprint(v))
		}
		out.Values = append(out.Values, data)
	}
	return out
}

// scriptError is e as it crosses, with its More, whose texts have a bound together.
func scriptError(e *sandtrap.Error) *jobs.Error {
	if e == nil {
		return nil
	}
	room := jobs.MaxText
	out := oneError(e, &room)
	for _, m := range e.More {
		out.More = append(out.More, oneError(m, &room))
	}
	return out
}

func oneError(e *sandtrap.Error, room *int) *jobs.Error {
	out := &jobs.Error{
		Kind: string(e.Kind), Pos: position(e.Pos), Name: cut(e.Name, room), Message: cut(e.Message, room), Hint: cut(e.Hint, room), Code: e.Code,
		Stack: frames(e.Stack), Refused: errors.Is(e, sandtrap.ErrRefused), Import: errors.Is(e, sandtrap.ErrImport),
	}
	for _, t := range e.Tasks {
		out.Tasks = append(out.Tasks, jobs.TaskState{ID: t.ID, State: t.State, Stack: frames(t.Stack), Creator: t.Creator, Created: frame(t.Created)})
	}
	return out
}

func position(p diag.Position) jobs.Position {
	return jobs.Position{Name: p.Name, Line: p.Line, Column: p.Column}
}

func frame(f sandtrap.Frame) jobs.Frame { return jobs.Frame{Func: f.Func, Pos: position(f.Pos)} }

func frames(list []sandtrap.Frame) []jobs.Frame {
	var out []jobs.Frame
	for _, f := range list {
		out = append(out, frame(f))
	}
	return out
}
