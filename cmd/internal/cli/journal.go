package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/durable"
	"github.com/sandtrap-go/sandtrap/sandtrap/toolfile"
)

// tools are those of a file, whose calls wait for answers.
type tools struct {
	*toolfile.File
	Name string
	Text string
}

// read takes the tools of a file into a policy, or those that are there already.
func (t *tools) read(path string, p *sandtrap.Policy) error {
	if t.Text == "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		t.Name, t.Text = path, string(text)
	}
	var err error
	if t.File, err = toolfile.Parse(t.Name, []byte(t.Text)); err != nil {
		return err
	}
	members := t.Members(func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		return nil, errors.New("the tools of a file are called in runs with --journal only")
	})
	p.Funcs, p.Docs = map[string]any{}, t.Docs()
	for name, v := range members {
		if m, ok := v.(sandtrap.Member); ok && m.Blocking {
			m.Pauses = true
			v = m
		}
		p.Funcs[name] = v
	}
	return nil
}

// A jsonHost is what a journal holds for the command: how to make the policy again.
type jsonHost struct {
	Args  []string `json:"args"` // of run
	Tools *tools   `json:"tools,omitempty"`
}

// MarshalJSON leaves out what the text says.
func (t *tools) MarshalJSON() ([]byte, error) { return json.Marshal([2]string{t.Name, t.Text}) }

// UnmarshalJSON reads that.
func (t *tools) UnmarshalJSON(text []byte) error {
	var both [2]string
	err := json.Unmarshal(text, &both)
	t.Name, t.Text = both[0], both[1]
	return err
}

// start is run with a journal.
func (c *call) start(o *options, args []string, script sandtrap.Script) int {
	if o.journal == "" {
		return c.usage(errors.New("--tools needs --journal FILE: a call of a tool waits for its answer, which \"sandtrap resume FILE\" gives"))
	}
	host := jsonHost{Args: args}
	if o.tools.File != nil {
		host.Tools = &o.tools
	}
	box, err := c.box(o, host)
	if err != nil {
		return c.noSandbox(o, err)
	}
	defer box.Close()
	file, err := os.OpenFile(o.journal, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		err = fmt.Errorf("--journal: %s exists: go on with its run by \"sandtrap resume\", or remove it", o.journal)
	}
	if err != nil {
		return c.usage(err)
	}
	return c.waiting(o, file, func(ctx context.Context) (*sandtrap.Result, *durable.Pause, error) {
		if isTerminal := isTerminalReader(script.Stdin); isTerminal {
			script.Stdin = nil // nobody types to its end before the script begins
		}
		return box.Start(ctx, script, file)
	})
}

func (c *call) box(o *options, host jsonHost) (*durable.Box, error) {
	box, err := durable.New(o.policy)
	if err != nil {
		return nil, err
	}
	if box.Host, err = json.Marshal(host); err != nil {
		return nil, err
	}
	return box, nil
}

// isTerminalReader says whether r is a character device.
func isTerminalReader(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && isTerminal(f)
}

// waiting runs what has its journal in file, and prints what became of it.
func (c *call) waiting(o *options, file *os.File, run func(context.Context) (*sandtrap.Result, *durable.Pause, error)) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	res, pause, err := run(ctx)
	if file != nil {
		if closed := file.Close(); err == nil {
			err = closed
		}
	}
	if err != nil && (res.Error == nil || errors.Is(err, durable.ErrDiverged)) {
		return c.usage(plainError{err})
	}
	if pause == nil || o.json {
		return c.shown(o, res, pause)
	}
	io.WriteString(c.stdout, res.Stdout)
	io.WriteString(c.stderr, res.Stderr)
	for _, p := range pause.Pending {
		fmt.Fprintf(c.stderr, "sandtrap: call %d waits: %s(%s) at %s\n", p.ID, printable(p.Name), printable(string(p.Args)), printable(p.At))
	}
	fmt.Fprintf(c.stderr, "sandtrap: go on with: sandtrap resume %s --answer ID=JSON\n", printable(o.journal))
	return exitWaits
}

// A plainError is an error of package durable without the name of that.
type plainError struct{ error }

func (e plainError) Error() string { return strings.TrimPrefix(e.error.Error(), "durable: ") }

func (c *call) shown(o *options, res *sandtrap.Result, pause *durable.Pause) int {
	if pause != nil {
		return c.printJSON(res, pause)
	}
	return c.show(o, res)
}

// resume goes on with a run.
func (c *call) resume(args []string) int {
	o, answers, err := c.parseJournal("resume", args)
	if err != nil {
		return c.usage(err)
	}
	was, err := os.Open(o.journal)
	if err != nil {
		return c.usage(err)
	}
	defer was.Close()
	box, err := c.boxOf(o, was)
	if err != nil {
		return c.noSandbox(o, err)
	}
	defer box.Close()
	file, err := os.CreateTemp(filepath.Dir(o.journal), filepath.Base(o.journal)+".*")
	if err != nil {
		return c.usage(err)
	}
	defer os.Remove(file.Name())
	return c.waiting(o, file, func(ctx context.Context) (*sandtrap.Result, *durable.Pause, error) {
		res, pause, err := box.Resume(ctx, was, file, answers...)
		if err == nil || res.Error != nil {
			if renamed := os.Rename(file.Name(), o.journal); renamed != nil {
				return &sandtrap.Result{}, nil, renamed
			}
		}
		return res, pause, err
	})
}

// replay repeats a run.
func (c *call) replay(args []string) int {
	o, answers, err := c.parseJournal("replay", args)
	if err == nil && len(answers) > 0 {
		err = errors.New("replay takes no answers: \"sandtrap resume\" does")
	}
	if err != nil {
		return c.usage(err)
	}
	was, err := os.Open(o.journal)
	if err != nil {
		return c.usage(err)
	}
	defer was.Close()
	box, err := c.boxOf(o, was)
	if err != nil {
		return c.noSandbox(o, err)
	}
	defer box.Close()
	return c.waiting(o, nil, func(ctx context.Context) (*sandtrap.Result, *durable.Pause, error) { return box.Replay(ctx, was) })
}

// parseJournal reads the flags and the journal's name of resume and replay.
func (c *call) parseJournal(name string, args []string) (*options, []durable.Answer, error) {
	o := &options{}
	var answers []durable.Answer
	add := func(s string, make func(text string) (durable.Answer, error)) error {
		id, text, ok := strings.Cut(s, "=")
		n, err := strconv.Atoi(id)
		if !ok || err != nil {
			return errors.New("want ID=..., with the number of a call that waits")
		}
		a, err := make(text)
		a.ID = n
		answers = append(answers, a)
		return err
	}
	fs := newFlags(name)
	fs.BoolVar(&o.json, "json", false, "")
	fs.StringVar(&o.artifacts, "artifacts", "", "")
	fs.Func("answer", "", func(s string) error {
		return add(s, func(text string) (durable.Answer, error) {
			if !json.Valid([]byte(text)) {
				return durable.Answer{}, errors.New("not JSON (text needs quotes: 3='\"text\"')")
			}
			return durable.Answer{Result: json.RawMessage(text)}, nil
		})
	})
	fs.Func("error", "", func(s string) error {
		return add(s, func(text string) (durable.Answer, error) { return durable.Answer{Err: errors.New(text)}, nil })
	})
	for len(args) > 0 {
		if err := fs.Parse(args); err != nil {
			return nil, nil, c.explainFlag(err, fs, name)
		}
		if args = fs.Args(); len(args) > 0 {
			if o.journal != "" {
				return nil, nil, fmt.Errorf("%s takes one journal", name)
			}
			o.journal, args = args[0], args[1:]
		}
	}
	if o.journal == "" {
		return nil, nil, fmt.Errorf("%s takes a journal, which \"sandtrap run --journal FILE\" has written", name)
	}
	return o, answers, nil
}

// boxOf makes the box of a journal, which is then at its beginning again. Of the flags of its run o has what says how to show it.
func (c *call) boxOf(o *options, was *os.File) (*durable.Box, error) {
	text, err := durable.HostOf(was)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.journal, err)
	}
	if _, err := was.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	var host jsonHost
	if err := json.Unmarshal(text, &host); err != nil {
		return nil, fmt.Errorf("%s: it is no journal of this command: %w", o.journal, err)
	}
	first := &options{policy: defaultPolicy(), inputs: map[string]any{}}
	if host.Tools != nil {
		first.tools = *host.Tools
	}
	if err := c.parseInto(first, "run", host.Args); err != nil {
		return nil, fmt.Errorf("the flags of %s: %w", o.journal, err)
	}
	return c.box(first, host)
}
