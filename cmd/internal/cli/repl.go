package cli

import (
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

Reads Go from standard input, a declaration or statement at a time, runs each as a cell of
one session and prints what it is. A line that leaves something open goes on in the next.
Ctrl-C stops the cell, or drops the line; Ctrl-D ends.

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
			err = fmt.Errorf("repl takes no file; got %s", o.file)
		}
		return c.usage(err)
	}
	if o.policy.Echo == "" {
		o.policy.Echo = sandtrap.EchoLast
	}
	r := &repl{call: c, options: o, types: typeTexts{}}
	if err := r.open(); err != nil {
		return c.noSandbox(o, err)
	}
	defer r.box.Close()
	lines, end := c.newLines(r.complete)
	defer end()
	r.lines = lines
	r.loop()
	if lines.interactive() {
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
		if text == "" && strings.HasPrefix(strings.TrimSpace(line), ":") {
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

// cell runs one cell. Ctrl-C ends it, and not the session.
func (r *repl) cell(text string) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	r.cells++
	text, again := r.types.complete(text)
	script := sandtrap.Script{Text: text, Name: fmt.Sprintf("cell%d.go", r.cells), Stdout: r.stdout, Stderr: r.stderr, Args: append([]string{"repl"}, r.options.args...)}
	if r.cells == 1 {
		script.Inputs = r.options.inputs
	}
	began := time.Now()
	res, err := r.session.Run(ctx, script)
	took := time.Since(began)
	r.printEchoes(res)
	r.printWarnings(res.Warnings)
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

// complete makes one line of another when a key is pressed: Tab completes the name before
// the cursor as far as all names that there are agree, and lists them where they do not.
func (r *repl) complete(line string, pos int, key rune) (string, int, bool) {
	if key != '\t' {
		return "", 0, false
	}
	names, _ := r.session.Complete(line, pos) // no cell runs while a line is edited
	start := pos
	for start > 0 && isNameByte(line[start-1]) {
		start--
	}
	typed := line[start:pos]
	if len(names) == 0 {
		return line, pos, true
	}
	common := names[0]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, common) {
			common = common[:len(common)-1]
		}
	}
	if len(common) <= len(typed) {
		if len(names) > 1 {
			r.lines.show(strings.Join(names, "  ") + "\n")
		}
		return line, pos, true
	}
	return line[:start] + common + line[pos:], start + len(common), true
}

func isNameByte(b byte) bool {
	return b == '_' || b >= 0x80 || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// A lineReader gives lines without their ends, io.EOF after the last, and errInterrupted
// where a line was dropped.
type lineReader interface {
	read(prompt string) (string, error)
	show(text string)
	interactive() bool
}

var errInterrupted = errors.New("interrupted")
