package runs

import (
	"bytes"
	"fmt"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
)

// wait makes row that of a run which waits.
func (l *live) wait(row *store.Run, pause *durable.Pause) error {
	var text bytes.Buffer
	if err := pause.Save(&text); err != nil {
		return err
	}
	pending := pendingOf(pause)
	calls := encode(pending)
	switch {
	case len(calls) > maxPending:
		return fmt.Errorf("%w: it has %d bytes of calls that wait, and %d are the limit", errLarge, len(calls), maxPending)
	case text.Len() > maxJournal:
		return fmt.Errorf("%w: its journal has %d bytes, and %d are the limit", errLarge, text.Len(), maxJournal)
	}
	row.State, row.Ended, row.Journal, row.Pending = store.Pending, time.Time{}, text.Bytes(), calls
	l.log.add(EventPause, now(), map[string]any{"pending": pending})
	return nil
}

func pendingOf(p *durable.Pause) (list []runjson.Pending) {
	for _, c := range p.Pending {
		list = append(list, runjson.Pending(c))
	}
	return list
}
