package builtins

import "runtime/debug"

var stdRuntimeDebug = Package{
	Path:    "runtime/debug",
	Bounded: "BuildInfo.String ReadBuildInfo",
	Members: []Member{
		{Name: "BuildInfo", Value: (*debug.BuildInfo)(nil), With: "Deps GoVersion Main Path Settings String"},
		{Name: "BuildSetting", Value: (*debug.BuildSetting)(nil), With: "Key Value"},
		{Name: "Module", Value: (*debug.Module)(nil), With: "Path Replace Sum Version"},

		{Name: "FreeOSMemory", Value: runtimeGC, Why: "does nothing: the runtime is the host's"},
		{Name: "PrintStack", Value: debugPrintStack, Why: "a script sees its own"},
		{Name: "ReadBuildInfo", Value: debugReadBuildInfo, Why: "a script has none, that of the host is not its own"},
		{Name: "SetGCPercent", Value: debugSetGCPercent, Why: "does nothing: the runtime is the host's"},
		{Name: "SetMaxStack", Value: debugSetMaxStack, Why: "does nothing: the runtime is the host's"},
		{Name: "SetMaxThreads", Value: debugSetMaxThreads, Why: "does nothing: the runtime is the host's"},
		{Name: "SetMemoryLimit", Value: debugSetMemoryLimit, Why: "does nothing: the runtime is the host's"},
		{Name: "SetPanicOnFault", Value: debugSetPanicOnFault, Why: "does nothing: the runtime is the host's"},
		{Name: "SetTraceback", Value: debugSetTraceback, Why: "does nothing: the runtime is the host's"},
		{Name: "Stack", Value: debugStack, Why: "a script sees its own"},
	},
	Denied: []Denial{
		{Names: "CrashOptions GCStats ParseBuildInfo ReadGCStats SetCrashOutput WriteHeapDump", Why: "the runtime is the host's"},
	},
}
