package ledger

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// knownFrom is for how many runs the ledger is read rather than asked for each: a server that was busy has written thousands since its last mark.
const knownFrom = 16

// An outline is a run as far as it says whether it is the same in two places: of all that is kept it fits into memory. That the revisions are the
// same is not enough: a ledger that has lost its end gives them again.
type outline struct {
	revision uint64
	state    store.State
	part     int
	ended    time.Time
}

func outlineOf(r *store.Run) *outline { return &outline{r.Revision, r.State, r.Part, r.Ended} }

// of reports that an outline is that of a run.
func (o *outline) of(r *store.Run) bool {
	return o.revision == r.Revision && o.state == r.State && o.part == r.Part && o.ended.Equal(r.Ended)
}

// knownRuns are the runs of a list that the ledger has with some revisions, by their subjects, in outline. Those that are not among them
// are asked for.
func (l *Ledger) knownRuns(ctx context.Context, list []store.Owned, in store.Span) (map[string]*outline, error) {
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
	known := map[string]*outline{}
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
			known[m.Subject()] = outlineIn(m, meta.Sequence.Stream)
		}
		if meta.NumPending == 0 || !meta.Timestamp.Before(began) { // what comes now the feed brings
			return known, nil
		}
	}
}

// outlineIn is that of the run of an entry; nil if it is none, or an object.
func outlineIn(m jetstream.Msg, revision uint64) *outline {
	var e entry
	if m.Headers().Get(kvOp) != "" || decoding.Unmarshal(m.Data(), &e) != nil || e.Run == nil {
		return nil
	}
	e.Run.Revision = revision
	return outlineOf(e.Run)
}
