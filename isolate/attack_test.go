//go:build linux

package isolate

import (
	"errors"
	"strings"
	"sync"
	"testing"
)

// TestAttacks: whoever runs native code in a worker is ended by the kernel at his first
// call that is not in the table, at each level that has one. Each gets a worker of his own.
func TestAttacks(t *testing.T) {
	for _, level := range levels[1:] {
		t.Run(string(level), func(t *testing.T) { attackAt(t, Spec{Path: worker, Level: level, Memory: 256 << 20}) })
	}
}

func attackAt(t *testing.T, spec Spec) {
	names, err := mustStart(t, spec).Do(t.Context(), []byte("attacks"), Handlers{})
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Split(string(names), "\n")
	if len(list) < 60 {
		t.Fatalf("only %d attacks", len(list))
	}
	var wg sync.WaitGroup
	slots := make(chan bool, 4)
	for _, name := range list {
		slots <- true
		wg.Go(func() {
			defer func() { <-slots }()
			w, err := Start(t.Context(), spec)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				return
			}
			defer w.Close()
			got, err := w.Do(t.Context(), []byte("attack "+name), Handlers{})
			d, ok := errors.AsType[*DeathError](err)
			if !ok || d.Cause != Syscall {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		})
	}
	wg.Wait()
}
