package durable

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/gates"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/carry"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/engine"
	"github.com/sandtrap-go/sandtrap/sandtrap/internal/journal"
)

// maxStdin is how many bytes of standard input a journal holds.
const maxStdin = 16 << 20

// checkKey is the error for a key of a wrong size.
func (b *Box) checkKey() error {
	if n := len(b.Key); n != 0 && n != journal.KeySize {
		return fmt.Errorf("durable: Key has %d bytes, want %d", n, journal.KeySize)
	}
	return nil
}

// read reads a journal.
func (b *Box) read(r io.Reader) (*journal.File, error) {
	if err := b.checkKey(); err != nil {
		return nil, err
	}
	f, err := journal.Read(r, b.Key)
	if err != nil {
		return nil, fmt.Errorf("durable: %w", err)
	}
	return f, nil
}

// journalOf is the journal of a run that begins.
func (b *Box) journalOf(script sandtrap.Script) (*journal.File, error) {
	if err := b.checkKey(); err != nil {
		return nil, err
	}
	own, err := journalScript(script)
	if err != nil {
		return nil, fmt.Errorf("durable: %w", err)
	}
	f := b.newFile()
	f.Script = own
	return f, nil
}

// newFile is a journal that begins.
func (b *Box) newFile() *journal.File {
	f := &journal.File{Header: journal.Header{Seed: b.policy.Seed, Epoch: b.policy.Epoch, Host: b.Host}}
	for f.Seed == 0 {
		f.Seed = rand.Uint64()
	}
	if f.Epoch.IsZero() {
		f.Epoch = time.Now().UTC().Round(0)
	}
	return f
}

// journalScript is a script as journals have it.
func journalScript(s sandtrap.Script) (own journal.Script, err error) {
	if s.Result != nil || len(s.Funcs) > 0 {
		return own, errors.New("a script that can wait has no Result and no Funcs: what it leaves is in the Result of its last run")
	}
	for _, text := range append([]string{s.Name}, s.Args...) {
		if !utf8.ValidString(text) {
			return own, fmt.Errorf("%q is not valid UTF-8, and a journal has nothing else: encode it, such as in base64", text)
		}
	}
	own = journal.Script{Text: s.Text, Name: s.Name, Args: slices.Clone(s.Args), Echo: string(s.Echo), Prints: s.Prints}
	if own.Limits, err = json.Marshal(s.Limits); err != nil {
		return own, err
	}
	if s.Stdin != nil {
		if own.Stdin, err = io.ReadAll(io.LimitReader(s.Stdin, maxStdin+1)); err != nil {
			return own, fmt.Errorf("standard input: %w", err)
		}
		if len(own.Stdin) > maxStdin {
			return own, fmt.Errorf("standard input has more than %d bytes, and a journal holds no more: give the script a function that returns parts", maxStdin)
		}
	}
	for name, v := range s.Inputs {
		data, err := carry.Encode(v)
		if err != nil {
			return own, fmt.Errorf("input %s cannot be written to a journal: %w", name, err)
		}
		if own.Inputs == nil {
			own.Inputs = map[string][]byte{}
		}
		own.Inputs[name] = data
	}
	return own, nil
}

// scriptOf is the script of a journal.
func scriptOf(f *journal.File) (sandtrap.Script, error) {
	own := &f.Script
	s := sandtrap.Script{
		Text: own.Text, Name: own.Name, Args: own.Args, Echo: sandtrap.EchoMode(own.Echo), Prints: own.Prints,
		Stdin: bytes.NewReader(own.Stdin), Copy: true,
	}
	if len(own.Limits) > 0 {
		if err := journal.Strict(own.Limits, &s.Limits); err != nil {
			return s, fmt.Errorf("durable: %w: line 1: limits: %w", ErrJournal, err)
		}
	}
	for name, data := range own.Inputs {
		v, err := carry.Decode(data, carry.MaxCall)
		if err != nil {
			return s, fmt.Errorf("durable: %w: line 1: input %s: %w", ErrJournal, name, err)
		}
		if s.Inputs == nil {
			s.Inputs = map[string]any{}
		}
		s.Inputs[name] = v
	}
	return s, nil
}

// run runs the script of a journal, from its beginning.
func (b *Box) run(ctx context.Context, f *journal.File, to io.Writer, repeats bool, answers []Answer, out Output) (*sandtrap.Result, *Pause, error) {
	none := &sandtrap.Result{}
	switch {
	case f.Session:
		return none, nil, errors.New("durable: the journal is that of a session: LoadSession goes on with it, ReplaySession repeats it")
	case f.From != "":
		return none, nil, errors.New("durable: the journal is that of a cell: ResumeCell goes on with it")
	case f.End != nil && !repeats && !b.closed.Load():
		return none, nil, fmt.Errorf("durable: %w; Replay repeats it", over(f))
	}
	return b.runIn(ctx, f, to, repeats, answers, out, func() (*place, error) {
		box, err := b.pooled(ctx, f)
		if err != nil {
			return nil, err
		}
		return &place{run: box.Run, ended: func() {}, close: func() { box.Close() }}, nil
	})
}

// over is the error about a journal whose run has ended.
func over(f *journal.File) error {
	return fmt.Errorf("the run of this journal is over (%s)", f.End.Kind)
}

// A place is where the script of a journal runs: a sandbox, or a session. It is told when the script has come to an end of its own,
// or has met a limit.
type place struct {
	run   func(context.Context, sandtrap.Script) (*sandtrap.Result, error)
	ended func()
	close func()
}

// runIn is run in a place.
func (b *Box) runIn(ctx context.Context, f *journal.File, to io.Writer, repeats bool, answers []Answer, out Output, open func() (*place, error)) (*sandtrap.Result, *Pause, error) {
	none := &sandtrap.Result{}
	if b.closed.Load() {
		return none, nil, sandtrap.ErrClosed
	}
	p, err := b.part(f, answers)
	if err != nil {
		return none, nil, err
	}
	out.to(&p.script)
	in, err := open()
	if err != nil {
		return none, nil, err
	}
	defer in.close()
	log := journal.NewLog(to, b.Key)
	if err := log.Begin(f); err != nil {
		return none, nil, unwritten(err)
	}
	p.spends = !repeats
	res, f, err := p.run(ctx, in.run, log, repeats)
	if f != nil && f.End != nil {
		in.ended()
	}
	return res, b.pauseOf(f, f, err), err
}

// pauseOf is the pause of a run, whose journal is in that of all, if it is one that has ended so.
func (b *Box) pauseOf(run, all *journal.File, err error) *Pause {
	if err != nil || run == nil || run.Pause.Rest == 0 {
		return nil
	}
	return &Pause{Pending: pending(run), file: all, key: b.Key}
}

// A part is a run, or that of a cell, with what it is told when it goes on.
type part struct {
	box    *Box
	file   *journal.File
	script sandtrap.Script
	given  map[int]*journal.Outcome
	heard  map[int]*journal.Heard
	spends bool          // what the calls of the journal have cost is to be spent
	left   *journal.File // how far it came, if its journal could not be written
}

// part is that of a journal.
func (b *Box) part(f *journal.File, answers []Answer) (p part, err error) {
	p = part{box: b, file: f}
	if p.script, err = scriptOf(f); err != nil {
		return p, err
	}
	if endedByChance(f.End) { // it came to this tick, and then something else ended it
		p.script.Limits.Ticks = max(1, f.End.Ticks)
	}
	p.given, p.heard, err = b.outcomes(f, answers)
	return p, err
}

// run runs the script from its beginning by run, which is that of a sandbox or of a session. The log gets what is new in the
// journal, which is returned, nil if it is of no use.
func (p *part) run(ctx context.Context, run func(context.Context, sandtrap.Script) (*sandtrap.Result, error), log *journal.Log, repeats bool) (*sandtrap.Result, *journal.File, error) {
	r := journal.New(p.file, log, repeats, p.spends, p.box.members.Pauses, p.given, p.heard)
	defer r.Close()
	wanted := p.file.End
	res, err := run(engine.WithOrder(journal.With(ctx, r), r), p.script)
	if res.Error == nil || endings[res.Error.Kind] == ownEnd {
		r.Ended()
	}
	res, f, err := finished(r, res, err, wanted, givenUp(ctx))
	if f == nil && r.Diverged() == nil {
		p.left = r.Left()
	}
	return res, f, err
}

// givenUp reports that the host has given a run up, or that its deadline is over: the run may know that before ctx does.
func givenUp(ctx context.Context) bool {
	until, has := ctx.Deadline()
	return ctx.Err() != nil || has && !time.Now().Before(until)
}

// finished is the result of a run that has ended. The journal had it end as wanted, if that is not nil. The host may have given it up.
func finished(r *journal.Run, res *sandtrap.Result, ended error, wanted *journal.End, givenUp bool) (*sandtrap.Result, *journal.File, error) {
	switch {
	case endedByChance(wanted) && (ended == nil || r.Paused() || res.Error != nil && (res.Error.Kind == sandtrap.KindTicks || endings[res.Error.Kind] == chanceEnd)):
		return asRecorded(res, wanted)
	case r.Diverged() != nil:
		return res, nil, fmt.Errorf("durable: %w: %w; start the script again", ErrDiverged, r.Diverged())
	case r.Unwritten() != nil:
		return res, nil, unwritten(r.Unwritten())
	case r.Paused():
		res.Error = nil
		f, err := r.Finish(nil)
		if err != nil {
			return res, nil, unwritten(err)
		}
		return res, f, nil
	case res.Error != nil && (res.Error.Kind == sandtrap.Kind(gates.Diverged) || res.Error.Kind == sandtrap.Kind(gates.Paused)):
		return res, nil, fmt.Errorf("durable: %w: the worker says so: %w", ErrDiverged, ended) // and its host knows better
	}
	end := endOf(res, ended)
	outer := endings[sandtrap.Kind(end.Kind)] == outerEnd || givenUp && end.Kind == string(sandtrap.KindTimeout) // which its context had
	switch {
	case wanted != nil && outer && end.Kind != wanted.Kind:
		return res, nil, ended
	case wanted != nil && !same(end, wanted):
		return res, nil, fmt.Errorf("durable: %w: it ends as %q after %d ticks, and in the journal as %q after %d, or prints something else",
			ErrDiverged, end.Kind+" "+end.Text, end.Ticks, wanted.Kind+" "+wanted.Text, wanted.Ticks)
	case outer:
		f, err := r.Leave()
		if err != nil {
			return res, nil, unwritten(err)
		}
		return res, f, ended
	}
	f, err := r.Finish(end)
	if err != nil {
		f = nil
		if ended == nil {
			ended = unwritten(err)
		}
	}
	return res, f, ended
}

// asRecorded is a result of a run that is repeated as far as it went, with the error that it ended with.
func asRecorded(res *sandtrap.Result, was *journal.End) (*sandtrap.Result, *journal.File, error) {
	res.Error = &sandtrap.Error{Kind: sandtrap.Kind(was.Kind), Message: was.Text}
	return res, nil, res.Error
}

// An ending is what an error of a run says of the run when it is repeated.
type ending int

const (
	otherEnd  ending = iota // nothing: it is the host's
	ownEnd                  // the script comes to it whenever it is run, at the same place
	chanceEnd               // a limit is met, at another place
	outerEnd                // something else than the script and its limits is the reason: the run can go on
)

var endings = map[sandtrap.Kind]ending{
	sandtrap.KindSyntax: ownEnd, sandtrap.KindRejected: ownEnd, sandtrap.KindType: ownEnd, sandtrap.KindDenied: ownEnd,
	sandtrap.KindPanic: ownEnd, sandtrap.KindExit: ownEnd, sandtrap.KindTicks: ownEnd, sandtrap.KindDepth: ownEnd,
	sandtrap.KindTasks: ownEnd, sandtrap.KindOutput: ownEnd, sandtrap.KindDeadlock: ownEnd,
	sandtrap.KindTimeout: chanceEnd, sandtrap.KindMemory: chanceEnd,
	sandtrap.KindCancelled: outerEnd, sandtrap.KindWorker: outerEnd, sandtrap.KindInternal: outerEnd, sandtrap.KindIsolation: outerEnd,
}

// endedByChance reports that a journal has an end that does not come at the same place again.
func endedByChance(end *journal.End) bool {
	return end != nil && endings[sandtrap.Kind(end.Kind)] == chanceEnd
}

// unwritten is the error of a Writer of the journal.
func unwritten(err error) error { return fmt.Errorf("durable: the journal cannot be written: %w", err) }

// endOf says what became of a run.
func endOf(res *sandtrap.Result, ended error) *journal.End {
	end := &journal.End{Kind: "ok", Ticks: res.Ticks, Output: journal.Hash([]byte(res.Stdout + "\x00" + res.Stderr))}
	if ended != nil {
		end.Kind, end.Text = string(sandtrap.KindInternal), ended.Error()
	}
	if e, ok := errors.AsType[*sandtrap.Error](ended); ok {
		end.Kind = string(e.Kind)
	}
	return end
}

// same reports that runs have ended in the same way.
func same(a, b *journal.End) bool {
	return a.Kind == b.Kind && a.Text == b.Text && a.Ticks == b.Ticks && a.Output == b.Output
}

// sandbox is one for the journal, whose policy has to be that of the box, with the files that it begins with, or nil. Its workers end
// with it.
func (b *Box) sandbox(ctx context.Context, f *journal.File, given *sandtrap.Files) (*sandtrap.Sandbox, error) {
	plan := b.plan
	if given != nil {
		p, files := b.policy, *b.policy.Files
		files.Open, p.Files = given.Open, &files
		var err error
		if plan, err = sandtrap.Compile(p); err != nil {
			return nil, err
		}
	}
	if err := b.checkPolicy(f); err != nil {
		return nil, err
	}
	return plan.New(starting(ctx, f))
}

// starting is ctx for making a sandbox whose runs begin as those of the journal have.
func starting(ctx context.Context, f *journal.File) context.Context {
	return engine.WithStart(ctx, engine.Start{Seed: f.Seed, Epoch: f.Epoch})
}

// checkPolicy checks that the journal is one of the policy, and sets it if nothing has been done yet.
func (b *Box) checkPolicy(f *journal.File) error {
	begun := len(f.Returns) > 0 || f.Pause.Rest > 0 || f.End != nil || len(f.Cells) > 0
	if (begun || f.Policy != "") && f.Policy != b.hash {
		return fmt.Errorf("durable: %w: its policy is another one; only Isolation, Level and Worker may change, and what functions do", ErrDiverged)
	}
	f.Policy = b.hash
	return nil
}

// pending are the calls of a run that wait.
func pending(f *journal.File) (list []Pending) {
	for _, w := range f.Waiting {
		list = append(list, Pending{ID: w.Call, Name: w.Name, Args: w.Args, At: w.At, Ask: w.Ask})
	}
	return list
}

// outcomes are the answers as the journal has them, those that it holds already and these, and the verdicts on calls that wait for
// approval.
func (b *Box) outcomes(f *journal.File, answers []Answer) (map[int]*journal.Outcome, map[int]*journal.Heard, error) {
	out, heard, told := map[int]*journal.Outcome{}, map[int]*journal.Heard{}, map[int]bool{}
	for _, w := range f.Waiting {
		if w.Ask != "" {
			heard[w.Call] = &journal.Heard{Name: w.Name, Args: journal.Hash(w.Args), Verdicts: slices.Clone(w.Heard)}
		}
	}
	for _, a := range f.Answers {
		if a.Verdict.Verdict != "" {
			h := heard[a.Call]
			if h == nil {
				h = &journal.Heard{Name: a.Name, Args: a.Args}
				heard[a.Call] = h
			}
			h.Verdicts = append(h.Verdicts, a.Verdict)
		} else {
			out[a.Call] = &journal.Outcome{Result: a.Result, Err: a.Err, Panic: a.Panic}
		}
	}
	for _, a := range answers {
		i := slices.IndexFunc(f.Waiting, func(w journal.Waiting) bool { return w.Call == a.ID })
		if i < 0 && len(f.Waiting) == 0 {
			return nil, nil, fmt.Errorf("durable: no call %d waits for an answer, nor does another: resume the run without answers first", a.ID)
		}
		if i < 0 {
			return nil, nil, fmt.Errorf("durable: no call %d waits for an answer; these do: %s", a.ID, journal.WaitingText(f.Waiting))
		}
		if told[a.ID] {
			return nil, nil, fmt.Errorf("durable: there are two answers to call %d", a.ID)
		}
		told[a.ID] = true
		w := &f.Waiting[i]
		var err error
		if w.Ask != "" {
			var own journal.Verdict
			own, err = verdict(&a, w)
			heard[a.ID].Verdicts = append(slices.Clone(w.Heard), own)
		} else if a.Verdict != "" {
			err = errors.New("it waits for its result, not for approval: give it no Verdict")
		} else {
			out[a.ID], err = b.members.Answer(w.Name, a.Result, a.Err)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("durable: the answer to call %d: %w", a.ID, err)
		}
	}
	return out, heard, nil
}

// verdict is an answer to a call that waits for approval.
func verdict(a *Answer, w *journal.Waiting) (journal.Verdict, error) {
	heard := journal.Verdict{Question: w.Question, Ask: w.Ask, Verdict: a.Verdict, By: a.By}
	switch {
	case a.Verdict != decide.Approve && a.Verdict != decide.Deny:
		return heard, errors.New("it waits for approval: its Verdict has to be approve or deny")
	case len(a.Result) > 0 || a.Err != nil && a.Verdict == decide.Approve:
		return heard, errors.New("it waits for approval, not for a result: give it a Verdict only")
	case a.Err != nil:
		heard.Reason = a.Err.Error()
	}
	return heard, nil
}
