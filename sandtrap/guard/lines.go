package guard

import "sync"

// mostLines is how many different warnings, and reminders, a run has: a script may cause any number of them.
const mostLines = 100

// lines are what a run tells its host, each line once.
type lines struct {
	tell func(line string)

	mu   sync.Mutex
	told map[string]bool
}

func (l *lines) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.told[line] || len(l.told) > mostLines {
		return
	}
	if l.told == nil {
		l.told = map[string]bool{}
	}
	l.told[line] = true
	if len(l.told) > mostLines {
		line = "there are more lines like these"
	}
	l.tell(line)
}
