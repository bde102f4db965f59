package sandtrap

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
	"github.com/sandtrap-go/sandtrap/rewrite/diag"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/live"
)

// status says what holds the worker.
func (p *Plan) status(w *isolate.Worker) Status {
	return status(p.policy.Isolation, p.policy.Level, w)
}

func status(mode Isolation, level isolate.Level, w *isolate.Worker) Status {
	s := Status{Mode: mode, Level: level}
	for _, l := range w.Status() {
		layer := isolate.Layer{Name: l.Name, State: string(l.State), Reason: l.Reason, Level: isolate.From(l.Name)}
		if l.State == posture.Missing {
			layer.Remedy = isolate.Remedy(l.Name)
			s.Missing = append(s.Missing, l.Name)
		}
		s.Layers = append(s.Layers, layer)
	}
	return s
}

// Probe reports which isolation this machine supports: it starts a worker, the executable
// of Policy.Worker, that may lack layers, and ends it; for kernel, at level maximum. The
// error is about the worker.
func Probe(ctx context.Context, mode Isolation, worker string) (Status, error) {
	if mode == None {
		return Status{Mode: None}, nil
	}
	w, err := isolate.Start(ctx, isolate.Spec{Path: worker, Level: level(mode, isolate.Maximum), Memory: overhead, AllowDegraded: true})
	if err != nil {
		return Status{Mode: mode}, fmt.Errorf("sandtrap: %w", err)
	}
	defer w.Close()
	if mode == Kernel {
		return status(mode, isolate.Maximum, w), nil
	}
	return status(mode, "", w), nil
}

func level(mode Isolation, level isolate.Level) isolate.Level {
	if mode == Kernel {
		return isolate.Level(level)
	}
	return isolate.Bare
}

// kinds are the words that a worker may use of what became of a script.
var kinds = []Kind{
	KindSyntax, KindRejected, KindType, KindDenied, KindPanic, KindExit, KindTimeout, KindTicks, KindMemory, KindDepth, KindTasks,
	KindOutput, KindCancelled, KindDeadlock, KindContract, KindInternal, Kind(gates.Paused), Kind(gates.Diverged),
}

// received puts what a worker sent into res. It is what a script did, or what somebody
// who has taken over the worker wants: it is bounded, and it is believed as far as
// it is about the script.
func received(got *jobs.Result, before *live.Ahead, l *gates.Limits, h *carry.Handles, res *Result) error {
	stdout, stderr := before.Texts()
	res.Stdout, res.Stderr = tail(stdout+got.Stdout, l.Output), tail(stderr+got.Stderr, l.Output)
	res.Ticks, res.AllocBytes, res.PeakBytes = got.Ticks, got.Alloc, got.Peak
	res.Duration = time.Duration(got.Duration)
	for _, e := range got.Echo {
		res.Echo = append(res.Echo, Echo(e))
	}
	res.Warnings = got.Warnings[:min(len(got.Warnings), maxWarnings)]
	res.NotCopied = got.NotCopied[:min(len(got.NotCopied), maxWarnings)]
	room := roomOfValues(l)
	receivedPrints(got.Prints, h, &room, res)
	for _, name := range slices.Sorted(maps.Keys(got.Vars)) { // what comes first tells of what others mention
		data := got.Vars[name]
		v, err := h.Decode(data, &room)
		if err != nil {
			res.warn(name, err)
			continue
		}
		res.Vars[name], res.Types[name] = v, got.Types[name]
	}
	if got.Error == nil {
		return nil
	}
	return receivedError(got.Error)
}

// receivedPrints puts prints in res, as far as there is room.
func receivedPrints(list []jobs.Print, h *carry.Handles, room *int64, res *Result) {
	for _, p := range list {
		got := Print{Text: p.Text, Values: []any{}, Types: append([]string{}, p.Types...)}
		for i, data := range p.Values {
			v, err := h.Decode(data, room)
			if err != nil {
				v = nil
				res.warn(fmt.Sprintf("print %d, argument %d", len(res.Prints)+1, i+1), err)
			}
			got.Values = append(got.Values, v)
		}
		res.Prints = append(res.Prints, got)
	}
}

// maxWarnings is how many warnings there may be for more to be added: of the rest nothing is said.
const maxWarnings = 1000

// warn says that a value was left out.
func (r *Result) warn(what string, err error) {
	if len(r.Warnings) < maxWarnings {
		line := fmt.Sprintf("%s: %v", what, err)
		r.Warnings, r.NotCopied = append(r.Warnings, line), append(r.NotCopied, line)
	}
}

// maxOutput bounds what comes ahead of a result where no limit does.
const maxOutput = 1 << 30

// roomAhead is how much of one stream there may be.
func roomAhead(l *gates.Limits) int64 {
	switch {
	case l.Output > 0:
		return l.Output + marker
	case l.Memory > 0:
		return l.Memory
	}
	return maxOutput
}

// marker is more than what stands before an output of which only the end was kept.
const marker = 128

// tail is the end of s, which does not hold the rest.
func tail(s string, limit int64) string {
	if limit += marker; limit > marker && int64(len(s)) > limit {
		return strings.Clone(s[int64(len(s))-limit:])
	}
	return s
}

// receivedError is the error of a script that a worker tells of, with its More. Its texts are no longer than
// a worker makes them.
func receivedError(e *jobs.Error) *Error {
	texts := []string{}
	for _, one := range append([]*jobs.Error{e}, e.More...) {
		if !slices.Contains(kinds, Kind(one.Kind)) {
			return malformed("error")
		}
		texts = append(texts, one.Message, one.Hint, one.Name, one.Pos.Name)
	}
	if tooMuch(texts...) {
		return malformed("error")
	}
	out := oneError(e)
	for _, m := range e.More {
		out.More = append(out.More, oneError(m))
	}
	return out
}

func oneError(e *jobs.Error) *Error {
	out := &Error{
		Kind: Kind(e.Kind), Pos: diag.Position(e.Pos), Name: e.Name, Message: e.Message, Hint: e.Hint, Code: e.Code,
		Stack: receivedFrames(e.Stack), refused: e.Refused, isImport: e.Import,
	}
	for _, t := range e.Tasks {
		out.Tasks = append(out.Tasks, Task{
			ID: t.ID, State: t.State, Stack: receivedFrames(t.Stack), Creator: t.Creator, Created: receivedFrame(t.Created),
		})
	}
	return out
}

func receivedFrame(f jobs.Frame) Frame { return Frame{Func: f.Func, Pos: diag.Position(f.Pos)} }

func receivedFrames(list []jobs.Frame) []Frame {
	var out []Frame
	for _, f := range list {
		out = append(out, receivedFrame(f))
	}
	return out
}

// checkRemote has a worker check a script: what reads hostile text may be taken over by
// it.
func (s *Sandbox) checkRemote(ctx context.Context, script Script) (*CheckResult, error) {
	job, err := s.plan.remoteScript(script)
	if err != nil {
		return nil, err
	}
	var got jobs.CheckReport
	err = s.do(ctx, s.remoteCall(ctx, Script{Inputs: script.Inputs}), jobs.Task{Check: job}, &Result{}, func(body []byte) error {
		if err := wire.Decode(body, &got); err != nil {
			return malformed("report")
		}
		if got.Error != nil {
			return s.plan.endedBy(ctx, receivedError(got.Error))
		}
		return s.plan.endedBy(ctx, nil)
	})
	if err != nil {
		return nil, err
	}
	report := &CheckResult{Bindings: []Binding{}, Warnings: got.Warnings, rewritten: func() string { return got.Rewritten }}
	for _, b := range got.Bindings {
		report.Bindings = append(report.Bindings, Binding{Kind: b.Kind, Name: b.Name, Type: b.Type, Pos: diag.Position(b.Pos)})
	}
	return report, nil
}

// frameLimits are how many bytes a worker may send at a time of what its script may hold: more it cannot return,
// and not give a function of the host. What it prints, and files, come in parts.
func frameLimits(l *gates.Limits) posture.Frames {
	const (
		least = 1 << 20              // what says how values are to be read
		texts = least + jobs.MaxText // and those of an error, prints and echoes
	)
	if l.Memory <= 0 || l.Memory > wire.MaxFrame {
		return posture.Frames{}
	}
	return posture.Frames{Outcome: int(l.Memory) + texts + 2*wire.Part, Call: int(l.Memory) + least}
}

// roomOfValues is how many bytes of memory the values may take in all that a worker returns of a run. Some
// take more in its host than in the script: an element of a list is an any of its own.
func roomOfValues(l *gates.Limits) int64 {
	const most, more = 256 << 20, 4
	if l.Memory <= 0 || l.Memory > most/more {
		return most
	}
	return more * l.Memory
}

// tooMuch says that texts of an error are longer than a worker makes them.
func tooMuch(texts ...string) bool {
	const marks = 64 << 10 // says how much was cut off; and names, which are not cut
	n := 0
	for _, text := range texts {
		n += len(text)
	}
	return n > jobs.MaxText+marks
}
