package batches

import (
	"context"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// A Name is that of a batch.
type Name struct{ Tenant, Batch string }

// A Queue has the lines of batches until their results are there. It is safe for concurrent use.
type Queue interface {
	// Add keeps lines of a batch that nobody takes from yet; the first one has this number. They outlive the process when it returns.
	Add(ctx context.Context, of Name, first int, lines [][]byte) error

	// Take gives lines of a batch that nobody has, n at most, without waiting for any. Who has a line is the only
	// one, until its process ends, or is silent.
	Take(ctx context.Context, of Name, n int) ([]Item, error)

	// Counts reports that the store counts the lines, as it has them.
	Counts() bool

	// Discard forgets the lines of a batch that have not begun anywhere, and reports whether others may have no result yet.
	Discard(ctx context.Context, of Name) (left bool, err error)

	// Left reports whether there are lines of a batch, with whomever.
	Left(ctx context.Context, of Name) (bool, error)

	// Sweep forgets the lines of batches that are not there, if none of them has come for so long: their server has ended before the batch was
	// there. N is of how many batches.
	Sweep(ctx context.Context, age time.Duration, has func(batch string) (bool, error)) (n int, err error)

	// Drop forgets all lines of a batch.
	Drop(ctx context.Context, of Name) error
}

// An Item is a line that was taken.
type Item struct {
	Number int
	Data   []byte
	Done   func() error // its result is there: nobody gets it again
}

// A Local is the Queue of one process, in its store. A line is with the process until that ends.
type Local struct {
	store *store.Store

	mu    sync.Mutex
	taken map[Name]int // the last line that was taken
}

// NewLocal is a queue in a store.
func NewLocal(st *store.Store) *Local { return &Local{store: st, taken: map[Name]int{}} }

// Add is a method of Queue.
func (l *Local) Add(_ context.Context, of Name, first int, lines [][]byte) error {
	return l.store.AddLines(of.Tenant, of.Batch, first, lines)
}

// Take is a method of Queue.
func (l *Local) Take(ctx context.Context, of Name, n int) (items []Item, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines, err := l.store.LinesOf(ctx, of.Tenant, of.Batch, l.taken[of], n)
	for _, line := range lines {
		l.taken[of] = line.Number
		items = append(items, Item{
			Number: line.Number, Data: line.Data,
			Done: func() error { return l.store.RemoveLine(of.Tenant, of.Batch, line.Number) },
		})
	}
	return items, err
}

// Counts is a method of Queue.
func (l *Local) Counts() bool { return true }

// Discard is a method of Queue. Runs of lines that have begun are in the store of the queue.
func (l *Local) Discard(ctx context.Context, of Name) (left bool, err error) {
	return false, l.Drop(ctx, of)
}

// Left is a method of Queue.
func (l *Local) Left(ctx context.Context, of Name) (bool, error) {
	lines, err := l.store.LinesOf(ctx, of.Tenant, of.Batch, 0, 1)
	return len(lines) > 0 || err != nil, err
}

// Sweep is a method of Queue. The store does that when it is opened.
func (l *Local) Sweep(context.Context, time.Duration, func(string) (bool, error)) (int, error) {
	return 0, nil
}

// Drop is a method of Queue.
func (l *Local) Drop(_ context.Context, of Name) error {
	l.mu.Lock()
	delete(l.taken, of)
	l.mu.Unlock()
	return l.store.RemoveLines(of.Tenant, of.Batch)
}
