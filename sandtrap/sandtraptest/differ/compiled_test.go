package differ

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/sandtrap/sandtraptest/internal/rig"
)

// compiled builds many programs as one binary: linking each would take twice as long as
// all the rest. Each is a package main, so that its types have the names they have alone;
// the go command does not import such packages, its compiler does.
type compiled struct {
	dir, tools string
	config     strings.Builder // where the linker finds packages
	names      []string
}

const (
	// programTime and programLimits bound a compiled program; the limits hold also when
	// nobody is left to wait for it.
	programTime   = 20 * time.Second
	programLimits = `ulimit -t 20 && ulimit -v 4000000 && exec "$0" "$@"`
	// initMark ends what a package prints when it is initialised. Their paths come after
	// those of the standard library, so they are initialised last, and in their order.
	initMark = "\x00initialised\x00"
	// entry is a file of each package.
	entry = "package main\nimport \"fmt\"\nfunc init() { fmt.Print(%q) }\nfunc Entry() { main() }\n"
)

// A toolchain is where the tools of Go are, and the packages that programs may import.
type toolchain struct{ tools, packages string }

func findToolchain(t *testing.T, imports ...string) toolchain {
	t.Helper()
	for _, tool := range []string{"go", "sh"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs ", tool, ": ", err)
		}
	}
	list := []string{"list", "-export", "-deps", "-f", "{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}", "fmt", "os", "strconv"}
	return toolchain{strings.TrimSpace(output(t, "go", "env", "GOTOOLDIR")), output(t, "go", append(list, imports...)...)}
}

// newCompiled works in a directory that remove takes away: a long test makes many.
func newCompiled(t *testing.T, with toolchain) *compiled {
	t.Helper()
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	c := &compiled{dir: dir, tools: with.tools}
	c.config.WriteString(with.packages)
	rig.WriteFile(t, filepath.Join(dir, "imports"), with.packages)
	rig.WriteFile(t, filepath.Join(dir, "entry.go"), fmt.Sprintf(entry, initMark))
	return c
}

func (c *compiled) remove() { os.RemoveAll(c.dir) }

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		t.Fatalf("%s %s: %v", name, args[0], err)
	}
	return string(out)
}

// add compiles a program, and returns what the compiler has against it.
func (c *compiled) add(t *testing.T, text string) error {
	name := fmt.Sprintf("p%03d", len(c.names))
	rig.WriteFile(t, filepath.Join(c.dir, name+".go"), text)
	if err := c.tool(t, "compile", "-dwarf=false", "-p", "z/"+name, "-importcfg", "imports", "-pack", "-o", name+".a", name+".go", "entry.go"); err != nil {
		return err
	}
	c.names = append(c.names, name)
	fmt.Fprintf(&c.config, "packagefile z/%s=%s.a\n", name, name)
	return nil
}

// tool runs a tool of Go itself: ending the go command would not end what it started.
func (c *compiled) tool(t *testing.T, name string, args ...string) error {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(c.tools, name), args...)
	cmd.Dir = c.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%.2000s", name, err, out)
	}
	return nil
}

// link makes the binary, which runs the program whose number it is given.
func (c *compiled) link(t *testing.T) {
	t.Helper()
	var imports, entries strings.Builder
	for _, name := range c.names {
		fmt.Fprintf(&imports, "import %s \"z/%s\"\n", name, name)
		fmt.Fprintf(&entries, "%s.Entry, ", name)
	}
	rig.WriteFile(t, filepath.Join(c.dir, "main.go"), "package main\nimport (\"os\"; \"strconv\")\n"+imports.String()+
		"func main() { i, _ := strconv.Atoi(os.Args[1]); []func(){"+entries.String()+"}[i]() }\n")
	rig.WriteFile(t, filepath.Join(c.dir, "all"), c.config.String())
	err := c.tool(t, "compile", "-dwarf=false", "-p", "main", "-importcfg", "all", "-pack", "-o", "main.a", "main.go")
	if err == nil {
		err = c.tool(t, "link", "-s", "-w", "-importcfg", "all", "-o", "main", "main.a")
	}
	if err != nil {
		t.Fatal(err)
	}
}

// An ending is what a program printed, and how it ended.
type ending struct {
	stdout, stderr string
	how            string // "exit 0", or the limit that ended it
}

// run runs the program of a number.
func (c *compiled) run(t *testing.T, i int) ending {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), programTime)
	defer cancel()
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(ctx, "sh", "-c", programLimits, filepath.Join(c.dir, "main"), strconv.Itoa(i))
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	parts := strings.SplitN(stdout.String(), initMark, len(c.names)+1)
	if len(parts) <= len(c.names) {
		t.Fatalf("a package cannot be initialised: %v\n%.2000s", err, stderr.String())
	}
	text := strings.ReplaceAll(parts[i]+parts[len(parts)-1], "z/"+c.names[i]+".", "main.") // type arguments have paths in names
	return ended(text, stderr.String(), err)
}

// addresses are in some panics.
var addresses = regexp.MustCompile(`0x[0-9a-f]+`)

// signals are those that a goroutine ever had, also if it recovered.
var signals = regexp.MustCompile(`\[signal SIGSEGV[^\]]*\]`)

// goroutines begin the traces of the Go runtime.
var goroutines = regexp.MustCompile(`(?s)\n+goroutine \d+.*`)

func ended(stdout, stderr string, err error) ending {
	e := ending{stdout, plain(goroutines.ReplaceAllString(stderr, "")), "exit 0"}
	var exit *exec.ExitError
	switch fatal := strings.Contains(e.stderr, "fatal error: "); {
	case err == nil:
	case errors.As(err, &exit) && exit.Exited() && (!fatal || strings.Contains(e.stderr, asleep)):
		e.how = fmt.Sprint("exit ", exit.ExitCode())
	default:
		e.how = "limit: " + err.Error()
	}
	return e
}

const asleep = "fatal error: all goroutines are asleep - deadlock!"

func plain(stderr string) string {
	return strings.TrimSpace(addresses.ReplaceAllString(signals.ReplaceAllString(stderr, ""), "@"))
}
