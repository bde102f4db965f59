package runs

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// wait makes row that of a run which waits, by its journal and what that has.
func (l *live) wait(row *store.Run, journal []byte, pause *durable.Pause) {
	pending := pendingOf(pause)
	row.State, row.Ended, row.Journal, row.Pending = store.Pending, time.Time{}, journal, encode(pending)
	l.log.add(EventPause, now(), map[string]any{"pending": pending})
}

// journalOf is the journal of a run that waits, to be kept.
func journalOf(pause *durable.Pause) ([]byte, error) {
	var text bytes.Buffer
	if err := pause.Save(&text); err != nil {
		return nil, err
	}
	return text.Bytes(), canKeep(text.Bytes(), pause)
}

// pausedOf is what the journal has of a run that was begun with another one, by a worker that may lie. It is one of the same run: the
// script, its inputs, its limits and the seed are those of the server. The calls that wait are of tools that the run has.
func pausedOf(box *plans.Box, begun, journal []byte) (*durable.Pause, error) {
	head := begun[:bytes.IndexByte(begun, '\n')+1]
	if !bytes.HasPrefix(journal, head) {
		return nil, errors.New("its journal is that of another run")
	}
	pause, err := box.Pause(bytes.NewReader(journal))
	if err == nil {
		err = canKeep(journal, pause)
	}
	if err != nil {
		return nil, err
	}
	return pause, nil
}

// canKeep checks the bounds of what is kept of a run that waits.
func canKeep(journal []byte, pause *durable.Pause) error {
	calls := encode(pendingOf(pause))
	switch {
	case len(calls) > maxPending:
		return fmt.Errorf("%w: it has %d bytes of calls that wait, and %d are the limit", errLarge, len(calls), maxPending)
	case len(journal) > maxJournal:
		return fmt.Errorf("%w: its journal has %d bytes, and %d are the limit", errLarge, len(journal), maxJournal)
	}
	return nil
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
