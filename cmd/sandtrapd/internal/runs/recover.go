package runs

import (
	"context"
	"encoding/json"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/policies"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// KindInterrupted is the kind of the error of a run that went on when the server ended.
const KindInterrupted sandtrap.Kind = "interrupted"

// recover ends or goes on with the runs that went on when the server ended: those that have waited before go on with the answers
// that were acknowledged, the others have failed. None is begun again by itself: it may have had effects.
func (m *Manager) recover(ctx context.Context) error {
	for {
		list, err := m.o.Store.Runs(ctx, store.Query{States: []store.State{store.Running}, Limit: 1000})
		if err != nil {
			return err
		}
		left := 0
		for _, r := range list {
			if m.isLive(r.ID) {
				continue
			}
			left++
			if err := m.recoverRun(ctx, r.Tenant, r.ID); err != nil {
				return err
			}
		}
		if left == 0 {
			return nil
		}
	}
}

func (m *Manager) isLive(id string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.live[id] != nil
}

func (m *Manager) recoverRun(ctx context.Context, tenant, id string) error {
	row, err := m.o.Store.Run(ctx, tenant, id)
	if err != nil {
		return err
	}
	var answers []Answer
	if len(row.Journal) > 0 && json.Unmarshal(row.Answers, &answers) == nil {
		var q Request
		if err := json.Unmarshal(row.Request, &q); err != nil {
			return err
		}
		box, err := m.o.Plans.Get(ctx, policies.Ref(row.Policy), q.Tools)
		if err == nil {
			l, err := m.resumed(row, len(answers), func() error { return nil })
			if err != nil {
				box.Release()
				return err
			}
			go m.resume(l, box, answers)
			return nil
		}
		m.o.Log.Error("a run that has waited cannot go on", "run", id, "tenant", tenant, "error", err)
	}
	res := &sandtrap.Result{Error: &sandtrap.Error{
		Kind: KindInterrupted, Message: "the server ended while the run went on; what it has done until then is not known",
		Hint: "start it again, if that does no harm",
	}}
	row.State, row.Ended, row.Kind, row.Result, row.Pending, row.Journal = store.Failed, time.Now(), string(KindInterrupted), encode(runjson.Of(res)), nil, nil
	return m.o.Store.Finish(row)
}

// Drain takes no more runs, waits for those that go on, and ends those that have not come to their end when ctx ends.
func (m *Manager) Drain(ctx context.Context) {
	m.mu.Lock()
	m.draining = true
	m.mu.Unlock()
	all := make(chan struct{})
	go func() { m.group.Wait(); close(all) }()
	select {
	case <-all:
	case <-ctx.Done():
		m.stop(ErrDraining)
		<-all
	}
	m.stop(ErrDraining)
}

// Draining reports that no more runs are taken.
func (m *Manager) Draining() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.draining
}
