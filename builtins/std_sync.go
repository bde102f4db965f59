package builtins

import "sync"

var stdSync = Package{
	Path:    "sync",
	Bounded: "NewCond",
	Prints:  "*",
	Source:  syncSource,
	scan:    true,
	Members: []Member{
		{Name: "Cond", Value: (*Cond)(nil), With: "Broadcast L Signal", Why: "waits through the run, not on the host"},
		{Name: "Cond.Wait", Value: condWait},
		{Name: "Locker", Value: (*sync.Locker)(nil)},
		{Name: "Locker.Lock", Value: lockerLock},
		{Name: "Locker.Unlock", Value: lockerUnlock},
		{Name: "Map", Value: (*Map)(nil), With: "Clear CompareAndDelete CompareAndSwap Delete Load LoadAndDelete Range", Why: "goes over its entries in the same order in each run"},
		{Name: "Map.LoadOrStore", Value: syncMapLoadOrStore, Why: "a new entry takes memory"},
		{Name: "Map.Store", Value: syncMapStore, Why: "a new entry takes memory"},
		{Name: "Map.Swap", Value: syncMapSwap, Why: "a new entry takes memory"},
		{Name: "Mutex", Value: (*Mutex)(nil), With: "TryLock", Why: "waits through the run, not on the host"},
		{Name: "Mutex.Lock", Value: mutexLock},
		{Name: "Mutex.Unlock", Value: mutexUnlock},
		{Name: "Once", Value: (*Once)(nil), Why: "waits through the run, not on the host"},
		{Name: "Once.Do", Value: onceDo},
		{Name: "Pool", Value: (*Pool)(nil), With: "Get New", Why: "Go's own gives what the host's processors left in it"},
		{Name: "Pool.Put", Value: poolPut, Why: "the pool grows"},
		{Name: "RWMutex", Value: (*RWMutex)(nil), With: "TryLock TryRLock", Why: "waits through the run, not on the host"},
		{Name: "RWMutex.Lock", Value: rwMutexLock},
		{Name: "RWMutex.RLock", Value: rwMutexRLock},
		{Name: "RWMutex.RLocker", Value: rwMutexRLocker},
		{Name: "RWMutex.RUnlock", Value: rwMutexRUnlock},
		{Name: "RWMutex.Unlock", Value: rwMutexUnlock},
		{Name: "WaitGroup", Value: (*WaitGroup)(nil), With: "Add Done", Why: "waits through the run, not on the host"},
		{Name: "WaitGroup.Go", Value: waitGroupGo},
		{Name: "WaitGroup.Wait", Value: waitGroupWait},

		{Name: "NewCond", Value: syncNewCond},
		{Name: "OnceFunc", Value: syncOnceFunc},
	},
}
