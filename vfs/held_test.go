package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/afero"
)

// TestHeldOpen: bytes of a file that has no name any more count while it is open.
func TestHeldOpen(t *testing.T) {
	for how, lose := range map[string]func(f *FS, name string) error{
		"removed": (*FS).Remove, "removed with its directory": func(f *FS, name string) error { return f.RemoveAll("d") },
		"replaced": func(f *FS, name string) error {
			return errors.Join(f.WriteFile("other", nil, 0o600), f.Rename("other", name))
		},
		"moved and removed": func(f *FS, name string) error {
			return errors.Join(f.Rename("d", "e"), f.Remove("e/f"), f.Remove("e"))
		},
	} {
		for name, base := range implementations(t) {
			t.Run(how+"/"+name, func(t *testing.T) {
				vol, err := New(base, Options{Quota: Quota{Bytes: 1000}})
				if err != nil {
					t.Fatal(err)
				}
				f, held := vol.FS(), []*File{}
				defer f.Close()
				for range 3 {
					if err := f.MkdirAll("d", 0o755); err != nil {
						t.Fatal(err)
					}
					file, err := f.Create("d/f")
					if err != nil {
						t.Fatal(err)
					}
					held = append(held, file)
					again, err := f.Open("d/f")
					if err != nil {
						t.Fatal(err)
					}
					held = append(held, again)
					if _, err := file.Write(make([]byte, 400)); err != nil {
						t.Logf("%v", err)
					}
					if err := lose(f, "d/f"); err != nil {
						t.Fatal(err)
					}
				}
				if used, _ := vol.Used(); used != 1000 { // of the third write 200 bytes fit
					t.Errorf("%d bytes used", used)
				}
				if err := held[4].Truncate(100); err != nil {
					t.Error(err)
				}
				if _, err := held[0].WriteAt(make([]byte, 100), 400); err != nil {
					t.Error(err)
				}
				for i, want := range []int64{1000, 500, 500, 100, 100, 0} {
					if err := held[i].Close(); err != nil {
						t.Error(err)
					}
					if used, _ := vol.Used(); used != want {
						t.Errorf("%d bytes used with %d closed, not %d", used, i+1, want)
					}
				}
			})
		}
	}
}

// late opens files when it may.
type late struct {
	afero.Fs
	asked, may chan struct{}
}

func (l *late) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	if name == "/late" {
		close(l.asked)
		<-l.may
	}
	return l.Fs.OpenFile(name, flag, perm)
}

// TestOpenedLate: a run is over while a file system of the host's opens a file for it.
func TestOpenedLate(t *testing.T) {
	base := &late{Mem(), make(chan struct{}), make(chan struct{})}
	vol, err := New(base, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f, opened := vol.FS(), make(chan error)
	go func() {
		_, err := f.Create("/late")
		opened <- err
	}()
	<-base.asked
	f.Close()
	close(base.may)
	if err := <-opened; !errors.Is(err, fs.ErrClosed) {
		t.Errorf("it was opened for nobody: %v", err)
	}
	if len(vol.open) != 0 || f.opening != 0 {
		t.Errorf("%d open, %d opening", len(vol.open), f.opening)
	}
}

// TestNothingMinted: what several do at a time gives no more of the quota back than was taken.
func TestNothingMinted(t *testing.T) {
	vol, err := New(pausing{Mem()}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := vol.FS()
	defer f.Close()
	for what, do := range map[string]func(i int) error{
		"emptied":  func(int) error { return f.WriteFile("/f", nil, 0o600) },
		"replaced": func(i int) error { return f.Rename(fmt.Sprint("/", i), "/f") },
	} {
		for name, n := range map[string]int{"/kept": 1000, "/f": 1000, "/0": 0, "/1": 0} {
			if err := f.WriteFile(name, make([]byte, n), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var both sync.WaitGroup
		for i := range 2 {
			both.Go(func() {
				if err := do(i); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		if used, _ := vol.Used(); used != 1000 {
			t.Errorf("%s: %d bytes used", what, used)
		}
		if err := errors.Join(f.RemoveAll("/0"), f.RemoveAll("/1"), f.Remove("/f"), f.Remove("/kept")); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAppendAtOnce: who appends to a file at the same time as others overwrites nothing.
func TestAppendAtOnce(t *testing.T) {
	for name, base := range implementations(t) {
		if strings.Contains(name, "host") {
			continue // it appends where it was told to be
		}
		f := view(t, base, Options{})
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				file, err := f.OpenFile("log", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
				if err != nil {
					t.Error(err)
					return
				}
				defer file.Close()
				for range 500 {
					if _, err := file.WriteString("line\n"); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
		if data, err := f.ReadFile("log"); strings.Count(string(data), "line\n") != 2000 {
			t.Errorf("%s: %d bytes, %v", name, len(data), err)
		}
	}
}

// TestOpenFlags: a file system is not handed flags that scripts have no names for.
func TestOpenFlags(t *testing.T) {
	base := &flagged{Fs: Mem()}
	f := view(t, base, Options{})
	for flag := 1; flag > 0 && flag < 1<<30; flag <<= 1 {
		if file, err := f.OpenFile("/f", flag|os.O_CREATE|os.O_RDWR, 0o600); err == nil {
			file.Close()
		}
	}
	if more := base.flags &^ openFlags; more != 0 || base.flags == 0 {
		t.Errorf("flags %#x, %#x of them not package os's", base.flags, more)
	}
}

type flagged struct {
	afero.Fs
	flags int
}

func (f *flagged) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	f.flags |= flag
	return f.Fs.OpenFile(name, flag, perm)
}

// pausing lets others look before it changes anything.
type pausing struct{ afero.Fs }

func (p pausing) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	p.pause()
	return p.Fs.OpenFile(name, flag, perm)
}

func (p pausing) Rename(from, to string) error {
	p.pause()
	return p.Fs.Rename(from, to)
}

func (p pausing) pause() {
	for range 1000 {
		runtime.Gosched()
	}
}

// TestShrinksApart: a file system of the host's that does not come back from one file is in nobody's way at
// another.
func TestShrinksApart(t *testing.T) {
	base := &late{Mem(), make(chan struct{}), make(chan struct{})}
	for _, name := range []string{"/late", "/other"} {
		if err := afero.WriteFile(base.Fs, name, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, done := view(t, base, Options{}), make(chan error)
	go func() { done <- f.WriteFile("/late", nil, 0o600) }()
	<-base.asked
	if err := errors.Join(f.WriteFile("/other", nil, 0o600), f.Truncate("/other", 0), f.Rename("/other", "/new"), f.Remove("/new")); err != nil {
		t.Error(err)
	}
	close(base.may)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// stranger tells nobody that a file is itself.
type stranger struct {
	fs.FileInfo
	of *int
}

func (s stranger) Same(other fs.FileInfo) bool { o, ok := other.(stranger); return ok && o.of == s.of }

type strangers struct{ afero.Fs }

func (s strangers) LstatIfPossible(name string) (fs.FileInfo, bool, error) {
	st, err := s.Fs.Stat(name)
	return stranger{st, new(int)}, true, err
}

// TestShrinksStranger: a file that seems to be another one each time is removed.
func TestShrinksStranger(t *testing.T) {
	base := strangers{Mem()}
	if err := afero.WriteFile(base, "/f", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, done := view(t, base, Options{}), make(chan error, 1)
	go func() { done <- f.Remove("/f") }()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it is looked for for ever")
	}
}
