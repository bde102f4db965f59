package ledger

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

// A Server is one that shares the ledger.
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
func (l *Ledger) Describe(name, version string, twice func()) {
	l.servers.mu.Lock()
	defer l.servers.mu.Unlock()
	l.servers.own.Name, l.servers.own.Version, l.servers.twice = name, version, twice
}

// beat is the next one of this server.
func (l *Ledger) beat() []byte {
	l.mu.Lock()
	leases := len(l.leases)
	l.mu.Unlock()
	l.servers.mu.Lock()
	defer l.servers.mu.Unlock()
	own := l.servers.own
	own.Leases = leases
	text, _ := json.Marshal(own) // it has nothing that JSON has not
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
func (l *Ledger) second(b beat) {
	s := &l.servers
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.Instance != s.other { // one beat alone may be late, of the process that was there before this one
		s.other = b.Instance
		return
	}
	s.other = ""
	l.log.Error("another process has the data directory of this server, or a copy of it: remove the file named server from the copy", "since", b.Since)
	if twice := s.twice; twice != nil && b.Since.Before(s.own.Since) {
		s.twice = nil
		go twice()
	}
}

// Servers are those that share the ledger, and were heard lately.
func (l *Ledger) Servers() (list []Server) {
	s := &l.servers
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, seen := range s.heard {
		if time.Since(seen) < shownFor {
			b := s.told[id]
			list = append(list, Server{ID: id, Name: b.Name, Version: b.Version, Leases: b.Leases, Seen: seen, Own: id == l.id})
		}
	}
	slices.SortFunc(list, func(a, b Server) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID)) })
	return list
}
