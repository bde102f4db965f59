package sandtrap

import "time"

// A WorkerUsage is what a worker uses up, as the kernel counts it: with all that it needs to run scripts,
// and with what it has run before for the same sandbox or tenant.
type WorkerUsage struct {
	Memory, Peak int64         // bytes of memory that it has, and the most that it had
	CPU          time.Duration // of all its threads, in steps of 10 ms
	Threads      int
}

// Usage says what the workers use up now in which the sandbox runs something, or keeps a session or
// functions of a Result. With isolation none there are no workers.
func (s *Sandbox) Usage() []WorkerUsage {
	if s.workers == nil {
		return nil
	}
	s.workers.mu.Lock()
	defer s.workers.mu.Unlock()
	list := []WorkerUsage{}
	for worker := range s.workers.used {
		if u, err := worker.Usage(); err == nil { // else it has ended
			list = append(list, WorkerUsage(u))
		}
	}
	return list
}
