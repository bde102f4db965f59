package batches

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/limits"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A Line is a line of a batch as it is sent.
type Line struct {
	ID        string                     `json:"id,omitempty"` // the client's own; 256 bytes at most
	Code      string                     `json:"code"`
	Inputs    map[string]json.RawMessage `json:"inputs,omitempty"`
	Policy    string                     `json:"policy,omitempty"`
	TimeoutMS int64                      `json:"timeout_ms,omitempty"`
}

// Bounds of a batch.
const (
	MaxLines   = 100_000
	maxID      = 256     // bytes of the ID of a line
	pieceBytes = 1 << 20 // of lines that are kept together while a batch comes
	pieceLines = 1000

	otherWithin = 5 * time.Second
)

// Options are for all batches of a server.
type Options struct {
	Store    Store
	Runs     *runs.Manager
	Limits   *limits.Set // nil for none
	Queue    Queue
	Log      *slog.Logger
	Queued   int64 // bytes of lines that wait of one tenant, in a queue that servers share; 0 is 512 MiB
	InFlight int   // how many lines of a tenant have begun and have no result; 0 is two for each turn
}

// A Manager has the batches of a server. It is safe for concurrent use.
type Manager struct {
	o       Options
	ctx     context.Context // of lines that begin
	stop    context.CancelFunc
	wake    chan struct{} // has one when there is more to do
	group   sync.WaitGroup
	mu      sync.Mutex
	feeding map[string]bool  // tenants whose lines are begun
	stopped map[Name]bool    // batches that are cancelled
	coming  map[string]int64 // bytes of lines of batches that are not there yet, by tenant

	asides map[Name]aside // of work
}

// New has the batches in a store go on.
func New(o Options) *Manager {
	o.InFlight = cmp.Or(o.InFlight, 4*runtime.GOMAXPROCS(0))
	o.Queued = cmp.Or(o.Queued, maxLines/4) // others need room too; one batch has half of that at most
	m := &Manager{o: o, wake: make(chan struct{}, 1), feeding: map[string]bool{}, stopped: map[Name]bool{}, coming: map[string]int64{}}
	m.ctx, m.stop = context.WithCancel(context.Background())
	m.group.Go(m.work)
	m.group.Go(m.sweep)
	return m
}

// Stop has no more lines begin, until the server starts again. Those that have begun end, or go on then.
func (m *Manager) Stop() { m.stop() }

// Close is Stop, and waits for the lines that have begun: runs are drained before.
func (m *Manager) Close() {
	m.stop()
	m.group.Wait()
}

// Create keeps a batch of the lines that next gives up to io.EOF. It is on disk when it returns. An error about a line names its number, and
// nothing is kept. With a key that was used before it is the batch of then, if that has the same lines; else the error is runs.ErrReused.
func (m *Manager) Create(ctx context.Context, tenant, key string, next func() (*Line, error)) (Batch, error) {
	if m.ctx.Err() != nil {
		return Batch{}, runs.ErrDraining
	}
	if err := runs.CheckKey(key); err != nil {
		return Batch{}, err
	}
	in := &incoming{m: m, ctx: ctx, of: Name{tenant, runs.NewID("batch")}, policies: map[string]string{}, left: math.MaxInt64}
	before, err := m.byKey(ctx, tenant, key)
	if err != nil && !errors.Is(err, store.ErrNone) {
		return Batch{}, err
	}
	if in.known = before != nil; !in.known {
		if in.left, err = m.o.Limits.Lines(ctx, tenant); err != nil {
			return Batch{}, err
		}
	}
	defer func() { m.comes(tenant, -in.all) }()
	row, err := in.read(next)
	if err == nil && before == nil {
		row.Key = key
		if err = m.o.Store.AddBatch(row, in.left); errors.Is(err, store.ErrExists) {
			before, err = m.other(ctx, tenant, key)
		}
		if errors.Is(err, store.ErrLines) {
			err = &limits.Error{Name: "queued_lines", Limit: in.left, Used: in.left, After: time.Minute}
		}
	}
	if (err != nil || before != nil) && !in.known && !errors.Is(err, store.ErrDoubt) { // it may go on
		err = errors.Join(err, m.o.Queue.Drop(context.WithoutCancel(ctx), in.of))
	}
	if err == nil && before != nil && before.Digest != row.Digest {
		err = runs.ErrReused
	}
	if err != nil {
		return Batch{}, err
	}
	m.wakeUp()
	if before != nil {
		row = before
	}
	return m.view(ctx, row)
}

// other is the batch of a request with the same key that was faster. At another server it may have the key and not be there yet.
func (m *Manager) other(ctx context.Context, tenant, key string) (row *store.Batch, err error) {
	for began := time.Now(); time.Since(began) < otherWithin; {
		if row, err = m.byKey(ctx, tenant, key); !errors.Is(err, store.ErrNone) || !sleep(ctx, m.ctx) {
			return row, err
		}
	}
	return nil, fmt.Errorf("a batch with this key is made just now: %w", store.ErrDisk)
}

func (m *Manager) byKey(ctx context.Context, tenant, key string) (*store.Batch, error) {
	if key == "" {
		return nil, nil
	}
	row, err := m.o.Store.BatchByKey(ctx, tenant, key)
	if err != nil {
		return nil, err
	}
	return row, nil
}

// An incoming is a batch that comes.
type incoming struct {
	m        *Manager
	ctx      context.Context
	of       Name
	known    bool              // it is one of before: nothing is kept
	policies map[string]string // the versions, by what lines ask for
	left     int64             // how many lines the tenant may have

	lines int
	piece [][]byte
	size  int
	all   int64 // bytes of what was kept
}

// read checks and keeps all lines.
func (in *incoming) read(next func() (*Line, error)) (*store.Batch, error) {
	digest := sha256.New()
	for {
		line, err := next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		in.lines++
		text, err := json.Marshal(line)
		if err != nil {
			return nil, err
		}
		_, _ = fmt.Fprintf(digest, "%s\n", text)
		if err := in.check(line); errors.Is(err, runs.ErrRequest) {
			return nil, fmt.Errorf("%w: line %d: %s", runs.ErrRequest, in.lines, strings.TrimPrefix(err.Error(), runs.ErrRequest.Error()+": "))
		} else if err != nil {
			return nil, err
		}
		if err := in.add(line); err != nil {
			return nil, err
		}
	}
	if in.lines == 0 {
		return nil, fmt.Errorf("%w: the batch has no lines", runs.ErrRequest)
	}
	if err := in.flush(); err != nil {
		return nil, err
	}
	row := &store.Batch{ID: in.of.Batch, Tenant: in.of.Tenant, Lines: in.lines, Created: time.Now()}
	digest.Sum(row.Digest[:0])
	if !in.m.o.Queue.Counts() {
		row.Bytes = in.all
	}
	return row, nil
}

// check checks a line, and has it have the version of its policy that there is now.
func (in *incoming) check(line *Line) error {
	switch {
	case in.lines > MaxLines:
		return fmt.Errorf("%w: a batch has %d lines at most", runs.ErrRequest, MaxLines)
	case int64(in.lines) > in.left:
		return &limits.Error{Name: "queued_lines", Limit: in.left, Used: int64(in.lines)}
	case len(line.ID) > maxID:
		return fmt.Errorf("%w: id has %d bytes; %d are the limit", runs.ErrRequest, len(line.ID), maxID)
	}
	if in.known {
		return nil
	}
	q := line.request(in.of, in.lines)
	if err := q.Check(); err != nil {
		return err
	}
	version, ok := in.policies[line.Policy]
	if !ok {
		var err error
		if version, err = in.m.o.Runs.PolicyOfLine(in.ctx, in.of.Tenant, line.Policy); err != nil {
			return err
		}
		in.policies[line.Policy] = version
	}
	line.Policy = version
	return nil
}

// request is what begins the run of a line.
func (l *Line) request(of Name, number int) runs.Request {
	return runs.Request{
		Code: l.Code, Inputs: l.Inputs, Policy: l.Policy, TimeoutMS: l.TimeoutMS, ToldAtEnd: true,
		Line: &runs.Line{Batch: of.Batch, Number: number, ID: l.ID},
	}
}

// add keeps a line, with others.
func (in *incoming) add(line *Line) error {
	if in.known {
		return nil
	}
	data, err := json.Marshal(line)
	if err != nil {
		return err
	}
	in.piece = append(in.piece, data)
	if in.size += len(data); in.size < pieceBytes && len(in.piece) < pieceLines {
		return nil
	}
	return in.flush()
}

func (in *incoming) flush() error {
	if len(in.piece) == 0 {
		return nil
	}
	if err := in.m.o.Limits.Room(in.ctx, in.of.Tenant, in.all+int64(in.size)); err != nil {
		return err
	}
	if err := in.m.queued(in.ctx, in.of.Tenant, int64(in.size)); err != nil {
		return err
	}
	in.m.comes(in.of.Tenant, int64(in.size))
	in.all += int64(in.size)
	err := in.m.o.Queue.Add(in.ctx, in.of, in.lines-len(in.piece)+1, in.piece)
	in.piece, in.size = nil, 0
	return err
}
