package ledger

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// knownFrom is for how many runs the ledger is read rather than asked for each: a server that was busy has written thousands since its last mark.
const knownFrom = 16

// isSame reports that a run is the same in two places. That the revisions are is not enough: a ledger that has lost its end gives them again.
func isSame(a, b *store.Run) bool {
	return a.Revision == b.Revision && a.State == b.State && a.Part == b.Part && a.Ended.Equal(b.Ended)
}

// knownRuns are the runs of a list that the ledger has with some revisions, by their subjects, as far as isSame wants to know them. Those that
// are not among them are asked for.
func (l *Ledger) knownRuns(ctx context.Context, list []store.Owned, in store.Span) (map[string]*store.Run, error) {
	if len(list) < knownFrom || in.First == 0 {
		return nil, nil
	}
	wanted := map[string]bool{}
	for _, o := range list {
		wanted[subject(o.Tenant, o.ID)] = true
	}
	cfg := jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: in.First, MaxResetAttempts: 1} // else Next waits for NATS without end
	c, err := l.js.OrderedConsumer(ctx, Stream, cfg)
	if err != nil {
		return nil, unreachable{err}
	}
	known := map[string]*store.Run{}
	if c.CachedInfo().NumPending == 0 {
		return known, nil
	}
	all, err := c.Messages()
	if err != nil {
		return nil, unreachable{err}
	}
	defer all.Stop()
	for began := time.Now(); ; {
		asked := time.Now()
		m, err := all.Next(jetstream.NextMaxWait(within))
		if err != nil { // NATS has ended meanwhile: who asks for the others is told whether it is there again
			return known, nil
		}
		l.heard(asked)
		meta, err := m.Metadata()
		if err != nil {
			return nil, err
		}
		if wanted[m.Subject()] {
			known[m.Subject()] = outline(m, meta.Sequence.Stream)
		}
		if meta.NumPending == 0 || !meta.Timestamp.Before(began) { // what comes now the feed brings
			return known, nil
		}
	}
}

// outline is the run of an entry as far as isSame wants to know it; nil if it is none, or an object.
func outline(m jetstream.Msg, revision uint64) *store.Run {
	var e entry
	if m.Headers().Get(kvOp) != "" || decoding.Unmarshal(m.Data(), &e) != nil || e.Run == nil {
		return nil
	}
	return &store.Run{Revision: revision, State: e.Run.State, Part: e.Run.Part, Ended: e.Run.Ended}
}
