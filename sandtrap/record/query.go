package record

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"
)

// A Query says which events of a record to read: those that match all fields which are not empty. A text that ends in * matches
// each that begins like it.
type Query struct {
	Tenant, Session, Run     string
	Kind, Member, Script     string
	Decision, Code, Rule, By string
	Outcome                  string // of KindEnd

	// Failed is true for calls that were denied and events with an error, false for all others.
	Failed *bool

	Since, Until time.Time // an event of Since matches, one of Until does not

	Offset int // how many matching events to skip
	Limit  int // how many events to read at most; zero is no bound
}

// Read calls f with each matching event of a record, in its order, until f gives an error, and returns that. It does not verify the
// record. A line that is not an event is a *BadLine. It takes no more than some MiB of memory.
func (q Query) Read(r io.Reader, f func(Event) error) error {
	return ended(q.reader(f).read(r, ""))
}

// ReadFiles is Read for the record at path with its earlier files, in their order.
func (q Query) ReadFiles(path string, f func(Event) error) error {
	names, err := recordFiles(path)
	if err != nil {
		return err
	}
	m := q.reader(f)
	for _, name := range names {
		if err := openFile(name, func(r io.Reader) error { return m.read(r, name) }); err != nil {
			return ended(err)
		}
	}
	return nil
}

// A matcher is a query that is being read.
type matcher struct {
	Query
	f      func(Event) error
	failed error // of f
	seen   int   // matching events
}

func (q Query) reader(f func(Event) error) *matcher { return &matcher{Query: q, f: f} }

func ended(err error) error {
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

func (m *matcher) read(r io.Reader, name string) error {
	_, err := eachLine(r, name, func(_ int64, text []byte) error {
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return notALine(err)
		}
		if m.matches(&l.Event) {
			if m.seen++; m.seen > m.Offset {
				m.failed = m.f(l.Event)
			}
		}
		if m.failed != nil || m.Limit > 0 && m.seen-m.Offset >= m.Limit {
			return errStop
		}
		return nil
	})
	if m.failed != nil {
		return m.failed
	}
	return err
}

func (m *matcher) matches(e *Event) bool {
	for _, t := range [...]struct{ pattern, text string }{
		{m.Tenant, e.Tenant}, {m.Session, e.Session}, {m.Run, e.Run}, {m.Kind, string(e.Kind)}, {m.Member, e.Member},
		{m.Script, e.Script}, {m.Decision, string(e.Decision)}, {m.Code, string(e.Code)}, {m.Rule, e.Rule}, {m.By, e.By},
		{m.Outcome, e.Outcome},
	} {
		if start, ok := strings.CutSuffix(t.pattern, "*"); t.pattern != "" && t.pattern != t.text && !(ok && strings.HasPrefix(t.text, start)) {
			return false
		}
	}
	return (m.Failed == nil || *m.Failed == e.failed()) &&
		(m.Since.IsZero() || !e.Time.Before(m.Since)) &&
		(m.Until.IsZero() || e.Time.Before(m.Until))
}
