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
	Since    time.Time `json:"since"`    // when that has begun
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

// Describe says what the others are told of this server, and has a func be called if another process has its data directory, or a copy of it, and was
// there before it. It is called once.
func (g *Group) Describe(name, version string, twice func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.says.Name, g.says.Version, g.twice = name, version, twice
}

// beat is the next one of this server.
func (g *Group) beat(leases int) []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
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
	if b.Instance != g.other { // one beat alone may be late, of the process that was there before this one
		g.other = b.Instance
		return
	}
	g.other = ""
	g.log.Error("another process has the data directory of this server, or a copy of it: remove the file named server from the copy", "since", b.Since)
	if twice := g.twice; twice != nil && b.Since.Before(g.says.Since) {
		g.twice = nil
		go twice()
	}
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
