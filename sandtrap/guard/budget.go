package guard

import (
	"fmt"
	"sync"
	"time"
)

// A Budget is what calls of members may cost together. It may be shared between policies, and is safe for concurrent use.
type Budget struct {
	mu           sync.Mutex
	limit, spent int64
}

// NewBudget is a budget of so many units.
func NewBudget(limit int64) *Budget { return &Budget{limit: limit} }

// Spent is what calls have cost until now, those that go on among them.
func (b *Budget) Spent() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}

// left is a budget of its own with what is left of b.
func (b *Budget) left() *Budget {
	if b == nil {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return NewBudget(b.limit - b.spent)
}

// take spends so much, or says why not, with a hint.
func (b *Budget) take(cost int64) (reason, hint string) {
	if b == nil {
		return fmt.Sprintf("it costs %d, and the policy has no budget", cost), hintNever
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if cost > b.limit-b.spent {
		left := max(0, b.limit-b.spent)
		if hint = hintNever; left > 0 {
			hint = hintAgain + fmt.Sprintf("calls that cost %d or less can be made", left)
		}
		return fmt.Sprintf("it costs %d, and %d of the budget of %d are left", cost, left, b.limit), hint
	}
	b.spent += cost
	return "", ""
}

// giveBack is for a call that was not made.
func (b *Budget) giveBack(cost int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent -= cost
}

// A taken is what a call has used of a rate or of a budget.
type taken struct {
	rate *rate
	at   time.Time

	budget *Budget
	cost   int64
}

// giveBack is for a call that was not made.
func (t *taken) giveBack() {
	if t.rate != nil {
		t.rate.giveBack(t.at)
		return
	}
	t.budget.giveBack(t.cost)
}

// rateWindow is how long a call counts for a rate.
const rateWindow = time.Minute

// A rate is a limit of calls in a sliding window.
type rate struct {
	pattern  string
	limit    int
	ofMember bool // it is the Rate of a member

	mu    sync.Mutex
	calls []time.Time // that count, the oldest first
}

// take counts a call, or says why not, and when there may be one.
func (r *rate) take(now time.Time) (reason, hint string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.calls) > 0 && now.Sub(r.calls[0]) >= rateWindow {
		r.calls = r.calls[1:]
	}
	if len(r.calls) < r.limit {
		r.calls = append(r.calls, now)
		return "", ""
	}
	if r.limit == 0 {
		return fmt.Sprintf("no call of %s may be made", r.pattern), hintNever
	}
	wait := int((rateWindow-now.Sub(r.calls[0]))/time.Second) + 1
	return fmt.Sprintf("%s may be called %d times in a minute, and was", r.pattern, r.limit), fmt.Sprintf("not before %d seconds have passed: wait, or go on without it", wait)
}

// giveBack is for a call that was not made.
func (r *rate) giveBack(at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := len(r.calls) - 1; i >= 0; i-- {
		if r.calls[i].Equal(at) {
			r.calls = append(r.calls[:i:i], r.calls[i+1:]...)
			return
		}
	}
}
