// Package walls measures what isolation costs.
package walls

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A row is a line of the table.
type row struct {
	what, half, most, want string
}

// A bench knows the programs that are started.
type bench struct {
	worker, hello string // executables
	rows          []row
	tenants       string // the table of a pool's
}

// Table measures, and is the table as Markdown.
func Table() (string, error) {
	dir, err := os.MkdirTemp("", "walls")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", err
	}
	b := &bench{worker: filepath.Join(dir, "sandtrap"), hello: filepath.Join(dir, "hello")}
	for to, pkg := range map[string]string{b.worker: "github.com/sandtrap-go/sandtrap/cmd/sandtrap", b.hello: "./walls/hello"} {
		cmd := exec.Command("go", "build", "-o", to, pkg)
		if strings.Contains(pkg, "/cmd/") {
			cmd.Dir = "../.."
			cmd.Args[len(cmd.Args)-1] = "./cmd/sandtrap"
		}
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %s", err, out)
		}
		if err := install(to); err != nil {
			return "", err
		}
	}
	for _, measure := range []func() error{b.starts, b.others, b.runs, b.rates, b.pools} {
		if err := measure(); err != nil {
			return "", err
		}
	}
	return b.table(), nil
}

// install puts a copy in the place of a program: the kernel keeps what a linker has just written in
// small pieces, of which a process takes longer to map than of a program that was installed.
func install(path string) error {
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o755)
}

func (b *bench) table() string {
	s := &strings.Builder{}
	fmt.Fprintf(s, intro, load())
	s.WriteString("| | median | 99th percentile | goal |\n|---|---:|---:|---:|\n")
	for _, r := range b.rows {
		fmt.Fprintf(s, "| %s | %s | %s | %s |\n", r.what, r.half, r.most, r.want)
	}
	return s.String() + b.tenants
}

const intro = `
## Isolation

Wall-clock time, on a machine with other work (load %s at the start). A worker is
the command, linked without C, with all layers of level maximum; its start ends when the host has
read them back.

`

// load is how many processes wanted a processor in the last minute.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	n, _, _ := strings.Cut(string(text), " ")
	return n + fmt.Sprintf(" on %d processors", runtime.NumCPU())
}

// add measures f n times.
func (b *bench) add(what, want string, n int, f func() (time.Duration, error)) error {
	took := []time.Duration{}
	for range n {
		d, err := f()
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		took = append(took, d)
	}
	slices.Sort(took)
	b.rows = append(b.rows, row{what, took[n/2].Round(time.Microsecond).String(), took[n*99/100].Round(time.Microsecond).String(), want})
	return nil
}

// timed is the time of f.
func timed(f func() error) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		began := time.Now()
		err := f()
		return time.Since(began), err
	}
}

// Start is how long it takes to start a worker.
func Start(worker string) (time.Duration, error) {
	began := time.Now()
	w, err := isolate.Start(context.Background(), isolate.Spec{Path: worker, Level: isolate.Maximum, Memory: 256 << 20})
	took := time.Since(began)
	if err == nil {
		w.Close()
	}
	return took, err
}

// starts measures hosts of two sizes: this one, and one of its own, which says a line each.
func (b *bench) starts() error {
	start := func() (time.Duration, error) { return Start(b.worker) }
	for range 20 { // until there is a spawner
		if _, err := start(); err != nil {
			return err
		}
	}
	if err := b.add("start of a worker", "9 ms", 200, start); err != nil {
		return err
	}
	out, err := exec.Command("/proc/self/exe", "-starts", b.worker).Output()
	if err != nil {
		return fmt.Errorf("a large host: %w", err)
	}
	all := []time.Duration{}
	for line := range strings.Lines(string(out)) {
		d, err := time.ParseDuration(strings.TrimSpace(line))
		if err != nil {
			return err
		}
		all = append(all, d)
	}
	b.rows = append(b.rows, row{"the first of a host with 1 GiB of heap, without a spawner", all[0].Round(time.Microsecond).String(), "", ""})
	rest := all[20:]
	return b.add("later ones of that host", "9 ms", len(rest), func() (time.Duration, error) {
		d := rest[0]
		rest = rest[1:]
		return d, nil
	})
}

// LargeHost is what a host with 1 GiB of heap prints for starts.
func LargeHost(worker string) error {
	heap := make([]byte, 1<<30)
	for i := 0; i < len(heap); i += 4096 {
		heap[i] = 1
	}
	for range 120 {
		d, err := Start(worker)
		if err != nil {
			return err
		}
		fmt.Println(d)
	}
	runtime.KeepAlive(heap)
	return nil
}

// others measures what starts and ends a process without a wall, or with that of another.
func (b *bench) others() error {
	run := func(args ...string) func() (time.Duration, error) {
		return timed(func() error { return exec.Command(args[0], args[1:]...).Run() })
	}
	if err := b.add("fork and exec of a static Go program that says hello, to its end", "", 200, run(b.hello)); err != nil {
		return err
	}
	if _, err := exec.LookPath("bwrap"); err != nil {
		return nil
	}
	return b.add("the same in bubblewrap, all namespaces", "", 200,
		run("bwrap", "--unshare-all", "--die-with-parent", "--ro-bind", b.hello, "/hello", "--", "/hello"))
}

// policy is that of the runs.
func (b *bench) policy(mode sandtrap.Isolation) sandtrap.Policy {
	p := sandtrap.Policy{
		Std: []string{"fmt", "os"}, Isolation: mode, Worker: b.worker,
		Limits: sandtrap.Limits{Memory: 64 << 20},
		Funcs:  map[string]any{"inc": func(n int) int { return n + 1 }},
		Files:  files(),
	}
	if mode == sandtrap.Kernel {
		p.Level = isolate.Maximum
	}
	return p
}
