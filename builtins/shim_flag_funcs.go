package builtins

import (
	"encoding"
	"flag"
	"time"
)

// The functions of the package are methods of the run's own set.

func flagArg(e *Env) func(int) string                              { return e.flagSet().Arg }
func flagArgs(e *Env) func() []string                              { return e.flagSet().Args }
func flagBool(e *Env) func(string, bool, string) *bool             { return e.flagSet().Bool }
func flagBoolFunc(e *Env) func(string, string, func(string) error) { return e.flagSet().BoolFunc }
func flagBoolVar(e *Env) func(*bool, string, bool, string)         { return e.flagSet().BoolVar }
func flagDuration(e *Env) func(string, time.Duration, string) *time.Duration {
	return e.flagSet().Duration
}
func flagDurationVar(e *Env) func(*time.Duration, string, time.Duration, string) {
	return e.flagSet().DurationVar
}
func flagFloat64(e *Env) func(string, float64, string) *float64     { return e.flagSet().Float64 }
func flagFloat64Var(e *Env) func(*float64, string, float64, string) { return e.flagSet().Float64Var }
func flagFunc(e *Env) func(string, string, func(string) error)      { return e.flagSet().Func }
func flagInt(e *Env) func(string, int, string) *int                 { return e.flagSet().Int }
func flagInt64(e *Env) func(string, int64, string) *int64           { return e.flagSet().Int64 }
func flagInt64Var(e *Env) func(*int64, string, int64, string)       { return e.flagSet().Int64Var }
func flagIntVar(e *Env) func(*int, string, int, string)             { return e.flagSet().IntVar }
func flagLookup(e *Env) func(string) *flag.Flag                     { return e.flagSet().Lookup }
func flagNArg(e *Env) func() int                                    { return e.flagSet().NArg }
func flagNFlag(e *Env) func() int                                   { return e.flagSet().NFlag }
func flagParsed(e *Env) func() bool                                 { return e.flagSet().Parsed }
func flagPrintDefaults(e *Env) func()                               { return e.flagSet().PrintDefaults }
func flagSet(e *Env) func(string, string) error                     { return e.flagSet().Set }
func flagString(e *Env) func(string, string, string) *string        { return e.flagSet().String }
func flagStringVar(e *Env) func(*string, string, string, string)    { return e.flagSet().StringVar }
func flagTextVar(e *Env) func(encoding.TextUnmarshaler, string, encoding.TextMarshaler, string) {
	return e.flagSet().TextVar
}
func flagUint(e *Env) func(string, uint, string) *uint           { return e.flagSet().Uint }
func flagUint64(e *Env) func(string, uint64, string) *uint64     { return e.flagSet().Uint64 }
func flagUint64Var(e *Env) func(*uint64, string, uint64, string) { return e.flagSet().Uint64Var }
func flagUintVar(e *Env) func(*uint, string, uint, string)       { return e.flagSet().UintVar }
func flagVar(e *Env) func(flag.Value, string, string)            { return e.flagSet().Var }
func flagVisit(e *Env) func(func(*flag.Flag))                    { return e.flagSet().Visit }
func flagVisitAll(e *Env) func(func(*flag.Flag))                 { return e.flagSet().VisitAll }
