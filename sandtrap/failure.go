package sandtrap

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/advice"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
)

// refusal is the Error for what a stage before the run returned.
func refusal(err error) *Error {
	rejections, ok := errors.AsType[diag.Rejections](err)
	if !ok || len(rejections) == 0 {
		return internalError(err.Error())
	}
	var first *Error
	for _, r := range rejections {
		e := rejected(r)
		if first == nil {
			first = e
		} else {
			first.More = append(first.More, e)
		}
	}
	return first
}

// notLoaded is the error for a program that its engine did not load: it was refused, or the run has
// to end.
func notLoaded(err error) error {
	if s, ok := errors.AsType[*gates.Stop](err); ok {
		return s
	}
	return refusal(err)
}

// notRun is the outcome of a run that ended before its program began, for the reason err.
func notRun(err error) engine.Outcome {
	if s, ok := errors.AsType[*gates.Stop](err); ok {
		return engine.Outcome{Stop: s}
	}
	return engine.Outcome{Fault: err}
}

// rejected is the Error for one reason.
func rejected(r *diag.Rejection) *Error {
	kinds := map[diag.Group]Kind{
		diag.Syntax: KindSyntax, diag.Rejected: KindRejected, diag.Type: KindType, diag.Denied: KindDenied,
	}
	e := &Error{Kind: KindRejected, Pos: r.Pos, Name: r.Name, Message: r.Message, Hint: r.Hint, refused: true}
	if k, ok := kinds[r.Code.Group()]; ok && r.Code != 0 { // engines refuse without a code
		e.Kind = k
	}
	e.isImport = strings.Contains(r.Code.String(), "Import")
	return e
}

// failure is the Error for what became of a run, nil if it went well. A run is
// stuck that was given up because a host function did not return.
func failure(ctx context.Context, out engine.Outcome, stuck bool) *Error {
	switch {
	case out.Stop != nil:
		e := stopped(ctx, out)
		if e != nil && stuck {
			e.Hint = "a function of the host that the script called has not returned"
		}
		return e
	case stuck:
		return internalError("the run did not end when it had to")
	case out.Panic != nil:
		e := &Error{Kind: KindPanic, Message: out.Panic.Text, Hint: advice.Panic(out.Panic.Text), Stack: frames(out.Panic.Stack), Tasks: tasks(out.Tasks)}
		if len(e.Stack) > 0 {
			e.Pos = e.Stack[0].Pos
		}
		return e
	case out.Fault != nil:
		return fault(out.Fault)
	}
	return nil
}

// fault is the Error for a failure of the engine, or for what was refused before
// anything ran.
func fault(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if r, ok := errors.AsType[diag.Rejections](err); ok && len(r) > 0 {
		return refusal(r)
	}
	return internalError(err.Error())
}

// stopped is the Error for a stop. Leaving with os.Exit(0) is no failure.
func stopped(ctx context.Context, out engine.Outcome) *Error {
	s := out.Stop
	if s.Reason == gates.Exit && s.Code == 0 {
		return nil
	}
	e := &Error{Kind: Kind(s.Reason), Message: s.Message, Code: s.Code, Stack: frames(out.Stack), Tasks: tasks(out.Tasks)}
	if s.Reason == gates.Deadlock {
		e.Message += waits(e.Tasks, out.Waiting)
		e.Hint = deadlockHint(e.Tasks)
	}
	if len(e.Stack) > 0 {
		e.Pos = e.Stack[0].Pos
	}
	switch end, ok := ctx.Deadline(); {
	case s.Reason == gates.Cancelled && ctx.Err() != nil:
		e.Err = context.Canceled
	case s.Reason == gates.Timeout && ok && !time.Now().Before(end):
		e.Err = context.DeadlineExceeded
	}
	return e
}

func frames(list []engine.Frame) []Frame {
	var out []Frame
	for _, f := range list {
		out = append(out, Frame{Func: f.Func, Pos: f.Pos})
	}
	return out
}

func tasks(list []engine.Task) []Task {
	var out []Task
	for _, t := range list {
		out = append(out, Task{ID: t.ID, State: t.State, Stack: frames(t.Stack), Creator: t.Creator, Created: Frame(t.Created)})
	}
	return out
}

// maxWaits is how many goroutines the message of a deadlock names.
const maxWaits = 10

// waits says where goroutines wait, and for what; all is how many there are.
func waits(list []Task, all int) string {
	var b strings.Builder
	for i, t := range list[:min(len(list), maxWaits)] {
		if i > 0 {
			b.WriteByte(';')
		}
		fmt.Fprintf(&b, " goroutine %d [%s]", t.ID, t.State)
		if len(t.Stack) > 0 {
			fmt.Fprintf(&b, " at %s", t.Stack[0].Pos)
		}
	}
	if more := all - maxWaits; more > 0 {
		fmt.Fprintf(&b, "; ... and %d more", more)
	}
	return b.String()
}

// deadlockHint is what to do about a deadlock.
func deadlockHint(list []Task) string {
	var states []string
	for _, t := range list {
		states = append(states, t.State)
	}
	return advice.Deadlock(states)
}

// internalError is a fault of this module, told in one line.
func internalError(message string) *Error {
	first, _, _ := strings.Cut(message, "\n")
	return &Error{Kind: KindInternal, Message: first, Hint: "this is a fault of the sandbox, not of the script"}
}
