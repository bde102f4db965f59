package peers

import "time"

// How a server that has ended is told from one that is busy, or cut off for a moment amid a cell: nobody hears its subject for so long.
const (
	GoneFor = 3 * time.Second
	askedIn = time.Second // by who asks again
)

// maxMissing bounds those that are noted.
const maxMissing = 1000

// A missing server is one that nobody answers for.
type missing struct{ since, last time.Time }

// Missed notes that nobody answers for a server, and reports that it is gone.
func (g *Group) Missed(server string, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	m := g.gone[server]
	if now.Sub(m.last) > askedIn { // nobody has asked since
		m.since = now
	}
	if m.last = now; len(g.gone) >= maxMissing {
		clear(g.gone)
	}
	g.gone[server] = m
	return now.Sub(m.since) >= GoneFor
}

// Answers notes that a server is there.
func (g *Group) Answers(server string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.gone, server)
}
