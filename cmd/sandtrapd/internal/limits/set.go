package limits

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// An Error says which limit of a tenant was met.
type Error struct {
	Name        string // of the limit, as a file has it
	Limit, Used int64
	After       time.Duration // when to try again; 0 if no time alone will do
	Servers     int           // that share the limit, of which Limit is the share of this one; 0 if it is no limit that they share
}

func (e *Error) Error() string {
	share := ""
	if e.Servers > 1 {
		share = fmt.Sprintf(" at this server, one of %d that share it", e.Servers)
	}
	return fmt.Sprintf("the limit %s of this tenant is %d%s, and %d are in use", e.Name, e.Limit, share, e.Used)
}

// A Set counts what tenants use. It is safe for concurrent use. A nil *Set has no limits.
type Set struct {
	store   *store.Store
	servers func() int // that tenants use now, this one among them

	mu      sync.Mutex
	table   *Table
	tenants map[string]*tenant
}

// A tenant is what one uses.
type tenant struct {
	mu      sync.Mutex
	running int
	waiting int // of those that go on and can come to wait
	ends    Ends
	begun   *rate.Limiter
	spent   map[int64]time.Duration // by the minute in Unix time
}

// New counts on from what a store has.
func New(ctx context.Context, table *Table, st *store.Store) (*Set, error) {
	s := &Set{store: st, servers: func() int { return 1 }, table: table, tenants: map[string]*tenant{}}
	list, err := st.Spent(ctx, time.Now().Unix()/60-minutes)
	if err != nil {
		return nil, err
	}
	for _, one := range list {
		s.of(one.Tenant).spent[one.Minute] += one.Time
	}
	return s, nil
}

// SetTable has other limits be those from now on.
func (s *Set) SetTable(table *Table) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.table = table
}

// Among has this server let each tenant have its share alone of what it may have at all servers: a func tells how many there are, by and by more or
// fewer. It is called before the first run. No server asks another one when a run begins, so that none waits for it.
func (s *Set) Among(servers func() int) { s.servers = servers }

// setRate has n runs a minute be the limit. Those that have begun in this minute stay counted.
func (t *tenant) setRate(n int, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.begun.Burst() == n {
		return
	}
	used := int(math.Ceil(float64(t.begun.Burst()) - t.begun.TokensAt(now)))
	t.begun = newRate(n)
	t.begun.AllowN(now, min(max(used, 0), n))
}

// newRate allows n runs a minute.
func newRate(n int) *rate.Limiter { return rate.NewLimiter(rate.Limit(n)/60, n) }

// of is what a tenant uses.
func (s *Set) of(name string) *tenant {
	t, _ := s.both(name)
	return t
}

func (s *Set) both(name string) (*tenant, Limits) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.table.Of(name).share(s.servers())
	t := s.tenants[name]
	if t == nil {
		t = &tenant{begun: newRate(l.RunsPerMinute), spent: map[int64]time.Duration{}}
		s.tenants[name] = t
	}
	t.setRate(l.RunsPerMinute, time.Now())
	return t, l
}

// Weight is how many turns a tenant gets while others that wait get one each.
func (s *Set) Weight(name string) int {
	if s == nil {
		return 1
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.table.Of(name).Weight
}

// Begin takes a slot for a run that begins. The error matches *Error if a limit is met: then nothing is taken.
func (s *Set) Begin(ctx context.Context, name string) (*Slot, error) {
	return s.begin(ctx, name, func(*tenant, Limits, time.Time) error { return nil })
}

// BeginLine is Begin for a line of a batch: half of what may run and begin is left to runs that somebody waits for.
func (s *Set) BeginLine(ctx context.Context, name string) (*Slot, error) {
	return s.begin(ctx, name, (*tenant).roomForLine)
}

func (t *tenant) roomForLine(l Limits, now time.Time) error {
	if half := max(1, l.RunsAtOnce/2); t.running >= half {
		return &Error{Name: "runs_at_once", Limit: int64(half), Used: int64(t.running), After: time.Second, Servers: l.servers}
	}
	if lacks := float64(l.RunsPerMinute)/2 - t.begun.TokensAt(now); l.RunsPerMinute > 1 && lacks > 0 {
		after := time.Duration(lacks * float64(time.Minute) / float64(l.RunsPerMinute))
		return &Error{Name: "runs_per_minute", Limit: int64(l.RunsPerMinute / 2), Used: int64(l.RunsPerMinute / 2), After: max(after, time.Millisecond), Servers: l.servers}
	}
	return nil
}

func (s *Set) begin(ctx context.Context, name string, more func(*tenant, Limits, time.Time) error) (*Slot, error) {
	if s == nil {
		return nil, nil
	}
	t, l := s.both(name)
	t.mu.Lock()
	defer t.mu.Unlock()
	now := time.Now() // the limiter would give more if this went back
	if err := t.room(l, now); err != nil {
		return nil, err
	}
	if err := more(t, l, now); err != nil {
		return nil, err
	}
	quota, err := s.quota(ctx, l, name)
	if err != nil {
		return nil, err
	}
	if err := t.mayBegin(l, now, 1); err != nil {
		return nil, err
	}
	t.running++
	return &Slot{tenant: t, set: s, name: name, running: 1, quota: quota}, nil
}

// mayBegin is an error unless n more runs may begin in this minute: then they have begun.
func (t *tenant) mayBegin(l Limits, now time.Time, n int) error {
	if t.begun.AllowN(now, n) {
		return nil
	}
	left := t.begun.TokensAt(now)
	e := &Error{Name: "runs_per_minute", Limit: int64(l.RunsPerMinute), Used: int64(l.RunsPerMinute) - int64(max(0, left)), Servers: l.servers}
	if l.RunsPerMinute >= n { // else there is never room
		e.After = time.Duration((float64(n) - left) * float64(time.Minute) / float64(l.RunsPerMinute))
	}
	return e
}

// Resume takes a slot for a run that has waited and goes on.
func (s *Set) Resume(name string) (*Slot, error) {
	if s == nil {
		return nil, nil
	}
	t, l := s.both(name)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.room(l, time.Now()); err != nil {
		return nil, err
	}
	return s.resumed(t, name), nil
}

// Recover takes a slot for a run that went on when the server ended, whatever the limits are: it was acknowledged.
func (s *Set) Recover(name string) *Slot {
	if s == nil {
		return nil
	}
	t := s.of(name)
	t.mu.Lock()
	defer t.mu.Unlock()
	return s.resumed(t, name)
}

func (s *Set) resumed(t *tenant, name string) *Slot {
	t.running++
	t.waiting++
	return &Slot{tenant: t, set: s, name: name, running: 1, waits: 1}
}

// Fork takes a slot for n runs that wait from their beginning. They begin in this minute.
func (s *Set) Fork(ctx context.Context, name string, n int) (*Slot, error) {
	if s == nil {
		return nil, nil
	}
	t, l := s.both(name)
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := s.mayWait(ctx, t, l, name, n); err != nil {
		return nil, err
	}
	quota, err := s.quota(ctx, l, name)
	if err != nil {
		return nil, err
	}
	if err := t.mayBegin(l, time.Now(), n); err != nil {
		return nil, err
	}
	t.waiting += n
	return &Slot{tenant: t, set: s, name: name, waits: n, quota: quota}, nil
}

// room is an error if no run may go on now.
func (t *tenant) room(l Limits, now time.Time) error {
	if t.running >= l.RunsAtOnce {
		return &Error{Name: "runs_at_once", Limit: int64(l.RunsAtOnce), Used: int64(t.running), After: t.ends.After(now), Servers: l.servers}
	}
	return t.affords(l, now)
}

// mayWait is an error if n more runs may not come to wait.
func (s *Set) mayWait(ctx context.Context, t *tenant, l Limits, name string, n int) error {
	pending, err := s.store.Waiting(ctx, name)
	if err != nil {
		return err
	}
	if used := pending + t.waiting; used+n > l.PendingRuns {
		return &Error{Name: "pending_runs", Limit: int64(l.PendingRuns), Used: int64(used)}
	}
	return nil
}

// quota is how many bytes the store may keep of a tenant.
func (s *Set) quota(ctx context.Context, l Limits, name string) (int64, error) {
	used, err := s.store.Bytes(ctx, name)
	if err == nil && used >= l.Bytes {
		err = &Error{Name: "bytes", Limit: l.Bytes, Used: used}
	}
	return l.Bytes, err
}

// Room is an error that matches *Error if n more bytes of a tenant may not be kept.
func (s *Set) Room(ctx context.Context, name string, n int64) error {
	if s == nil {
		return nil
	}
	_, l := s.both(name)
	used, err := s.store.Bytes(ctx, name)
	if err == nil && used+n > l.Bytes {
		err = &Error{Name: "bytes", Limit: l.Bytes, Used: used}
	}
	return err
}

// Lines is how many lines of a tenant may be in batches that have not ended, and an error that matches *Error if there are as many.
func (s *Set) Lines(ctx context.Context, name string) (most int64, err error) {
	if s == nil {
		return math.MaxInt64, nil
	}
	_, l := s.both(name)
	most = int64(l.QueuedLines)
	used, err := s.store.OpenLines(ctx, name)
	if err == nil && used >= most {
		err = &Error{Name: "queued_lines", Limit: most, Used: used, After: time.Minute}
	}
	return most, err
}
