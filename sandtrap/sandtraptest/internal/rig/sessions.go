package rig

import (
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// EachSession runs a test in every mode that has sessions.
func EachSession(t *testing.T, test func(b Bench)) {
	EachMode(t, func(b Bench) {
		if b.Engine == "yaegi" {
			b.Skip("engine yaegi has no sessions")
		}
		test(b)
	})
}

// Session begins one under p, which echoes the last value of each cell.
func (b Bench) Session(p sandtrap.Policy) *sandtrap.Session {
	b.Helper()
	p.Echo = sandtrap.EchoLast
	s, err := b.Box(p).Session()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	return s
}

// A Cell is the text of one of a session, and what it shows: what it prints, what it echoes after "= ",
// and the kind of its error after "! ".
type Cell [2]string

// Cells runs cells one after the other.
func (b Bench) Cells(s *sandtrap.Session, cells ...Cell) {
	b.Helper()
	for _, c := range cells {
		text, want := c[0], c[1]
		res, err := s.Run(b.Context(), sandtrap.Script{Text: text})
		shows := res.Stdout
		for _, e := range res.Echo {
			shows += "= " + e.Text
		}
		switch {
		case res.Error != nil:
			shows += "! " + string(res.Error.Kind)
		case err != nil:
			b.Fatalf("%s: %v", text, err)
		}
		if shows = strings.TrimSpace(shows); shows != want {
			b.Errorf("%s\nshows %q, want %q (%v)", text, shows, want, err)
		}
	}
}
