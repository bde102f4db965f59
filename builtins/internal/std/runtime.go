package std

import (
	"runtime"
	"runtime/debug"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimruntime "github.com/sandtrap-go/sandtrap/builtins/internal/shim/runtime"
	shimsignal "github.com/sandtrap-go/sandtrap/builtins/internal/shim/signal"
)

var stdRuntime = rows.Package{
	Path:    "runtime",
	Engine:  "Gosched=gosched Goexit=goexit NumGoroutine=num-goroutine",
	Bounded: "PanicNilError.Error PanicNilError.RuntimeError TypeAssertionError.Error TypeAssertionError.RuntimeError Version",
	Renamed: true,
	Members: []rows.Member{
		{Name: "Error", Value: (*runtime.Error)(nil)},
		{Name: "Frame", Value: (*shimruntime.RuntimeFrame)(nil), With: "Entry File Func Function Line PC"},
		{Name: "Frames", Value: (*shimruntime.RuntimeFrames)(nil), With: "Next"},
		{Name: "Func", Value: (*shimruntime.RuntimeFunc)(nil), With: "Entry FileLine Name"},
		{Name: "MemStats", Value: (*runtime.MemStats)(nil), With: "Alloc BuckHashSys BySize DebugGC EnableGC Frees GCCPUFraction GCSys HeapAlloc HeapIdle HeapInuse HeapObjects HeapReleased HeapSys LastGC Lookups MCacheInuse MCacheSys MSpanInuse MSpanSys Mallocs NextGC NumForcedGC NumGC OtherSys PauseEnd PauseNs PauseTotalNs StackInuse StackSys Sys TotalAlloc"},
		{Name: "PanicNilError", Value: (*runtime.PanicNilError)(nil), With: "Error RuntimeError"},
		{Name: "TypeAssertionError", Value: (*runtime.TypeAssertionError)(nil), With: "Error RuntimeError"},

		{Name: "Caller", Value: shimruntime.Caller, Why: "a script sees its own"},
		{Name: "Callers", Value: shimruntime.Callers, Why: "a script sees its own"},
		{Name: "CallersFrames", Value: shimruntime.CallersFrames, Why: "a script sees its own"},
		{Name: "FuncForPC", Value: shimruntime.FuncForPC, Why: "a script sees its own"},
		{Name: "GC", Value: shimruntime.GC, Why: "is counted alone: the runtime is the host's"},
		{Name: "GOMAXPROCS", Value: shimruntime.GOMAXPROCS, Why: "scripts have one processor"},
		{Name: "Goexit", Value: shimruntime.Goexit, Why: "a script sees its own"},
		{Name: "Gosched", Value: shimruntime.Gosched, Why: "a script sees its own"},
		{Name: "KeepAlive", Value: shimruntime.KeepAlive, Why: "does nothing: the runtime is the host's"},
		{Name: "LockOSThread", Value: shimruntime.Nothing, Why: "does nothing: the runtime is the host's"},
		{Name: "NumCPU", Value: shimruntime.NumCPU, Why: "scripts have one processor"},
		{Name: "NumCgoCall", Value: shimruntime.NumCgoCall, Why: "scripts have no cgo"},
		{Name: "NumGoroutine", Value: shimruntime.NumGoroutine, Why: "a script sees its own"},
		{Name: "ReadMemStats", Value: shimruntime.ReadMemStats, Why: "a script sees its own"},
		{Name: "Stack", Value: shimruntime.Stack, Why: "a script sees its own"},
		{Name: "UnlockOSThread", Value: shimruntime.Nothing, Why: "does nothing: the runtime is the host's"},
		{Name: "Version", Value: runtime.Version},

		{Name: "Compiler", Value: rows.Literal("\"gc\"")},
		{Name: "GOARCH", Value: runtime.GOARCH},
		{Name: "GOOS", Value: runtime.GOOS},
	},
	Denied: []rows.Denial{
		{Names: "Cleanup AddCleanup SetFinalizer Pinner", Why: "would keep or end what is in the memory of the host"},
		{Names: "BlockProfile BlockProfileRecord Breakpoint CPUProfile GoroutineProfile MemProfile MemProfileRate MemProfileRecord MutexProfile ReadTrace SetBlockProfileRate SetCPUProfileRate SetCgoTraceback SetDefaultGOMAXPROCS SetMutexProfileFraction StackRecord StartTrace StopTrace ThreadCreateProfile", Why: "the runtime is the host's"},
		{Names: "GOROOT", Why: "would tell of the host's files"},
	},
}

var stdRuntimeDebug = rows.Package{
	Path:    "runtime/debug",
	Bounded: "BuildInfo.String ReadBuildInfo",
	Members: []rows.Member{
		{Name: "BuildInfo", Value: (*debug.BuildInfo)(nil), With: "Deps GoVersion Main Path Settings String"},
		{Name: "BuildSetting", Value: (*debug.BuildSetting)(nil), With: "Key Value"},
		{Name: "Module", Value: (*debug.Module)(nil), With: "Path Replace Sum Version"},

		{Name: "FreeOSMemory", Value: shimruntime.GC, Why: "does nothing: the runtime is the host's"},
		{Name: "PrintStack", Value: shimruntime.DebugPrintStack, Why: "a script sees its own"},
		{Name: "ReadBuildInfo", Value: shimruntime.DebugReadBuildInfo, Why: "a script has none, that of the host is not its own"},
		{Name: "SetGCPercent", Value: shimruntime.DebugSetGCPercent, Why: "does nothing: the runtime is the host's"},
		{Name: "SetMaxStack", Value: shimruntime.DebugSetMaxStack, Why: "does nothing: the runtime is the host's"},
		{Name: "SetMaxThreads", Value: shimruntime.DebugSetMaxThreads, Why: "does nothing: the runtime is the host's"},
		{Name: "SetMemoryLimit", Value: shimruntime.DebugSetMemoryLimit, Why: "does nothing: the runtime is the host's"},
		{Name: "SetPanicOnFault", Value: shimruntime.DebugSetPanicOnFault, Why: "does nothing: the runtime is the host's"},
		{Name: "SetTraceback", Value: shimruntime.DebugSetTraceback, Why: "does nothing: the runtime is the host's"},
		{Name: "Stack", Value: shimruntime.DebugStack, Why: "a script sees its own"},
	},
	Denied: []rows.Denial{
		{Names: "CrashOptions GCStats ParseBuildInfo ReadGCStats SetCrashOutput WriteHeapDump", Why: "the runtime is the host's"},
	},
}

var stdSyscall = rows.Package{
	Path:    "syscall",
	Renamed: true,
	Members: []rows.Member{
		{Name: "Signal", Value: (*shimsignal.Signal)(nil), With: "Signal String", Why: "a name; none is ever delivered"},

		{Name: "SIGABRT", Value: shimsignal.Signal(6)},
		{Name: "SIGALRM", Value: shimsignal.Signal(14)},
		{Name: "SIGBUS", Value: shimsignal.Signal(7)},
		{Name: "SIGFPE", Value: shimsignal.Signal(8)},
		{Name: "SIGHUP", Value: shimsignal.Signal(1)},
		{Name: "SIGILL", Value: shimsignal.Signal(4)},
		{Name: "SIGINT", Value: shimsignal.Signal(2)},
		{Name: "SIGKILL", Value: shimsignal.Signal(9)},
		{Name: "SIGPIPE", Value: shimsignal.Signal(13)},
		{Name: "SIGQUIT", Value: shimsignal.Signal(3)},
		{Name: "SIGSEGV", Value: shimsignal.Signal(11)},
		{Name: "SIGTERM", Value: shimsignal.Signal(15)},
		{Name: "SIGTRAP", Value: shimsignal.Signal(5)},
		{Name: "SIGUSR1", Value: shimsignal.Signal(10)},
		{Name: "SIGUSR2", Value: shimsignal.Signal(12)},
	},
	Denied: []rows.Denial{
		{Names: "*", Why: "scripts may not reach the operating system"},
	},
}
