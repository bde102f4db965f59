package isolate

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// TestNoFilterOfItsOwn: a worker that leaves out its filter and says that it has it is refused, also where
// it has that of its spawner.
func TestNoFilterOfItsOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "worker")
	if out, err := buildWorker(path, posture.Seccomp, "CGO_ENABLED=0"); err != nil {
		t.Fatalf("%s", out)
	}
	for _, way := range []struct {
		name  string
		start func(*testing.T, Spec) *Worker
		shown string // of a thread by the kernel
	}{{"direct", directly, "has Seccomp"}, {"spawner", bySpawner, "has Seccomp_filters 1"}} {
		t.Run(way.name, func(t *testing.T) {
			spec := Spec{Path: worker, Level: Maximum}
			way.start(t, spec).Close() // and so is the next one started
			spec.Path = path
			w, err := Start(t.Context(), spec)
			lack, ok := errors.AsType[*MissingError](err)
			if !ok {
				if err == nil {
					defer w.Close()
				}
				t.Fatalf("it is no lack: %v", err)
			}
			if len(lack.Layers) != 1 || lack.Layers[0].Name != posture.Seccomp || !strings.Contains(lack.Layers[0].Reason, way.shown) {
				t.Errorf("%v", lack)
			}
			spec.AllowDegraded = true
			w = mustStart(t, spec)
			if !contains(w.Status(), posture.Seccomp) || missing(w.Status()) != posture.Seccomp {
				t.Errorf("its status: %v", w.Status())
			}
		})
	}
}

// missing are the names of the layers that are.
func missing(list []posture.Layer) string {
	names := []string{}
	for _, l := range list {
		if l.State == posture.Missing {
			names = append(names, l.Name)
		}
	}
	return strings.Join(names, " ")
}

// TestFiltersNotCounted: where the kernel does not count the filters of a thread nobody knows whether a
// worker has its own, and so it has none.
func TestFiltersNotCounted(t *testing.T) {
	w := mustStart(t, Spec{Path: worker, Level: Maximum})
	if err := checks[posture.Seccomp](w.proc.look()); err != nil {
		t.Error(err)
	}
	uncounted := func() *seen {
		s := w.proc.look()
		for i, its := range s.threads {
			s.threads[i] = status(strings.ReplaceAll(string(its), "Seccomp_filters:", "Other:"))
		}
		return s
	}
	if err := checks[posture.Seccomp](uncounted()); err == nil {
		t.Error("a worker of which that is not known has its own")
	}
	w.proc.filters = filtersOf("Name:\tx\nSeccomp:\t2\n")
	if err := checks[posture.Seccomp](w.proc.look()); err == nil {
		t.Error("one that began with nobody knows how many has its own")
	}
	if err := checks[posture.Seccomp](uncounted()); err == nil {
		t.Error("one has its own of which both are not known, as with a kernel that counts none")
	}
}
