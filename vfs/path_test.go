package vfs

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/spf13/afero"
)

// TestNoPaths: what cannot be a path is none, before a file system is asked for it.
func TestNoPaths(t *testing.T) {
	f := view(t, Mem(), Options{})
	for name, path := range map[string]string{
		"empty":          "",
		"NUL":            "a\x00b",
		"a long name":    strings.Repeat("a", 256),
		"a long path":    strings.Repeat("a/", 2048),
		"deep":           strings.Repeat("a/", 201),
		"deep with dots": strings.Repeat("a/./", 201),
	} {
		if _, err := f.resolve(path); err == nil {
			t.Errorf("%s is a path", name)
		}
	}
	if at, err := f.resolve(strings.Repeat("a/", 199)); err != nil {
		t.Errorf("199 elements: %s, %v", at, err)
	}
}

// A counting file system counts how often it is asked what is at a path.
type counting struct {
	afero.Fs
	asked int
}

func (c *counting) Stat(name string) (os.FileInfo, error) {
	c.asked++
	return c.Fs.Stat(name)
}

// TestMkdirAllIsLinear: of a long path each element is looked at a few times, not once for each after it.
func TestMkdirAllIsLinear(t *testing.T) {
	base := &counting{Fs: Mem()}
	f := view(t, base, Options{})
	const elements = 150
	if err := f.MkdirAll(strings.Repeat("a/../", elements), 0o755); err != nil {
		t.Fatal(err)
	}
	if most := 10 * elements; base.asked > most {
		t.Errorf("asked %d times, want at most %d", base.asked, most)
	}
}

// TestMountStays: what is mounted is neither removed nor moved, and nothing is put over it.
func TestMountStays(t *testing.T) {
	base := Mem()
	if err := base.Mkdir("/way", 0o755); err != nil {
		t.Fatal(err)
	}
	f := view(t, Mount(base, "/way/data", Mem()), Options{})
	if err := f.Mkdir("/other", 0o755); err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"remove": f.Remove("/way/data"), "move": f.Rename("/way/data", "/moved"), "move over": f.Rename("/other", "/way/data"),
		"move the way": f.Rename("/way", "/moved"), "remove the way": f.RemoveAll("/way"),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if st, err := f.Stat("/way/data"); err != nil || !st.IsDir() {
		t.Errorf("it is gone: %v", err)
	}
}

// TestChargedFirst: memory for a file is asked for before any of it is read.
func TestChargedFirst(t *testing.T) {
	base := Mem()
	if err := afero.WriteFile(base, "/large", make([]byte, 1<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	f := view(t, base, Options{})
	errFull := errors.New("full")
	f.Charge = func(n int64) {
		if n >= 1<<20 {
			panic(errFull)
		}
	}
	defer func() {
		if got := recover(); got != errFull {
			t.Errorf("it ended with %v", got)
		}
	}()
	_, err := f.ReadFile("large")
	t.Errorf("it was read without asking: %v", err)
}

// TestEmptiedByReader: a file that is opened to be read and emptied is empty, so that what is given
// back of the quota is free.
func TestEmptiedByReader(t *testing.T) {
	for name, base := range implementations(t) {
		t.Run(name, func(t *testing.T) {
			vol, err := New(base, Options{})
			if err != nil {
				t.Fatal(err)
			}
			f := vol.FS()
			defer f.Close()
			if err := f.WriteFile("kept", make([]byte, 100), 0o644); err != nil {
				t.Fatal(err)
			}
			file, err := f.OpenFile("kept", os.O_RDONLY|os.O_TRUNC, 0)
			if err != nil {
				t.Fatal(err)
			}
			st, err := file.Stat()
			if used, _ := vol.Used(); err != nil || st.Size() != 0 || used != 0 {
				t.Errorf("%d bytes, %d of the quota, %v", st.Size(), used, err)
			}
		})
	}
}

// TestDeepLayer: to find a path a layer asks about each element a few times, not once for each after it, however deep
// the path is.
func TestDeepLayer(t *testing.T) {
	for _, depth := range []int{50, 200} {
		mem := Mem()
		deep := strings.Repeat("/d", depth)
		if err := mem.MkdirAll(deep, 0o755); err != nil {
			t.Fatal(err)
		}
		base := &lstats{Fs: mem}
		l, err := NewLayer(base)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.upper.MkdirAll(deep, 0o755); err != nil {
			t.Fatal(err)
		}
		upper := &lstats{Fs: l.upper}
		l.upper, base.asked = upper, 0
		if st, err := l.Stat(deep); err != nil || !st.IsDir() || base.asked+upper.asked > 5*depth {
			t.Errorf("%d deep: %v, asked %d and %d times", depth, err, base.asked, upper.asked)
		}
	}
}

// TestDeepDirs: a layer that makes directories looks at each of them a few times too.
func TestDeepDirs(t *testing.T) {
	for _, depth := range []int{50, 200} {
		mem := Mem()
		deep := strings.Repeat("/d", depth)
		if err := mem.MkdirAll(deep, 0o755); err != nil {
			t.Fatal(err)
		}
		base := &lstats{Fs: mem}
		l, err := NewLayer(base)
		if err != nil {
			t.Fatal(err)
		}
		upper := &lstats{Fs: l.upper}
		for at, most := range map[string]int{deep + deep: 4 * depth * depth, strings.Repeat("/new", depth): 8 * depth} {
			l.reset()
			upper.Fs = l.upper
			l.upper, base.asked, upper.asked = upper, 0, 0
			if err := l.MkdirAll(at, 0o755); err != nil {
				t.Fatal(err)
			}
			if n := base.asked + upper.asked; n > most {
				t.Errorf("%d deep: asked %d and %d times, want at most %d", depth, base.asked, upper.asked, most)
			}
			if st, err := l.Stat(at); err != nil || !st.IsDir() {
				t.Errorf("%d deep: %v", depth, err)
			}
		}
	}
}

// lstats counts how often it is asked what is at a path.
type lstats struct {
	afero.Fs
	asked int
}

func (l *lstats) LstatIfPossible(name string) (os.FileInfo, bool, error) {
	l.asked++
	return l.Fs.(afero.Lstater).LstatIfPossible(name)
}
