package isolate

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// TestDisks: a directory is on a disk, on the whole one that its part belongs to, or on none.
func TestDisks(t *testing.T) {
	dir, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	var st unix.Stat_t
	if err := unix.Fstat(int(dir.Fd()), &st); err != nil {
		t.Fatal(err)
	}
	number := fmt.Sprintf("%d:%d", unix.Major(st.Dev), unix.Minor(st.Dev))
	for _, tc := range []struct {
		name  string
		files []string // of the part, which the number stands for
		want  string   // "" for an error
	}{
		{"whole", []string{"dev"}, number},
		{"part", []string{"dev", "partition"}, "254:0"},
		{"none", nil, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			sys := t.TempDir()
			its := filepath.Join(sys, "disk", "its")
			err := errors.Join(os.MkdirAll(its, 0o755), os.WriteFile(filepath.Join(sys, "disk", "dev"), []byte("254:0\n"), 0o644))
			for _, file := range tc.files {
				err = errors.Join(err, os.WriteFile(filepath.Join(its, file), []byte("1\n"), 0o644))
			}
			if tc.files != nil {
				err = errors.Join(err, os.Symlink("disk/its", filepath.Join(sys, number)))
			}
			if err != nil {
				t.Fatal(err)
			}
			got, err := disks(sys, []*os.File{dir, dir})
			if strings.Join(got, " ") != tc.want || (err == nil) != (tc.want != "") {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
}

// TestRates: each disk has a line, and a group that is used again for other disks has none for those of before.
func TestRates(t *testing.T) {
	b := bounds{reads: 5, disks: "7:0 8:16"}
	for _, h := range hierarchies {
		for _, s := range h.settings {
			if s.controller != posture.IO {
				continue
			}
			value, none := strings.Split(s.value(b), "\n"), strings.Split(s.none(b), "\n")
			for n, disk := range []string{"7:0 ", "8:16 "} {
				if len(value) != 2 || !strings.HasPrefix(value[n], disk) || !strings.HasSuffix(value[n], "5") || len(none) != 2 || !strings.HasPrefix(none[n], disk) || strings.HasSuffix(none[n], "5") {
					t.Errorf("%s: %q, and for none %q", s.file, value, none)
				}
			}
		}
	}
	tree := fakeTree(t, "0::/\n", "|memory io|memory io")
	g, err := tree.makeGroup(version2, bounds{memory: 1 << 20, reads: 5, disks: "7:0"})
	if err != nil || !strings.Contains(g.holds(), posture.IO) {
		t.Fatalf("%q, %v", g.holds(), err)
	}
	file := filepath.Join(g.parts[0].dir, "io.max")
	if err := os.WriteFile(file, nil, 0o644); err != nil { // a kernel that does not take the line
		t.Fatal(err)
	}
	if strings.Contains(g.holds(), posture.IO) {
		t.Error("what the kernel does not show is held")
	}
}

// TestReadRate: a worker reads no faster below a directory than it may, however it was started, and says
// what holds it; where that cannot be held there is no worker.
func TestReadRate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; the plain command runs it")
	}
	const size, rate = 2 << 20, 1 << 20
	spec := handed(t)
	spec.ReadRate = rate
	if why := machine.ReadRate(spec.Dirs[0].Name()); why != "" {
		t.Skip("this machine cannot: ", why)
	}
	big, err := os.Create(filepath.Join(spec.Dirs[0].Name(), "big"))
	if err != nil {
		t.Fatal(err)
	}
	defer big.Close()
	_, err = big.Write(make([]byte, size))
	if err := errors.Join(err, big.Sync()); err != nil {
		t.Fatal(err)
	}
	for _, start := range []func(*testing.T, Spec) *Worker{directly, bySpawner} {
		w := start(t, spec)
		if at := slices.IndexFunc(w.Status(), func(l posture.Layer) bool { return l.Name == posture.IO }); at < 0 || w.Status()[at].State != posture.Applied {
			t.Fatalf("%+v", w.Status())
		}
		if err := unix.Fadvise(int(big.Fd()), 0, 0, unix.FADV_DONTNEED); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if got, err := w.Do(t.Context(), []byte("read big"), Handlers{}); len(got) != size || err != nil {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
		if took := time.Since(began); took < size/rate*time.Second*3/4 {
			t.Errorf("%d bytes took %v", size, took)
		}
		w.Close()
	}
	spec.Dirs = []*os.File{open(t, "/proc")} // on no disk
	w, err := Start(t.Context(), spec)
	if lack, ok := err.(*MissingError); !ok || w != nil || len(lack.Layers) != 1 || lack.Layers[0].Name != posture.IO {
		t.Errorf("on no disk: %v, %v", w, err)
	}
}

func open(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}
