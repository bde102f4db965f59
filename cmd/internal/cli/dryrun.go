package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/dryrun"
)

// dry is what the flags say of a dry run.
type dry struct {
	run     bool
	answers []dryrun.Answer
	stubs   string // the file that they are of; empty for none
	journal string // with more of them; likewise
}

// asked reports that one of the flags was given.
func (d *dry) asked() bool { return d.run || d.stubs != "" || d.journal != "" }

// A jsonStub is what a tool returns.
type jsonStub struct {
	Args   json.RawMessage `json:"args"`
	Result json.RawMessage `json:"result"`
	Error  *string         `json:"error"`
}

// read reads a file of what tools return.
func (d *dry) read(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("want an object of JSON by the names of tools: %w", err)
	}
	d.stubs = path
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list, err := stubsOf(all[name])
		if err != nil {
			return fmt.Errorf(`%s: want {"result": JSON}, {"error": TEXT}, or a list of these: %w`, name, err)
		}
		for _, s := range list {
			a := dryrun.Answer{Member: name, Args: s.Args, Result: s.Result}
			if s.Error != nil {
				a.Err = errors.New(*s.Error)
			}
			d.answers = append(d.answers, a)
		}
	}
	return nil
}

// stubsOf reads one stub, or a list of them.
func stubsOf(text json.RawMessage) (list []jsonStub, err error) {
	if !strings.HasPrefix(string(text), "[") {
		text = slices.Concat([]byte("["), text, []byte("]"))
	}
	from := json.NewDecoder(strings.NewReader(string(text)))
	from.DisallowUnknownFields()
	return list, from.Decode(&list)
}

// dryRun runs a script and does nothing, but for printing what it would do.
func (c *call) dryRun(o *options, script sandtrap.Script) int {
	switch {
	case !o.dry.run:
		return c.usage(errors.New("--stubs and --answers-of are for --dry-run"))
	case o.journal != "" || o.record != "" || o.artifacts != "":
		return c.usage(errors.New("--dry-run writes no files: leave out --journal, --record and --artifacts; --answers-of reads a journal"))
	}
	if _, err := sandtrap.Compile(o.policy); err != nil { // whose errors have lines of policy files
		return c.noSandbox(o, err)
	}
	with := dryrun.Options{Answers: o.dry.answers}
	if o.dry.journal != "" {
		file, err := os.Open(o.dry.journal)
		if err != nil {
			return c.usage(err)
		}
		defer file.Close()
		with.Journal = file
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	rep, err := dryrun.Run(ctx, o.policy, script, with)
	if e, ok := errors.AsType[*sandtrap.Error](err); ok && rep.Result.Error == nil { // no isolation
		return c.noSandbox(o, e)
	} else if err != nil && !ok {
		return c.usage(errors.New(optionFlags.Replace(err.Error())))
	}
	if o.json {
		out := runjson.Of(rep.Result)
		out.Plan = rep
		return c.printObject(out, exitCode(rep.Result.Error))
	}
	fmt.Fprint(c.stdout, rep)
	c.printQuoted("output", rep.Result.Stdout)
	c.printQuoted("stderr", rep.Result.Stderr)
	for _, e := range rep.Result.Echo {
		c.printQuoted("echo", e.Text+" // "+e.Type)
	}
	c.printWarningsOf(rep.Result)
	if rep.Result.Error != nil {
		c.printError(rep.Result.Error)
	}
	return exitCode(rep.Result.Error)
}

// optionFlags has errors about options name the flags that they are of.
var optionFlags = strings.NewReplacer("dryrun: Options.Answers: ", "--stubs: ", "dryrun: Options.Journal: ", "--answers-of: ", "dryrun: ", "")

// printQuoted prints text of a script so that no line of it looks like one of ours.
func (c *call) printQuoted(title, text string) {
	if text == "" {
		return
	}
	fmt.Fprintln(c.stdout, title+":")
	for line := range strings.Lines(text) {
		fmt.Fprintln(c.stdout, "  "+printable(strings.TrimSuffix(line, "\n")))
	}
}
