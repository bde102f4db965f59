package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

const replHelp = `sandtrap repl [flags of run]

Reads Go from standard input, one declaration or statement at a time, runs each as a cell of
one session, and prints its value; _ is the last value. An incomplete line continues on the next
one; text that is pasted at a terminal is one cell. At a terminal lists of structs are printed as tables, Tab completes names, Up recalls a whole
cell and Ctrl-R searches earlier ones; key bindings come from ~/.inputrc. Ctrl-C stops the running
cell, or drops the line; Ctrl-D ends the session.

The exit code is 0 at a terminal. From a pipe it is 0 if all went well, or else that of run for the last
cell or command that failed; the cells after it run all the same.

Commands:
`

// A repl is a session of a person, or of a pipe.
type repl struct {
	*call
	plan    *sandtrap.Plan
	box     *sandtrap.Sandbox
	session *sandtrap.Session
	options *options
	lines   lineReader
	cells   int
	types   typeTexts
	timed   bool // print how long each cell took
	failed  int  // the exit code of the last cell that did not end well; 0 if none
}

func (c *call) repl(args []string) int {
	o, err := c.parse("repl", append(args, "-"))
	if err != nil {
		if o, e := c.parse("repl", args); e == nil {
			err = fmt.Errorf("repl takes no file; got %s", o.script)
		}
		return c.usage(err)
	}
	switch {
	case o.json:
		return c.usage(errors.New("repl has no --json: give a script to run --json"))
	case o.ask:
		return c.usage(errors.New("repl has no --ask: give a script to run --ask"))
	case o.dry.asked():
		return c.usage(errors.New("repl has no --dry-run: give a script to run --dry-run"))
	}
	return c.deciding(o, func() int { return c.read(o) })
}

// read runs the cells of a session.
func (c *call) read(o *options) int {
	if o.policy.Echo == "" {
		o.policy.Echo = sandtrap.EchoLast
	}
	r := &repl{call: c, options: o, types: typeTexts{}}
	if err := r.open(); err != nil {
		return c.noSandbox(o, err)
	}
	defer r.box.Close()
	r.lines = c.newLines(r.completions)
	if r.lines.interactive() {
		fmt.Fprintf(c.stdout, "sandtrap %s, isolation %s. :help lists commands, Tab completes, Ctrl-R searches, Ctrl-D ends.\n", moduleVersion(), cmp.Or(o.policy.Isolation, sandtrap.None))
	}
	r.loop()
	if r.lines.interactive() {
		return exitOK
	}
	return r.failed
}

// open makes the sandbox and its session.
func (r *repl) open() (err error) {
	if r.plan, err = sandtrap.Compile(r.options.policy); err != nil {
		return err
	}
	if r.box, err = r.plan.New(context.Background()); err != nil {
		return err
	}
	if r.session, err = r.box.Session(); err != nil {
		r.box.Close()
	}
	return err
}

// loop reads and runs until the input ends, or :quit.
func (r *repl) loop() {
	text := ""
	for {
		prompt := "> "
		if text != "" {
			prompt = ". "
		}
		line, err := r.lines.read(prompt)
		switch {
		case errors.Is(err, errInterrupted):
			text = ""
			continue
		case err != nil:
			if strings.TrimSpace(text) != "" {
				r.cell(text)
			}
			return
		}
		if text == "" && r.isCommand(line) {
			if r.command(strings.TrimSpace(line)) {
				return
			}
			continue
		}
		if text += line + "\n"; unfinished(text) {
			continue
		}
		if strings.TrimSpace(text) != "" {
			r.cell(text)
		}
		text = ""
	}
}

// isCommand reports that a line is a command: with a colon, or one of the words that people try, if the session has
// nothing of that name.
func (r *repl) isCommand(line string) bool {
	line = strings.TrimSpace(line)
	word := strings.TrimSuffix(line, "()")
	if strings.HasPrefix(line, ":") {
		return true
	}
	switch word {
	case "?":
		return true
	case "help", "exit", "quit":
	default:
		return false
	}
	_, err := r.session.TypeOf(word)
	return err != nil
}

// cell runs one cell. Ctrl-C ends it, and not the session.
func (r *repl) cell(text string) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r.cells++
	if _, err := r.session.TypeOf(lastName); err != nil && readsLast(text) != text {
		fmt.Fprintln(r.stderr, "no value has been printed: there is none for _")
		r.failed = exitRefused
		return
	}
	text, again := r.types.complete(readsLast(text))
	script := sandtrap.Script{Text: text, Name: fmt.Sprintf("cell%d.go", r.cells), Stdout: r.stdout, Stderr: r.stderr, Args: append([]string{"repl"}, r.options.args...)}
	if r.cells == 1 {
		script.Inputs = r.options.inputs
	}
	began := time.Now()
	res, err := r.attempt(ctx, script)
	took := time.Since(began)
	r.showEchoes(res)
	r.printWarningsOf(res)
	r.printRefused(r.options.refusals.Take(), res)
	if err := r.keepArtifacts(r.options, res.Artifacts); err != nil {
		fmt.Fprintf(r.stderr, "sandtrap: --artifacts: %v\n", err)
		r.failed = exitUsage
	}
	if res.Error == nil || exitCode(res.Error) != exitRefused {
		r.declared(text, again)
	}
	switch {
	case res.Error != nil:
		r.printError(res.Error)
		r.failed = exitCode(res.Error)
	case err != nil:
		fmt.Fprintf(r.stderr, "sandtrap: %v\n", err)
		r.failed = exitInternal
	}
	if r.timed {
		fmt.Fprintln(r.stdout, r.paint(dim, fmt.Sprintf("// %v, %d ticks, %d bytes allocated", took.Round(time.Microsecond), res.Ticks, res.AllocBytes)))
	}
}

func isNameByte(b byte) bool {
	return b == '_' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// A lineReader gives lines without their ends, or whole cells, io.EOF after the last, and errInterrupted
// where one was dropped.
type lineReader interface {
	read(prompt string) (string, error)
	interactive() bool
}

var errInterrupted = errors.New("interrupted")
