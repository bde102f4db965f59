package mutate

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// page is the list of defences.
const page = "docs/defences.md"

type options struct {
	all, write, verbose bool
	sample              int
	budget              time.Duration
	seed                string
	only                *regexp.Regexp
}

// Main is the command: it returns the exit code. 1 means that a test is missing or a row is wrong,
// 2 that it could not be found out.
func Main(args []string, stdout, stderr io.Writer) int {
	o, err := parseFlags(args, stderr)
	if err != nil {
		return 2
	}
	bad, err := o.run(stdout)
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "mutate:", err)
		return 2
	case bad > 0:
		return 1
	}
	return 0
}

func parseFlags(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("mutate", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.BoolVar(&o.all, "all", false, "try every defence")
	f.IntVar(&o.sample, "sample", 8, "how many to try, without -all or -run")
	f.DurationVar(&o.budget, "time", 2*time.Minute, "begin no other one of a sample after this")
	f.StringVar(&o.seed, "seed", "", "what chooses the sample (default: the commit, or the day)")
	f.BoolVar(&o.write, "docs", false, "write "+page+", and try none")
	f.BoolVar(&o.verbose, "v", false, "print the output of tests for what is not killed")
	f.Func("run", "try those whose id matches this expression", func(s string) (err error) {
		o.only, err = regexp.Compile(s)
		return err
	})
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		fmt.Fprintf(stderr, "mutate: no flag goes with %q: -run is for those that are tried by id\n", f.Arg(0))
		return o, fmt.Errorf("usage")
	}
	return o, nil
}

// run does what the options say and returns how many rows were not killed.
func (o options) run(stdout io.Writer) (bad int, err error) {
	root, err := moduleRoot()
	if err != nil {
		return 0, err
	}
	if o.write {
		return 0, os.WriteFile(filepath.Join(root, filepath.FromSlash(page)), []byte(pageText(Table())), 0o666)
	}
	rows := o.chosen(Table(), root)
	if len(rows) == 0 {
		return 0, fmt.Errorf("no defence is chosen; " + page + " lists the ids")
	}
	ctx, begun := context.Background(), time.Now()
	r := &runner{root: root, whole: map[string]ending{}}
	count := map[verdict]int{}
	for _, m := range rows {
		if o.only == nil && !o.all && time.Since(begun) > o.budget {
			fmt.Fprintf(stdout, "no others after %v\n", o.budget)
			break
		}
		v, why, err := r.try(ctx, m)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", m.ID, err)
		}
		count[v]++
		o.print(stdout, m, v, why)
	}
	fmt.Fprintf(stdout, "%d killed, %d survived, %d broken, %d skipped, of %d, in %v\n",
		count[killed], count[survived], count[broken], count[skipped], len(Table()), time.Since(begun).Round(time.Second))
	return count[survived] + count[broken], nil
}

func (o options) print(stdout io.Writer, m Mutation, v verdict, why string) {
	if !o.verbose {
		why, _, _ = strings.Cut(strings.TrimSpace(why), "\n")
	}
	fmt.Fprintf(stdout, "%-8s %s: %s\n", v, m.ID, why)
}

// chosen is what -all and -run say, or a sample that is the same for the same seed.
func (o options) chosen(all []Mutation, root string) []Mutation {
	var chosen []Mutation
	switch {
	case o.only != nil:
		for _, m := range all {
			if o.only.MatchString(m.ID) {
				chosen = append(chosen, m)
			}
		}
		return chosen
	case o.all:
		return all
	}
	seed := o.seed
	if seed == "" {
		seed = today(root)
	}
	for _, i := range sample(len(all), o.sample, seed) {
		chosen = append(chosen, all[i])
	}
	return chosen
}

// sample chooses up to n of the numbers below size.
func sample(size, n int, seed string) []int {
	h := fnv.New64a()
	io.WriteString(h, seed)
	return rand.New(rand.NewPCG(h.Sum64(), 0)).Perm(size)[:min(n, size)]
}

// today is the commit, or where there is none the day.
func today(root string) string {
	cmd := exec.Command("git", "rev-parse", "HEAD")
	cmd.Dir = root
	if out, err := cmd.Output(); err == nil {
		return string(out)
	}
	return time.Now().UTC().Format(time.DateOnly)
}

// moduleRoot is the nearest directory above that has a go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no go.mod in this directory or above: run it in the source of the module")
		}
		dir = filepath.Dir(dir)
	}
	return "", err
}
