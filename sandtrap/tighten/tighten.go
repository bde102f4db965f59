package tighten

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/decide"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// A Suggestion is what recorded runs have used, as a policy. Lists are sorted, and each name stands in one once.
//
// Packages of the standard library are there as a whole: a policy has no list of the members that it allows.
type Suggestion struct {
	Std     []string // import paths
	Members []string // of the host, by import path, type and name with dots between; without a path if they need no import
	Files   bool     // the scripts need files
	Env     bool     // they need an environment, which may be empty

	// Limits are twice what the run that took most has used, and ten times as much time; those without a counter are zero.
	Timeout                          time.Duration
	Ticks, Memory, Output, Artifacts int64

	// Grants are functions that declare a risk and were called, Asked those that were called with approval, which they need again.
	Grants, Asked []string
	Permissions   []string
	MaxClass      decide.Class
	Budget        int64          // what all calls of all runs have cost
	Rates         map[string]int // calls of each function of the host in all runs: a policy may be used for all of them in a minute

	// Requests is how many requests of HTTP were allowed. A record does not say what a network is to list.
	Requests int

	// Paths are the files that each operation was allowed for, such as "file.read"; To are the second paths of those that have two.
	Paths, To map[string][]string

	// Temporary are operations that were done below /tmp by scripts that make temporary files there. The names of these differ from
	// run to run, so the operations are allowed for all files below /tmp, and Paths and To have none of these.
	Temporary []string

	Runs  int      // how many runs have ended
	Notes []string // on what the record does not say, or what runs under the policy may do otherwise; a line each
}

// Policy reads a record. It is an error if no run in it says what it used. It does not verify the record.
func Policy(r io.Reader) (*Suggestion, error) {
	return from(func(f func(record.Event) error) error { return record.Query{}.Read(r, f) })
}

// PolicyOfFiles is Policy for the record at path with its earlier files.
func PolicyOfFiles(path string) (*Suggestion, error) {
	return from(func(f func(record.Event) error) error { return record.Query{}.ReadFiles(path, f) })
}

func from(read func(func(record.Event) error) error) (*Suggestion, error) {
	c := newCollector()
	if err := read(c.event); err != nil {
		return nil, err
	}
	if c.uses == 0 {
		return nil, errors.New("tighten: no run in the record says what it used")
	}
	return c.suggestion()
}

// A collector sums up events.
type collector struct {
	s       Suggestion
	reached map[string]bool // members of the standard library
	members map[string]record.Reach
	calls   map[string]int  // of host functions that were allowed
	asked   map[string]bool // members that an approver has allowed
	paths   map[string]map[string]bool
	to      map[string]map[string]bool

	started, uses, denied, redacted int
	failed                          map[string]int // ends of runs that a limit or the host has ended, by outcome
	own                             bool
}

func newCollector() *collector {
	return &collector{
		reached: map[string]bool{}, members: map[string]record.Reach{}, calls: map[string]int{}, asked: map[string]bool{},
		paths: map[string]map[string]bool{}, to: map[string]map[string]bool{}, failed: map[string]int{},
	}
}

func (c *collector) event(e record.Event) error {
	switch e.Kind {
	case record.KindStart:
		c.started++
	case record.KindUse:
		return c.use(&e)
	case record.KindAnswer:
		if e.Decision == record.Allow {
			c.asked[e.Member] = true
		}
	case record.KindDecision:
		c.decision(&e)
	case record.KindEnd:
		c.end(&e)
	}
	return nil
}

func (c *collector) decision(e *record.Event) {
	switch {
	case e.Decision == record.Deny:
		c.denied++
	case e.Decision != record.Allow:
	case strings.HasPrefix(e.Member, filePrefix):
		c.file(e)
	case e.Member == requestMember:
		c.s.Requests++
	default:
		c.calls[e.Member]++
	}
}

// limited are outcomes of runs that did not end by themselves.
var limited = []string{"timeout", "ticks", "memory", "depth", "tasks", "output", "cancelled", "worker", "internal"}

func (c *collector) end(e *record.Event) {
	c.s.Runs++
	c.s.Ticks, c.s.Timeout = max(c.s.Ticks, e.Ticks), max(c.s.Timeout, e.Duration)
	if slices.Contains(limited, e.Outcome) {
		c.failed[e.Outcome]++
	}
}

// suggestion is what comes out of all events.
func (c *collector) suggestion() (*Suggestion, error) {
	s := &c.s
	if err := c.standard(); err != nil {
		return nil, err
	}
	s.Members = slices.Sorted(maps.Keys(c.members))
	permissions := map[string]bool{}
	for name, n := range c.calls {
		m := c.members[name]
		if c.asked[name] {
			s.Asked = append(s.Asked, name)
		}
		if m.Risk != decide.NoRisk {
			s.Grants = append(s.Grants, name)
		}
		for _, p := range m.Requires {
			permissions[p] = true
		}
		s.MaxClass = max(s.MaxClass, m.Class)
		s.Budget += m.Cost * int64(n)
	}
	s.Rates = c.calls
	slices.Sort(s.Asked)
	slices.Sort(s.Grants)
	s.Permissions = slices.Sorted(maps.Keys(permissions))
	c.temporary()
	s.Paths, s.To = sorted(c.paths), sorted(c.to)
	s.Files = s.Files || c.own || len(s.Paths) > 0
	s.limits()
	c.notes()
	return s, nil
}

func sorted(sets map[string]map[string]bool) map[string][]string {
	out := map[string][]string{}
	for op, set := range sets {
		out[op] = slices.Sorted(maps.Keys(set))
	}
	return out
}

// limits gives what was used head room: it may differ from run to run.
func (s *Suggestion) limits() {
	s.Ticks = room(s.Ticks, 10_000, 1000)
	s.Memory = room(s.Memory, 32<<20, 1<<20)
	s.Output = room(s.Output, 4<<10, 1<<10)
	if s.Artifacts > 0 || slices.Contains(s.Members, artifact) {
		s.Artifacts = room(s.Artifacts, 4<<10, 1<<10)
	}
	s.Timeout = max(5*time.Second, (10*s.Timeout).Truncate(time.Second)+time.Second)
}

// artifact is the function that Limits.Artifacts gives scripts.
const artifact = "artifact"

// room is twice n, in whole units, and least at least.
func room(n, least, unit int64) int64 { return max(least, (2*n+unit-1)/unit*unit) }

func (c *collector) notes() {
	note := func(n int, format string, args ...any) {
		if n > 0 {
			c.s.Notes = append(c.s.Notes, fmt.Sprintf(format, args...))
		}
	}
	note(c.started-c.s.Runs, "%d runs have no end in the record", c.started-c.s.Runs)
	note(c.s.Runs-c.uses, "%d runs do not say what they could reach: they were abandoned, or are calls of functions that a run has left", c.s.Runs-c.uses)
	for _, outcome := range slices.Sorted(maps.Keys(c.failed)) {
		note(1, "%d runs ended with %s: under this policy they may get further, or less far", c.failed[outcome], outcome)
	}
	note(c.denied, "%d calls were denied; this policy denies them too, and may give another reason", c.denied)
	note(c.s.Requests, "%d requests were made: give this policy the network of the recorded runs", c.s.Requests)
	note(c.redacted, "%d operations on files have paths with secrets, which the record does not show: this policy denies them", c.redacted)
}
