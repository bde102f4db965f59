//go:build linux

package isolate

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/isolate/audit"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// refusals collects what a worker was refused.
type refusals struct {
	mu   sync.Mutex
	list []audit.Refusal
}

func (r *refusals) add(x audit.Refusal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = append(r.list, x)
}

func (r *refusals) take() []audit.Refusal {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.list
	r.list = nil
	return list
}

// TestAudit: with an audit each attack is refused and told of, by its name and path, and the
// worker goes on. What speaks another system call interface still ends it.
func TestAudit(t *testing.T) {
	var told refusals
	spec := Spec{Path: worker, Level: Maximum, Memory: 256 << 20, Audit: told.add}
	w := mustStart(t, spec)
	names, err := w.Do(t.Context(), []byte("attacks"), Handlers{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Split(string(names), "\n") {
		got, err := w.Do(t.Context(), []byte("attack "+name), Handlers{})
		list := told.take()
		if cause := causeOf(t, name); name == "x32" || cause != Syscall {
			if !endedBy(err, cause) {
				t.Errorf("%s: %q, %v", name, got, err)
			}
			w = mustStart(t, spec)
			continue
		}
		if err != nil || string(got) != "survived: operation not permitted" || len(list) == 0 {
			t.Errorf("%s: %q, %v, told of %v", name, got, err, list)
		}
	}
}

// TestAuditTells: what is told of a call.
func TestAuditTells(t *testing.T) {
	var told refusals
	w := mustStart(t, Spec{Path: worker, Level: Maximum, Audit: told.add})
	for attack, want := range map[string]audit.Refusal{
		"openat":      {Call: "openat", Path: "/etc/passwd"},
		"execve":      {Call: "execve", Path: "/etc/passwd"},
		"socket inet": {Call: "socket", Args: [6]uint64{2, 1}},
		"mount":       {Call: "mount", Path: "/etc/passwd"},
		"number 600":  {Number: 600},
	} {
		if _, err := w.Do(t.Context(), []byte("attack "+attack), Handlers{}); err != nil {
			t.Fatalf("%s: %v", attack, err)
		}
		list := told.take()
		found := slices.ContainsFunc(list, func(r audit.Refusal) bool {
			return r.Call == want.Call && r.Path == want.Path && r.Thread > 0 &&
				(want.Number == 0 || r.Number == want.Number) && (want.Args == [6]uint64{} || r.Args == want.Args)
		})
		if !found {
			t.Errorf("%s: told of %+v, want %+v", attack, list, want)
		}
	}
}

// TestAuditEnds: a slow audit holds up the call and nothing else, and the end of the worker
// is not held up by one that never returns.
func TestAuditEnds(t *testing.T) {
	stuck, asked := make(chan bool), make(chan bool, 1)
	defer close(stuck)
	w := mustStart(t, Spec{Path: worker, Level: Maximum, Audit: func(audit.Refusal) { asked <- true; <-stuck }})
	done := make(chan error, 1)
	go func() {
		_, err := w.Do(t.Context(), []byte("attack openat"), Handlers{})
		done <- err
	}()
	<-asked
	w.Close()
	select {
	case err := <-done:
		if d, ok := errors.AsType[*DeathError](err); !ok || d.Cause != HostClosed {
			t.Errorf("the job ended with %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Error("the worker does not end while the audit is asked")
	}
}

// TestAuditNeedsFilter: without the filter there is no audit, and no worker.
func TestAuditNeedsFilter(t *testing.T) {
	w, err := Start(t.Context(), Spec{Path: worker, Level: Bare, Audit: func(audit.Refusal) {}})
	if lack, ok := errors.AsType[*MissingError](err); !ok || lack.Layers[0].Name != posture.Seccomp {
		t.Errorf("got %v, %v", w, err)
	}
}

// TestAuditFails: an audit that panics, or ends its goroutine, ends the worker, of which nobody would be told any
// more, and not the host.
func TestAuditFails(t *testing.T) {
	for name, audit := range map[string]func(audit.Refusal){
		"panics": func(audit.Refusal) { panic("of the audit") }, "ends its goroutine": func(audit.Refusal) { runtime.Goexit() },
	} {
		w := mustStart(t, Spec{Path: worker, Level: Maximum, Audit: audit})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // else the call waits for ever
		defer cancel()
		got, err := w.Do(ctx, []byte("attack openat"), Handlers{})
		if d, ok := errors.AsType[*DeathError](err); !ok || !strings.Contains(d.Error(), "audit") || ctx.Err() != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
