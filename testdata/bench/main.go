// Command bench measures sandtrap and other interpreters on the same work and
// writes the table.
//
//	go run . -o ../../docs/benchmarks.md
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/sandtrap-go/sandtrap/testdata/bench/crossings"
	"github.com/sandtrap-go/sandtrap/testdata/bench/tasks"
	"github.com/sandtrap-go/sandtrap/testdata/bench/walls"
)

// A runner does one task once and gives its result; what can be prepared before
// has been.
type runner func() (result int64, took time.Duration, err error)

// A rival makes runners. Without one for the task it returns nil.
type rival struct {
	name    string
	prepare func(t tasks.Task) (runner, error)
}

var rivals = []rival{
	{"sandtrap vm", sandtrapVM},
	{"yaegi", yaegi},
	{"goja", goja},
	{"starlark-go", starlarkGo},
	{"gopher-lua", gopherLua},
	{"tengo", tengoVM},
	{"CPython", python},
	{"compiled Go", compiled},
}

func main() {
	out := flag.String("o", "", "file for the table; standard output if empty")
	rounds := flag.Int("rounds", 5, "runs of each task, of which the median counts")
	only := flag.String("only", "", "tasks to run, by name, with commas between")
	who := flag.String("rivals", "", "rivals to run, by name, with commas between")
	walled := flag.Bool("isolation", true, "measure isolation, too, where the kernel has it")
	starts := flag.String("starts", "", "be a large host, and start workers from this file")
	flag.Parse()
	if *starts != "" {
		if err := walls.LargeHost(*starts); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		return
	}
	calls := ""
	if *only == "" && *who == "" { // first, while nothing else has been in this process
		var err error
		if calls, err = crossings.Table(processorTime, *rounds); err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		size, err := sized()
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		calls += size
	}
	isolation := ""
	if *walled && runtime.GOOS == "linux" { // before the process grows
		var err error
		if isolation, err = walls.Table(); err != nil {
			fmt.Fprintln(os.Stderr, "bench: isolation is left out:", err)
		}
	}
	results, err := measure(*rounds, *only, *who)
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	text := report(results, *rounds) + calls + isolation
	if *out == "" {
		fmt.Print(text)
		return
	}
	if err := os.WriteFile(*out, []byte(text), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// chosen reports whether the list with commas has name, or is empty.
func chosen(list, name string) bool {
	return list == "" || slices.Contains(strings.Split(list, ","), name)
}

// results are medians by task and rival; what a rival lacks is missing.
type results map[string]map[string]time.Duration

func measure(rounds int, only, who string) (results, error) {
	all := results{}
	for _, t := range tasks.All {
		if !chosen(only, t.Name) {
			continue
		}
		want := int64(t.Go())
		all[t.Name] = map[string]time.Duration{}
		for _, r := range rivals {
			if !chosen(who, r.name) {
				continue
			}
			run, err := prepared(r, t)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", t.Name, r.name, err)
			}
			if run == nil {
				continue
			}
			d, err := median(run, rounds, want)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", t.Name, r.name, err)
			}
			all[t.Name][r.name] = d
		}
	}
	return all, nil
}

// prepared turns a panic of a rival into an error.
func prepared(r rival, t tasks.Task) (run runner, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return r.prepare(t)
}

// median runs once to warm up, then rounds times; every result must be want.
func median(run runner, rounds int, want int64) (time.Duration, error) {
	var took []time.Duration
	for i := range rounds + 1 {
		got, d, err := run()
		if err != nil {
			return 0, err
		}
		if got != want {
			return 0, fmt.Errorf("the result is %d, compiled Go has %d", got, want)
		}
		if i > 0 {
			took = append(took, d)
		}
		runtime.GC() // of what is left over from before
	}
	slices.Sort(took)
	return took[len(took)/2], nil
}

// timed makes a runner of a function. It measures the processor time of the whole
// process, so that other work on the machine does not count, and that of the
// garbage collector does.
func timed(f func() (int64, error)) runner {
	return func() (int64, time.Duration, error) {
		start := processorTime()
		n, err := f()
		return n, processorTime() - start, err
	}
}

func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// source is the file of a task, or nothing.
func source(t tasks.Task, ext string) string {
	text, err := tasks.Files.ReadFile(t.Name + ext)
	if err != nil {
		return ""
	}
	return string(text)
}
