package peers

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"
)

// A beat is what a server tells of itself. A server of an older build tells nothing, and one of a newer build may tell more.
type beat struct {
	Instance string    `json:"instance"` // of its process
	Since    time.Time `json:"since"`    // when that has begun, for people and servers of older builds
	Rank     int       `json:"rank"`     // of those that say that they are one server: 0 is that of an older build, and -1 says that it is not known yet
	Name     string    `json:"name"`     // of its key; empty if it has none
	Version  string    `json:"version"`  // of its program
	Leases   int       `json:"leases"`   // of sessions that it has
}

// A Server is one that was heard.
type Server struct {
	ID, Name, Version string
	Leases            int
	Seen              time.Time // when it was heard
	Own               bool      // it is this one
}

const (
	maxBeat  = 1024        // bytes
	shownFor = time.Minute // a server that is silent is told of for so long
)

// rankAfter is how many beats a process tells before it has a rank: one that has heard others which are the same server is after them.
const rankAfter = 4

// Describe says what the others are told of this server, and has a func be called if another process has its data directory, or a copy of it, and
// stays. It is called once.
func (g *Group) Describe(name, version string, twice func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.says.Name, g.says.Version, g.twice = name, version, twice
}

// beat is the next one of this server.
func (g *Group) beat(leases int) []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.beats++; g.beats > rankAfter && g.says.Rank < 0 {
		g.says.Rank = g.highest + 1
	}
	says := g.says
	says.Leases = leases
	text, _ := json.Marshal(says) // it has nothing that JSON has not
	return text
}

// beatOf is what a server tells of itself, nothing if it cannot be read.
func beatOf(text []byte) (b beat) {
	if len(text) > maxBeat || json.Unmarshal(text, &b) != nil {
		return beat{}
	}
	return b
}

// second notes a beat of another process that says that it is this server.
func (g *Group) second(b beat) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.highest = max(g.highest, min(b.Rank, maxRank)); g.says.Rank < 0 || b.Rank < 0 {
		return
	}
	if len(g.others) >= maxOthers {
		clear(g.others)
	}
	g.others[b.Instance]++
	if g.others[b.Instance] < 2 { // one beat alone may be late, of the process that was there before this one
		return
	}
	if g.others[b.Instance] == 2 {
		g.log.Error("another process has the data directory of this server, or a copy of it: remove the file named server from the copy", "since", b.Since)
	}
	if twice := g.twice; twice != nil && g.says.yields(b) {
		g.twice = nil
		go twice()
	}
}

// Bounds of what other processes say that say that they are this server, and of how many of these are noted.
const (
	maxOthers = 16
	maxRank   = 1 << 30
)

// yields reports that the process of a beat ends, and that of another one stays: the one that was there first. No clock says so, as two machines
// have two of them, and nothing that changes: all know the same one.
func (b beat) yields(to beat) bool {
	if to.Rank == 0 {
		return to.Since.Before(b.Since)
	}
	return cmp.Or(cmp.Compare(to.Rank, b.Rank), cmp.Compare(to.Instance, b.Instance)) < 0
}

// Servers are those that were heard lately.
func (g *Group) Servers() (list []Server) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for id, seen := range g.heard {
		if time.Since(seen) < shownFor {
			b := g.told[id]
			list = append(list, Server{ID: id, Name: b.Name, Version: b.Version, Leases: b.Leases, Seen: seen, Own: id == g.own})
		}
	}
	slices.SortFunc(list, func(a, b Server) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return list
}
