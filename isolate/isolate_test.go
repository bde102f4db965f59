//go:build linux

package isolate

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	_ "github.com/sandtrap-go/sandtrap/isolate/confine" // what is tested is in another program
)

// worker is the executable of testdata/worker, built without C.
var worker string

func TestMain(m *testing.M) {
	if worker = os.Getenv("ISOLATE_TEST_WORKER"); worker != "" {
		if os.Getenv("ISOLATE_TEST_HOST") != "" {
			hostMain()
		}
		code := m.Run()
		rest()
		os.Exit(code)
	}
	dir, err := os.MkdirTemp("", "isolate")
	if err != nil {
		panic(err)
	}
	os.Chmod(dir, 0o755)
	worker = filepath.Join(dir, "worker")
	if out, err := buildWorker(worker, "", "CGO_ENABLED=0"); err != nil {
		panic(string(out))
	}
	code := m.Run()
	rest()
	os.RemoveAll(dir)
	os.Exit(code)
}

// buildWorker builds the worker of these tests, which leaves out a layer and says that it has it; none if
// that is empty.
func buildWorker(to, without string, env ...string) ([]byte, error) {
	build := exec.Command("go", "build", "-ldflags", "-X main.without="+without, "-o", to, "./testdata/worker")
	build.Env = append(os.Environ(), env...)
	return build.CombinedOutput()
}

func TestJobs(t *testing.T) {
	for _, level := range levels {
		t.Run(string(level), func(t *testing.T) {
			w := mustStart(t, Spec{Path: worker, Level: level, Memory: 256 << 20})
			for range 3 {
				got, err := w.Do(t.Context(), []byte("echo hello"), Handlers{})
				if string(got) != "hello" || err != nil {
					t.Fatalf("got %q, %v", got, err)
				}
			}
			for _, l := range w.Status() {
				t.Log(l.Name, l.State, l.Reason)
			}
		})
	}
}

// TestLinkedWithC: a worker that is linked with C starts each time: no thread is still on its way
// when the filter comes.
func TestLinkedWithC(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	path := filepath.Join(t.TempDir(), "worker")
	if out, err := buildWorker(path, "", "CGO_ENABLED=1"); err != nil {
		t.Skipf("there is no C compiler: %s", out)
	}
	for range 20 {
		w := mustStart(t, Spec{Path: path, Level: Maximum, Memory: 256 << 20})
		if got, err := w.Do(t.Context(), []byte("echo hello"), Handlers{}); string(got) != "hello" || err != nil {
			t.Fatalf("got %q, %v", got, err)
		}
		w.Close()
	}
}

// lacking skips a test for layers that this machine does not have, by what the kernel says. Where
// SANDTRAP_KERNEL_TESTS is "required" that is a failure.
func lacking(t testing.TB, err error) {
	t.Helper()
	lack, ok := errors.AsType[*MissingError](err)
	if !ok || os.Getenv("SANDTRAP_KERNEL_TESTS") == "required" {
		return
	}
	if len(lack.Layers) == 0 {
		t.Fatalf("nothing is lacking, but %v", lack)
	}
	for _, layer := range lack.Layers {
		if machine.Lacks(layer.Name) == "" {
			t.Fatalf("this machine can: %s, but %v", layer.Name, lack)
		}
	}
	t.Skip("this machine cannot: ", lack)
}

// cannotBe skips a test for what this machine lacks, by what the kernel says, and fails it where
// the machine does not.
func cannotBe(t testing.TB, what, lacks string) {
	t.Helper()
	if lacks == "" {
		t.Fatalf("this machine can: %s, but the worker is without", what)
	}
	t.Skipf("this machine cannot: %s: %s", what, lacks)
}

func mustStart(t *testing.T, spec Spec) *Worker {
	t.Helper()
	w, err := Start(t.Context(), spec)
	lacking(t, err)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

func TestDeaths(t *testing.T) {
	for _, tc := range []struct {
		job  string
		want Cause
	}{
		{"open /etc/passwd", Syscall},
		{"eat", OutOfMem},
		{"panic", Crashed},
		{"spin", Killed},
	} {
		t.Run(tc.job, func(t *testing.T) {
			w := mustStart(t, Spec{Path: worker, Level: Maximum, Memory: 128 << 20})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if tc.want == Killed { // the others end by themselves, however slow the machine is
				time.AfterFunc(time.Second, cancel)
			}
			_, err := w.Do(ctx, []byte(tc.job), Handlers{})
			d, ok := errors.AsType[*DeathError](err)
			if !ok || d.Cause != tc.want || !errors.Is(err, ErrWorker) {
				t.Errorf("got %v, want %s", err, tc.want)
			}
			if tc.want == Syscall && !strings.HasPrefix(d.Text, "SIGSYS: ") {
				t.Errorf("the signal is not told: %s", d.Text)
			}
		})
	}
}
