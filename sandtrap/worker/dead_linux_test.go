package worker

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestKilledWhileIdle: workers that were killed while they had nothing to do are replaced: the next run does
// not hear of it.
func TestKilledWhileIdle(t *testing.T) {
	box, err := liesPlan(t, sandtrap.Process).New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	for range 10 {
		var runs sync.WaitGroup
		for range 4 { // several have something to do at once, and are idle then
			runs.Go(func() {
				res, err := box.Run(t.Context(), sandtrap.Script{Text: "fmt.Print(twice(`x`))"})
				if err != nil || !strings.HasPrefix(res.Stdout, "xx") {
					t.Errorf("%q, %v", res.Stdout, err)
				}
			})
		}
		runs.Wait()
		killChildren()
	}
}

// TestStoppedWhileIdle: so are workers that stand still after a run, which is found out long before the time of the
// next is over.
func TestStoppedWhileIdle(t *testing.T) {
	box, err := liesPlan(t, sandtrap.Process).New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	for range 5 {
		res, err := box.Run(t.Context(), sandtrap.Script{Text: "fmt.Print(twice(`x`))"})
		if err != nil || !strings.HasPrefix(res.Stdout, "xx") {
			t.Errorf("%q, %v", res.Stdout, err)
		}
		if _, err := box.Run(t.Context(), sandtrap.Script{Text: "//stop"}); err != nil {
			t.Error(err)
		}
		for end := time.Now().Add(30 * time.Second); !slices.ContainsFunc(childrenNow(), stands); time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("the worker does not stop")
			}
		}
	}
}

func stands(pid int) bool {
	its, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	return err == nil && strings.Contains(string(its), "State:\tT")
}

// killChildren kills them, and returns when each is gone, or only waits to be waited for.
func killChildren() {
	for _, pid := range childrenNow() {
		unix.Kill(pid, unix.SIGKILL)
		for range 500 {
			its, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
			if err != nil || strings.Contains(string(its), "State:\tZ") && strings.Contains(string(its), "Threads:\t1\n") {
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
}

// A barrier is an input that ends when so many read it.
type barrier struct{ sync.WaitGroup }

func (b *barrier) Read([]byte) (int, error) {
	b.Done()
	b.Wait()
	return 0, io.EOF
}

// TestAllKilledWhileIdle: a run does not hear of it either if more workers of a pool were killed than a sandbox
// without one has.
func TestAllKilledWhileIdle(t *testing.T) {
	const many = 12
	pool, err := liesPlan(t, sandtrap.Process).Pool(t.Context(), sandtrap.PoolLimits{Size: 1, Max: many})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close(t.Context())
	box, err := pool.Sandbox(t.Context(), "tenant")
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	var all sync.WaitGroup
	at := new(barrier)
	at.Add(many)
	for range many {
		all.Go(func() {
			if _, err := box.Run(t.Context(), sandtrap.Script{Text: "io.ReadAll(os.Stdin)", Stdin: at}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	killChildren()
	if _, err := box.Run(t.Context(), sandtrap.Script{Text: "x := 1"}); err != nil {
		t.Error(err)
	}
}

// childrenNow are the processes that this one has started.
func childrenNow() (pids []int) {
	tasks, _ := filepath.Glob("/proc/self/task/*/children")
	for _, task := range tasks {
		text, _ := os.ReadFile(task)
		for _, field := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(field); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
