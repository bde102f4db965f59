package builtins

import "sync/atomic"

var stdSyncAtomic = Package{
	Path:   "sync/atomic",
	Source: atomicSource,
	Prints: "*",
	Members: []Member{
		{Name: "Bool", Value: (*atomic.Bool)(nil), With: "CompareAndSwap Load Store Swap"},
		{Name: "Int32", Value: (*atomic.Int32)(nil), With: "Add And CompareAndSwap Load Or Store Swap"},
		{Name: "Int64", Value: (*atomic.Int64)(nil), With: "Add And CompareAndSwap Load Or Store Swap"},
		{Name: "Uint32", Value: (*atomic.Uint32)(nil), With: "Add And CompareAndSwap Load Or Store Swap"},
		{Name: "Uint64", Value: (*atomic.Uint64)(nil), With: "Add And CompareAndSwap Load Or Store Swap"},
		{Name: "Value", Value: (*atomic.Value)(nil), With: "CompareAndSwap Load Store Swap"},

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
	Denied: []Denial{
		{Names: "AddUintptr AndUintptr CompareAndSwapUintptr LoadUintptr OrUintptr StoreUintptr SwapUintptr Uintptr CompareAndSwapPointer LoadPointer StorePointer SwapPointer", Why: "reaches memory directly", Instead: "atomic.Value"},
	},
}
