package store_test

import (
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// become is what a session has become that has n new contents of a size.
func become(session string, n, size int) *store.Kept {
	k := &store.Kept{Tenant: "large", Session: session, Needed: map[store.Hash]bool{}, New: map[store.Hash][]byte{}}
	for range n {
		data := make([]byte, size)
		rand.Read(data)
		k.Head = store.HashOf(data)
		k.Needed[k.Head], k.New[k.Head] = true, data
	}
	return k
}

func session(id string) *store.Session {
	now := time.Now()
	return &store.Session{ID: id, Tenant: "large", Policy: "p", Origin: id, Created: now, Used: now}
}

// BenchmarkBeside is how long the slowest acknowledgement of another tenant takes while one writes much.
func BenchmarkBeside(b *testing.B) {
	for _, work := range []struct {
		name string
		do   func(b *testing.B, s *store.Store)
	}{
		{"nothing", func(*testing.B, *store.Store) { time.Sleep(200 * time.Millisecond) }},
		{"a content of 64 MB", func(b *testing.B, s *store.Store) { keepNew(b, s, 1, 64<<20) }},
		{"10000 contents of 6 KB", func(b *testing.B, s *store.Store) { keepNew(b, s, 10_000, 6<<10) }},
		{"100 forks of 10000 contents", func(b *testing.B, s *store.Store) {
			var forks []*store.Session
			for range 100 {
				forks = append(forks, session(rand.Text()))
			}
			if err := s.Fork("large", "many", forks...); err != nil {
				b.Error(err)
			}
		}},
		{"the end of a session of 64 MB", func(b *testing.B, s *store.Store) {
			if err := s.DeleteSession("large", "big", "", nil); err != nil {
				b.Error(err)
			}
		}},
		{"the end of a session of 10000 contents", func(b *testing.B, s *store.Store) {
			if err := s.DeleteSession("large", "many", "", nil); err != nil {
				b.Error(err)
			}
		}},
	} {
		b.Run(work.name, func(b *testing.B) {
			var worst, whole time.Duration
			for range b.N {
				b.StopTimer()
				s := open(b, b.TempDir())
				for id, k := range map[string]*store.Kept{"many": become("many", 10_000, 100), "big": become("big", 1, 64<<20), "new": become("new", 1, 1)} {
					if err := s.AddSession(session(id), k); err != nil {
						b.Fatal(err)
					}
				}
				done := make(chan time.Duration)
				b.StartTimer()
				go func() {
					began := time.Now()
					work.do(b, s)
					done <- time.Since(began)
				}()
				for i, ended := 0, false; !ended; i++ {
					began := time.Now()
					if err := s.AddRuns(row(fmt.Sprint("run_", i), "")); err != nil {
						b.Fatal(err)
					}
					worst = max(worst, time.Since(began))
					select {
					case took := <-done:
						whole += took
						ended = true
					default:
					}
				}
				b.StopTimer()
				s.Close()
				b.StartTimer()
			}
			b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
			b.ReportMetric(float64(whole.Milliseconds())/float64(b.N), "work-ms")
		})
	}
}

func keepNew(b *testing.B, s *store.Store, n, size int) {
	if err := s.Keep(become("new", n, size)); err != nil {
		b.Error(err)
	}
}
