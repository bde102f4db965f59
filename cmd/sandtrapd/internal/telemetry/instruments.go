package telemetry

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// instruments are the metrics that are counted as things happen. None has a label that a client, a script or a number of tenants makes
// grow.
type instruments struct {
	meter     metric.Meter
	runs      metric.Int64Counter
	duration  metric.Float64Histogram
	decisions metric.Int64Counter
}

// seconds are the bounds of durations of runs.
var seconds = []float64{.001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 30, 60, 300, 600}

func newInstruments(m metric.Meter) (i instruments, err error) {
	i.meter = m
	var errs [3]error
	i.runs, errs[0] = m.Int64Counter("sandtrapd.runs", metric.WithDescription("Runs that have ended, or wait, by their state and the kind of their error."))
	i.duration, errs[1] = m.Float64Histogram("sandtrapd.run.duration", metric.WithUnit("s"), metric.WithExplicitBucketBoundaries(seconds...),
		metric.WithDescription("The time that scripts took, by the state of the run after it."))
	i.decisions, errs[2] = m.Int64Counter("sandtrapd.decisions", metric.WithDescription("Calls, requests and operations on files that were decided about, by the decision and the gate that refused."))
	return i, errors.Join(errs[:]...)
}

// decided counts a decision.
func (i *instruments) decided(e *record.Event) {
	if e.Kind == record.KindDecision {
		i.decisions.Add(context.Background(), 1, metric.WithAttributes(attribute.String("decision", string(e.Decision)), attribute.String("code", string(e.Code))))
	}
}

// ended counts a part of a run.
func (i *instruments) ended(r *store.Run) {
	state := attribute.String("state", string(r.State))
	i.runs.Add(context.Background(), 1, metric.WithAttributes(state, attribute.String("kind", r.Kind)))
	i.duration.Record(context.Background(), r.Duration.Seconds(), metric.WithAttributes(state))
}

// Sources are what is asked when metrics are read. Those that are nil are not there.
type Sources struct {
	Runs     func() runs.Stats
	Plans    func() []plans.Stats
	Store    func() store.Stats
	Streams  func() int64            // streams of events that clients read
	Sessions func() int64            // sessions whose state is in memory
	Cluster  func() dispatch.Workers // on other machines
}

// Watch has the metrics ask the sources.
func (t *Telemetry) Watch(s Sources) error {
	var errs []error
	gauge := func(name, about string, ask metric.Int64Callback) {
		_, err := t.meter.Int64ObservableGauge(name, metric.WithDescription(about), metric.WithInt64Callback(ask))
		errs = append(errs, err)
	}
	counter := func(name, about string, ask metric.Int64Callback) {
		_, err := t.meter.Int64ObservableCounter(name, metric.WithDescription(about), metric.WithInt64Callback(ask))
		errs = append(errs, err)
	}
	one := func(n func() int64) metric.Int64Callback {
		return func(_ context.Context, o metric.Int64Observer) error { o.Observe(n()); return nil }
	}
	gauge("sandtrapd.runs.live", "Runs that go on, and those that wait for their turn.", func(_ context.Context, o metric.Int64Observer) error {
		n := s.Runs()
		o.Observe(int64(n.Running), metric.WithAttributes(attribute.String("state", "running")))
		o.Observe(int64(n.Queued), metric.WithAttributes(attribute.String("state", "queued")))
		return nil
	})
	gauge("sandtrapd.workers", "Processes that run scripts, by what they do.", func(_ context.Context, o metric.Int64Observer) error {
		all := plans.Workers(s.Plans())
		for state, n := range map[string]int{"starting": all.Starting, "ready": all.Ready, "busy": all.Busy, "waiting": all.Waiting} {
			o.Observe(int64(n), metric.WithAttributes(attribute.String("state", state)))
		}
		return nil
	})
	gauge("sandtrapd.workers.queue", "Runs that wait for a worker.", one(func() int64 { return int64(plans.Workers(s.Plans()).Queued) }))
	gauge("sandtrapd.plans", "Policies, with their tools, that are compiled.", one(func() int64 { return int64(len(s.Plans())) }))
	counter("sandtrapd.store.writes", "Changes that the database has taken.", one(func() int64 { return s.Store().Writes }))
	counter("sandtrapd.store.commits", "Commits of the database, of one change or more.", one(func() int64 { return s.Store().Commits }))
	counter("sandtrapd.store.failures", "Commits of the database that failed.", one(func() int64 { return s.Store().Failures }))
	_, err := t.meter.Float64ObservableCounter("sandtrapd.store.commit.time", metric.WithUnit("s"), metric.WithDescription("The time that commits took together."),
		metric.WithFloat64Callback(func(_ context.Context, o metric.Float64Observer) error {
			o.Observe(s.Store().Time.Seconds())
			return nil
		}))
	errs = append(errs, err)
	gauge("sandtrapd.streams", "Streams of events that clients read.", one(s.Streams))
	if s.Sessions != nil {
		gauge("sandtrapd.sessions", "Sessions whose state is in memory.", one(s.Sessions))
	}
	if s.Cluster != nil {
		gauge("sandtrapd.cluster.workers", "Workers of the cluster, by whether they get runs.", func(_ context.Context, o metric.Int64Observer) error {
			fit, _, unfit := cluster(s.Cluster())
			o.Observe(fit, metric.WithAttributes(attribute.String("state", "fit")))
			o.Observe(unfit, metric.WithAttributes(attribute.String("state", "unfit")))
			return nil
		})
		gauge("sandtrapd.cluster.slots", "Runs that workers of the cluster can do at a time.", one(func() int64 { _, slots, _ := cluster(s.Cluster()); return slots }))
		counter("sandtrapd.cluster.again", "Runs that were sent to another worker, as theirs was lost.", one(func() int64 { return s.Cluster().Again }))
	}
	return errors.Join(errs...)
}

// cluster counts workers that get runs, their slots, and workers that get none.
func cluster(w dispatch.Workers) (fit, slots, unfit int64) {
	for _, one := range w.List {
		if one.Unfit != "" {
			unfit++
			continue
		}
		fit++
		slots += int64(one.Slots)
	}
	return fit, slots, unfit
}
