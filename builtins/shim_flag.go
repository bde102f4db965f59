package builtins

import (
	"flag"
	"fmt"
	"io"
)

type goFlagSet = flag.FlagSet

// FlagSet is what a script sees as flag.FlagSet: Go's own, but for errors, which end
// the run and not the host, and for where it writes.
type FlagSet struct {
	goFlagSet
	Usage func()

	env      *Env
	handling flag.ErrorHandling
}

func (e *Env) newFlagSet(name string, handling flag.ErrorHandling) *FlagSet {
	f := &FlagSet{env: e, handling: handling}
	f.goFlagSet.Init(name, flag.ContinueOnError)
	f.goFlagSet.SetOutput(e.std().err)
	f.goFlagSet.Usage = f.usage
	f.Usage = f.defaultUsage
	return f
}

// flagVars are the variables of the package that each run has for itself.
type flagVars struct {
	set   *FlagSet
	usage func()
}

// flagSet is that of the package's functions.
func (e *Env) flagSet() *FlagSet {
	vars := State[flagVars](e)
	if vars.set == nil {
		set := e.newFlagSet(e.program(), flag.ExitOnError)
		set.Usage = func() { (*flagUsage(e))() }
		vars.set = set
	}
	return vars.set
}

func flagNewFlagSet(e *Env) func(string, flag.ErrorHandling) *FlagSet { return e.newFlagSet }

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
		w = f.env.std().err
	}
	f.goFlagSet.SetOutput(f.env.writer(w))
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
		osExit(f.env)(0)
	}
	osExit(f.env)(2)
	return err
}

// Set sets a flag. An error about one that there is not has its name.
func (f *FlagSet) Set(name, value string) error {
	f.env.payCopies(1, len(name)+len(value))
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

func flagCommandLine(e *Env) **FlagSet {
	e.flagSet()
	return &State[flagVars](e).set
}

// flagUsage is what the package's own set does for its usage.
func flagUsage(e *Env) *func() {
	vars := State[flagVars](e)
	if vars.usage == nil {
		vars.usage = func() {
			fmt.Fprintf(e.flagSet().Output(), "Usage of %s:\n", e.program())
			e.flagSet().PrintDefaults()
		}
	}
	return &vars.usage
}

// flagParse parses the arguments of the run.
func flagParse(e *Env) func() {
	return func() { _ = e.flagSet().Parse((*osArgs(e))[1:]) }
}
