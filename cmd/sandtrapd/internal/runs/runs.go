package runs

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Request begins a run.
type Request struct {
	Code      string                     `json:"code"`
	Inputs    map[string]json.RawMessage `json:"inputs,omitempty"`
	Session   string                     `json:"session,omitempty"`
	Policy    string                     `json:"policy,omitempty"`
	TimeoutMS int64                      `json:"timeout_ms,omitempty"`
	Tools     string                     `json:"tools,omitempty"`           // Go declarations of functions whose calls wait for answers
	Key       string                     `json:"idempotency_key,omitempty"` // of who must not begin it twice
}

// A View is a run as a client sees it.
type View struct {
	ID      string            `json:"id"`
	State   store.State       `json:"state"`
	Created time.Time         `json:"created"`
	Ended   *time.Time        `json:"ended,omitempty"`
	Parent  string            `json:"parent,omitempty"` // the run that it is a fork of
	Session string            `json:"session,omitempty"`
	Policy  string            `json:"policy"`
	Result  json.RawMessage   `json:"result"` // as the command prints it with --json; null while it goes on
	Pending []runjson.Pending `json:"pending"`
}

// Errors about what was asked for. Those of package store come too.
var (
	ErrRequest  = errors.New("malformed request")                        // the message says why
	ErrReused   = errors.New("the key was used for another request")     // of a Request
	ErrDraining = errors.New("the server ends: it takes no more runs")   // try again later
	ErrBusy     = errors.New("too many runs wait for their turn")        // try again later
	ErrMachine  = errors.New("this machine cannot run scripts this way") // the isolation is not to be had
)

// Options are for all runs of a server.
type Options struct {
	Plans  *plans.Set
	Store  *store.Store
	Log    *slog.Logger
	AtOnce int // how many run at a time; the others wait. 0 is two for each processor
}

// A Manager has the runs of a server. It is safe for concurrent use.
type Manager struct {
	o     Options
	turns *turns
	base  context.Context // of all runs
	stop  context.CancelCauseFunc
	group sync.WaitGroup

	mu       sync.Mutex
	live     map[string]*live // by ID
	load     load
	draining bool
}

// New is a manager of the runs in a store. Those that went on when the server ended go on from where they waited, or have failed.
func New(ctx context.Context, o Options) (*Manager, error) {
	o.AtOnce = cmp.Or(o.AtOnce, 2*runtime.GOMAXPROCS(0))
	base, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	m := &Manager{o: o, turns: newTurns(o.AtOnce), base: base, stop: stop, live: map[string]*live{}, load: load{tenants: map[string]burden{}}}
	if err := m.recover(ctx); err != nil {
		stop(err)
		return nil, err
	}
	return m, nil
}

// Start begins a run for a tenant: when it returns the run is on disk. A run that was begun with the same key is that run.
func (m *Manager) Start(ctx context.Context, tenant string, q Request) (*Run, error) {
	script, err := q.script()
	if err != nil {
		return nil, err
	}
	if err := m.o.Plans.Admit(tenant, q.Tools); errors.Is(err, plans.ErrTools) {
		return nil, err
	} else if err != nil {
		return nil, requestError(err)
	}
	box, err := m.o.Plans.Get(ctx, q.Policy, q.Tools)
	if err != nil {
		return nil, requestError(err)
	}
	row := &store.Run{
		ID: NewID("run"), Tenant: tenant, Session: q.Session, Policy: cmp.Or(q.Policy, plans.Default), State: store.Running,
		Created: time.Now(), Code: q.Code, Request: encode(q), Key: q.Key,
	}
	row.Events = line(Event{1, EventStart, now(), encode(map[string]string{"id": row.ID, "policy": row.Policy})})
	l, err := m.begin(row, box, false)
	if err != nil {
		box.Release()
		return nil, err
	}
	if err := m.o.Store.AddRuns(row); err != nil {
		box.Release()
		m.remove(l)
		if errors.Is(err, store.ErrExists) {
			return m.byKey(ctx, tenant, q)
		}
		return nil, err
	}
	go m.run(l, box, script)
	return &Run{row: row, live: l}, nil
}

// byKey is the run that was begun with the key of q.
func (m *Manager) byKey(ctx context.Context, tenant string, q Request) (*Run, error) {
	row, err := m.o.Store.RunByKey(ctx, tenant, q.Key)
	if err != nil {
		return nil, err
	}
	if string(row.Request) != string(encode(q)) {
		return nil, ErrReused
	}
	return m.Get(ctx, tenant, row.ID)
}

// Get is a run of a tenant.
func (m *Manager) Get(ctx context.Context, tenant, id string) (*Run, error) {
	m.mu.Lock()
	l := m.live[id]
	m.mu.Unlock()
	if l != nil && l.row.Tenant == tenant {
		return &Run{row: l.row, live: l}, nil
	}
	row, err := m.o.Store.Run(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	return &Run{row: row}, nil
}

// script is that of a request.
func (q *Request) script() (s sandtrap.Script, err error) {
	s = sandtrap.Script{Text: q.Code, Name: "script.go", Copy: true, Inputs: map[string]any{}}
	if strings.TrimSpace(q.Code) == "" {
		return s, fmt.Errorf("%w: code is empty", ErrRequest)
	}
	if q.TimeoutMS < 0 {
		return s, fmt.Errorf("%w: timeout_ms is %d; want milliseconds, or nothing for the limit of the policy", ErrRequest, q.TimeoutMS)
	}
	s.Limits.Timeout = time.Duration(min(q.TimeoutMS, int64(24*time.Hour/time.Millisecond))) * time.Millisecond
	for name, text := range q.Inputs {
		if s.Inputs[name], err = runjson.Input(string(text)); err != nil {
			return s, fmt.Errorf("%w: inputs: %s: %w", ErrRequest, name, err)
		}
	}
	return s, nil
}

// requestError says that an error is about the request, unless it is about the machine.
func requestError(err error) error {
	if e, ok := errors.AsType[*sandtrap.Error](err); ok && e.Kind == sandtrap.KindIsolation {
		return fmt.Errorf("%w: %w", ErrMachine, err)
	}
	return fmt.Errorf("%w: %w", ErrRequest, err)
}

// NewID is an ID that nobody can guess, after a word for what it is of.
func NewID(kind string) string { return kind + "_" + strings.ToLower(rand.Text()) }

func now() int64 { return time.Now().UnixMilli() }
