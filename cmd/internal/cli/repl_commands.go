package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A replCommand is a line that starts with a colon.
type replCommand struct {
	args  string
	short string
	run   func(r *repl, arg string) error
}

var replCommands map[string]replCommand

// They mention each other by way of :help.
func init() {
	replCommands = map[string]replCommand{
		"help":     {"", "this list", func(r *repl, _ string) error { fmt.Fprint(r.stdout, replUsage()); return nil }},
		"doc":      {"[PKG[.NAME]]", "print what scripts may import and call", (*repl).showDoc},
		"type":     {"EXPR", "print the type of an expression", (*repl).showType},
		"bindings": {"", "list what the session has declared", (*repl).showBindings},
		"policy":   {"", "print what the session may use", (*repl).showPolicy},
		"limits":   {"", "print the limits of a cell", (*repl).showLimits},
		"save":     {"FILE", "write the session to a file", (*repl).save},
		"load":     {"FILE", "replace the session by a saved one", (*repl).load},
		"reset":    {"", "remove all that the session has declared", (*repl).reset},
		"time":     {"[CODE]", "print the time that CODE takes; alone: that of each cell, on or off", (*repl).time},
		"quit":     {"", "end the session", nil},
	}
}

// otherNames are those of commands that people try.
var otherNames = map[string]string{"exit": "quit", "q": "quit", "h": "help", "?": "help"}

// command does what line says, and says whether that was to end.
func (r *repl) command(line string) (quit bool) {
	if !strings.HasPrefix(line, ":") { // a word that people try
		line = strings.TrimSuffix(line, "()")
	}
	name, arg, _ := strings.Cut(strings.TrimPrefix(line, ":"), " ")
	if other, ok := otherNames[name]; ok {
		name = other
	}
	cmd, ok := replCommands[name]
	if !ok {
		var names []string
		for _, n := range slices.Sorted(maps.Keys(replCommands)) {
			names = append(names, ":"+n)
		}
		fmt.Fprintf(r.stderr, "no command :%s%s; :help lists them\n", name, didYouMean(":"+name, names))
		r.failed = exitUsage
		return false
	}
	arg = strings.TrimSpace(arg)
	err := error(nil)
	switch {
	case arg != "" && cmd.args == "":
		err = fmt.Errorf("nothing can follow it; got %s", arg)
	case name == "quit":
		return true
	default:
		err = cmd.run(r, arg)
	}
	if err != nil {
		fmt.Fprintf(r.stderr, "%s %v\n", r.paint(red, ":"+name+":"), err)
		r.failed = exitUsage
	}
	return false
}

func replUsage() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(replCommands)) {
		cmd := replCommands[name]
		fmt.Fprintf(&b, "  %-22s %s\n", ":"+name+" "+cmd.args, cmd.short)
	}
	return b.String()
}

func (r *repl) showDoc(arg string) error {
	text, err := describe(r.plan, arg)
	if err == nil {
		fmt.Fprint(r.stdout, text)
	}
	return err
}

func (r *repl) showType(arg string) error {
	text, err := r.session.TypeOf(readsLast(arg))
	if err == nil {
		fmt.Fprintln(r.stdout, text)
	}
	return err
}

func (r *repl) showBindings(string) error {
	list, err := r.session.Bindings()
	for _, b := range list {
		if b.Name == lastName {
			continue
		}
		fmt.Fprintln(r.stdout, r.declaration(b))
	}
	return err
}

// declaration is b as Go writes it.
func (r *repl) declaration(b sandtrap.Binding) string {
	switch {
	case b.Kind == "func":
		return "func " + b.Name + r.paint(dim, strings.TrimPrefix(b.Type, "func"))
	case b.Kind == "import" && path.Base(b.Type) == b.Name:
		return "import " + strconv.Quote(b.Type)
	case b.Kind == "import":
		return "import " + b.Name + " " + strconv.Quote(b.Type)
	}
	return b.Kind + " " + b.Name + " " + r.paint(dim, b.Type)
}

func (r *repl) showPolicy(string) error {
	p := r.options.policy
	isolation := p.Isolation
	if isolation == "" {
		isolation = sandtrap.None
	}
	fmt.Fprintf(r.stdout, "isolation %s\nfiles %v\npackages", isolation, p.Files != nil)
	for _, pkg := range r.plan.Packages() {
		fmt.Fprintf(r.stdout, " %s", pkg)
	}
	fmt.Fprintln(r.stdout)
	return nil
}

func (r *repl) time(code string) error {
	if code == "" {
		r.timed = !r.timed
		return nil
	}
	defer func(was bool) { r.timed = was }(r.timed)
	r.timed = true
	r.cell(code + "\n")
	return nil
}

// save leaves what was in the file until all of the session is beside it.
func (r *repl) save(file string) error {
	if file == "" {
		return fmt.Errorf("which file?")
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".sandtrap-*") // for its user alone
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already if all went well
	skipped, err := r.session.Save(f)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(skipped)) {
		if name != lastName {
			fmt.Fprintf(r.stdout, "%s is not saved: %s\n", name, skipped[name])
		}
	}
	return os.Rename(f.Name(), file)
}

func (r *repl) load(file string) error {
	if file == "" {
		return fmt.Errorf("which file?")
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	session, err := r.box.LoadSession(f)
	if err != nil {
		return err
	}
	r.session.Close()
	r.session, r.types = session, typeTexts{}
	return nil
}

func (r *repl) reset(string) error {
	r.types = typeTexts{}
	return r.session.Reset()
}

func (r *repl) showLimits(string) error {
	for _, l := range policyfile.Limits {
		text := l.Of(&r.options.policy.Limits).String()
		if text == "0" {
			text = l.Zero
		}
		fmt.Fprintf(r.stdout, "%-9s %s\n", l.Key, text)
	}
	return nil
}
