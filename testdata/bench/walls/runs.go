package walls

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

const hello = `fmt.Println("hello")`

// files has one of 1 MiB.
func files() *sandtrap.Files {
	fs := afero.NewMemMapFs()
	afero.WriteFile(fs, "/large", make([]byte, 1<<20), 0o644)
	return &sandtrap.Files{Open: func() (afero.Fs, error) { return fs, nil }}
}

func run(box *sandtrap.Sandbox, text string) func() error {
	return func() error {
		_, err := box.Run(context.Background(), sandtrap.Script{Text: text})
		return err
	}
}

// runs measures single runs, in process and in workers.
func (b *bench) runs() error {
	ctx := context.Background()
	here, err := sandtrap.New(ctx, b.policy(sandtrap.None))
	if err != nil {
		return err
	}
	plan, err := sandtrap.Compile(b.policy(sandtrap.Kernel))
	if err != nil {
		return err
	}
	pool, err := plan.Pool(ctx, sandtrap.PoolLimits{Size: 2})
	if err != nil {
		return err
	}
	defer pool.Close(ctx)
	there, err := pool.Sandbox(ctx, "the same")
	if err != nil {
		return err
	}
	const calls = "n := 0\nfor range 1000 { n = inc(n) }"
	const large = `data, _ := os.ReadFile("/large"); fmt.Println(len(data))`
	for _, r := range []struct {
		what, want, text string
		box              *sandtrap.Sandbox
		n                int
	}{
		{"hello in process", "", hello, here, 1000},
		{"hello in a worker that its tenant had before", "250 µs more", hello, there, 1000},
		{"1,000 calls of the host in process", "", calls, here, 50},
		{"the same from a worker", "20 ms more", calls, there, 50},
		{"1 MiB read from a file, in process", "", large, here, 100},
		{"the same from a worker", "", large, there, 100},
	} {
		if err := run(r.box, r.text)(); err != nil {
			return err
		}
		if err := b.add(r.what, r.want, r.n, timed(run(r.box, r.text))); err != nil {
			return err
		}
	}
	if err := b.roundTrips(); err != nil {
		return err
	}
	plain, err := sandtrap.Compile(b.policy(sandtrap.None))
	if err != nil {
		return err
	}
	err = b.add("hello in process, not run before, after a pause", "", 200, func() (time.Duration, error) {
		return newcomer(func() (*sandtrap.Sandbox, error) { return plain.New(ctx) })
	})
	if err != nil {
		return err
	}
	err = b.add("the same in a warm worker, of a new tenant", "250 µs more", 200, func() (time.Duration, error) {
		return newcomer(func() (*sandtrap.Sandbox, error) { return pool.Sandbox(ctx, "") })
	})
	if err != nil {
		return err
	}
	time.Sleep(time.Second) // so that they have given back what they can
	b.rows = append(b.rows, row{"most memory of a worker that waits, beside its program's file", idleMemory(), "", "8 MB"})
	return nil
}

// newcomer has somebody run hello who has not run anything, after a pause in which a worker is made
// ready, and the processor forgets the program.
func newcomer(open func() (*sandtrap.Sandbox, error)) (time.Duration, error) {
	time.Sleep(40 * time.Millisecond)
	box, err := open()
	if err != nil {
		return 0, err
	}
	defer box.Close()
	newcomers++
	return timed(run(box, fmt.Sprintf("%s // %d", hello, newcomers)))()
}

var newcomers int // so that no two of them have the same text

// rates measures how many runs there are in a second.
func (b *bench) rates() error {
	ctx := context.Background()
	plan, err := sandtrap.Compile(b.policy(sandtrap.Kernel))
	if err != nil {
		return err
	}
	pool, err := plan.Pool(ctx, sandtrap.PoolLimits{Size: 4})
	if err != nil {
		return err
	}
	defer pool.Close(ctx)
	for _, r := range []struct {
		what, want string
		tenant     func(int) string
	}{
		{"runs of hello in a second, a fresh worker each", "250", func(int) string { return "" }},
		{"in workers that their tenants had before", "5000", func(i int) string { return fmt.Sprint("tenant ", i) }},
	} {
		n, err := rate(ctx, pool, r.tenant)
		if err != nil {
			return err
		}
		b.rows = append(b.rows, row{r.what, strconv.Itoa(n), "", r.want})
	}
	return nil
}

const callers, span = 4, 3 * time.Second

// rate has callers run hello for a while. Those with a name keep their sandbox.
func rate(ctx context.Context, pool *sandtrap.Pool, tenant func(int) string) (int, error) {
	var wg sync.WaitGroup
	var done atomic.Int64
	var failed atomic.Pointer[error]
	end := time.Now().Add(span)
	for i := range callers {
		wg.Go(func() {
			for time.Now().Before(end) && failed.Load() == nil {
				box, err := pool.Sandbox(ctx, tenant(i))
				for err == nil && time.Now().Before(end) {
					if err = run(box, hello)(); err == nil {
						done.Add(1)
					}
					if tenant(i) == "" {
						break
					}
				}
				if err != nil {
					failed.Store(&err)
					return
				}
				box.Close()
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return 0, *err
	}
	return int(float64(done.Load()) / span.Seconds()), nil
}

// idleMemory is the most that a worker of this process has beside pages of its program's file, which
// others share; "–" if the kernel does not say.
func idleMemory() string {
	most := 0
	dirs, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range dirs {
		dir := filepath.Dir(path)
		line, _ := os.ReadFile(path)
		status, _ := os.ReadFile(dir + "/status")
		if string(line) != "sandtrap-worker\x00" || !strings.Contains(string(status), fmt.Sprintf("\nPPid:\t%d\n", os.Getpid())) {
			continue
		}
		text, _ := os.ReadFile(dir + "/smaps_rollup")
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "Anonymous:" {
				kb, _ := strconv.Atoi(f[1])
				most = max(most, kb)
			}
		}
	}
	if most == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f MB", float64(most)*1024/1e6)
}
