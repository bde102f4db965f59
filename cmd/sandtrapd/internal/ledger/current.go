package ledger

import (
	"context"
	"time"
)

const (
	lookEach = time.Second
	staleFor = 10 * time.Second
)

// Current reports that all of the ledger is here that was there some seconds ago. Else keys may have been revoked of which this server does
// not know.
func (l *Ledger) Current() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.current) < staleFor
}

// look asks the ledger again and again up to where it is, and notes when all of that is here.
func (l *Ledger) look() {
	tick := time.NewTicker(lookEach)
	defer tick.Stop()
	for {
		began := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), lookEach)
		if l.reachNow(ctx) == nil {
			l.mu.Lock()
			l.current = began
			l.mu.Unlock()
		}
		cancel()
		select {
		case <-tick.C:
		case <-l.stop:
			return
		}
	}
}
