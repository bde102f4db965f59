// Package conformance runs programs that come with the output they must have,
// each in a sandbox in a process of its own, and keeps a page of the results.
//
// It may not run a program in its own process.
package conformance

import (
	"context"
	"flag"
	"fmt"
	_ "github.com/sandtrap-go/sandtrap/sandtrap/yaegi"
	"io"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// childFlag makes the program run one test program and print its ending.
const childFlag = "-child"

type options struct {
	engine, set, page     string
	only                  *regexp.Regexp
	verbose, check, judge bool
	parallel              int
}

// Main is the command: it returns the exit code. 1 means a regression under
// -check, 2 that it could not be done.
func Main(args []string, stdout, stderr io.Writer) int {
	if len(args) == 4 && args[0] == childFlag {
		if err := child(args[1], args[2], args[3], stdout); err != nil {
			fmt.Fprintln(stderr, err)
			return 2
		}
		return 0
	}
	o, err := parseFlags(args, stderr)
	if err != nil {
		return 2
	}
	worse, err := o.run(stdout)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "conformance:", err)
		return 2
	case worse != "":
		fmt.Fprintln(stderr, "conformance: worse than the committed table:", worse)
		return 1
	}
	return 0
}

func parseFlags(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("conformance", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.engine, "engine", "vm", "engine to run the programs on")
	f.StringVar(&o.set, "set", "go", "programs to run: go or yaegi")
	f.StringVar(&o.page, "o", "docs/conformance.md", "page to update")
	f.BoolVar(&o.verbose, "v", false, "print every program, not only those that do not pass")
	f.BoolVar(&o.check, "check", false, "compare with the page instead of writing it; fail if anything got worse")
	f.BoolVar(&o.judge, "judge", false, "run the programs with go run instead, to find those that fail there; writes nothing")
	f.IntVar(&o.parallel, "p", 2, "programs at a time")
	f.Func("run", "only programs whose name matches this expression; writes nothing", func(s string) (err error) {
		o.only, err = regexp.Compile(s)
		return err
	})
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 || o.parallel < 1 {
		f.Usage()
		return o, fmt.Errorf("usage")
	}
	return o, nil
}

// run does what the options say, and returns what got worse.
func (o options) run(stdout io.Writer) (string, error) {
	s, err := o.chosen()
	if err != nil {
		return "", err
	}
	programs, err := s.load()
	if err != nil {
		return "", err
	}
	results := o.all(programs, stdout)
	now := count(results, groups[0].in)
	fmt.Fprintf(stdout, "%d programs:", now.total)
	for _, v := range verdicts {
		fmt.Fprintf(stdout, " %d %s", now.by[v], v)
	}
	fmt.Fprintln(stdout)
	if o.only != nil || o.judge {
		return "", nil
	}
	page, err := os.ReadFile(o.page)
	if err != nil && (o.check || !os.IsNotExist(err)) {
		return "", err
	}
	mark := marker(o.engine, s.name)
	if o.check {
		before, err := committed(string(page), mark)
		return regression(before, now), err
	}
	text := section(o.engine, s, runtime.Version(), results)
	return "", os.WriteFile(o.page, []byte(replaceSection(string(page), mark, text)), 0o666)
}

func (o options) chosen() (set, error) {
	for _, s := range sets {
		if s.name == o.set {
			return s, nil
		}
	}
	return set{}, fmt.Errorf("no set %q; there are go and yaegi", o.set)
}

// all runs the programs, o.parallel at a time, and keeps their order.
func (o options) all(programs []program, stdout io.Writer) []result {
	var chosen []program
	for _, p := range programs {
		if o.only == nil || o.only.MatchString(p.name) {
			chosen = append(chosen, p)
		}
	}
	results := make([]result, len(chosen))
	var wg sync.WaitGroup
	var printing sync.Mutex
	slots := make(chan struct{}, o.parallel)
	for i, p := range chosen {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			results[i] = o.one(p)
			printing.Lock()
			defer printing.Unlock()
			if r := results[i]; o.verbose || r.verdict != pass {
				fmt.Fprintf(stdout, "%-8s %s %s\n", r.verdict, p.name, r.reason)
			}
		})
	}
	wg.Wait()
	return results
}

func (o options) one(p program) result {
	if o.judge {
		return goRun(p)
	}
	return runProgram(o.engine, p)
}

// goRun is the verdict of the Go toolchain.
func goRun(p program) result {
	ctx, cancel := context.WithTimeout(context.Background(), patience*runTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "run", p.file)
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return result{program: p, verdict: failed, reason: oneLine(err.Error() + ": " + stderr.String())}
	}
	return judge(p, ending{Stdout: stdout.String(), Stderr: stderr.String()})
}
