package builtins

import "sync"

var stdSync = Package{
	Path:   "sync",
	Source: syncSource,
	scan:   true,
	Members: []Member{
		{Name: "Locker", Value: (*sync.Locker)(nil)},
		{Name: "Locker.Lock", Value: lockerLock},
		{Name: "Map", Value: (*sync.Map)(nil), With: "Clear CompareAndDelete CompareAndSwap Delete Load LoadAndDelete LoadOrStore Range Store Swap"},
		{Name: "Mutex", Value: (*Mutex)(nil), With: "TryLock Unlock", Why: "waits through the run, not on the host"},
		{Name: "Mutex.Lock", Value: mutexLock},
		{Name: "Once", Value: (*Once)(nil), Why: "waits through the run, not on the host"},
		{Name: "Once.Do", Value: onceDo},
		{Name: "Pool", Value: (*sync.Pool)(nil), With: "Get New Put"},
		{Name: "RWMutex", Value: (*RWMutex)(nil), With: "RUnlock TryLock TryRLock Unlock", Why: "waits through the run, not on the host"},
		{Name: "RWMutex.Lock", Value: rwMutexLock},
		{Name: "RWMutex.RLock", Value: rwMutexRLock},
		{Name: "WaitGroup", Value: (*WaitGroup)(nil), With: "Add Done", Why: "waits through the run, not on the host"},
		{Name: "WaitGroup.Wait", Value: waitGroupWait},

		{Name: "OnceFunc", Value: syncOnceFunc},
	},
	Denied: []Denial{
		{Names: "Cond NewCond", Why: "would block the host for ever", Instead: "sync.Mutex"},
		{Names: "RWMutex.RLocker", Why: "would block the host for ever", Instead: "sync.RWMutex"},
		{Names: "WaitGroup.Go", Why: "starts a goroutine that the run does not control", Instead: "go statements with wg.Add and wg.Done"},
	},
}
