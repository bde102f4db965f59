package peers

import (
	"crypto/rand"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// here is the subject by which servers tell each other that they are there.
const here = "sandtrap.1.server."

// BeatEach is how often a server tells so. One that is silent for SilentFor is lost: less would be a machine that is busy.
const (
	BeatEach  = 250 * time.Millisecond
	SilentFor = 16 * BeatEach
)

const maxServers = 1024

// A Group is the servers that this one hears. It is safe for concurrent use.
type Group struct {
	own  string // the ID of this server
	conn *nats.Conn
	log  *slog.Logger
	sub  *nats.Subscription

	mu      sync.Mutex
	heard   map[string]time.Time
	told    map[string]beat    // what they tell of themselves
	says    beat               // what this server tells
	gone    map[string]missing // those that nobody answers for
	others  map[string]int     // beats of other processes that say that they are this server, by their instances
	beats   int                // that it has told
	highest int                // rank of those processes
	twice   func()             // another process is this server; nil for nobody
	since   time.Time          // when this server began to hear itself without a gap
	live    int                // how many were there when this server was last heard
}

// IsID reports that a text can be the ID of a server.
func IsID(id string) bool { return len(id) == 26 && !strings.ContainsAny(id, ". *>") }

// New listens for the servers, for the one with an ID.
func New(conn *nats.Conn, id string, log *slog.Logger) (*Group, error) {
	g := &Group{own: id, conn: conn, log: log, heard: map[string]time.Time{}, told: map[string]beat{}, gone: map[string]missing{}, others: map[string]int{}, says: beat{Instance: rand.Text(), Since: time.Now(), Rank: -1}}
	var err error
	g.sub, err = conn.Subscribe(here+"*", func(m *nats.Msg) {
		id, b := strings.TrimPrefix(m.Subject, here), beatOf(m.Data)
		if id == g.own && b.Instance != "" && b.Instance != g.says.Instance {
			g.second(b)
			return
		}
		g.hears(id, b, time.Now())
	})
	return g, err
}

// Close ends it. It can be called again.
func (g *Group) Close() error {
	if !g.sub.IsValid() {
		return nil
	}
	if err := g.sub.Unsubscribe(); !errors.Is(err, nats.ErrConnectionClosed) {
		return err
	}
	return nil
}

// Beat tells the others that this server is there, and how many leases it has.
func (g *Group) Beat(leases int) {
	_ = g.conn.Publish(here+g.own, g.beat(leases)) // the others notice if none come
}

// hears notes that a server was heard, and what it tells of itself.
func (g *Group) hears(id string, b beat, now time.Time) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if id == g.own && now.Sub(g.heard[id]) > SilentFor/4 {
		g.since = now
	}
	if _, known := g.heard[id]; known || IsID(id) && g.room(now) {
		g.heard[id], g.told[id] = now, b
	}
	g.count(now)
}

// room reports that there is room for one more server: those that are silent give way. The caller holds the lock.
func (g *Group) room(now time.Time) bool {
	if len(g.heard) < maxServers {
		return true
	}
	maps.DeleteFunc(g.heard, func(_ string, at time.Time) bool { return now.Sub(at) > SilentFor })
	maps.DeleteFunc(g.told, func(id string, _ beat) bool { _, known := g.heard[id]; return !known })
	return len(g.heard) < maxServers
}

// Silent reports that a server was not heard, by one that hears.
func (g *Group) Silent(id string, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	hears := now.Sub(g.heard[g.own]) < SilentFor/4 && now.Sub(g.since) > SilentFor
	at, known := g.heard[id]
	return hears && now.Sub(at) > SilentFor && (known || g.room(now)) // there may have been no room for it
}

// First reports that no server that is there has an ID before this one.
func (g *Group) First(now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, at := range g.heard {
		if id < g.own && now.Sub(at) <= SilentFor {
			return false
		}
	}
	return true
}

// Live is how many servers are there, this one among them. A server that is cut off, and hears none, goes on with those of before.
func (g *Group) Live() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return max(1, g.live)
}

// count counts those who were heard, by one that hears: the others are heard a beat after itself when it was cut off. The lock is held.
func (g *Group) count(now time.Time) {
	if g.live > 0 && (now.Sub(g.heard[g.own]) > SilentFor/4 || now.Sub(g.since) < 2*BeatEach) {
		return
	}
	g.live = 0
	for _, at := range g.heard {
		if now.Sub(at) <= SilentFor {
			g.live++
		}
	}
}
