package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// options are what run, check and rewrite are told.
type options struct {
	policy sandtrap.Policy
	args   []string
	inputs map[string]any
	json   bool

	artifacts string // the directory for what scripts leave; empty for none

	script string            // its file, - for standard input
	file   *policyfile.File  // the policy files of policy
	guards *policyfile.Guard // nil if nothing decides
	record string            // the file of the record; empty for none
	ask    bool              // the terminal is asked

	env       map[string]string  // in place of the process's; nil for that
	isolation sandtrap.Isolation // in place of that of the run which is resumed; empty for that

	tools   tools
	journal string // the file that the journal is written to; empty for none

	dry dry

	gate     *egress.Gate // of the network; nil if there is none
	refusals runjson.Refusals
}

// newOptions are those of a command without flags.
func newOptions() *options {
	o := &options{policy: policyfile.Default(), inputs: map[string]any{}}
	o.file = policyfile.New(&o.policy)
	return o
}

// parse reads the flags and the one file, in any order.
func (c *call) parse(name string, args []string) (*options, error) {
	o := newOptions()
	return o, c.parseInto(o, name, args)
}

// parseInto is parse for options with what is there before any flag.
func (c *call) parseInto(o *options, name string, args []string) error {
	fs := newFlags(name)
	o.declare(fs)
	given := args
	// The preset and the policy file come first, so that flags override them wherever they stand.
	if preset := flagAhead("preset", args); preset != "" {
		if err := o.file.Extend(preset); err != nil {
			return err
		}
	}
	if path := flagAhead("policy", args); path != "" {
		if err := o.file.Read(path); err != nil {
			return err
		}
	}
	if err := o.setFromEnv(fs); err != nil {
		return err
	}
	var files []string
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			return c.explainFlag(err, fs, "run")
		}
		rest := fs.Args()
		if ended := len(rest) < len(args) && args[len(args)-len(rest)-1] == "--"; ended {
			files, rest = append(files, rest...), nil
		}
		if args = rest; len(args) > 0 {
			files, args = append(files, args[0]), args[1:]
		}
	}
	fs.Visit(func(f *flag.Flag) { o.overridden(f.Name, given) })
	if len(files) != 1 {
		return fmt.Errorf("%s takes one file, or - for standard input; got %d (arguments of the script go after --arg)", name, len(files))
	}
	o.script = files[0]
	o.allowArtifacts()
	if err := o.network(); err != nil {
		return err
	}
	return c.guard(o)
}

// flagKeys are the keys of policy files that flags override, beside limits.
var flagKeys = map[string]string{
	"engine": "engine", "isolation": "isolation", "level": "level", "fs": "fs", "secrets": "secrets", "echo": "echo", "allow-degraded": "allow_degraded",
}

// overridden says that a flag has set the value of its key: one of the command line, or of the environment.
func (o *options) overridden(name string, args []string) {
	key := flagKeys[name]
	for _, l := range policyfile.Limits {
		if l.Flag == name {
			key = "limits." + l.Key
		}
	}
	by := variable(name)
	for _, a := range args {
		if word, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "="); word == name && strings.HasPrefix(a, "-") {
			by = "--" + name
		}
	}
	if key != "" {
		o.file.Override(key, by)
	}
}

// variable is the variable of the environment that sets a flag.
func variable(flag string) string {
	return "SANDTRAP_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// envFlags are the flags, beside the limits, that the environment sets, too.
var envFlags = []string{"engine", "isolation", "level", "fs", "echo", "allow-degraded"}

// setFromEnv sets flags from the variables of their names, as SANDTRAP_MAX_OUTPUT. It comes after the policy file and before
// the flags of the command line.
func (o *options) setFromEnv(fs *flag.FlagSet) error {
	get := os.Getenv
	if o.env != nil {
		get = func(name string) string { return o.env[name] }
	}
	names := slices.Clone(envFlags)
	for _, l := range policyfile.Limits {
		if l.Flag != "" {
			names = append(names, l.Flag)
		}
	}
	for _, name := range names {
		if value := get(variable(name)); value != "" {
			if err := fs.Set(name, value); err != nil {
				return fmt.Errorf("invalid value %q of %s: %w", value, variable(name), err)
			}
		}
	}
	return nil
}

func (o *options) declare(fs *flag.FlagSet) {
	for _, l := range policyfile.Limits {
		if l.Flag != "" {
			fs.Var(l.Of(&o.policy.Limits), l.Flag, "")
		}
	}
	fs.Func("engine", "", func(s string) error { o.policy.Engine = s; return nil })
	fs.Func("isolation", "", func(s string) error { o.policy.Isolation = sandtrap.Isolation(s); return nil })
	fs.Func("level", "", func(s string) error { o.policy.Level = isolate.Level(s); return nil })
	fs.StringVar(&o.record, "record", "", "")
	fs.BoolVar(&o.ask, "ask", false, "")
	fs.Func("fs", "", o.file.SetFS)
	fs.Func("allow-path", "", func(s string) error { return policyfile.AllowPath(s, &o.policy.Files) })
	fs.BoolFunc("secrets", "", func(s string) error {
		show, err := strconv.ParseBool(s)
		policyfile.ShowSecrets(show, &o.policy.Files)
		return err
	})
	fs.Func("net", "", func(s string) error { return o.file.AddNetwork(s, "--net") })
	fs.Func("policy", "", func(string) error { return nil }) // read before
	fs.Func("preset", "", func(s string) error {             // likewise
		if s == "" {
			return fmt.Errorf("want the name of a profile or preset: %s", strings.Join(policyfile.Names(), ", "))
		}
		return nil
	})
	fs.Func("input", "", o.addInput)
	fs.Func("arg", "", func(s string) error { o.args = append(o.args, s); return nil })
	fs.Func("echo", "", func(s string) error { o.policy.Echo = sandtrap.EchoMode(s); return nil })
	fs.Func("tools", "", func(s string) error { return o.tools.read(s, &o.policy) })
	fs.StringVar(&o.journal, "journal", "", "")
	fs.BoolVar(&o.dry.run, "dry-run", false, "")
	fs.Func("stubs", "", o.dry.read)
	fs.StringVar(&o.dry.journal, "answers-of", "", "")
	fs.StringVar(&o.artifacts, "artifacts", "", "")
	fs.BoolVar(&o.json, "json", false, "")
	fs.BoolVar(&o.policy.AllowDegraded, "allow-degraded", false, "")
}

func (o *options) addInput(s string) error {
	name, text, ok := strings.Cut(s, "=")
	if !ok || name == "" {
		return fmt.Errorf("want name=JSON")
	}
	v, err := runjson.Input(text)
	if err != nil {
		return err
	}
	o.inputs[name] = v
	return nil
}

// flagAhead finds the value of a flag ahead of the other flags.
func flagAhead(flag string, args []string) string {
	value := ""
	for i, a := range args {
		name := strings.TrimPrefix(strings.TrimPrefix(a, "-"), "-")
		switch {
		case a == "--":
			return value
		case name == a:
		case name == flag && i+1 < len(args):
			value = args[i+1]
		case strings.HasPrefix(name, flag+"="):
			value = strings.TrimPrefix(name, flag+"=")
		}
	}
	return value
}

// newFlags are flags that say nothing by themselves: what is wrong with one is for
// explainFlag, and is not to drown in all the others.
func newFlags(name string) *flag.FlagSet {
	fs := flag.NewFlagSet(name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	return fs
}

// explainFlag adds the nearest flag to the error about an unknown one, and prints the help
// for who asked for it. The help of the command lister has all of the flags.
func (c *call) explainFlag(err error, fs *flag.FlagSet, lister string) error {
	if errors.Is(err, flag.ErrHelp) {
		c.help([]string{fs.Name()})
		return err
	}
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return errors.New(strings.Replace(err.Error(), " for flag -", " for flag --", 1))
	}
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, "--"+f.Name) })
	return fmt.Errorf("no flag --%s%s; \"sandtrap help %s\" lists them", name, didYouMean("--"+name, names), lister)
}
