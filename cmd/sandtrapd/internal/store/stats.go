package store

import (
	"sync/atomic"
	"time"
)

// Stats are what the writer has done since the store was opened.
type Stats struct {
	Writes   int64 // changes that are on disk
	Commits  int64
	Failures int64 // commits that failed
	Time     time.Duration
}

// counts are Stats while they grow.
type counts struct {
	writes, commits, failures, time atomic.Int64

	failing atomic.Bool // the last commit failed
}

// Stats are those of now.
func (s *Store) Stats() Stats {
	c := &s.counts
	return Stats{c.writes.Load(), c.commits.Load(), c.failures.Load(), time.Duration(c.time.Load())}
}

// Failing reports that the last commit failed.
func (s *Store) Failing() bool { return s.counts.failing.Load() }

// add counts a commit that began at a time.
func (c *counts) add(writes int, began time.Time, err error) {
	c.time.Add(int64(time.Since(began)))
	c.failing.Store(err != nil)
	if err != nil {
		c.failures.Add(1)
		return
	}
	c.commits.Add(1)
	c.writes.Add(int64(writes))
}
