package runs

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"go/token"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/plans"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/trail"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/turns"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Request begins a run.
type Request struct {
	Code      string                     `json:"code"`                      // the script: a snippet, or a whole program
	Inputs    map[string]json.RawMessage `json:"inputs,omitempty"`          // variables of the script, by their Go names
	Session   string                     `json:"session,omitempty"`         // the ID of one, whose policy the run has
	Policy    string                     `json:"policy,omitempty"`          // a name, or name@version; default if it is left out
	TimeoutMS int64                      `json:"timeout_ms,omitempty"`      // shortens the time limit of the policy
	Tools     string                     `json:"tools,omitempty"`           // a Go file of package tools: declarations of functions whose calls wait for answers
	Key       string                     `json:"idempotency_key,omitempty"` // the same key with the same request is the same run; 256 bytes at most
	ToldAtEnd bool                       `json:"-"`                         // the client is told of the run when it has ended or waits, and not before
	Line      *Line                      `json:"-"`                         // of a batch, which has no key of a client; nil for none
}

// A View is a run as a client sees it.
type View struct {
	ID      string            `json:"id"`
	Tenant  string            `json:"tenant"`
	State   store.State       `json:"state"`
	Created time.Time         `json:"created"`
	Ended   *time.Time        `json:"ended,omitempty"`
	Parent  string            `json:"parent,omitempty"` // the run that it is a fork of
	Session string            `json:"session,omitempty"`
	Batch   string            `json:"batch,omitempty"` // that it is a line of
	Line    int               `json:"line,omitempty"`  // of the batch, from 1
	Policy  string            `json:"policy"`
	Result  json.RawMessage   `json:"result"` // as the command prints it with --json; null while it goes on
	Pending []runjson.Pending `json:"pending"`
	Summary
}

// Errors about what was asked for. Those of package store come too.
var (
	ErrRequest  = errors.New("malformed request") // the message says why
	ErrReused   = errors.New("idempotency_key: it was used for another request")
	ErrDraining = errors.New("the server ends: it takes no more runs")   // try again later
	ErrBusy     = errors.New("too much is going on")                     // try again later; the message says what is
	ErrMachine  = errors.New("this machine cannot run scripts this way") // the isolation is not to be had
)

// Options are for all runs of a server.
type Options struct {
	Plans    *plans.Set
	Store    Store
	Sessions Sessions     // that runs can be in; nil for none
	Trail    *trail.Trail // tells of calls and decisions, which are events of their runs; nil for none
	Watch    Watcher      // nil for nobody
	Limits   *limits.Set  // nil for none
	Log      *slog.Logger
	ID       func(tenant, key string) string // the ID of a run that begins, empty for one that nobody can guess; nil for such in all cases
	Reached  func() error                    // why runs cannot be written now, matches store.ErrCluster; nil for a store that is always there
	Stop     func(tenant, id string)         // has another server stop a run that goes on there; nil for none
	AtOnce   int                             // how many run at a time in this process; the others wait. 0 is two for each processor
	Queue    dispatch.Queue                  // of workers, for runs that other machines can do; nil for none
}

// A Manager has the runs of a server. It is safe for concurrent use.
type Manager struct {
	o     Options
	turns *turns.Turns
	here  *dispatch.Local // has the same turns
	base  context.Context // of all runs
	stop  context.CancelCauseFunc
	group sync.WaitGroup

	unwritten unwritten

	mu       sync.Mutex
	live     map[string]*live // by ID
	load     load
	draining bool
}

// New is a manager of the runs in a store. Those that went on when the server ended go on from where they waited, or have failed.
func New(ctx context.Context, o Options) (*Manager, error) {
	o.AtOnce = cmp.Or(o.AtOnce, 2*runtime.GOMAXPROCS(0))
	if o.Watch == nil {
		o.Watch = nobody{}
	}
	base, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	m := &Manager{o: o, turns: turns.New(o.AtOnce), base: base, stop: stop, live: map[string]*live{}, load: load{tenants: map[string]burden{}}}
	m.turns.Weigh(o.Limits.Weight)
	m.here = &dispatch.Local{Turns: m.turns, Handler: (&Worker{Plans: o.Plans}).Do}
	if o.Trail != nil {
		o.Trail.Watch(m.Observe)
		o.Trail.WatchRequests(m.ObserveRequest)
	}
	if err := m.recover(ctx); err != nil {
		stop(err)
		return nil, err
	}
	return m, nil
}

// Start begins a run for a tenant: when it returns the run is on disk, or will be with its end if its client is told of it then. A run that was begun with the same key is that run.
func (m *Manager) Start(ctx context.Context, tenant string, q Request) (*Run, error) {
	script, err := q.script()
	if err != nil {
		return nil, err
	}
	if err := m.reached(); err != nil { // its outcome could not be told
		return m.beyond(ctx, tenant, q, err)
	}
	begin := m.o.Limits.Begin
	if q.Line != nil {
		begin = m.o.Limits.BeginLine
	}
	slot, err := begin(ctx, tenant) // before its tools are compiled
	if err != nil {
		return m.beyond(ctx, tenant, q, err)
	}
	r, policy, err := m.place(ctx, tenant, &q)
	if err != nil {
		err = slot.Refuse(err)
	}
	if errors.Is(err, store.ErrState) { // another run waits in its session, or this one, which is begun again
		return m.beyond(ctx, tenant, q, err)
	}
	if err != nil {
		return nil, err
	}
	l, again, err := m.write(ctx, tenant, policy, slot, r, q)
	if l == nil {
		r.Release()
		return again, err
	}
	go m.run(l, r, script)
	return &Run{row: l.row, live: l}, nil
}

// write makes a run live, and writes that it has begun, now or soon. If one was begun with its key before, it is that.
func (m *Manager) write(ctx context.Context, tenant, policy string, slot *limits.Slot, r *runner, q Request) (l *live, again *Run, err error) {
	if r.Waits() {
		if err := slot.Wait(ctx); err != nil {
			again, err = m.beyond(ctx, tenant, q, slot.Refuse(err))
			return nil, again, err
		}
	}
	row := m.row(tenant, policy, q)
	row.Quota, row.ToldAtEnd = slot.Quota(), q.ToldAtEnd && q.Key == ""
	if l, err = m.begin(row, slot, r.repeats(row), false); err != nil {
		if first := m.liveOf(tenant, row.ID); first != nil && errors.Is(err, store.ErrState) { // it has the same key
			again, err = first.asked(q)
		}
		return nil, again, err
	}
	add := func() error { return m.o.Store.AddRuns(row) }
	if mayWait(row, r) && !m.o.Store.Failing() {
		add = func() error { return m.writeLater(l) }
	}
	if err := add(); err != nil {
		err = m.refuse(l, err)
		if errors.Is(err, store.ErrExists) {
			again, err = m.byKey(ctx, tenant, q)
		}
		return nil, again, err
	}
	l.caller = ctx
	return l, nil, nil
}

// row is the row of a run that begins.
func (m *Manager) row(tenant, policy string, q Request) *store.Run {
	row := &store.Run{
		ID: m.newID(tenant, q.key()), Tenant: tenant, Session: q.Session, Policy: policy, State: store.Running,
		Created: time.Now(), Code: q.Code, Request: encode(q), Key: q.key(),
	}
	if q.Line != nil {
		row.Batch, row.Line, row.Item = q.Line.Batch, q.Line.Number, q.Line.ID
	}
	return row
}

// newID is the ID of a run that begins.
func (m *Manager) newID(tenant, key string) (id string) {
	if m.o.ID != nil {
		id = m.o.ID(tenant, key)
	}
	return cmp.Or(id, NewID("run"))
}

// beyond is the run of a request that is refused, such as by a limit: the one that was begun with its key, if there is one.
func (m *Manager) beyond(ctx context.Context, tenant string, q Request, refused error) (*Run, error) {
	if q.key() == "" {
		return nil, refused
	}
	r, err := m.byKey(ctx, tenant, q)
	if errors.Is(err, store.ErrNone) {
		return nil, refused
	}
	return r, err
}

// byKey is the run that was begun with the key of q.
func (m *Manager) byKey(ctx context.Context, tenant string, q Request) (*Run, error) {
	row, err := m.o.Store.RunByKey(ctx, tenant, q.key())
	if err != nil {
		return nil, err
	}
	if string(row.Request) != string(encode(q)) {
		return nil, ErrReused
	}
	return m.Get(ctx, tenant, row.ID)
}

// asked is a run that goes on here, for a request with its key.
func (l *live) asked(q Request) (*Run, error) {
	if string(l.row.Request) != string(encode(q)) {
		return nil, ErrReused
	}
	return &Run{row: l.row, live: l}, nil
}

// Get is a run of a tenant, or of any with store.All.
func (m *Manager) Get(ctx context.Context, tenant, id string) (*Run, error) {
	if l := m.liveOf(tenant, id); l != nil {
		return &Run{row: l.row, live: l}, m.writeNow(l)
	}
	row, err := m.o.Store.Run(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	r := &Run{row: row}
	if row.State == store.Running && m.o.Stop != nil {
		r.of = m
	}
	return r, nil
}

// script is that of a request.
func (q *Request) script() (s sandtrap.Script, err error) {
	s = sandtrap.Script{Text: q.Code, Name: "script.go", Copy: true, Inputs: map[string]any{}}
	if strings.TrimSpace(q.Code) == "" {
		return s, fmt.Errorf("%w: code: it is empty", ErrRequest)
	}
	if err := CheckKey(q.Key); err != nil {
		return s, err
	}
	if q.TimeoutMS < 0 {
		return s, fmt.Errorf("%w: timeout_ms: %d; want milliseconds, or nothing for the limit of the policy", ErrRequest, q.TimeoutMS)
	}
	s.Limits.Timeout = time.Duration(min(q.TimeoutMS, int64(24*time.Hour/time.Millisecond))) * time.Millisecond
	for name, text := range q.Inputs {
		if !token.IsIdentifier(name) || name == "_" || name == "init" {
			return s, fmt.Errorf("%w: inputs: %.100q is not a Go name for a variable: want letters, digits and _, no digit first, and no keyword", ErrRequest, name)
		}
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

// idTime is the digits of times in IDs: their order is that of the bytes.
var idTime = base32.HexEncoding.WithPadding(base32.NoPadding)

// NewID is an ID that nobody can guess, after a word for what it is of. The time before what is random has rows that are written together be near each
// other in indexes: else each of them changes pages of its own, which take most of the time of a commit.
func NewID(kind string) string {
	var now [8]byte
	binary.BigEndian.PutUint64(now[:], uint64(time.Now().UnixMilli()))
	return kind + "_" + strings.ToLower(idTime.EncodeToString(now[3:])+rand.Text())
}

func now() int64 { return time.Now().UnixMilli() }
