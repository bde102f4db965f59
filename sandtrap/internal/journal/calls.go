package journal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/sandtrap-go/sandtrap/internal/script"
	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
)

// Hash is the hash of a text as journals have it.
func Hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// do gives the outcome of a call of a host function: that of the journal, the answer, or what live gives; gone is that of one
// which ends its goroutine. It is nil if the run is over before. A call without live cannot be made, and gone is its outcome. The
// note is for calls that are decided about.
func (r *Run) do(ctx context.Context, name string, args json.RawMessage, note *note, gone *Outcome, live func() *Outcome) *Outcome {
	at := script.CallOf(ctx)
	c, goes := r.begin(at, name, args, note, live == nil)
	if c == nil {
		return nil
	}
	if goes {
		r.make(at.Number, args, gone, live)
	}
	return r.wait(ctx, c)
}

// answered is ctx for a call, with the answer to it if somebody was asked about it in an earlier part of the run.
func (r *Run) answered(ctx context.Context) context.Context {
	n := script.CallOf(ctx).Number
	r.mu.Lock()
	c := r.calls[n]
	r.mu.Unlock()
	if h := r.heard[n]; h.to(c) {
		return decide.WithAnswers(ctx, h.answers())
	}
	return ctx
}

// make makes a call.
func (r *Run) make(n int, args json.RawMessage, gone *Outcome, live func() *Outcome) {
	out := gone
	defer func() { r.end(n, args, out) }()
	if live != nil {
		out = live()
	}
}

// wait waits until the outcome of c is known.
func (r *Run) wait(ctx context.Context, c *call) *Outcome {
	for {
		r.mu.Lock()
		out, over := c.out, r.over
		var changed <-chan struct{}
		if out == nil {
			changed = r.later()
		}
		r.mu.Unlock()
		if out != nil || over {
			return out
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil
		}
	}
}

// Missed notes a call that ended in an error if it has not come to its function.
func (r *Run) Missed(ctx context.Context, name string, failed string) {
	at := script.CallOf(ctx).Number
	r.mu.Lock()
	begun := r.calls[at] != nil
	r.mu.Unlock()
	if !begun {
		text, _ := json.Marshal(failed)
		r.do(ctx, name, text, nil, &Outcome{Panic: failed}, nil)
	}
}

// begin takes a call, and reports that it has to be made. It is nil if the run takes none any more.
func (r *Run) begin(at script.Call, name string, args json.RawMessage, note *note, failed bool) (c *call, goes bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.tell()
	n := at.Number
	switch {
	case r.over || r.paused || r.diverged != nil: // nothing is called any more
		return nil, false
	case n <= r.file.Before:
		r.diverge("a call of %s has the number %d", name, n)
		return nil, false
	case n > maxLines:
		r.diverge("call %d, of %s, is one too many: a journal has %d", n, name, maxLines)
		return nil, false
	case r.calls[n] != nil:
		r.diverge("call %d, of %s, has begun before", n, name)
		return nil, false
	}
	c = &call{name: name, hash: Hash(args), at: at.At, note: note}
	r.calls[n] = c
	was, waits := r.known[n], r.expected[n]
	switch {
	case was != nil && (was.Name != name || was.Args != c.hash):
		r.diverge("call %d at %s is %s(%s), and in the journal it is one of %s%s", n, at.At, name, short(args), was.Name, other(was.Name == name))
	case was != nil:
		c.out = was.outcome()
		note.begun(c.out.made() && r.spends)
	case waits != nil && (waits.Name != name || Hash(waits.Args) != c.hash):
		r.diverge("call %d at %s is %s(%s), and in the journal it waits as %s(%s)", n, at.At, name, short(args), waits.Name, short(waits.Args))
	case waits == nil && !r.reached && r.file.Pause.Rest > 0:
		r.diverge("call %d at %s is %s(%s), and the journal has none", n, at.At, name, short(args))
	case r.answers[n] != nil:
		note.begun(r.spends) // it was decided when it began to wait
		c.answer = r.answers[n]
		r.completed = append(r.completed, n)
		if r.reached {
			c.out = note.returned(c.answer)
		}
	case waits != nil && waits.Ask != "" && !r.repeats && !failed: // who is asked may know by now
		return c, true
	case waits != nil || r.repeats || r.pauses(name) && !failed:
		c.args, r.waiting[n] = args, true
		if waits != nil {
			c.ask = decide.Deferred{Question: waits.Question, Reason: waits.Ask}
			note.begun(r.spends)
		}
	default:
		return c, true
	}
	if r.diverged != nil {
		return nil, false
	}
	return c, false
}

// other is what is another in the journal.
func other(arguments bool) string {
	if arguments {
		return " with other arguments"
	}
	return ""
}

func (r *Run) end(n int, args json.RawMessage, out *Outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if out.Waits {
		r.calls[n].args, r.calls[n].ask, r.waiting[n] = args, out.Ask, true
		r.tell()
		return
	}
	r.calls[n].out = out
	r.completed = append(r.completed, n)
	r.tell()
}

// diverge keeps the first difference. The lock is held.
func (r *Run) diverge(format string, args ...any) {
	if r.diverged == nil {
		r.diverged = fmt.Errorf(format, args...)
	}
}

// unfit says that what the journal has of call n does not fit its function.
func (r *Run) unfit(n int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.tell()
	r.diverge("call %d: %w", n, err)
}

const shortText = 200

func short(text []byte) string {
	if len(text) > shortText {
		return string(text[:shortText]) + "…"
	}
	return string(text)
}

// WaitingText names calls that wait.
func WaitingText(list []Waiting) string {
	text := ""
	for i, w := range list[:min(len(list), maxNamed)] {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%d (%s)", w.Call, w.Name)
	}
	if len(list) > maxNamed {
		text += fmt.Sprintf(" and %d more", len(list)-maxNamed)
	}
	return text
}

// maxNamed is how many calls a message names.
const maxNamed = 10
