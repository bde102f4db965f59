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
	"strings"
	"syscall"

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
	Args  []string          `json:"args"`          // of run
	Env   map[string]string `json:"env,omitempty"` // of the variables that set flags
	Tools *tools            `json:"tools,omitempty"`
}

// flagVariables are the variables of the environment that set flags.
func flagVariables() map[string]string {
	all := map[string]string{}
	for _, v := range os.Environ() {
		if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, "SANDTRAP_") {
			all[name] = value
		}
	}
	return all
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
		return c.usage(errors.New("--tools needs --journal FILE: a call of a tool waits for its answer, which \"sandtrap resume FILE\" gives; or --dry-run"))
	}
	if f := o.policy.Files; f != nil && (f.Open != nil || len(f.Paths) > 0) {
		return c.usage(errors.New("--journal: a run that is repeated has its files in memory: leave out --allow-path, and --fs with dir"))
	}
	if o.gate != nil {
		return c.usage(errors.New("--journal: a run that is repeated makes no requests: leave out --net and the key network"))
	}
	host := jsonHost{Args: args, Env: flagVariables()}
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
		if isTerminal(script.Stdin) {
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

// waiting runs a script that has its journal in file, and prints what became of it.
func (c *call) waiting(o *options, file *os.File, run func(context.Context) (*sandtrap.Result, *durable.Pause, error)) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
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
	if res.Error != nil && errors.Is(res.Error, sandtrap.ErrRefused) && file != nil {
		os.Remove(file.Name()) // nothing ran
	}
	switch {
	case pause == nil:
		return c.show(o, res)
	case o.json:
		return c.printJSON(res, nil, pause)
	}
	io.WriteString(c.stdout, res.Stdout)
	io.WriteString(c.stderr, res.Stderr)
	approvals, results := false, false
	for _, p := range pause.Pending {
		state := "waits"
		if p.Ask != "" {
			state = "waits for approval (" + printable(p.Ask) + ")"
			approvals = true
		} else {
			results = true
		}
		fmt.Fprintf(c.stderr, "sandtrap: call %d %s: %s(%s) at %s\n", p.ID, state, printable(p.Name), printable(string(p.Args)), printable(p.At))
	}
	ways := ""
	if results {
		ways += " --answer ID=JSON"
	}
	if approvals {
		ways += " --approve ID"
	}
	fmt.Fprintf(c.stderr, "sandtrap: go on with: sandtrap resume %s%s\n", printable(shellWord(o.journal)), ways)
	return exitWaits
}

// A plainError is an error of package durable without the name of that.
type plainError struct{ error }

func (e plainError) Error() string {
	return strings.NewReplacer("durable: ", "", "; Replay repeats it", "; \"sandtrap replay\" repeats it").Replace(e.error.Error())
}

// shellWord is a path as one types it into a shell.
func shellWord(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	if strings.ContainsAny(path, " \t'\"$`\\*?[](){}<>|&;!#~") {
		path = "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// resume goes on with a run.
func (c *call) resume(args []string) int {
	return c.again("resume", args, func(o *options, box *durable.Box, was *os.File, answers []durable.Answer) int {
		file, err := os.CreateTemp(filepath.Dir(o.journal), filepath.Base(o.journal)+".*")
		if err != nil {
			return c.usage(err)
		}
		defer os.Remove(file.Name())
		return c.waiting(o, file, func(ctx context.Context) (*sandtrap.Result, *durable.Pause, error) {
			res, pause, err := box.Resume(ctx, was, file, answers...)
			if err == nil || res.Error != nil {
				if err := replaced(o.journal, was, file); err != nil {
					return &sandtrap.Result{}, nil, err
				}
			}
			return res, pause, err
		})
	})
}

// replay repeats a run.
func (c *call) replay(args []string) int {
	return c.again("replay", args, func(o *options, box *durable.Box, was *os.File, answers []durable.Answer) int {
		if len(answers) > 0 {
			return c.usage(errors.New("replay takes no answers: \"sandtrap resume\" does"))
		}
		return c.waiting(o, nil, func(ctx context.Context) (*sandtrap.Result, *durable.Pause, error) { return box.Replay(ctx, was) })
	})
}

// again opens the journal that the arguments of the command name, and makes its box.
func (c *call) again(name string, args []string, do func(o *options, box *durable.Box, was *os.File, answers []durable.Answer) int) int {
	o, answers, err := c.parseJournal(name, args)
	if err != nil {
		return c.usage(err)
	}
	was, err := os.Open(o.journal)
	if err != nil {
		return c.usage(err)
	}
	defer was.Close()
	first, host, err := c.first(o, was)
	if err != nil {
		return c.usage(err)
	}
	if name == "replay" {
		first.record = "" // it has the run already
	}
	return c.deciding(first, func() int {
		box, err := c.box(first, host)
		if err != nil {
			return c.noSandbox(first, err)
		}
		defer box.Close()
		return do(o, box, was, answers)
	})
}

// replaced puts a new journal in the place of the one that was resumed, unless another has come there meanwhile.
func replaced(path string, was, file *os.File) error {
	now, err := os.Stat(path)
	if err != nil {
		return err
	}
	before, err := was.Stat()
	if err != nil {
		return err
	}
	if !os.SameFile(now, before) {
		return fmt.Errorf("%s was resumed by another process meanwhile: this one has changed nothing", path)
	}
	return os.Rename(file.Name(), path)
}

// first are the options of the run of a journal, which is then at its beginning again, as those of o change them. Of the flags of
// the run o gets what says how to show it.
func (c *call) first(o *options, was *os.File) (*options, jsonHost, error) {
	var host jsonHost
	text, err := durable.HostOf(was)
	if err != nil {
		return nil, host, fmt.Errorf("%s: %w", o.journal, err)
	}
	if _, err := was.Seek(0, io.SeekStart); err != nil {
		return nil, host, err
	}
	if err := json.Unmarshal(text, &host); err != nil {
		return nil, host, fmt.Errorf("%s: it is no journal of this command: %w", o.journal, err)
	}
	first := newOptions()
	first.env = host.Env
	if host.Tools != nil {
		first.tools = *host.Tools
	}
	if err := c.parseInto(first, "run", host.Args); err != nil {
		return nil, host, fmt.Errorf("the flags of %s: %w", o.journal, err)
	}
	if o.artifacts == "" {
		o.artifacts = first.artifacts
	}
	if o.isolation != "" {
		first.policy.Isolation, first.policy.Level = o.isolation, ""
	}
	first.json = o.json
	return first, host, nil
}
