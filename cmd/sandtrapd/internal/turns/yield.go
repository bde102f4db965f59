package turns

import "time"

const (
	lately  = 200 * time.Millisecond // after a turn of the foreground has begun or ended others of it are expected
	restFor = 10 * time.Millisecond  // of the background meanwhile, after each of its turns
	without = time.Second            // a turn, after which the background has the next one, whoever waits in the foreground
)

// A yield says when the background gives way: what somebody waits for has the processors nearly for itself then, also for what is done before and
// after a turn. Nothing is left unused for long where nobody comes.
type yield struct {
	seen  time.Time // when a turn of the foreground has begun or ended
	until time.Time // no turn of the background begins before, unless the foreground is gone
	had   time.Time // when the background has last had a turn, or has begun to wait for one
	due   time.Time // when those that wait for time alone are looked at; zero if they are not
}

// lately reports that the foreground was there just now.
func (y *yield) lately(now time.Time) bool { return now.Sub(y.seen) < lately }

// share is how many turns the background may have: half of all, or a quarter beside the foreground. The lock is held.
func (t *Turns) share(now time.Time) int {
	if t.lines[foreground].had > 0 || t.yield.lately(now) {
		return max(1, t.all/4)
	}
	return max(1, t.all/2)
}

// starves reports that the background is to have the next turn. The lock is held.
func (t *Turns) starves() bool {
	l := &t.lines[background]
	return l.had == 0 && len(l.order) > 0 && time.Since(t.yield.had) >= without
}

// RoomBehind reports that the background may have one more than n turns now.
func (t *Turns) RoomBehind(n int) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.roomBehind(n)
}

// roomBehind is RoomBehind. The lock is held.
func (t *Turns) roomBehind(n int) bool {
	now := time.Now()
	return n < t.share(now) && !(t.yield.lately(now) && now.Before(t.yield.until))
}

// saw notes that a turn of a class has begun or ended. The lock is held.
func (t *Turns) saw(c class, ended bool) {
	now := time.Now()
	if c == foreground {
		t.yield.seen = now
		return
	}
	if t.yield.had = now; ended {
		t.yield.until = now.Add(restFor / time.Duration(t.share(now)))
	}
}

// look has those of the background that wait for time alone be looked at when it has passed. The lock is held.
func (t *Turns) look() {
	y, now := &t.yield, time.Now()
	if len(t.lines[background].order) == 0 || !y.lately(now) {
		return
	}
	at := y.seen.Add(lately)
	if now.Before(y.until) && y.until.Before(at) {
		at = y.until
	}
	if y.due.IsZero() || at.Before(y.due) {
		y.due = at
		time.AfterFunc(at.Sub(now), func() { t.looked(at) })
	}
}

func (t *Turns) looked(at time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.yield.due.Equal(at) { // an earlier one has come since
		return
	}
	t.yield.due = time.Time{}
	for t.giveNext() {
	}
	t.look()
}
