package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"strings"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/builtins"
	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/guarded"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/live"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/network"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// policy is the policy of the host, with calls of the host in place of what is the
// host's own.
func (j *worker) policy(p *jobs.Plan) (sandtrap.Policy, error) {
	j.placed = p.Placed
	policy := sandtrap.Policy{
		Std: p.Std, Exclude: p.Exclude, Engine: p.Engine, Echo: sandtrap.EchoMode(p.Echo),
		Limits: sandtrap.Limits(p.Limits),
	}
	if p.HasEnv {
		policy.Env = map[string]string{}
		maps.Copy(policy.Env, p.Env)
	}
	if p.Files != nil {
		policy.Files = &sandtrap.Files{
			Open: func() (afero.Fs, error) {
				return &files{call: j.file, run: j.context, given: givens(p.Files), slots: j.slots}, nil
			},
			Cwd: p.Files.Cwd, ModuleRoot: p.Files.ModuleRoot,
			Quota: vfs.Quota{Bytes: math.MaxInt64, Files: math.MaxInt, Open: p.Files.Open}, // the host knows what others add, and remove
		}
	}
	if p.Network {
		policy.Network = &network.Remote{Ask: j.request, Names: p.Secrets}
	}
	for _, own := range p.Packages {
		members, err := j.members(own.Members, own.Path+".")
		if err != nil {
			return policy, err
		}
		for _, name := range own.Denied { // so that scripts hear why they are not there
			members[name] = func() {}
		}
		policy.Packages = append(policy.Packages, sandtrap.Package{Path: own.Path, Name: own.Name, Members: members, Exclude: own.Denied})
	}
	for _, n := range p.Wraps {
		if n < 0 || n >= j.types.Len() {
			return policy, fmt.Errorf("worker: there is no type %d", n)
		}
		policy.Wrappers = append(policy.Wrappers, j.types.Wrapper(n))
	}
	var err error
	policy.Funcs, err = j.members(p.Funcs, "")
	return policy, err
}

// members makes what scripts see of members of the host. The names of their calls start
// with prefix.
func (j *worker) members(list []jobs.Member, prefix string) (map[string]any, error) {
	members := map[string]any{}
	for _, m := range list {
		v, err := j.member(m, prefix)
		if err != nil {
			return nil, fmt.Errorf("worker: %s%s: %w", prefix, m.Name, err)
		}
		members[m.Name] = v
	}
	return members, nil
}

func (j *worker) member(m jobs.Member, prefix string) (any, error) {
	switch {
	case m.Literal != "":
		return builtins.Literal(m.Literal), nil
	case m.Struct != nil:
		return j.hostType(m, prefix)
	case len(m.Type) == 0:
		return j.types.DecodeConstant(&j.errors, m.Value)
	}
	call := j.wait
	if m.Blocking {
		call = j.call
	}
	fn, err := j.side().Stub(m.Type, m.Blocking, func(ctx context.Context, args []byte, err error) ([]byte, error) {
		if most := j.now.Load().host.MaxArgs(); len(args) > most {
			err = fmt.Errorf("%s gets arguments of %d bytes, and a call of the host can have %d: give it parts", prefix+m.Name, len(args), most)
		}
		at := script.CallOf(ctx)
		if j.placed && at.At == "" {
			at.At = guarded.Site(j.runContext())
		}
		if j.placed || at.Number > 0 {
			args, err = numbered(at, args, err)
		}
		if err != nil {
			return nil, err
		}
		return call(ctx, wire.CallFunc+prefix+m.Name, args)
	})
	switch {
	case err != nil:
		return nil, err
	case m.Reads:
		return builtins.Read{Fn: fn}, nil
	case m.Blocking:
		return sandtrap.Member{Value: fn, Blocking: true}, nil
	}
	return fn, nil
}

// call calls the host for the job that ctx is of.
func (j *worker) call(ctx context.Context, name string, body []byte) ([]byte, error) {
	of := jobOf(ctx)
	if of == nil {
		return nil, errors.New(name + ": the call is of no run")
	}
	body, err := of.host.Call(of.ctx, name, body)
	if message, denied := isDenied(err); denied {
		panic(&gates.Stop{Reason: gates.Denied, Message: message}) // when the call has its turn to return
	}
	if isOver(err) {
		<-of.ctx.Done() // nobody waits for it
	}
	j.thrown.throw(err)
	return body, j.panicked(err)
}

// request does one operation on an HTTP request of the job that runs.
func (j *worker) request(op network.Op) (got network.Answer, err error) {
	return got, j.ask(j.context(), network.Call, op, &got)
}

// wait is call for a function that nothing of the script goes on during: what the host takes
// for it is no time of the run's.
func (j *worker) wait(ctx context.Context, name string, body []byte) ([]byte, error) {
	clock := j.clock()
	if clock == nil {
		return j.call(ctx, name, body)
	}
	clock.Wait()
	body, took, err := j.now.Load().host.Timed(ctx, name, body)
	clock.Waited(took)
	over := isOver(err)
	if over {
		end, cancel := due(ctx, clock)
		<-end.Done()
		cancel()
	}
	if message, denied := isDenied(err); denied {
		clock.Deny(message)
		clock.Unwind()
	}
	if over || err != nil && ctx.Err() != nil { // it was cancelled: that is no error of the function's
		clock.Unwind()
	}
	j.thrown.throw(err)
	return body, j.panicked(err)
}

// isOver reports that the time of the run was over when the call returned, by the host's clock: it begins before the
// worker's, which ends the run.
func isOver(err error) bool {
	e, ok := errors.AsType[*wire.HostError](err)
	return ok && e.Text == jobs.ErrOver
}

// isDenied reports that the host refuses the call and ends the run, and why.
func isDenied(err error) (message string, denied bool) {
	e, ok := errors.AsType[*wire.HostError](err)
	if !ok {
		return "", false
	}
	return strings.CutPrefix(e.Text, jobs.ErrDenied)
}

// clock is the time of the run that goes on, nil if there is none.
func (j *worker) clock() live.Clock {
	if l := j.link.Load(); l != nil {
		return l.Clock()
	}
	return nil
}

// panicked is err, or the panic of the host's function that it is about.
func (j *worker) panicked(err error) error {
	if e, ok := errors.AsType[*wire.HostError](err); ok {
		if text, ok := strings.CutPrefix(e.Text, jobs.ErrPanicked); ok {
			return j.handles.Load().Errors.ReadPanic(text)
		}
	}
	return err
}

// ask is call with CBOR on both sides.
func (j *worker) ask(ctx context.Context, name string, in, out any) error {
	body, err := wire.Encode(in)
	if err != nil {
		return err
	}
	if body, err = j.call(ctx, name, body); err != nil {
		return err
	}
	return wire.Decode(body, out)
}

func (j *worker) script(ctx context.Context, s *jobs.Script) (sandtrap.Script, error) {
	script := sandtrap.Script{Text: s.Text, Name: s.Name, Args: s.Args, Echo: sandtrap.EchoMode(s.Echo), Prints: s.Prints, Funcs: s.Funcs}
	if s.Limits != nil {
		script.Limits = sandtrap.Limits(*s.Limits)
	}
	if len(s.Inputs) > 0 {
		inputs, err := j.handles.Load().DecodeInputs(s.Inputs, carry.MaxCall)
		if err != nil {
			return script, err
		}
		script.Inputs = inputs
	}
	if s.Result != nil {
		into, err := j.handles.Load().Target(s.Result)
		if err != nil {
			return script, err
		}
		script.Result = into
	}
	if s.Stdin {
		script.Stdin = reader{ctx, j, wire.CallStdin}
	}
	return script, nil
}

// A reader reads what the host has, by calls of a name for one job.
type reader struct {
	ctx  context.Context
	j    *worker
	name string
}

// For is the reader for the run with the context ctx.
func (r reader) For(ctx context.Context) io.Reader {
	r.ctx = ctx
	return r
}

func (r reader) Read(p []byte) (int, error) {
	var got jobs.StdinResult
	if err := r.j.ask(r.ctx, r.name, jobs.StdinOp{N: len(p)}, &got); err != nil {
		raise(err)
		if errors.Is(err, context.Canceled) {
			return 0, io.EOF
		}
		return 0, err
	}
	n := copy(p, got.Data)
	switch {
	case got.EOF:
		return n, io.EOF
	case got.Err != "":
		return n, r.j.handles.Load().Errors.ReadError(got.Err)
	}
	return n, nil
}

// raise panics if a reader or a writer of the host has.
func raise(err error) {
	if p, ok := errors.AsType[*carry.Panic](err); ok {
		p.Raise()
	}
}
