package cluster

import (
	"math"
	"runtime"
	"sync"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/machine"
)

// A room is the memory for the runs of a worker. Each job reserves as much as its policy lets it have, from when it is accepted to its end, and the
// reservations are together no more than the room: so whatever the jobs do, none fails because the others have the memory.
type room struct {
	all  int64
	free func() int64 // of the machine now, which has other programs too; machine.Unknown if it does not say

	mu    sync.Mutex
	taken int64
}

// newRoom is one of so many bytes; 0 is what the machine has left.
func newRoom(all int64, free func() int64) *room {
	if all == 0 {
		all = free()
	}
	if all == machine.Unknown || all > maxMemory {
		all = maxMemory
	}
	return &room{all: all, free: free}
}

// take reserves memory for a job. It is false if there is not so much. A job without a limit has the whole room. The last
// worker that is asked takes one that would be alone, even if other programs have the memory now.
func (r *room) take(need int64, last bool) (took int64, ok bool) {
	if need == math.MaxInt64 {
		need = r.all
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if need > r.all-r.taken {
		return 0, false
	}
	if left := r.free(); left != machine.Unknown && need > left && !(last && r.taken == 0) {
		return 0, false
	}
	r.taken += need
	return need, true
}

func (r *room) give(n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken -= n
}

// lately is a func that gives what free has said, some time ago at most: to ask for each job takes longer than a small job. One goroutine at a time
// calls it.
func lately(free func() int64) func() int64 {
	var last int64
	var asked time.Time
	return func() int64 {
		if now := time.Now(); now.Sub(asked) > beatEach {
			last, asked = free(), now
		}
		return last
	}
}

// left is how much is not reserved.
func (r *room) left() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all - r.taken
}

// busyness is the load of this machine, of 100 for each processor.
func busyness() int { return min(maxLoad, int(100*machine.Load()/float64(runtime.NumCPU()))) }
