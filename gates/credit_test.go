package gates

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// TestCredit: the time of a run stands still while it waits, as far as that is said to have
// taken; not past another's deadline, and not for ever.
func TestCredit(t *testing.T) {
	const limit = 20 * time.Millisecond
	m := NewMeter(t.Context(), Limits{Timeout: limit, HostTime: time.Hour})
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
	m = NewMeter(ctx, Limits{Timeout: time.Hour, HostTime: time.Hour})
	m.Wait()
	time.Sleep(2 * limit)
	if s := m.Check(); s == nil || s.Reason != Timeout {
		t.Errorf("past the deadline of the host: %v", s)
	}
	if end, _ := ctx.Deadline(); !m.Deadline().Equal(end) || !m.Latest().Equal(end) {
		t.Errorf("it ends %v after the deadline of the host", m.Deadline().Sub(end))
	}

	for _, most := range []time.Duration{0, limit} { // none, if the limits give none
		m = NewMeter(t.Context(), Limits{Timeout: time.Hour, HostTime: most})
		m.Wait()
		time.Sleep(2 * limit)
		if end, want := m.Deadline(), m.started.Add(time.Hour+most); !end.Equal(want) || !m.Latest().Equal(want) {
			t.Errorf("with %v it ends %v late, and at the latest %v", most, end.Sub(want), m.Latest().Sub(want))
		}
	}
}

// TestCreditAtOnce: calls that are waited for at the same time do not give a run more time than has passed.
func TestCreditAtOnce(t *testing.T) {
	m := NewMeter(t.Context(), Limits{Timeout: time.Hour, HostTime: time.Hour})
	end, began := m.Deadline(), time.Now()
	for range 4 {
		m.Wait()
	}
	time.Sleep(10 * time.Millisecond)
	for range 4 {
		m.Waited(time.Since(began))
		if given, passed := m.Deadline().Sub(end), time.Since(began); given > passed || given < 10*time.Millisecond {
			t.Errorf("%v are given for %v", given, passed)
		}
	}
}

// TestQueued: what a run has waited for a worker is no more of its time, and its error says so.
func TestQueued(t *testing.T) {
	const limit = time.Hour
	m := NewMeter(t.Context(), Limits{Timeout: limit, Queued: time.Minute})
	if left := m.Deadline().Sub(m.started); left != limit-time.Minute {
		t.Errorf("%v are left", left)
	}
	m = NewMeter(t.Context(), Limits{Timeout: limit, Queued: limit})
	const want = "the program did not end within 1h0m0s, of which it waited 1h0m0s for a worker"
	if s := m.Check(); s == nil || s.Reason != Timeout || s.Message != want {
		t.Errorf("%+v, want %s", s, want)
	}
}

// TestCreditBack: while a call that is waited for is in a function of the script, the time counts.
func TestCreditBack(t *testing.T) {
	const step = 20 * time.Millisecond
	m := NewMeter(t.Context(), Limits{Timeout: time.Hour, HostTime: time.Hour})
	end := m.Deadline()
	m.Back()() // nobody waits
	m.Wait()
	began := time.Now()
	on := m.Back()
	time.Sleep(5 * step)
	if got := m.Deadline().Sub(end); got > 3*step {
		t.Errorf("%v were given for time of the script's", got)
	}
	on()
	time.Sleep(step)
	m.Waited(time.Since(began))
	if got := m.Deadline().Sub(end); got < step || got > 4*step {
		t.Errorf("%v were given for %v of the host's", got, step)
	}
}

// TestStandBounded: the clock of a run stands for so long in all, whoever is asked.
func TestStandBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewMeter(t.Context(), Limits{Timeout: time.Second})
		for range 23 { // hours, one after the other
			resume := m.Stand()
			time.Sleep(time.Hour)
			resume()
			if s := m.Check(); s != nil {
				t.Fatal(s)
			}
		}
		resume := m.Stand()
		defer resume()
		time.Sleep(time.Hour + 900*time.Millisecond)
		if s := m.Check(); s != nil {
			t.Errorf("before its time is over: %v", s)
		}
		time.Sleep(200 * time.Millisecond)
		if s := m.Check(); s == nil || s.Reason != Timeout {
			t.Errorf("asked for a day and its time: %v", s)
		}
	})
}
