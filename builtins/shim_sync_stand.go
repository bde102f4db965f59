package builtins

import "sync"

func init() {
	StandsIn[*Mutex](Stand{Value: func(v any) any { return goMutex(v.(*Mutex)) }})
	StandsIn[*RWMutex](Stand{Value: func(v any) any { return goRWMutex(v.(*RWMutex)) }})
	StandsIn[*WaitGroup](Stand{Value: func(v any) any {
		own := &sync.WaitGroup{}
		own.Add(v.(*WaitGroup).n)
		return own
	}})
	StandsIn[*Once](Stand{Value: func(v any) any {
		own := &sync.Once{}
		if v.(*Once).done {
			own.Do(func() {})
		}
		return own
	}})
}

func goMutex(m *Mutex) *sync.Mutex {
	own := &sync.Mutex{}
	if m.locked {
		own.Lock()
	}
	return own
}

func goRWMutex(m *RWMutex) *sync.RWMutex {
	own := &sync.RWMutex{}
	for range min(m.reading, maxCounted) {
		own.RLock()
	}
	if m.writing {
		own.Lock()
	}
	return own
}

// maxCounted bounds what is done to one of Go's to get it into a state.
const maxCounted = 100
