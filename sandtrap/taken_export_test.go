package sandtrap

import (
	"context"

	"github.com/sandtrap-go/sandtrap/isolate/jobs"
)

// Taking runs text in a worker, whose answer take takes.
func (s *Sandbox) Taking(ctx context.Context, text string, take func([]byte) error) error {
	return s.do(ctx, s.remoteCall(ctx, Script{}), jobs.Task{Run: &jobs.Script{Text: text}}, s.plan.result(), take)
}

// Taking is that of a Sandbox, for the session.
func (s *Session) Taking(ctx context.Context, text string, take func([]byte) error) error {
	cell := jobs.Task{Cell: &jobs.Cell{Op: jobs.CellRun, Script: &jobs.Script{Text: text}}}
	return s.remote.job(ctx, s.remote.remoteCall(ctx, Script{}), cell, s.box.plan.result(), take)
}

// Taking is that of a Sandbox, for a function that a script has left in a worker, after its arguments
// have been sent.
func (f *Func) Taking(ctx context.Context, take func([]byte) error) error {
	far := f.function.(*remoteFunc)
	c := far.at.worker.remoteCall(ctx, Script{})
	c.place = far.at
	list, err := far.at.handles().Encode([]any{})
	if err != nil {
		return err
	}
	return far.at.worker.job(ctx, c, jobs.Task{Call: &jobs.FuncCall{Func: far.number, Args: list}}, far.plan().result(), take)
}
