package builtins

import "runtime"

var stdRuntime = Package{
	Path:    "runtime",
	Bounded: "PanicNilError.Error PanicNilError.RuntimeError TypeAssertionError.Error TypeAssertionError.RuntimeError Version",
	scan:    true,
	Members: []Member{
		{Name: "Error", Value: (*runtime.Error)(nil)},
		{Name: "Frame", Value: (*RuntimeFrame)(nil), With: "Entry File Func Function Line PC"},
		{Name: "Frames", Value: (*RuntimeFrames)(nil), With: "Next"},
		{Name: "Func", Value: (*RuntimeFunc)(nil), With: "Entry FileLine Name"},
		{Name: "MemStats", Value: (*runtime.MemStats)(nil), With: "Alloc BuckHashSys BySize DebugGC EnableGC Frees GCCPUFraction GCSys HeapAlloc HeapIdle HeapInuse HeapObjects HeapReleased HeapSys LastGC Lookups MCacheInuse MCacheSys MSpanInuse MSpanSys Mallocs NextGC NumForcedGC NumGC OtherSys PauseEnd PauseNs PauseTotalNs StackInuse StackSys Sys TotalAlloc"},
		{Name: "PanicNilError", Value: (*runtime.PanicNilError)(nil), With: "Error RuntimeError"},
		{Name: "TypeAssertionError", Value: (*runtime.TypeAssertionError)(nil), With: "Error RuntimeError"},

		{Name: "Caller", Value: runtimeCaller, Why: "a script sees its own"},
		{Name: "Callers", Value: runtimeCallers, Why: "a script sees its own"},
		{Name: "CallersFrames", Value: runtimeCallersFrames, Why: "a script sees its own"},
		{Name: "FuncForPC", Value: runtimeFuncForPC, Why: "a script sees its own"},
		{Name: "GC", Value: runtimeGC, Why: "is counted alone: the runtime is the host's"},
		{Name: "GOMAXPROCS", Value: runtimeGOMAXPROCS, Why: "scripts have one processor"},
		{Name: "Goexit", Value: runtimeGoexit, Why: "a script sees its own"},
		{Name: "Gosched", Value: runtimeGosched, Why: "a script sees its own"},
		{Name: "KeepAlive", Value: runtimeKeepAlive, Why: "does nothing: the runtime is the host's"},
		{Name: "LockOSThread", Value: runtimeNothing, Why: "does nothing: the runtime is the host's"},
		{Name: "NumCPU", Value: runtimeNumCPU, Why: "scripts have one processor"},
		{Name: "NumCgoCall", Value: runtimeNumCgoCall, Why: "scripts have no cgo"},
		{Name: "NumGoroutine", Value: runtimeNumGoroutine, Why: "a script sees its own"},
		{Name: "ReadMemStats", Value: runtimeReadMemStats, Why: "a script sees its own"},
		{Name: "Stack", Value: runtimeStack, Why: "a script sees its own"},
		{Name: "UnlockOSThread", Value: runtimeNothing, Why: "does nothing: the runtime is the host's"},
		{Name: "Version", Value: runtime.Version},

		{Name: "Compiler", Value: Literal("\"gc\"")},
		{Name: "GOARCH", Value: runtime.GOARCH},
		{Name: "GOOS", Value: runtime.GOOS},
	},
	Denied: []Denial{
		{Names: "Cleanup AddCleanup SetFinalizer Pinner", Why: "would keep or end what is in the memory of the host"},
		{Names: "BlockProfile BlockProfileRecord Breakpoint CPUProfile GoroutineProfile MemProfile MemProfileRate MemProfileRecord MutexProfile ReadTrace SetBlockProfileRate SetCPUProfileRate SetCgoTraceback SetDefaultGOMAXPROCS SetMutexProfileFraction StackRecord StartTrace StopTrace ThreadCreateProfile", Why: "the runtime is the host's"},
		{Names: "GOROOT", Why: "would tell of the host's files"},
	},
}
