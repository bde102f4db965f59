package isolate

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// nursery has the spawner of this process.
var nursery = nest{failed: map[string]int{}, idle: 30 * time.Second}

// A nest has a spawner as long as one is of use. What it cannot start is started directly.
type nest struct {
	idle time.Duration // for which a spawner waits for work

	mu      sync.Mutex
	starts  int // of workers
	up      *spawner
	raising chan struct{}  // closed when one has been raised, or has not; nil if none is being
	failed  map[string]int // executables, by how often in a row they made no spawner
	users   int            // workers of spawners that are not gone
	quiet   *time.Timer    // runs while there are none
}

// maxFailures is how often a spawner is tried with an executable.
const maxFailures = 3

// given are the layers that a worker has from its spawner, at least in part: where one is left out,
// none is used.
var given = append(slices.Collect(maps.Keys(cloneFlags)), posture.Bounding, posture.Securebits, posture.NoNewPrivs, posture.Rlimits, posture.Threads, posture.Landlock, posture.Seccomp)

// errNoSpawner is returned while there is none.
var errNoSpawner = errors.New("isolate: no spawner")

// spawn starts a worker with a spawner.
func (n *nest) spawn(spec Spec, rows []layer, f *workerFiles) (*process, error) {
	for _, name := range given {
		if !slices.ContainsFunc(rows, func(row layer) bool { return row.name == name }) {
			return nil, errNoSpawner
		}
	}
	if spec.Audit != nil { // the spawner's filter answers calls before anybody hears of them
		return nil, errNoSpawner
	}
	s := n.enter(spec.Path, grouped(spec, rows) && userManager.wanted())
	if s == nil {
		return nil, errNoSpawner
	}
	p, err := s.spawn(spec, rows, f)
	if err != nil {
		n.leave()
		return nil, err
	}
	p.left = func() {
		s.forget(p.pid())
		n.leave()
	}
	return p, nil
}

// enter is the spawner for one more worker, nil if there is none yet. The first worker of a
// program brings none up: many start no other. It does, and waits, if it must have one.
func (n *nest) enter(path string, must bool) *spawner {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.starts++
	if n.up != nil && n.up.dead() {
		n.up = nil
	}
	if n.up == nil && (n.starts > 1 || must) && n.raising == nil && n.failed[path] < maxFailures {
		n.raising = make(chan struct{})
		go n.raise(path)
	}
	if raised := n.raising; must && raised != nil {
		n.mu.Unlock()
		<-raised
		n.mu.Lock()
	}
	if n.up == nil {
		return nil
	}
	n.users++
	if n.quiet != nil {
		n.quiet.Stop()
	}
	return n.up
}

// leave is called once for each that entered, when it is gone.
func (n *nest) leave() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.users--
	n.rest()
}

// rest has the spawner end if nobody needs it in the time to come. mu is held.
func (n *nest) rest() {
	if n.users > 0 || n.up == nil {
		return
	}
	if n.quiet == nil {
		n.quiet = time.AfterFunc(n.idle, n.retire)
	} else {
		n.quiet.Reset(n.idle)
	}
}

func (n *nest) raise(path string) {
	s, err := raiseSpawner(path)
	n.mu.Lock()
	defer n.mu.Unlock()
	close(n.raising)
	n.raising = nil
	if err != nil {
		if !errors.Is(err, unix.EMFILE) && !errors.Is(err, unix.ENFILE) { // which passes, and is not its fault
			n.failed[path]++
		}
		return
	}
	n.failed[path] = 0
	n.up = s
	n.rest()
}

// retire ends the spawner, unless it has work again.
func (n *nest) retire() {
	n.mu.Lock()
	s := n.up
	if n.users > 0 || s == nil {
		n.mu.Unlock()
		return
	}
	n.up = nil
	n.mu.Unlock()
	s.retire()
}

// Rest ends the spawner if no worker is left: without Rest the spawner stays for some time in case
// it is needed again.
func Rest() { nursery.retire() }
