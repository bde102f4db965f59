//go:build linux

package sandtraptest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/vfs"
)

// TestKilledAtStart: a worker that is killed before it is ready has done nothing, so another one takes its
// place. Where all are, the error is of the worker; that one cannot be had is only said of one that ends itself.
func TestKilledAtStart(t *testing.T) {
	for _, tc := range []struct {
		kills, starts int
		want          error
	}{{0, 1, sandtrap.KindIsolation}, {1, 2, sandtrap.KindIsolation}, {50, 3, sandtrap.KindWorker}} {
		dir := t.TempDir()
		program := filepath.Join(dir, "worker")
		text := fmt.Sprintf("#!/bin/sh\necho x >>%[1]s/began\n[ $(wc -l <%[1]s/began) -gt %[2]d ] || kill -9 $$\nexit 7\n", dir, tc.kills)
		if err := os.WriteFile(program, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		p := pure()
		p.Isolation, p.Worker = sandtrap.Process, program
		_, err := sandtrap.New(t.Context(), p)
		began, _ := os.ReadFile(filepath.Join(dir, "began"))
		if starts := strings.Count(string(began), "x"); !errors.Is(err, tc.want) || starts != tc.starts {
			t.Errorf("%d were killed: %d starts, %v, want %d and %v", tc.kills, starts, err, tc.starts, tc.want)
		}
	}
}

// killingFs kills processes that this one has started when a worker asks for the first of its files.
type killingFs struct {
	afero.Fs
	asked atomic.Int64
	kills int64
	host  map[int]bool // those that it leaves alone
	t     bench
}

func (f *killingFs) Stat(name string) (os.FileInfo, error) {
	if f.host != nil {
		for pid := range children(f.t) {
			if !f.host[pid] && f.asked.Add(1) <= f.kills {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
	return f.Fs.Stat(name)
}

// TestKilledWithPolicy: so has one that is killed while it takes the policy.
func TestKilledWithPolicy(t *testing.T) {
	for _, tc := range []struct {
		kills, asked int64
		want         string
	}{{1, 2, ""}, {50, 3, "the worker was killed before it was ready"}} {
		b := bench{T: t, Mode: mode{Isolation: sandtrap.Process}}
		files := &killingFs{Fs: vfs.Mem(), kills: tc.kills, t: b}
		p := pure()
		p.Isolation = sandtrap.Process
		p.Files = &sandtrap.Files{Open: func() (afero.Fs, error) { return files, nil }}
		plan, err := sandtrap.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		files.host = children(b)
		box, err := plan.New(t.Context())
		if err == nil {
			err = errors.New("")
			box.Close()
		}
		if got := files.asked.Load(); err.Error() != tc.want || got != tc.asked {
			t.Errorf("%d were killed: %d asked, %v, want %d and %q", tc.kills, got, err, tc.asked, tc.want)
		}
	}
}
