//go:build linux

package isolate

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// handed is a spec with a directory that has a file, a directory and links that lead out of it,
// to a file that anybody may read.
func handed(t *testing.T) Spec {
	t.Helper()
	base := t.TempDir()
	for _, dir := range []string{"dir/sub", "outside"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"dir/in.txt": "inside", "dir/sub/deep.txt": "deep", "outside/secret.txt": "secret"} {
		if err := os.WriteFile(filepath.Join(base, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"linkfile": "../outside/secret.txt", "linkdir": "../outside"} {
		if err := os.Symlink(to, filepath.Join(base, "dir", name)); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := os.Open(filepath.Join(base, "dir"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return Spec{Path: worker, Level: Maximum, Memory: 256 << 20, Dirs: []*os.File{dir}}
}

// TestHanded: a worker reads files beneath a directory that it was handed, at each level and
// however it was started, and nothing else; one that was not handed any opens none.
func TestHanded(t *testing.T) {
	spec := handed(t)
	bySpawner(t, spec)
	for _, level := range levels {
		t.Run(string(level), func(t *testing.T) {
			spec.Level = level
			w := mustStart(t, spec)
			for name, want := range map[string]string{"in.txt": "inside", "sub/deep.txt": "deep"} {
				if got, err := w.Do(t.Context(), []byte("read "+name), Handlers{}); string(got) != want || err != nil {
					t.Errorf("%s: %q, %v", name, got, err)
				}
			}
			for _, name := range []string{"linkfile", "linkdir/secret.txt"} {
				if got, err := w.Do(t.Context(), []byte("read "+name), Handlers{}); err == nil {
					t.Errorf("%s: %q", name, got)
				}
			}
		})
	}
	without := mustStart(t, Spec{Path: worker, Level: Maximum})
	if _, err := without.Do(t.Context(), []byte("dir refused: root"), Handlers{}); !isDeath(err, Syscall) {
		t.Errorf("without a directory: %v", err)
	}
}

// TestHandedPosture: a worker with a directory is held as one without, but for its descriptors,
// and says what it has.
func TestHandedPosture(t *testing.T) {
	spec := handed(t)
	w := directly(t, spec)
	want := promised(strconv.Itoa(nobody), "")
	want["descriptors"] = "0 /dev/null; 1 /dev/null; 2 pipe; 3 socket; 4 " + spec.Dirs[0].Name() + "; anon_inode; anon_inode"
	want["Max open files"] = "64 64"
	if diff := cmp.Diff(want, postureOf(t, w.Pid())); diff != "" {
		t.Error("promised (-) and seen (+):", diff)
	}
	said := map[string]string{}
	for _, l := range w.Status() {
		said[l.Name] = l.Reason
	}
	for name, want := range map[string]string{
		posture.Descriptors: "with 1 directories, 1 of which its user may read",
		posture.Landlock:    "but for reading beneath 1 directories",
		posture.Seccomp:     "with calls that open and read files",
	} {
		if said[name] != want {
			t.Errorf("%s: %q, not %q", name, said[name], want)
		}
	}
}

// TestHandedAttacks: whoever runs native code in a worker with a directory opens nothing outside
// of it, changes nothing in it, and is ended for each call that is not to read a file.
func TestHandedAttacks(t *testing.T) {
	spec := handed(t)
	names, err := mustStart(t, spec).Do(t.Context(), []byte("dirattacks"), Handlers{})
	if err != nil {
		t.Fatal(err)
	}
	list := strings.Split(string(names), "\n")
	if len(list) < 40 {
		t.Fatalf("only %d attacks", len(list))
	}
	for _, name := range list {
		w := mustStart(t, spec)
		got, err := w.Do(t.Context(), []byte("dir "+name), Handlers{})
		w.Close()
		refused := err == nil && string(got) != "survived: <nil>"
		if strings.HasPrefix(name, "refused: ") != refused || !refused && !isDeath(err, Syscall) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(spec.Dirs[0].Name(), "in.txt")); string(text) != "inside" || err != nil {
		t.Errorf("the file has become %q, %v", text, err)
	}
}

// TestHandedLandlock: it is Landlock that keeps a worker beneath its directory, and the filter
// that keeps it from writing: without either its attack goes through.
func TestHandedLandlock(t *testing.T) {
	for layer, attack := range map[string]string{posture.Landlock: "refused: beside", posture.Seccomp: "killed: path only"} {
		spec := handed(t)
		spec.AllowDegraded, spec.without = true, []string{layer}
		got, err := mustStart(t, spec).Do(t.Context(), []byte("dir "+attack), Handlers{})
		if string(got) != "survived: <nil>" || err != nil {
			t.Errorf("without %s: %q, %v", layer, got, err)
		}
	}
}

// TestHandedClosed: a directory that the worker's user may not read is none, and there are no more
// than there may be.
func TestHandedClosed(t *testing.T) {
	spec := handed(t)
	if os.Geteuid() == 0 { // the worker is nobody
		if err := spec.Dirs[0].Chmod(0o700); err != nil {
			t.Fatal(err)
		}
		w := mustStart(t, spec)
		if at := w.Status(); !contains(at, posture.Landlock) {
			t.Error(at)
		}
		if _, err := w.Do(t.Context(), []byte("dir refused: root"), Handlers{}); err != nil && !isDeath(err, Syscall) {
			t.Error(err)
		}
		for _, l := range w.Status() {
			if l.Name == posture.Descriptors && l.Reason != "with 1 directories, 0 of which its user may read" {
				t.Errorf("it says %q", l.Reason)
			}
		}
	}
	for len(spec.Dirs) <= MaxDirs {
		spec.Dirs = append(spec.Dirs, spec.Dirs[0])
	}
	if w, err := Start(t.Context(), spec); w != nil || err == nil || errors.Is(err, ErrWorker) {
		t.Errorf("%d directories: %v", len(spec.Dirs), err)
	}
}
