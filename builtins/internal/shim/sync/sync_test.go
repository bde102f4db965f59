package sync

import (
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	"github.com/sandtrap-go/sandtrap/internal/script"
)

// turns is a Tasks for tests: parked tasks get their turns in the order in which they
// are readied.
type turns struct {
	asked int
	queue []*turnsTask
}

type turnsTask struct {
	s    *turns
	turn script.Turn
}

func (t *turnsTask) Ready()     { t.s.queue = append(t.s.queue, t) }
func (t *turnsTask) Gone() bool { return false }

func (s *turns) Park(_ string, turn script.Turn) script.Parked { return &turnsTask{s, turn} }

func (s *turns) After(time.Duration, time.Duration, script.Act, any) script.Stopper { return nil }
func (s *turns) Own(any) any                                                        { return nil }
func (s *turns) Look(any)                                                           {}
func (s *turns) Watch(any, script.Act) script.Stopper                               { return nil }

func (s *turns) Beside(f func(int))      { f(0) }
func (s *turns) Do(f func())             { f() }
func (s *turns) Block()                  {}
func (s *turns) Body(func()) script.Act  { return nil }
func (s *turns) Go(body, end script.Act) {}
func (s *turns) Fatal(text string) {
	panic(text)
}

// turn gives the next task its turn, and reports that it went on.
func (s *turns) turn() bool {
	t := s.queue[0]
	s.queue = s.queue[1:]
	s.asked++
	return t.turn == nil || t.turn.Take()
}

// TestManyWaiters: ten thousand tasks that wait for a mutex each ask for it once or
// twice, and get it one at a time.
func TestManyWaiters(t *testing.T) {
	const n = 10_000
	for _, tc := range []struct {
		name   string
		barges bool // the one that unlocks locks again at once
		most   int
	}{{"fair", false, n}, {"barging", true, 2 * n}} {
		t.Run(tc.name, func(t *testing.T) {
			s := &turns{}
			e := &shim.Env{Tasks: s}
			var m Mutex
			lock, unlock := MutexLock(e), MutexUnlock(e)
			lock(&m)
			for range n {
				lock(&m)
			}
			got := 0
			for got < n {
				unlock(&m)
				barged := tc.barges && m.TryLock()
				if s.turn() {
					got++
				} else if !barged {
					t.Fatal("a task had its turn in vain though nobody had the mutex")
				}
			}
			if s.asked > tc.most || len(s.queue) > 0 {
				t.Errorf("asked %d times, want at most %d; %d too many were readied", s.asked, tc.most, len(s.queue))
			}
			unlock(&m)
			if !m.TryLock() {
				t.Error("the mutex is locked when all are through")
			}
		})
	}
}

// TestReadersAndWriters: readers wait for a writer that waits, and go before the next
// one.
func TestReadersAndWriters(t *testing.T) {
	s := &turns{}
	e := &shim.Env{Tasks: s}
	var m RWMutex
	RwMutexRLock(e)(&m)
	RwMutexLock(e)(&m)
	RwMutexRLock(e)(&m)
	RwMutexLock(e)(&m)
	if m.TryRLock() || m.TryLock() {
		t.Error("locked past those that wait")
	}
	RwMutexRUnlock(e)(&m)
	if len(s.queue) != 1 || !m.writing {
		t.Fatalf("%d readied after the reader, writing %v", len(s.queue), m.writing)
	}
	RwMutexUnlock(e)(&m)
	if len(s.queue) != 2 || m.reading != 1 || m.writing {
		t.Fatalf("%d readied after the writer, %d reading", len(s.queue), m.reading)
	}
	RwMutexRUnlock(e)(&m)
	if len(s.queue) != 3 || !m.writing {
		t.Fatalf("%d readied at last", len(s.queue))
	}
}
