package vfs

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/afero"
)

// swapped are operations on what is beneath d, which leads inside at one moment and outside at the next.
var swapped = map[string]func(f afero.Fs) error{
	"rename out":    func(f afero.Fs) error { return f.Rename("d/f", "taken") },
	"rename in":     func(f afero.Fs) error { return f.Rename("mine", "d/mine") },
	"rename over":   func(f afero.Fs) error { return f.Rename("mine", "d/f") },
	"rename itself": func(f afero.Fs) error { return f.Rename("d", "d2") },
	"remove":        func(f afero.Fs) error { return f.Remove("d/f") },
	"remove all":    func(f afero.Fs) error { return f.RemoveAll("d/tree") },
	"remove it all": func(f afero.Fs) error { return f.RemoveAll("d/.") },
	"mkdir":         func(f afero.Fs) error { return f.Mkdir("d/made", 0o777) },
	"mkdir all":     func(f afero.Fs) error { return f.MkdirAll("d/made/more", 0o777) },
	"create":        func(f afero.Fs) error { return closed(f.Create("d/new")) },
	"truncate":      func(f afero.Fs) error { return closed(f.OpenFile("d/f", os.O_WRONLY|os.O_TRUNC, 0)) },
	"chmod":         func(f afero.Fs) error { return f.Chmod("d/f", 0o777) },
	"chmod it":      func(f afero.Fs) error { return f.Chmod("d", 0o700) },
	"chtimes":       func(f afero.Fs) error { return f.Chtimes("d/f", time.Unix(1, 0), time.Unix(1, 0)) },
	"link": func(f afero.Fs) error {
		return f.(afero.Linker).SymlinkIfPossible("f", "d/link")
	},
	"walk": func(f afero.Fs) error {
		return afero.Walk(f, "d/", func(path string, _ fs.FileInfo, _ error) error {
			if filepath.Base(path) == "secret" {
				return errSecret
			}
			return nil
		})
	},
	"read": func(f afero.Fs) error {
		if text, err := afero.ReadFile(f, "d/f"); err == nil && string(text) == "secret" {
			return errSecret
		} else if err != nil {
			return err
		}
		return nil
	},
	"readlink": func(f afero.Fs) error {
		target, err := f.(afero.LinkReader).ReadlinkIfPossible("d")
		if err == nil && filepath.IsAbs(target) {
			return errSecret
		}
		return err
	},
	"stat": func(f afero.Fs) error {
		if st, err := f.Stat("d/f"); err != nil {
			return err
		} else if st.Size() == int64(len("secret")) {
			return errSecret
		}
		return nil
	},
}

var errSecret = fmt.Errorf("it shows what is outside")

func closed(f afero.File, err error) error {
	if err == nil {
		err = f.Close()
	}
	return err
}

// TestSwapEveryOperation: whatever another process does to the links and directories on the way, no operation shows
// or changes what is outside.
func TestSwapEveryOperation(t *testing.T) {
	for name, do := range swapped {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSwapping(t)
			defer s.stop()
			inside := 0
			tries := 0
			for ; tries < swapTries() || inside == 0 && tries < 40*swapTries(); tries++ { // on a busy machine few are done
				s.refill(t)
				err := do(s.fs)
				if err == errSecret {
					t.Fatalf("try %d: %v", tries, err)
				}
				if err == nil {
					inside++
				}
				s.check(t)
			}
			if inside == 0 {
				t.Error("none was done: the race tests nothing")
			}
			t.Logf("%d of %d were done", inside, tries)
		})
	}
}

func swapTries() int {
	if testing.Short() {
		return 50
	}
	return 1000
}

// A swapping is a directory in which d is now a directory of it, now a link inside, now one that leads out.
type swapping struct {
	fs            afero.Fs
	root, outside string
	was           string // what outside is like
	done          atomic.Bool
	group         sync.WaitGroup
}

func newSwapping(t *testing.T) *swapping {
	s := &swapping{root: t.TempDir(), outside: t.TempDir()}
	for path, text := range map[string]string{"f": "secret", "secret": "x", "tree/secret": "x"} {
		path = filepath.Join(s.outside, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	base, err := Dir(s.root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { base.(io.Closer).Close() })
	s.fs = base
	s.was = likeness(t, s.outside)
	d, next := filepath.Join(s.root, "d"), filepath.Join(s.root, "next")
	s.group.Go(func() {
		for i := 0; !s.done.Load(); i++ {
			_ = os.RemoveAll(next)
			switch i % 3 {
			case 0:
				_ = os.Symlink("real", next)
			case 1:
				_ = os.Symlink(s.outside, next)
			case 2:
				_ = os.MkdirAll(filepath.Join(next, "tree"), 0o755)
				_ = os.WriteFile(filepath.Join(next, "f"), []byte("inside!"), 0o644)
				_ = os.RemoveAll(d) // a link makes no room for a directory
			}
			if os.Rename(next, d) != nil {
				_ = os.RemoveAll(d)
				_ = os.Rename(next, d)
			}
		}
	})
	return s
}

// refill puts what operations take away.
func (s *swapping) refill(t *testing.T) {
	if err := os.RemoveAll(filepath.Join(s.root, "d2")); err != nil {
		t.Fatal(err)
	}
	real := filepath.Join(s.root, "real")
	if err := os.MkdirAll(filepath.Join(real, "tree"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(real, "f"), filepath.Join(s.root, "mine")} {
		if err := os.WriteFile(path, []byte("inside!"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *swapping) check(t *testing.T) {
	t.Helper()
	if is := likeness(t, s.outside); is != s.was {
		t.Fatalf("outside is\n%s, and was\n%s", is, s.was)
	}
}

func (s *swapping) stop() {
	s.done.Store(true)
	s.group.Wait()
}

// likeness is all of a tree: names, modes, times and contents.
func likeness(t *testing.T, dir string) (text string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		text += fmt.Sprintln(path, st.Mode(), st.Size(), st.ModTime().UnixNano())
		if st.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text += string(data) + "\n"
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}
