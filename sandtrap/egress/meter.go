package egress

import (
	"sync"
	"time"
)

// A meter counts what a run, or a tenant, uses.
type meter struct {
	of  string // "run" or "tenant"
	max Quota

	runs int // of a tenant, that are not over; the lock is the gate's

	mu    sync.Mutex
	used  Quota
	since time.Time // of a tenant: when its window began
}

// begin counts a request that sends so many bytes, or more. It counts nothing if that is too much.
func (m *meter) begin(now time.Time, sent int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.since.IsZero() && now.Sub(m.since) >= tenantWindow {
		m.used, m.since = Quota{AtOnce: m.used.AtOnce}, now
	}
	switch {
	case m.used.Requests >= m.max.Requests:
		return &LimitError{Requests, m.of, m.max.Requests}
	case m.used.AtOnce >= m.max.AtOnce:
		return &LimitError{AtOnce, m.of, m.max.AtOnce}
	case m.used.Sent > m.max.Sent-sent:
		return &LimitError{Sent, m.of, m.max.Sent}
	case m.used.Received >= m.max.Received:
		return &LimitError{Received, m.of, m.max.Received}
	}
	m.used.Requests++
	m.used.AtOnce++
	m.used.Sent += sent
	return nil
}

// undo takes a request back that was not made.
func (m *meter) undo(sent int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.Requests--
	m.used.AtOnce--
	m.used.Sent -= sent
}

// end says that a request is over.
func (m *meter) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.used.AtOnce--
}

// send counts bytes before they are sent.
func (m *meter) send(n int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used.Sent += n; m.used.Sent > m.max.Sent {
		return &LimitError{Sent, m.of, m.max.Sent}
	}
	return nil
}

// receive counts bytes before they are given to the script.
func (m *meter) receive(n int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.used.Received += n; m.used.Received > m.max.Received {
		return &LimitError{Received, m.of, m.max.Received}
	}
	return nil
}

// idle reports that a tenant's meter has nothing to remember.
func (m *meter) idle(now time.Time) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.used.AtOnce == 0 && now.Sub(m.since) >= tenantWindow
}

// meters are those that a request counts in.
type meters [2]*meter

func (ms meters) begin(now time.Time, sent int64) error {
	for i, m := range ms {
		if err := m.begin(now, sent); err != nil {
			for _, before := range ms[:i] {
				before.undo(sent)
			}
			return err
		}
	}
	return nil
}

func (ms meters) end() {
	for _, m := range ms {
		m.end()
	}
}

func (ms meters) send(n int64) error {
	for _, m := range ms {
		if err := m.send(n); err != nil {
			return err
		}
	}
	return nil
}

func (ms meters) receive(n int64) error {
	for _, m := range ms {
		if err := m.receive(n); err != nil {
			return err
		}
	}
	return nil
}
