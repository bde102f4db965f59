package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// maxFile bounds how much of a file is read: more than a script is sensible for.
const maxFile = 64 << 20

func (c *call) run(args []string) int {
	o, err := c.parse("run", args)
	if err != nil {
		return c.usage(err)
	}
	script, err := c.script(o)
	if err != nil {
		return c.usage(err)
	}
	if o.dry.asked() {
		return c.dryRun(o, script)
	}
	return c.deciding(o, func() int {
		if o.journal != "" || o.tools.File != nil {
			return c.start(o, args, script)
		}
		return c.once(o, script)
	})
}

// once is run without a journal.
func (c *call) once(o *options, script sandtrap.Script) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	box, err := sandtrap.New(ctx, o.policy)
	if err != nil {
		return c.noSandbox(o, err)
	}
	defer box.Close()
	res, err := box.Run(ctx, script)
	if err != nil && res.Error == nil { // not about the script
		return c.usage(err)
	}
	return c.show(o, res)
}

// show prints what became of a run, and gives its exit code.
func (c *call) show(o *options, res *sandtrap.Result) int {
	if err := c.keepArtifacts(o, res.Artifacts); err != nil {
		return c.usage(fmt.Errorf("--artifacts: %w", err))
	}
	if o.json {
		return c.printJSON(res, o.refusals.Take(), nil)
	}
	io.WriteString(c.stdout, res.Stdout)
	io.WriteString(c.stderr, res.Stderr)
	c.printEchoes(res)
	c.printWarningsOf(res)
	c.printRefused(o.refusals.Take(), res)
	if res.Error != nil {
		c.printError(res.Error)
	}
	return exitCode(res.Error)
}

func (c *call) check(args []string) int {
	return c.inspect("check", args, checkObject, func(p *sandtrap.CheckResult) {
		c.printWarnings(p.Warnings)
		for _, b := range p.Bindings {
			fmt.Fprintf(c.stdout, "%s: %s %s %s\n", place(b.Pos), printable(b.Kind), printable(b.Name), printable(b.Type))
		}
	})
}

func (c *call) rewrite(args []string) int {
	return c.inspect("rewrite", args, rewriteObject, func(p *sandtrap.CheckResult) { io.WriteString(c.stdout, p.Rewritten()) })
}

// inspect does everything but run. What it finds it prints as the object, or shows.
func (c *call) inspect(name string, args []string, object func(*sandtrap.CheckResult, *sandtrap.Error) any, show func(*sandtrap.CheckResult)) int {
	o, err := c.parse(name, args)
	if err != nil {
		return c.usage(err)
	}
	script, err := c.script(o)
	if err != nil {
		return c.usage(err)
	}
	box, err := sandtrap.New(context.Background(), o.policy)
	if err != nil && o.guards != nil && o.guards.Failed != nil {
		err = o.guards.Failed
	}
	report := &sandtrap.CheckResult{}
	if err == nil {
		defer box.Close()
		report, err = box.Check(context.Background(), script)
	}
	refused, ok := errors.AsType[*sandtrap.Error](err)
	switch {
	case err != nil && !ok:
		return c.usage(err)
	case o.json && ok:
		return c.printObject(object(&sandtrap.CheckResult{}, refused), exitCode(refused))
	case o.json:
		return c.printObject(object(report, nil), exitOK)
	case ok:
		c.printError(refused)
		return exitCode(refused)
	}
	show(report)
	return exitOK
}

// script reads the file of o.
func (c *call) script(o *options) (sandtrap.Script, error) {
	s := sandtrap.Script{Name: o.script, Inputs: o.inputs, Copy: true, Args: append([]string{o.script}, o.args...)}
	in := c.stdin
	if o.script == "-" {
		s.Name, s.Args[0] = "stdin.go", "stdin"
	} else {
		f, err := os.Open(o.script)
		if err != nil {
			return s, err
		}
		defer f.Close()
		in, s.Stdin = f, c.stdin
	}
	text, err := io.ReadAll(io.LimitReader(in, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s is larger than %s", s.Name, policyfile.SizeText(maxFile))
	}
	s.Text = string(text)
	return s, err
}

// noSandbox reports that no sandbox can be made for the policy of o: an
// isolation that is not to be had, or wrong use.
func (c *call) noSandbox(o *options, err error) int {
	e, ok := errors.AsType[*sandtrap.Error](err)
	switch {
	case !ok && o.guards != nil && o.guards.Failed != nil:
		return c.usage(o.guards.Failed)
	case !ok:
		return c.usage(err)
	}
	if o.json {
		return c.printJSON(&sandtrap.Result{Error: e}, nil, nil)
	}
	c.printError(e)
	return exitCode(e)
}

// exitCode is the one that the command's contract has for e.
func exitCode(e *sandtrap.Error) int {
	switch {
	case e == nil:
		return exitOK
	case errors.Is(e, sandtrap.ErrRefused):
		return exitRefused
	case e.Kind == sandtrap.KindPanic:
		return exitPanic
	case e.Kind == sandtrap.KindExit:
		return e.Code
	case e.Kind == sandtrap.KindIsolation:
		return exitIsolation
	case e.Kind == sandtrap.KindInternal, e.Kind == sandtrap.KindWorker:
		return exitInternal
	}
	return exitStopped
}
