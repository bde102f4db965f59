package builtins

import (
	"flag"
	"time"
)

var stdFlag = Package{
	Path: "flag",
	scan: true,
	Members: []Member{
		{Name: "ErrorHandling", Value: (*flag.ErrorHandling)(nil)},
		{Name: "Flag", Value: (*flag.Flag)(nil), With: "DefValue Name Usage Value"},
		{Name: "FlagSet", Value: (*FlagSet)(nil), Handle: true, Why: "errors end the run, not the host", With: "Arg Args Bool BoolFunc BoolVar Duration DurationVar ErrorHandling Float64 Float64Var Func Init Int Int64 Int64Var IntVar Lookup NArg NFlag Name Output Parse Parsed PrintDefaults Set SetOutput String StringVar TextVar Uint Uint64 Uint64Var UintVar Usage Var Visit VisitAll"},
		{Name: "Getter", Value: (*flag.Getter)(nil)},
		{Name: "Value", Value: (*flag.Value)(nil)},
		{Name: "boolValue", Value: valueType(func(f *flag.FlagSet) { f.Bool("v", false, "") }), With: "Get IsBoolFlag Set String", Why: "behind flag.Value, for assertions"},
		{Name: "durationValue", Value: valueType(func(f *flag.FlagSet) { f.Duration("v", 0, "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},
		{Name: "float64Value", Value: valueType(func(f *flag.FlagSet) { f.Float64("v", 0, "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},
		{Name: "int64Value", Value: valueType(func(f *flag.FlagSet) { f.Int64("v", 0, "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},
		{Name: "intValue", Value: valueType(func(f *flag.FlagSet) { f.Int("v", 0, "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},
		{Name: "stringValue", Value: valueType(func(f *flag.FlagSet) { f.String("v", "", "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},
		{Name: "textValue", Value: valueType(func(f *flag.FlagSet) { f.TextVar(new(time.Time), "v", time.Time{}, "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},
		{Name: "uint64Value", Value: valueType(func(f *flag.FlagSet) { f.Uint64("v", 0, "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},
		{Name: "uintValue", Value: valueType(func(f *flag.FlagSet) { f.Uint("v", 0, "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},

		{Name: "Arg", Value: flagArg, Why: "each run has its own flags"},
		{Name: "Args", Value: flagArgs, Why: "each run has its own flags"},
		{Name: "Bool", Value: flagBool, Why: "each run has its own flags"},
		{Name: "BoolFunc", Value: flagBoolFunc, Why: "each run has its own flags"},
		{Name: "BoolVar", Value: flagBoolVar, Why: "each run has its own flags"},
		{Name: "Duration", Value: flagDuration, Why: "each run has its own flags"},
		{Name: "DurationVar", Value: flagDurationVar, Why: "each run has its own flags"},
		{Name: "Float64", Value: flagFloat64, Why: "each run has its own flags"},
		{Name: "Float64Var", Value: flagFloat64Var, Why: "each run has its own flags"},
		{Name: "Func", Value: flagFunc, Why: "each run has its own flags"},
		{Name: "Int", Value: flagInt, Why: "each run has its own flags"},
		{Name: "Int64", Value: flagInt64, Why: "each run has its own flags"},
		{Name: "Int64Var", Value: flagInt64Var, Why: "each run has its own flags"},
		{Name: "IntVar", Value: flagIntVar, Why: "each run has its own flags"},
		{Name: "Lookup", Value: flagLookup, Why: "each run has its own flags"},
		{Name: "NArg", Value: flagNArg, Why: "each run has its own flags"},
		{Name: "NFlag", Value: flagNFlag, Why: "each run has its own flags"},
		{Name: "NewFlagSet", Value: flagNewFlagSet, Why: "errors end the run, not the host"},
		{Name: "Parse", Value: flagParse, Why: "errors end the run, not the host"},
		{Name: "Parsed", Value: flagParsed, Why: "each run has its own flags"},
		{Name: "PrintDefaults", Value: flagPrintDefaults, Why: "each run has its own flags"},
		{Name: "Set", Value: flagSet, Why: "each run has its own flags"},
		{Name: "String", Value: flagString, Why: "each run has its own flags"},
		{Name: "StringVar", Value: flagStringVar, Why: "each run has its own flags"},
		{Name: "TextVar", Value: flagTextVar, Why: "each run has its own flags"},
		{Name: "Uint", Value: flagUint, Why: "each run has its own flags"},
		{Name: "Uint64", Value: flagUint64, Why: "each run has its own flags"},
		{Name: "Uint64Var", Value: flagUint64Var, Why: "each run has its own flags"},
		{Name: "UintVar", Value: flagUintVar, Why: "each run has its own flags"},
		{Name: "UnquoteUsage", Value: flag.UnquoteUsage},
		{Name: "Var", Value: flagVar, Why: "each run has its own flags"},
		{Name: "Visit", Value: flagVisit, Why: "each run has its own flags"},
		{Name: "VisitAll", Value: flagVisitAll, Why: "each run has its own flags"},

		{Name: "CommandLine", Value: flagCommandLine, Settable: true, Why: "each run has its own flags"},
		{Name: "Usage", Value: flagUsage, Settable: true, Why: "each run has its own flags"},
		{Name: "ErrHelp", Value: &flag.ErrHelp},

		{Name: "ContinueOnError", Value: flag.ContinueOnError},
		{Name: "ExitOnError", Value: flag.ExitOnError},
		{Name: "PanicOnError", Value: flag.PanicOnError},
	},
}
