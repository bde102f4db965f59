package sandtraptest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// benchPolicy is that of the benchmarks of workers.
func benchPolicy(mode sandtrap.Isolation) sandtrap.Policy {
	return sandtrap.Policy{
		Std: []string{"fmt"}, Isolation: mode, Limits: sandtrap.Limits{Memory: 64 << 20},
		Funcs: map[string]any{"inc": func(n int) int { return n + 1 }},
	}
}

func eachIsolation(b *testing.B, bench func(b *testing.B, mode sandtrap.Isolation)) {
	for _, mode := range []sandtrap.Isolation{sandtrap.None, sandtrap.Process, sandtrap.Kernel} {
		b.Run(string(mode), func(b *testing.B) {
			b.ReportAllocs()
			bench(b, mode)
		})
	}
}

// BenchmarkWorkerAgain runs hello in the worker that ran it before.
func BenchmarkWorkerAgain(b *testing.B) {
	eachIsolation(b, func(b *testing.B, mode sandtrap.Isolation) {
		benchRuns(b, benchPolicy(mode), `fmt.Println("hello")`)
	})
}

// BenchmarkWorkerCalls makes 100 calls of the host in a run.
func BenchmarkWorkerCalls(b *testing.B) {
	eachIsolation(b, func(b *testing.B, mode sandtrap.Isolation) {
		benchRuns(b, benchPolicy(mode), "n := 0\nfor range 100 { n = inc(n) }")
	})
}

// BenchmarkWorkerReads reads 1 MiB from a file beneath a directory that the worker was handed, and from
// the same file by asking the host.
func BenchmarkWorkerReads(b *testing.B) {
	dir := b.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "large"), make([]byte, 1<<20), 0o644); err != nil {
		b.Fatal(err)
	}
	for name, files := range map[string]*sandtrap.Files{
		"handed": {Paths: []string{dir}, Cwd: dir},
		"asked":  {Open: func() (afero.Fs, error) { return vfs.Dir(dir) }},
	} {
		eachIsolation(b, func(b *testing.B, mode sandtrap.Isolation) {
			b.Run(name, func(b *testing.B) {
				p := benchPolicy(mode)
				p.Std, p.Files = []string{"os"}, files
				benchRuns(b, p, `if data, err := os.ReadFile("large"); err != nil || len(data) != 1<<20 { panic(err) }`)
			})
		})
	}
}

func benchRuns(b *testing.B, p sandtrap.Policy, text string) {
	box, err := sandtrap.New(b.Context(), p)
	if err != nil {
		b.Fatal(err)
	}
	defer box.Close()
	for b.Loop() {
		if _, err := box.Run(b.Context(), sandtrap.Script{Text: text}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWorkerFresh runs hello in a worker of its own.
func BenchmarkWorkerFresh(b *testing.B) {
	eachIsolation(b, func(b *testing.B, mode sandtrap.Isolation) {
		plan, err := sandtrap.Compile(benchPolicy(mode))
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			box, err := plan.New(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			if _, err := box.Run(b.Context(), sandtrap.Script{Text: `fmt.Println("hello")`}); err != nil {
				b.Fatal(err)
			}
			box.Close()
		}
	})
}

// BenchmarkPool runs hello for a new tenant each time, in a worker that was ready if there was one.
func BenchmarkPool(b *testing.B) {
	plan, err := sandtrap.Compile(benchPolicy(sandtrap.Kernel))
	if err != nil {
		b.Fatal(err)
	}
	pool, err := plan.Pool(b.Context(), sandtrap.PoolLimits{Size: 4})
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close(b.Context())
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			box, err := pool.Sandbox(b.Context(), "")
			if err != nil {
				b.Error(err)
				return
			}
			if _, err := box.Run(b.Context(), sandtrap.Script{Text: `fmt.Println("hello")`}); err != nil {
				b.Error(err)
			}
			box.Close()
		}
	})
}
