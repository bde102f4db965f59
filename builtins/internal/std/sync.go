package std

import (
	"sync"
	"sync/atomic"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimsync "github.com/sandtrap-go/sandtrap/builtins/internal/shim/sync"
)

var stdSync = rows.Package{
	Path:    "sync",
	Engine:  "*=formats WaitGroup.Go=spawn",
	Bounded: "NewCond",
	Prints:  "*",
	Source:  syncSource,
	Renamed: true,
	Members: []rows.Member{
		{Name: "Cond", Value: (*shimsync.Cond)(nil), With: "Broadcast L Signal", Why: "waits through the run, not on the host"},
		{Name: "Cond.Wait", Value: shimsync.CondWait},
		{Name: "Locker", Value: (*sync.Locker)(nil)},
		{Name: "Locker.Lock", Value: shimsync.LockerLock},
		{Name: "Locker.Unlock", Value: shimsync.LockerUnlock},
		{Name: "Map", Value: (*shimsync.Map)(nil), With: "Clear CompareAndDelete CompareAndSwap Delete Load LoadAndDelete Range", Why: "goes over its entries in the same order in each run"},
		{Name: "Map.LoadOrStore", Value: shimsync.SyncMapLoadOrStore, Why: "a new entry takes memory"},
		{Name: "Map.Store", Value: shimsync.SyncMapStore, Why: "a new entry takes memory"},
		{Name: "Map.Swap", Value: shimsync.SyncMapSwap, Why: "a new entry takes memory"},
		{Name: "Mutex", Value: (*shimsync.Mutex)(nil), With: "TryLock", Why: "waits through the run, not on the host"},
		{Name: "Mutex.Lock", Value: shimsync.MutexLock},
		{Name: "Mutex.Unlock", Value: shimsync.MutexUnlock},
		{Name: "Once", Value: (*shimsync.Once)(nil), Why: "waits through the run, not on the host"},
		{Name: "Once.Do", Value: shimsync.OnceDo},
		{Name: "Pool", Value: (*shimsync.Pool)(nil), With: "Get New", Why: "Go's own gives what the host's processors left in it"},
		{Name: "Pool.Put", Value: shimsync.PoolPut, Why: "the pool grows"},
		{Name: "RWMutex", Value: (*shimsync.RWMutex)(nil), With: "TryLock TryRLock", Why: "waits through the run, not on the host"},
		{Name: "RWMutex.Lock", Value: shimsync.RwMutexLock},
		{Name: "RWMutex.RLock", Value: shimsync.RwMutexRLock},
		{Name: "RWMutex.RLocker", Value: shimsync.RwMutexRLocker},
		{Name: "RWMutex.RUnlock", Value: shimsync.RwMutexRUnlock},
		{Name: "RWMutex.Unlock", Value: shimsync.RwMutexUnlock},
		{Name: "WaitGroup", Value: (*shimsync.WaitGroup)(nil), With: "Add Done", Why: "waits through the run, not on the host"},
		{Name: "WaitGroup.Go", Value: shimsync.WaitGroupGo},
		{Name: "WaitGroup.Wait", Value: shimsync.WaitGroupWait},

		{Name: "NewCond", Value: shimsync.SyncNewCond},
		{Name: "OnceFunc", Value: shimsync.SyncOnceFunc},
	},
}

var stdSyncAtomic = rows.Package{
	Path:   "sync/atomic",
	Engine: "*=formats",
	Bounded: "Bool.CompareAndSwap Bool.Load Bool.Store Bool.Swap Int32.Add Int32.And Int32.CompareAndSwap Int32.Load Int32.Or Int32.Store Int32.Swap Int64.Add Int64.And Int64.CompareAndSwap " +
		"Int64.Load Int64.Or Int64.Store Int64.Swap Uint32.Add Uint32.And Uint32.CompareAndSwap Uint32.Load Uint32.Or Uint32.Store Uint32.Swap Uint64.Add Uint64.And Uint64.CompareAndSwap " +
		"Uint64.Load Uint64.Or Uint64.Store Uint64.Swap AddInt32 AddInt64 AddUint32 AddUint64 AndInt32 AndInt64 AndUint32 AndUint64 CompareAndSwapInt32 CompareAndSwapInt64 " +
		"CompareAndSwapUint32 CompareAndSwapUint64 LoadInt32 LoadInt64 LoadUint32 LoadUint64 OrInt32 OrInt64 OrUint32 OrUint64 StoreInt32 StoreInt64 StoreUint32 StoreUint64 SwapInt32 " +
		"SwapInt64 SwapUint32 SwapUint64",
	Source:  atomicSource,
	Prints:  "*",
	Renamed: true,
	Members: []rows.Member{
		{Name: "Bool", Value: (*atomic.Bool)(nil), With: "CompareAndSwap Load Store Swap"},
		{Name: "Int32", Value: (*atomic.Int32)(nil), With: "Add And CompareAndSwap Load Or Store Swap"},
		{Name: "Int64", Value: (*atomic.Int64)(nil), With: "Add And CompareAndSwap Load Or Store Swap"},
		{Name: "Uint32", Value: (*atomic.Uint32)(nil), With: "Add And CompareAndSwap Load Or Store Swap"},
		{Name: "Uint64", Value: (*atomic.Uint64)(nil), With: "Add And CompareAndSwap Load Or Store Swap"},
		{Name: "Value", Value: (*shimsync.AtomicValue)(nil), With: "CompareAndSwap Load Store Swap", Why: "tells types of scripts apart"},

		{Name: "AddInt32", Value: atomic.AddInt32},
		{Name: "AddInt64", Value: atomic.AddInt64},
		{Name: "AddUint32", Value: atomic.AddUint32},
		{Name: "AddUint64", Value: atomic.AddUint64},
		{Name: "AndInt32", Value: atomic.AndInt32},
		{Name: "AndInt64", Value: atomic.AndInt64},
		{Name: "AndUint32", Value: atomic.AndUint32},
		{Name: "AndUint64", Value: atomic.AndUint64},
		{Name: "CompareAndSwapInt32", Value: atomic.CompareAndSwapInt32},
		{Name: "CompareAndSwapInt64", Value: atomic.CompareAndSwapInt64},
		{Name: "CompareAndSwapUint32", Value: atomic.CompareAndSwapUint32},
		{Name: "CompareAndSwapUint64", Value: atomic.CompareAndSwapUint64},
		{Name: "LoadInt32", Value: atomic.LoadInt32},
		{Name: "LoadInt64", Value: atomic.LoadInt64},
		{Name: "LoadUint32", Value: atomic.LoadUint32},
		{Name: "LoadUint64", Value: atomic.LoadUint64},
		{Name: "OrInt32", Value: atomic.OrInt32},
		{Name: "OrInt64", Value: atomic.OrInt64},
		{Name: "OrUint32", Value: atomic.OrUint32},
		{Name: "OrUint64", Value: atomic.OrUint64},
		{Name: "StoreInt32", Value: atomic.StoreInt32},
		{Name: "StoreInt64", Value: atomic.StoreInt64},
		{Name: "StoreUint32", Value: atomic.StoreUint32},
		{Name: "StoreUint64", Value: atomic.StoreUint64},
		{Name: "SwapInt32", Value: atomic.SwapInt32},
		{Name: "SwapInt64", Value: atomic.SwapInt64},
		{Name: "SwapUint32", Value: atomic.SwapUint32},
		{Name: "SwapUint64", Value: atomic.SwapUint64},
	},
	Denied: []rows.Denial{
		{Names: "AddUintptr AndUintptr CompareAndSwapUintptr LoadUintptr OrUintptr StoreUintptr SwapUintptr Uintptr CompareAndSwapPointer LoadPointer StorePointer SwapPointer", Why: "reaches memory directly", Instead: "atomic.Value"},
	},
}
