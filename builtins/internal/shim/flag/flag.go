package flag

import (
	"flag"
	"fmt"
	"io"

	"github.com/sandtrap-go/sandtrap/builtins/internal/shim"
	shimos "github.com/sandtrap-go/sandtrap/builtins/internal/shim/os"
)

type goFlagSet = flag.FlagSet

// FlagSet is what a script sees as flag.FlagSet: Go's own, but for errors, which end
// the run and not the host, and for where it writes.
type FlagSet struct {
	goFlagSet
	Usage func()

	env      *shim.Env
	handling flag.ErrorHandling
}

func newFlagSet(e *shim.Env, name string, handling flag.ErrorHandling) *FlagSet {
	f := &FlagSet{env: e, handling: handling}
	f.goFlagSet.Init(name, flag.ContinueOnError)
	f.goFlagSet.SetOutput(e.StdStreams().Err)
	f.goFlagSet.Usage = f.usage
	f.Usage = f.defaultUsage
	return f
}

// flagVars are the variables of the package that each run has for itself.
type flagVars struct {
	set   *FlagSet
	usage func()
}

// CommandLineSet is that of the package's functions.
func CommandLineSet(e *shim.Env) *FlagSet {
	vars := shim.State[flagVars](e)
	if vars.set == nil {
		set := newFlagSet(e, shimos.Program(e), flag.ExitOnError)
		set.Usage = func() { (*Usage(e))() }
		vars.set = set
	}
	return vars.set
}

func NewFlagSet(e *shim.Env) func(string, flag.ErrorHandling) *FlagSet {
	return func(name string, handling flag.ErrorHandling) *FlagSet { return newFlagSet(e, name, handling) }
}

func (f *FlagSet) usage() {
	if f.Usage == nil {
		f.defaultUsage()
		return
	}
	f.Usage()
}

func (f *FlagSet) defaultUsage() {
	if f.Name() == "" {
		fmt.Fprintf(f.Output(), "Usage:\n")
	} else {
		fmt.Fprintf(f.Output(), "Usage of %s:\n", f.Name())
	}
	f.PrintDefaults()
}

// Init sets the name and what becomes of errors.
func (f *FlagSet) Init(name string, handling flag.ErrorHandling) {
	f.goFlagSet.Init(name, flag.ContinueOnError)
	f.handling = handling
}

// ErrorHandling says what becomes of errors.
func (f *FlagSet) ErrorHandling() flag.ErrorHandling { return f.handling }

// SetOutput says where usage and errors go; nil is standard error.
func (f *FlagSet) SetOutput(w io.Writer) {
	if w == nil {
		w = f.env.StdStreams().Err
	}
	f.goFlagSet.SetOutput(f.env.Writer(w))
}

// Parse ends the run where Go would end the program.
func (f *FlagSet) Parse(args []string) error {
	err := f.goFlagSet.Parse(args)
	switch {
	case err == nil || f.handling == flag.ContinueOnError:
		return err
	case f.handling == flag.PanicOnError:
		panic(err)
	case err == flag.ErrHelp:
		shimos.OsExit(f.env)(0)
	}
	shimos.OsExit(f.env)(2)
	return err
}

// Set sets a flag. An error about one that there is not has its name.
func (f *FlagSet) Set(name, value string) error {
	f.env.PayCopies(1, len(name)+len(value))
	return f.goFlagSet.Set(name, value)
}

// Lookup finds a flag, nil if there is none.
func (f *FlagSet) Lookup(name string) *flag.Flag { return shown(f.goFlagSet.Lookup(name)) }

// Visit calls do with the flags that were set, in the order of their names.
func (f *FlagSet) Visit(do func(*flag.Flag)) {
	f.goFlagSet.Visit(func(x *flag.Flag) { do(shown(x)) })
}

// VisitAll calls do with all flags, in the order of their names.
func (f *FlagSet) VisitAll(do func(*flag.Flag)) {
	f.goFlagSet.VisitAll(func(x *flag.Flag) { do(shown(x)) })
}

func CommandLine(e *shim.Env) **FlagSet {
	CommandLineSet(e)
	return &shim.State[flagVars](e).set
}

// Usage is what the package's own set does for its usage.
func Usage(e *shim.Env) *func() {
	vars := shim.State[flagVars](e)
	if vars.usage == nil {
		vars.usage = func() {
			fmt.Fprintf(CommandLineSet(e).Output(), "Usage of %s:\n", shimos.Program(e))
			CommandLineSet(e).PrintDefaults()
		}
	}
	return &vars.usage
}

// Parse parses the arguments of the run.
func Parse(e *shim.Env) func() {
	return func() { _ = CommandLineSet(e).Parse((*shimos.OsArgs(e))[1:]) }
}
