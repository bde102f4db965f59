// Package rig holds what the packages of tests below sandtraptest run scripts and measure with.
//
// It may not judge a program: its tests do.
package rig

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/sandtrap"
	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// NoKernel skips a test whose sandbox could not be made with isolation kernel, if the kernel says that
// this machine cannot. Where SANDTRAP_KERNEL_TESTS is "required" the test has to fail.
func NoKernel(t testing.TB, err error) {
	t.Helper()
	if !errors.Is(err, sandtrap.KindIsolation) || os.Getenv("SANDTRAP_KERNEL_TESTS") == "required" {
		return
	}
	if lacks := machine.Confinement(); lacks != "" {
		t.Skipf("this machine cannot: %s: %v", lacks, err)
	}
}

// Offline is a gate that allows no request: scripts have the packages of the network with it.
func Offline(t testing.TB) *egress.Gate {
	t.Helper()
	gate, err := egress.New(egress.Policy{}, egress.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return gate
}

// RunOnce runs src in a sandbox of its own.
func RunOnce(t testing.TB, p sandtrap.Policy, src string) (*sandtrap.Result, error) {
	t.Helper()
	box, err := sandtrap.New(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	return box.Run(t.Context(), sandtrap.Script{Text: src})
}

// HeapNow is the live heap of the process and the garbage that nobody has collected.
func HeapNow() int64 {
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return int64(s.HeapAlloc)
}

// SettledHeap is what is in use when all that can be collected is.
func SettledHeap() int64 {
	for range 3 { // pools last for two, and what cleanups free for one more
		runtime.GC()
	}
	return HeapNow()
}

// Peak watches the heap until the function it returns is called, which tells how large it was
// at most.
func Peak() func() int64 {
	stop, most := make(chan bool), make(chan int64)
	go func() {
		n := HeapNow()
		for {
			select {
			case <-stop:
				most <- max(n, HeapNow())
				return
			case <-time.After(5 * time.Millisecond):
				n = max(n, HeapNow())
			}
		}
	}()
	return func() int64 { close(stop); return <-most }
}

// patience is how long Settled waits at most.
const patience = 3 * time.Second

// Settled waits until no more than want goroutines are there, and returns how many are.
func Settled(want int) int {
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if n := runtime.NumGoroutine(); n <= want || time.Now().After(end) {
			return n
		}
	}
}

// WriteFile writes a file, and makes the directories above it.
func WriteFile(t testing.TB, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
