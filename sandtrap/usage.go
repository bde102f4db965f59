package sandtrap

import "github.com/sandtrap-go/sandtrap/isolate"

// Usage says what the workers use up now in which the sandbox runs something, or keeps a session or
// functions of a Result: with all that they need to run scripts, and with what they have run before for the same
// sandbox or tenant. With isolation none there are no workers.
func (s *Sandbox) Usage() []isolate.Usage {
	if s.workers == nil {
		return nil
	}
	s.workers.mu.Lock()
	defer s.workers.mu.Unlock()
	list := []isolate.Usage{}
	for worker := range s.workers.used {
		if u, err := worker.Usage(); err == nil { // else it has ended
			list = append(list, u)
		}
	}
	return list
}
