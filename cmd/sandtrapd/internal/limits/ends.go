package limits

import "time"

// Ends are when runs have ended, from which follows when one more may have room. Its zero value has none.
type Ends struct {
	last  time.Time
	every time.Duration // a mean of the times between them, of which the last ones count most
}

// The bounds of how long clients are told to wait.
const (
	leastAfter = time.Second
	mostAfter  = time.Minute
)

// Add notes an end.
func (e *Ends) Add(now time.Time) {
	if !e.last.IsZero() {
		gap := min(now.Sub(e.last), mostAfter)
		if e.every == 0 {
			e.every = gap
		}
		e.every += (gap - e.every) / 8
	}
	e.last = now
}

// After is how long it may take until the next one: as long as from one to the next, or as there was none.
func (e *Ends) After(now time.Time) time.Duration {
	after := e.every
	if !e.last.IsZero() {
		after = max(after, now.Sub(e.last))
	}
	return min(mostAfter, max(leastAfter, after))
}
