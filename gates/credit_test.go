package gates

import (
	"context"
	"testing"
	"time"
)

// TestCredit: the time of a run stands still while it waits, as far as that is said to have
// taken; not past another's deadline, and not for ever.
func TestCredit(t *testing.T) {
	const limit = 20 * time.Millisecond
	m := NewMeter(t.Context(), Limits{Timeout: limit})
	m.Wait()
	m.Wait() // two at a time
	time.Sleep(2 * limit)
	if s := m.Check(); s != nil {
		t.Errorf("while it waits: %v", s)
	}
	m.Waited(0)
	if s := m.Check(); s != nil {
		t.Errorf("while it waits for the other one: %v", s)
	}
	m.Waited(time.Hour) // it has not waited that long
	if end := m.Deadline(); end.After(time.Now().Add(limit)) {
		t.Errorf("it ends in %v", time.Until(end))
	}
	m.Wait()
	time.Sleep(2 * limit)
	m.Waited(0) // of all that nothing was for the run
	if s := m.Check(); s == nil || s.Reason != Timeout {
		t.Errorf("after a call that took nothing: %v", s)
	}

	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	m = NewMeter(ctx, Limits{Timeout: time.Hour})
	m.Wait()
	time.Sleep(2 * limit)
	if s := m.Check(); s == nil || s.Reason != Timeout {
		t.Errorf("past the deadline of the host: %v", s)
	}

	m = NewMeter(t.Context(), Limits{Timeout: limit})
	m.credit.time = time.Hour
	if got := m.credit.given(); got != MaxCredit {
		t.Errorf("%v are given", got)
	}
}
