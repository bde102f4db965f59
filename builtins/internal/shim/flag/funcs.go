package flag

import (
	"encoding"
	"flag"
	"time"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
)

// The functions of the package are methods of the run's own set, which a script may
// replace at any time.

func Arg(e *shim.Env) func(int) string {
	return func(i int) string { return CommandLineSet(e).Arg(i) }
}

func Args(e *shim.Env) func() []string {
	return func() []string { return CommandLineSet(e).Args() }
}

func Bool(e *shim.Env) func(string, bool, string) *bool {
	return func(name string, value bool, usage string) *bool { return CommandLineSet(e).Bool(name, value, usage) }
}

func BoolFunc(e *shim.Env) func(string, string, func(string) error) {
	return func(name, usage string, f func(string) error) { CommandLineSet(e).BoolFunc(name, usage, f) }
}

func BoolVar(e *shim.Env) func(*bool, string, bool, string) {
	return func(p *bool, name string, value bool, usage string) { CommandLineSet(e).BoolVar(p, name, value, usage) }
}

func Duration(e *shim.Env) func(string, time.Duration, string) *time.Duration {
	return func(name string, value time.Duration, usage string) *time.Duration {
		return CommandLineSet(e).Duration(name, value, usage)
	}
}

func DurationVar(e *shim.Env) func(*time.Duration, string, time.Duration, string) {
	return func(p *time.Duration, name string, value time.Duration, usage string) {
		CommandLineSet(e).DurationVar(p, name, value, usage)
	}
}

func Float64(e *shim.Env) func(string, float64, string) *float64 {
	return func(name string, value float64, usage string) *float64 {
		return CommandLineSet(e).Float64(name, value, usage)
	}
}

func Float64Var(e *shim.Env) func(*float64, string, float64, string) {
	return func(p *float64, name string, value float64, usage string) {
		CommandLineSet(e).Float64Var(p, name, value, usage)
	}
}

func Func(e *shim.Env) func(string, string, func(string) error) {
	return func(name, usage string, f func(string) error) { CommandLineSet(e).Func(name, usage, f) }
}

func Int(e *shim.Env) func(string, int, string) *int {
	return func(name string, value int, usage string) *int { return CommandLineSet(e).Int(name, value, usage) }
}

func IntVar(e *shim.Env) func(*int, string, int, string) {
	return func(p *int, name string, value int, usage string) { CommandLineSet(e).IntVar(p, name, value, usage) }
}

func Int64(e *shim.Env) func(string, int64, string) *int64 {
	return func(name string, value int64, usage string) *int64 {
		return CommandLineSet(e).Int64(name, value, usage)
	}
}

func Int64Var(e *shim.Env) func(*int64, string, int64, string) {
	return func(p *int64, name string, value int64, usage string) {
		CommandLineSet(e).Int64Var(p, name, value, usage)
	}
}

func Lookup(e *shim.Env) func(string) *flag.Flag {
	return func(name string) *flag.Flag { return CommandLineSet(e).Lookup(name) }
}

func NArg(e *shim.Env) func() int {
	return func() int { return CommandLineSet(e).NArg() }
}

func NFlag(e *shim.Env) func() int {
	return func() int { return CommandLineSet(e).NFlag() }
}

func Parsed(e *shim.Env) func() bool {
	return func() bool { return CommandLineSet(e).Parsed() }
}

func PrintDefaults(e *shim.Env) func() {
	return func() { CommandLineSet(e).PrintDefaults() }
}

func Set(e *shim.Env) func(string, string) error {
	return func(name, value string) error { return CommandLineSet(e).Set(name, value) }
}

func String(e *shim.Env) func(string, string, string) *string {
	return func(name, value, usage string) *string { return CommandLineSet(e).String(name, value, usage) }
}

func StringVar(e *shim.Env) func(*string, string, string, string) {
	return func(p *string, name, value, usage string) { CommandLineSet(e).StringVar(p, name, value, usage) }
}

func TextVar(e *shim.Env) func(encoding.TextUnmarshaler, string, encoding.TextMarshaler, string) {
	return func(p encoding.TextUnmarshaler, name string, value encoding.TextMarshaler, usage string) {
		CommandLineSet(e).TextVar(p, name, value, usage)
	}
}

func Uint(e *shim.Env) func(string, uint, string) *uint {
	return func(name string, value uint, usage string) *uint { return CommandLineSet(e).Uint(name, value, usage) }
}

func UintVar(e *shim.Env) func(*uint, string, uint, string) {
	return func(p *uint, name string, value uint, usage string) { CommandLineSet(e).UintVar(p, name, value, usage) }
}

func Uint64(e *shim.Env) func(string, uint64, string) *uint64 {
	return func(name string, value uint64, usage string) *uint64 {
		return CommandLineSet(e).Uint64(name, value, usage)
	}
}

func Uint64Var(e *shim.Env) func(*uint64, string, uint64, string) {
	return func(p *uint64, name string, value uint64, usage string) {
		CommandLineSet(e).Uint64Var(p, name, value, usage)
	}
}

func Var(e *shim.Env) func(flag.Value, string, string) {
	return func(value flag.Value, name, usage string) { CommandLineSet(e).Var(value, name, usage) }
}

func Visit(e *shim.Env) func(func(*flag.Flag)) {
	return func(do func(*flag.Flag)) { CommandLineSet(e).Visit(do) }
}

func VisitAll(e *shim.Env) func(func(*flag.Flag)) {
	return func(do func(*flag.Flag)) { CommandLineSet(e).VisitAll(do) }
}
