//go:build linux

package isolate

import (
	"errors"
	"os/exec"
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
			if !endedBy(err, causeOf(t, name)) {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		})
	}
	wg.Wait()
}

// endedBy reports that a worker ended for the cause.
func endedBy(err error, cause Cause) bool {
	d, ok := errors.AsType[*DeathError](err)
	return ok && d.Cause == cause
}

// causeOf is what ends a worker that does an attack. Some machines have no system calls of i386: there the instruction
// is a fault in any process, as one that nothing confines says.
func causeOf(t *testing.T, attack string) Cause {
	if attack != calls32 {
		return Syscall
	}
	out, err := exec.Command(worker, "unconfined", attack).CombinedOutput()
	if err == nil {
		return Syscall
	}
	if !strings.Contains(string(out), "SIGSEGV") {
		t.Errorf("%s, unconfined: %v, %s", attack, err, out)
	}
	t.Logf("%s: this machine has no system calls of i386; the instruction is a fault in each process", attack)
	return Crashed
}

const calls32 = "int 0x80"
