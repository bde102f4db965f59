package runs

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// wait makes row that of a run which waits, by its journal and the calls that wait there.
func (l *live) wait(row *store.Run, journal []byte, calls json.RawMessage) {
	row.State, row.Ended, row.Journal, row.Pending = store.Pending, time.Time{}, journal, calls
	l.log.add(EventPause, now(), map[string]any{"pending": calls})
}

// journalOf is the journal of a run that waits, to be kept.
func journalOf(pause *durable.Pause) ([]byte, error) {
	var text bytes.Buffer
	if err := pause.Save(&text); err != nil {
		return nil, err
	}
	_, err := callsOf(text.Bytes(), pause)
	return text.Bytes(), err
}

// pausedOf is the calls that wait in the journal that a job has come to, at a worker that may lie. It is that of the same run: the script,
// its inputs, its limits, the seed and the calls that have returned are those that the server knows. Calls that wait are of tools that the run
// has, and none was answered before.
func pausedOf(box *plans.Box, job *dispatch.Job, journal []byte) (json.RawMessage, error) {
	known := job.Journal
	if at := bytes.Index(known, []byte("\n{\"paused\":")); at >= 0 {
		known = known[:at+1]
	}
	if !bytes.HasPrefix(journal, known) {
		return nil, errors.New("its journal is that of another run")
	}
	pause, err := box.Pause(bytes.NewReader(journal))
	if err != nil {
		return nil, err
	}
	var answers []Answer
	_ = json.Unmarshal(job.Answers, &answers) // it was written by this package; empty for none
	for _, a := range answers {
		if a.Verdict == "" && slices.ContainsFunc(pause.Pending, func(p durable.Pending) bool { return p.ID == a.ID }) {
			return nil, fmt.Errorf("call %d waits, which was answered", a.ID)
		}
	}
	return callsOf(journal, pause)
}

// callsOf is the calls of a run that waits as they are kept, within the bounds of what is kept of one.
func callsOf(journal []byte, pause *durable.Pause) (json.RawMessage, error) {
	calls := encode(pendingOf(pause))
	switch {
	case len(calls) > maxPending:
		return nil, fmt.Errorf("%w: it has %d bytes of calls that wait, and %d are the limit", errLarge, len(calls), maxPending)
	case len(journal) > maxJournal:
		return nil, fmt.Errorf("%w: its journal has %d bytes, and %d are the limit", errLarge, len(journal), maxJournal)
	}
	return calls, nil
}

// unkept is the error of a run that waits, and cannot be kept.
func unkept(err error) *sandtrap.Error {
	kind := sandtrap.KindInternal
	if errors.Is(err, errLarge) {
		kind = KindLimit
	}
	return &sandtrap.Error{Kind: kind, Message: "the run waits, and cannot be kept: " + err.Error()}
}

func pendingOf(p *durable.Pause) (list []runjson.Pending) {
	for _, c := range p.Pending {
		list = append(list, runjson.Pending(c))
	}
	return list
}
