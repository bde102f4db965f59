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

// tells notes what a server tells of itself, and reports that it is another process which says that it is this server. The lock of the servers
// is held.
func (l *Ledger) tells(id string, text []byte) bool {
	s := &l.servers
	var b beat
	if len(text) == 0 || len(text) > maxBeat || json.Unmarshal(text, &b) != nil {
		return false
	}
	if id == l.id && b.Instance != s.own.Instance {
		if b.Instance == s.other { // one beat alone may be late, of the process that was there before this one
			l.log.Error("another process has the data directory of this server, or a copy of it: remove the file named server from the copy", "since", b.Since)
			if twice := s.twice; twice != nil && b.Since.Before(s.own.Since) {
				s.twice = nil
				go twice()
			}
			b.Instance = ""
		}
		s.other = b.Instance
		return true
	}
	if _, known := s.told[id]; known || len(s.told) < maxServers {
		s.told[id] = b
	}
	return false
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
