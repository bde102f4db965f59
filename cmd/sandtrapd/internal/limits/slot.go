package limits

import (
	"context"
	"errors"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A Slot is the place of a run among those of its tenant, from its beginning to its end or pause. A nil *Slot bounds nothing.
type Slot struct {
	set            *Set
	tenant         *tenant
	name           string
	running, waits int
	quota          int64
}

// Quota is how many bytes the store may keep of the tenant, with those of the run. 0 is no bound.
func (s *Slot) Quota() int64 {
	if s == nil {
		return 0
	}
	return s.quota
}

// Wait has the run of a slot be one that can come to wait. The error matches *Error if no more may.
func (s *Slot) Wait(ctx context.Context) error {
	if s == nil {
		return nil
	}
	_, l := s.set.both(s.name)
	s.tenant.mu.Lock()
	defer s.tenant.mu.Unlock()
	if err := s.set.mayWait(ctx, s.tenant, l, s.name, 1); err != nil {
		return err
	}
	s.waits++
	s.tenant.waiting++
	return nil
}

// Turn is an error if the time that the runs of the tenant may take is used up when the turn of a run comes.
func (s *Slot) Turn() error {
	if s == nil {
		return nil
	}
	_, l := s.set.both(s.name)
	s.tenant.mu.Lock()
	defer s.tenant.mu.Unlock()
	return s.tenant.affords(l, time.Now())
}

// End gives the slot back, once what has become of the run is on disk. It took the time that is given.
func (s *Slot) End(took time.Duration) {
	if s == nil {
		return
	}
	s.tenant.mu.Lock()
	defer s.tenant.mu.Unlock()
	if s.running > 0 {
		s.tenant.ends.Add(time.Now())
	}
	s.tenant.running -= s.running
	s.tenant.waiting -= s.waits
	s.tenant.spent[time.Now().Unix()/60] += took
}

// Refuse gives the slot back of a run that was not begun after all, because of err. It counts as one of the minute. It returns what to
// tell.
func (s *Slot) Refuse(err error) error {
	if s == nil {
		return err
	}
	s.End(0)
	if errors.Is(err, store.ErrQuota) {
		_, l := s.set.both(s.name)
		used, readErr := s.set.store.Bytes(context.Background(), s.name)
		return errors.Join(&Error{Name: "bytes", Limit: l.Bytes, Used: used}, readErr)
	}
	return err
}

// minutes is how long what was spent counts.
const minutes = 60

// affords is an error if what was spent in the last 60 minutes is as much as may be. What is older is forgotten.
func (t *tenant) affords(l Limits, now time.Time) error {
	limit := time.Duration(l.RunSecondsPerHour) * time.Second
	this := now.Unix() / 60
	var sum time.Duration
	for minute, d := range t.spent {
		if minute <= this-minutes {
			delete(t.spent, minute)
			continue
		}
		sum += d
	}
	if sum < limit {
		return nil
	}
	e := &Error{Name: "run_seconds_per_hour", Limit: int64(l.RunSecondsPerHour), Used: int64(sum / time.Second), Servers: l.servers}
	for minute := this - minutes + 1; minute <= this && limit > 0; minute++ {
		if sum -= t.spent[minute]; sum < limit {
			e.After = time.Unix((minute+minutes)*60, 0).Sub(now)
			break
		}
	}
	return e
}

// Use is what a tenant uses of its limits.
type Use struct {
	Tenant            string `json:"tenant"`
	RunsAtOnce        Amount `json:"runs_at_once"`
	RunsPerMinute     Amount `json:"runs_per_minute"`
	RunSecondsPerHour Amount `json:"run_seconds_per_hour"`
	Bytes             Amount `json:"bytes"`
	PendingRuns       Amount `json:"pending_runs"`
	QueuedLines       Amount `json:"queued_lines"`
}

// An Amount is how much is in use of how much.
type Amount struct {
	Limit int64 `json:"limit"`
	Used  int64 `json:"used"`
}

// Use is what a tenant uses now.
func (s *Set) Use(ctx context.Context, name string) (Use, error) {
	if s == nil {
		return Use{Tenant: name}, nil
	}
	bytes, err := s.store.Bytes(ctx, name)
	if err != nil {
		return Use{}, err
	}
	pending, err := s.store.Waiting(ctx, name)
	if err != nil {
		return Use{}, err
	}
	lines, err := s.store.OpenLines(ctx, name)
	if err != nil {
		return Use{}, err
	}
	t, l := s.both(name)
	t.mu.Lock()
	defer t.mu.Unlock()
	var spent time.Duration
	for minute, d := range t.spent {
		if minute > time.Now().Unix()/60-minutes {
			spent += d
		}
	}
	begun := l.RunsPerMinute - int(max(0, t.begun.Tokens()))
	return Use{
		Tenant: name, RunsAtOnce: Amount{int64(l.RunsAtOnce), int64(t.running)}, RunsPerMinute: Amount{int64(l.RunsPerMinute), int64(begun)},
		RunSecondsPerHour: Amount{int64(l.RunSecondsPerHour), int64(spent / time.Second)}, Bytes: Amount{l.Bytes, bytes},
		PendingRuns: Amount{int64(l.PendingRuns), int64(pending)}, QueuedLines: Amount{int64(l.QueuedLines), lines},
	}, nil
}
