package std

import (
	"flag"

	"github.com/sandtrap-go/sandtrap/builtins/internal/rows"
	shimflag "github.com/sandtrap-go/sandtrap/builtins/internal/shim/flag"
)

var stdFlag = rows.Package{
	Path:   "flag",
	Engine: "*=keeps",
	Bounded: "boolValue.Get boolValue.IsBoolFlag boolValue.Set boolValue.String durationValue.Get durationValue.Set durationValue.String float64Value.Get float64Value.Set float64Value.String " +
		"int64Value.Get int64Value.Set int64Value.String intValue.Get intValue.Set intValue.String stringValue.Get stringValue.Set stringValue.String uint64Value.Get uint64Value.Set " +
		"uint64Value.String uintValue.Get uintValue.Set uintValue.String UnquoteUsage",
	Holds:   "FlagSet.Bool=360 FlagSet.BoolFunc=360 FlagSet.BoolVar=360 FlagSet.Duration=360 FlagSet.DurationVar=360 FlagSet.Float64=360 FlagSet.Float64Var=360 FlagSet.Func=360 FlagSet.Int=360 FlagSet.Int64=360 FlagSet.Int64Var=360 FlagSet.IntVar=360 FlagSet.String=360 FlagSet.StringVar=360 FlagSet.TextVar=360 FlagSet.Uint=360 FlagSet.Uint64=360 FlagSet.Uint64Var=360 FlagSet.UintVar=360 FlagSet.Var=360 FlagSet.Set=488 Bool=360 BoolFunc=360 BoolVar=360 Duration=360 DurationVar=360 Float64=360 Float64Var=360 Func=360 Int=360 Int64=360 Int64Var=360 IntVar=360 String=360 StringVar=360 TextVar=360 Uint=360 Uint64=360 Uint64Var=360 UintVar=360 Var=360 Set=488",
	Renamed: true,
	Members: []rows.Member{
		{Name: "ErrorHandling", Value: (*flag.ErrorHandling)(nil)},
		{Name: "Flag", Value: (*flag.Flag)(nil), With: "DefValue Name Usage Value"},
		{Name: "FlagSet", Value: (*shimflag.FlagSet)(nil), Handle: true, Why: "errors end the run, not the host", With: "Arg Args Bool BoolFunc BoolVar Duration DurationVar ErrorHandling Float64 Float64Var Func Init Int Int64 Int64Var IntVar Lookup NArg NFlag Name Output Parse Parsed PrintDefaults Set SetOutput String StringVar TextVar Uint Uint64 Uint64Var UintVar Usage Var Visit VisitAll"},
		{Name: "Getter", Value: (*flag.Getter)(nil)},
		{Name: "Value", Value: (*flag.Value)(nil)},
		{Name: "boolValue", Value: shimflag.ValueType(func(f *flag.FlagSet) { f.Bool("v", false, "") }), With: "Get IsBoolFlag Set String", Why: "behind flag.Value, for assertions"},
		{Name: "durationValue", Value: shimflag.ValueType(func(f *flag.FlagSet) { f.Duration("v", 0, "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},
		{Name: "float64Value", Value: shimflag.ValueType(func(f *flag.FlagSet) { f.Float64("v", 0, "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},
		{Name: "int64Value", Value: shimflag.ValueType(func(f *flag.FlagSet) { f.Int64("v", 0, "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},
		{Name: "intValue", Value: shimflag.ValueType(func(f *flag.FlagSet) { f.Int("v", 0, "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},
		{Name: "stringValue", Value: shimflag.ValueType(func(f *flag.FlagSet) { f.String("v", "", "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},
		{Name: "textValue", Value: (*shimflag.TextFlag)(nil), With: "Get Set String", Why: "behind flag.Value, for assertions; Go's own calls methods without their prices"},
		{Name: "uint64Value", Value: shimflag.ValueType(func(f *flag.FlagSet) { f.Uint64("v", 0, "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},
		{Name: "uintValue", Value: shimflag.ValueType(func(f *flag.FlagSet) { f.Uint("v", 0, "") }), With: "Get Set String", Why: "behind flag.Value, for assertions"},

		{Name: "Arg", Value: shimflag.Arg, Why: "each run has its own flags"},
		{Name: "Args", Value: shimflag.Args, Why: "each run has its own flags"},
		{Name: "Bool", Value: shimflag.Bool, Why: "each run has its own flags"},
		{Name: "BoolFunc", Value: shimflag.BoolFunc, Why: "each run has its own flags"},
		{Name: "BoolVar", Value: shimflag.BoolVar, Why: "each run has its own flags"},
		{Name: "Duration", Value: shimflag.Duration, Why: "each run has its own flags"},
		{Name: "DurationVar", Value: shimflag.DurationVar, Why: "each run has its own flags"},
		{Name: "Float64", Value: shimflag.Float64, Why: "each run has its own flags"},
		{Name: "Float64Var", Value: shimflag.Float64Var, Why: "each run has its own flags"},
		{Name: "Func", Value: shimflag.Func, Why: "each run has its own flags"},
		{Name: "Int", Value: shimflag.Int, Why: "each run has its own flags"},
		{Name: "Int64", Value: shimflag.Int64, Why: "each run has its own flags"},
		{Name: "Int64Var", Value: shimflag.Int64Var, Why: "each run has its own flags"},
		{Name: "IntVar", Value: shimflag.IntVar, Why: "each run has its own flags"},
		{Name: "Lookup", Value: shimflag.Lookup, Why: "each run has its own flags"},
		{Name: "NArg", Value: shimflag.NArg, Why: "each run has its own flags"},
		{Name: "NFlag", Value: shimflag.NFlag, Why: "each run has its own flags"},
		{Name: "NewFlagSet", Value: shimflag.NewFlagSet, Why: "errors end the run, not the host"},
		{Name: "Parse", Value: shimflag.Parse, Why: "errors end the run, not the host"},
		{Name: "Parsed", Value: shimflag.Parsed, Why: "each run has its own flags"},
		{Name: "PrintDefaults", Value: shimflag.PrintDefaults, Why: "each run has its own flags"},
		{Name: "Set", Value: shimflag.Set, Why: "each run has its own flags"},
		{Name: "String", Value: shimflag.String, Why: "each run has its own flags"},
		{Name: "StringVar", Value: shimflag.StringVar, Why: "each run has its own flags"},
		{Name: "TextVar", Value: shimflag.TextVar, Why: "each run has its own flags"},
		{Name: "Uint", Value: shimflag.Uint, Why: "each run has its own flags"},
		{Name: "Uint64", Value: shimflag.Uint64, Why: "each run has its own flags"},
		{Name: "Uint64Var", Value: shimflag.Uint64Var, Why: "each run has its own flags"},
		{Name: "UintVar", Value: shimflag.UintVar, Why: "each run has its own flags"},
		{Name: "UnquoteUsage", Value: flag.UnquoteUsage},
		{Name: "Var", Value: shimflag.Var, Why: "each run has its own flags"},
		{Name: "Visit", Value: shimflag.Visit, Why: "each run has its own flags"},
		{Name: "VisitAll", Value: shimflag.VisitAll, Why: "each run has its own flags"},

		{Name: "CommandLine", Value: shimflag.CommandLine, Settable: true, Why: "each run has its own flags"},
		{Name: "Usage", Value: shimflag.Usage, Settable: true, Why: "each run has its own flags"},
		{Name: "ErrHelp", Value: &flag.ErrHelp},

		{Name: "ContinueOnError", Value: flag.ContinueOnError},
		{Name: "ExitOnError", Value: flag.ExitOnError},
		{Name: "PanicOnError", Value: flag.PanicOnError},
	},
}
