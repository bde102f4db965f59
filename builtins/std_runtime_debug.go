package builtins

var stdRuntimeDebug = Package{
	Path: "runtime/debug",
	Members: []Member{
		{Name: "FreeOSMemory", Value: runtimeGC, Why: "does nothing: the runtime is the host's"},
		{Name: "PrintStack", Value: debugPrintStack, Why: "a script sees its own"},
		{Name: "SetGCPercent", Value: debugSetGCPercent, Why: "does nothing: the runtime is the host's"},
		{Name: "SetMaxStack", Value: debugSetMaxStack, Why: "does nothing: the runtime is the host's"},
		{Name: "SetMaxThreads", Value: debugSetMaxThreads, Why: "does nothing: the runtime is the host's"},
		{Name: "SetMemoryLimit", Value: debugSetMemoryLimit, Why: "does nothing: the runtime is the host's"},
		{Name: "SetPanicOnFault", Value: debugSetPanicOnFault, Why: "does nothing: the runtime is the host's"},
		{Name: "SetTraceback", Value: debugSetTraceback, Why: "does nothing: the runtime is the host's"},
		{Name: "Stack", Value: debugStack, Why: "a script sees its own"},
	},
	Denied: []Denial{
		{Names: "BuildInfo BuildSetting CrashOptions GCStats Module ParseBuildInfo ReadBuildInfo ReadGCStats SetCrashOutput WriteHeapDump", Why: "the runtime is the host's"},
	},
}
