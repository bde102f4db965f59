package builtins

import (
	"encoding"
	"flag"
	"time"
)

// The functions of the package are methods of the run's own set, which a script may
// replace at any time.

func flagArg(e *Env) func(int) string {
	return func(i int) string { return e.flagSet().Arg(i) }
}

func flagArgs(e *Env) func() []string {
	return func() []string { return e.flagSet().Args() }
}

func flagBool(e *Env) func(string, bool, string) *bool {
	return func(name string, value bool, usage string) *bool { return e.flagSet().Bool(name, value, usage) }
}

func flagBoolFunc(e *Env) func(string, string, func(string) error) {
	return func(name, usage string, f func(string) error) { e.flagSet().BoolFunc(name, usage, f) }
}

func flagBoolVar(e *Env) func(*bool, string, bool, string) {
	return func(p *bool, name string, value bool, usage string) { e.flagSet().BoolVar(p, name, value, usage) }
}

func flagDuration(e *Env) func(string, time.Duration, string) *time.Duration {
	return func(name string, value time.Duration, usage string) *time.Duration {
		return e.flagSet().Duration(name, value, usage)
	}
}

func flagDurationVar(e *Env) func(*time.Duration, string, time.Duration, string) {
	return func(p *time.Duration, name string, value time.Duration, usage string) {
		e.flagSet().DurationVar(p, name, value, usage)
	}
}

func flagFloat64(e *Env) func(string, float64, string) *float64 {
	return func(name string, value float64, usage string) *float64 {
		return e.flagSet().Float64(name, value, usage)
	}
}

func flagFloat64Var(e *Env) func(*float64, string, float64, string) {
	return func(p *float64, name string, value float64, usage string) {
		e.flagSet().Float64Var(p, name, value, usage)
	}
}

func flagFunc(e *Env) func(string, string, func(string) error) {
	return func(name, usage string, f func(string) error) { e.flagSet().Func(name, usage, f) }
}

func flagInt(e *Env) func(string, int, string) *int {
	return func(name string, value int, usage string) *int { return e.flagSet().Int(name, value, usage) }
}

func flagIntVar(e *Env) func(*int, string, int, string) {
	return func(p *int, name string, value int, usage string) { e.flagSet().IntVar(p, name, value, usage) }
}

func flagInt64(e *Env) func(string, int64, string) *int64 {
	return func(name string, value int64, usage string) *int64 { return e.flagSet().Int64(name, value, usage) }
}

func flagInt64Var(e *Env) func(*int64, string, int64, string) {
	return func(p *int64, name string, value int64, usage string) { e.flagSet().Int64Var(p, name, value, usage) }
}

func flagLookup(e *Env) func(string) *flag.Flag {
	return func(name string) *flag.Flag { return e.flagSet().Lookup(name) }
}

func flagNArg(e *Env) func() int {
	return func() int { return e.flagSet().NArg() }
}

func flagNFlag(e *Env) func() int {
	return func() int { return e.flagSet().NFlag() }
}

func flagParsed(e *Env) func() bool {
	return func() bool { return e.flagSet().Parsed() }
}

func flagPrintDefaults(e *Env) func() {
	return func() { e.flagSet().PrintDefaults() }
}

func flagSet(e *Env) func(string, string) error {
	return func(name, value string) error { return e.flagSet().Set(name, value) }
}

func flagString(e *Env) func(string, string, string) *string {
	return func(name, value, usage string) *string { return e.flagSet().String(name, value, usage) }
}

func flagStringVar(e *Env) func(*string, string, string, string) {
	return func(p *string, name, value, usage string) { e.flagSet().StringVar(p, name, value, usage) }
}

func flagTextVar(e *Env) func(encoding.TextUnmarshaler, string, encoding.TextMarshaler, string) {
	return func(p encoding.TextUnmarshaler, name string, value encoding.TextMarshaler, usage string) {
		e.flagSet().TextVar(p, name, value, usage)
	}
}

func flagUint(e *Env) func(string, uint, string) *uint {
	return func(name string, value uint, usage string) *uint { return e.flagSet().Uint(name, value, usage) }
}

func flagUintVar(e *Env) func(*uint, string, uint, string) {
	return func(p *uint, name string, value uint, usage string) { e.flagSet().UintVar(p, name, value, usage) }
}

func flagUint64(e *Env) func(string, uint64, string) *uint64 {
	return func(name string, value uint64, usage string) *uint64 { return e.flagSet().Uint64(name, value, usage) }
}

func flagUint64Var(e *Env) func(*uint64, string, uint64, string) {
	return func(p *uint64, name string, value uint64, usage string) { e.flagSet().Uint64Var(p, name, value, usage) }
}

func flagVar(e *Env) func(flag.Value, string, string) {
	return func(value flag.Value, name, usage string) { e.flagSet().Var(value, name, usage) }
}

func flagVisit(e *Env) func(func(*flag.Flag)) {
	return func(do func(*flag.Flag)) { e.flagSet().Visit(do) }
}

func flagVisitAll(e *Env) func(func(*flag.Flag)) {
	return func(do func(*flag.Flag)) { e.flagSet().VisitAll(do) }
}
