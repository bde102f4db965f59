package builtins

import (
	"encoding"
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

// flagSet is that of the package's functions.
func (e *Env) flagSet() *FlagSet {
	if e.flags == nil {
		set := e.newFlagSet(e.program(), flag.ExitOnError)
		set.Usage = func() { (*flagUsage(e))() }
		e.flags = set
	}
	return e.flags
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

// flagValue is a value of the script's. Go asks a zero one for its text to see whether
// a default is worth telling.
type flagValue struct{ flag.Value }

func (v *flagValue) String() string {
	if v.Value == nil {
		return ""
	}
	return v.Value.String()
}

func (v *flagValue) IsBoolFlag() bool {
	b, ok := v.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// Var adds a flag of the script's own type.
func (f *FlagSet) Var(value flag.Value, name, usage string) {
	f.goFlagSet.Var(&flagValue{value}, name, usage)
}

// A textFlag is a variable of the script's with a text.
type textFlag struct{ p encoding.TextUnmarshaler }

func (t textFlag) Set(s string) error { return t.p.UnmarshalText([]byte(s)) }
func (t textFlag) Get() any           { return t.p }

func (t textFlag) String() string {
	if m, ok := t.p.(encoding.TextMarshaler); ok {
		if text, err := m.MarshalText(); err == nil {
			return string(text)
		}
	}
	return ""
}

// TextVar adds a flag with the text of a variable. Go's own sets the default by reflection,
// which a variable of the script's type is not open to; here that is done by its text.
func (f *FlagSet) TextVar(p encoding.TextUnmarshaler, name string, value encoding.TextMarshaler, usage string) {
	if _, own := p.(interface{ ScriptType() any }); !own {
		f.goFlagSet.TextVar(p, name, value, usage)
		return
	}
	text, err := value.MarshalText()
	if err == nil {
		err = p.UnmarshalText(text)
	}
	if err != nil {
		panic(runtimeError("flag: the default of " + name + " has no text: " + err.Error()))
	}
	f.Var(textFlag{p}, name, usage)
}

// shown is a flag with the script's value.
func shown(f *flag.Flag) *flag.Flag {
	if f == nil {
		return nil
	}
	if v, ok := f.Value.(*flagValue); ok {
		c := *f
		c.Value = v.Value
		return &c
	}
	return f
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
	return &e.flags
}

// flagUsage is what the package's own set does for its usage.
func flagUsage(e *Env) *func() {
	if e.usage == nil {
		e.usage = func() {
			fmt.Fprintf(e.flagSet().Output(), "Usage of %s:\n", e.program())
			e.flagSet().PrintDefaults()
		}
	}
	return &e.usage
}

// flagParse parses the arguments of the run.
func flagParse(e *Env) func() {
	return func() { _ = e.flagSet().Parse((*osArgs(e))[1:]) }
}
