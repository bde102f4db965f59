package sync

import (
	"sync"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

func init() {
	shim.StandsIn[*AtomicValue](shim.Stand{Value: func(v any) any { return goAtomicValue(v.(*AtomicValue)) }})
	shim.StandsIn[*Mutex](shim.Stand{Value: func(v any) any { return goMutex(v.(*Mutex)) }})
	shim.StandsIn[*RWMutex](shim.Stand{Value: func(v any) any { return goRWMutex(v.(*RWMutex)) }})
	shim.StandsIn[*WaitGroup](shim.Stand{Value: func(v any) any {
		own := &sync.WaitGroup{}
		own.Add(v.(*WaitGroup).n)
		return own
	}})
	shim.StandsIn[*Once](shim.Stand{Value: func(v any) any {
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

func goAtomicValue(a *AtomicValue) any {
	own := &atomic.Value{}
	if a.v != nil {
		own.Store(a.v)
	}
	return own
}
