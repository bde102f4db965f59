package guard

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// gather is how long a request waits for others that come at the same time: a script that starts ten calls at once asks
// once. It is short for who answers, and long for goroutines of a script.
const gather = 5 * time.Millisecond

// mostUnanswered is how many questions of a run may end without an answer, and mostSilence for how long somebody may be asked in
// vain, before no more are asked: the clock stands while somebody is asked, so a script must not make it stand for ever.
const (
	mostUnanswered = 100
	mostSilence    = longestAskTimeout
)

// A silence is the questions of a run that ended without an answer.
type silence struct {
	mu        sync.Mutex
	questions int
	time      time.Duration // in which there was at least one
	until     time.Time     // when the last one ended
}

// add adds a question that was asked at a time and ends now.
func (s *silence) add(asked time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if asked.Before(s.until) {
		asked = s.until
	}
	s.until = time.Now()
	s.time += s.until.Sub(asked)
	s.questions++
}

// enough reports that no more are to be asked.
func (s *silence) enough() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.questions >= mostUnanswered || s.time >= mostSilence
}

// A waiting is a request whose call waits for the answer.
type waiting struct {
	question
	request decide.Request
	ctx     context.Context
	answer  chan decide.Answer // with room for one; closed without one if there is none
	failed  string             // why there is none; set before answer is closed
	cause   error              // of an approver that has failed; likewise
}

// ask asks an approver, and returns nil if the call may be made.
func (d *decision) ask(ctx context.Context, q question) error {
	if d.argue(); d.hidden {
		return d.no(decide.PolicyRefuses, hintAgain+"pass less at a time", "%s, and its arguments are too large, or nested too deep, to be shown", q.reason)
	}
	if d.run.unanswered.enough() {
		return d.no(decide.PolicyRefuses, hintNever, "%s, and nobody has answered the questions before", q.reason)
	}
	w := &waiting{question: q, ctx: ctx, answer: make(chan decide.Answer, 1)}
	w.request = decide.Request{
		Call: d.call, Reason: q.reason, Rule: q.rule,
		Always: "allow all calls of " + d.call.Member + " for the rest of the session; what the policy refuses stays refused",
	}
	if q.anew {
		w.request.Always = ""
	}
	if _, answered := decide.AnswerTo(ctx, q.deferred()); q.of.Approver == nil && !answered {
		return d.no(decide.PolicyRefuses, hintNever, "%s, and nobody is there to be asked", q.reason)
	}
	if told := d.run.host.Asked; told != nil {
		told(ctx, q.reason, q.rule)
		return nil
	}
	if err := d.run.recorded(d.stack, d.event(record.Event{Kind: record.KindApproval, Decision: record.Ask, Rule: q.rule, Reason: q.reason})); err != nil {
		return err
	}
	began := time.Now()
	a, err := d.answer(ctx, q, w)
	if failed := d.run.recorded(d.stack, d.answerEvent(q, a, err, time.Since(began))); failed != nil {
		return failed
	}
	return err
}

// answer waits for the answer, while the clock stands.
func (d *decision) answer(ctx context.Context, q question, w *waiting) (a decide.Answer, err error) {
	if a, ok := decide.AnswerTo(ctx, q.deferred()); ok {
		return a, d.heard(q, a)
	}
	resume := d.run.host.Stand(ctx)
	defer resume()
	asked := time.Now()
	d.run.session.put(w)
	select {
	case a, ok := <-w.answer:
		if !ok {
			d.run.unanswered.add(asked)
			d.cause = w.cause
			return a, d.no(decide.PolicyRefuses, hintLater, "%s, and %s", q.reason, w.failed)
		}
		if ctx.Err() != nil {
			return a, d.no(decide.PolicyRefuses, hintNever, "%s, and the run was over when there was an answer", q.reason)
		}
		return a, d.heard(q, a)
	case <-ctx.Done():
		return a, d.no(decide.PolicyRefuses, hintNever, "%s, and the run was over before there was an answer", q.reason)
	}
}

// deferred says which question waits.
func (q *question) deferred() decide.Deferred {
	return decide.Deferred{Question: q.number, Reason: q.reason}
}

// heard is what an answer means.
func (d *decision) heard(q question, a decide.Answer) error {
	switch a.Verdict {
	case decide.Approve:
		if a.Always && !q.anew {
			d.run.session.allowAlways(d.call.Member, q.of, len(d.stack.layers))
		}
		return nil
	case decide.Later:
		later := q.deferred()
		return &later
	}
	return d.no(decide.PolicyRefuses, hintNo, "%s, and it was refused%s", q.reason, before(": ", a.Reason))
}

func before(sign, text string) string {
	if text == "" {
		return ""
	}
	return sign + text
}

// put adds a request to those that are asked next.
func (s *session) put(w *waiting) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	w.request.ID = s.last
	if s.queue = append(s.queue, w); len(s.queue) == 1 {
		time.AfterFunc(gather, s.askAll)
	}
}

// askAll asks about all requests that wait, each approver once.
func (s *session) askAll() {
	s.mu.Lock()
	queue := s.queue
	s.queue = nil
	s.mu.Unlock()
	for len(queue) > 0 {
		var batch, rest []*waiting
		for _, w := range queue {
			if w.of == queue[0].of {
				batch = append(batch, w)
			} else {
				rest = append(rest, w)
			}
		}
		queue = rest
		go s.askBatch(batch)
	}
}

// askBatch asks an approver about a batch, and gives each request its answer.
func (s *session) askBatch(batch []*waiting) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(batch[0].ctx), batch[0].of.AskTimeout)
	defer cancel()
	left := make(chan struct{})
	for _, w := range batch { // when all calls are given up nobody needs an answer
		stop := context.AfterFunc(w.ctx, func() {
			select {
			case left <- struct{}{}:
			case <-ctx.Done():
			}
		})
		defer stop()
	}
	go func() {
		for range batch {
			select {
			case <-left:
			case <-ctx.Done():
				return
			}
		}
		cancel()
	}()
	requests := make([]decide.Request, len(batch))
	for i, w := range batch {
		requests[i] = w.request
	}
	answers, err := answered(ctx, &s.gate.hung, func() ([]decide.Answer, error) { return batch[0].of.Approver.Ask(ctx, requests) })
	failed := ""
	switch {
	case err == errHung:
		failed = "the approver, or the policy engine of the host, " + err.Error()
	case err != nil && ctx.Err() != nil:
		failed = "nobody has answered within " + batch[0].of.AskTimeout.String()
	case err != nil:
		failed = "the approver failed"
	}
	byID, ok := sorted(requests, answers)
	if !ok && failed == "" {
		failed = "the approver gave answers that fit no request"
	}
	for _, w := range batch {
		if a, ok := byID[w.request.ID]; ok && failed == "" {
			w.answer <- a
			continue
		}
		w.failed, w.cause = cmp.Or(failed, "the approver has not answered it"), err
		close(w.answer)
	}
}

// sorted are answers by the IDs of their requests. It reports false if one has no request, or one request has two.
func sorted(requests []decide.Request, answers []decide.Answer) (map[int64]decide.Answer, bool) {
	asked, byID := map[int64]bool{}, map[int64]decide.Answer{}
	for _, r := range requests {
		asked[r.ID] = true
	}
	for _, a := range answers {
		if _, twice := byID[a.ID]; twice || !asked[a.ID] {
			return nil, false
		}
		byID[a.ID] = a
	}
	return byID, true
}
