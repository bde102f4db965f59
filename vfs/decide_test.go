package vfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/afero"
)

// keepsSecret refuses whatever is below /secret.
func keepsSecret(o Operation) error {
	if strings.HasPrefix(o.Path+"/", "/secret/") || o.Op.Two() && strings.HasPrefix(o.To+"/", "/secret/") {
		return &Refused{"it is secret"}
	}
	runtime.Gosched() // as an approver would
	return nil
}

// decided are operations on what is below d, which leads to /allowed or to /secret. They return an error of errSecret if they got at
// a secret.
var decided = map[string]func(f *FS) error{
	"read": func(f *FS) error {
		text, err := f.ReadFile("/d/f")
		if strings.Contains(string(text), "secret") {
			return errSecret
		}
		return err
	},
	"list": func(f *FS) error {
		list, err := f.ReadDir("/d/list")
		for _, e := range list {
			if strings.Contains(e.Name(), "secret") {
				return errSecret
			}
		}
		return err
	},
	"write":      func(f *FS) error { return f.WriteFile("/d/f", []byte("allowed"), 0o600) },
	"append":     func(f *FS) error { return closed(f.OpenFile("/d/a", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)) },
	"truncate":   func(f *FS) error { return f.Truncate("/d/f", 3) },
	"create":     func(f *FS) error { return closed(f.OpenFile("/d/new", os.O_CREATE|os.O_RDWR, 0o600)) },
	"mkdir":      func(f *FS) error { return f.Mkdir("/d/dir", 0o700) },
	"mkdir all":  func(f *FS) error { return f.MkdirAll("/d/x/y", 0o700) },
	"remove":     func(f *FS) error { return f.Remove("/d/gone") },
	"remove all": func(f *FS) error { return f.RemoveAll("/d/tree") },
	"rename":     func(f *FS) error { return f.Rename("/d/mine", "/allowed/taken") },
	"rename in":  func(f *FS) error { return f.Rename("/mine", "/d/in") },
	"link":       func(f *FS) error { return f.Symlink("f", "/d/link") },
	"chmod":      func(f *FS) error { return f.Chmod("/d/f", 0o640) },
	"chtimes":    func(f *FS) error { return f.Chtimes("/d/f", time.Unix(5, 0), time.Unix(5, 0)) },
}

// looks are those that change nothing.
var looks = map[string]bool{"read": true, "list": true}

// refillDecided makes what the operations use up, and takes away what they made: in /allowed, and in /own where it is there.
func refillDecided(base afero.Fs) {
	_ = afero.WriteFile(base, "/mine", []byte("allowed"), 0o600)
	for _, dir := range []string{"/allowed", "/own"} {
		if _, err := base.Stat(dir); err != nil {
			continue
		}
		_ = base.Mkdir(dir+"/tree", 0o700)
		_ = base.Mkdir(dir+"/list", 0o700)
		for _, at := range []string{"/gone", "/mine", "/f", "/a", "/tree/a", "/list/a"} {
			if _, err := base.Stat(dir + at); err != nil {
				_ = afero.WriteFile(base, dir+at, []byte("allowed"), 0o600)
			}
		}
		for _, at := range []string{"/new", "/dir", "/x", "/in", "/link", "/taken"} {
			_ = base.RemoveAll(dir + at)
		}
	}
}

// secretState is all that is below /secret.
func secretState(t *testing.T, base afero.Fs) (text string) {
	t.Helper()
	err := afero.Walk(base, "/secret", func(at string, st fs.FileInfo, err error) error {
		if err != nil {
			return err
		}
		text += at + " " + st.Mode().String() + " " + st.ModTime().String()
		if st.Mode().IsRegular() {
			data, err := afero.ReadFile(base, at)
			text += " " + string(data)
			if err != nil {
				return err
			}
		}
		text += "\n"
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestDecideRace: an operation is done to the path that was decided, however a link in it changes at that time by the hands of
// others, who see the same files by another volume.
func TestDecideRace(t *testing.T) {
	for name, in := range racing(t) {
		t.Run(name, func(t *testing.T) {
			for _, dir := range []string{"/allowed", "/own", "/secret/list", "/secret/tree"} {
				if err := in.under.MkdirAll(dir, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for _, at := range []string{"f", "a", "gone", "mine", "tree/a", "list/secret"} {
				if err := afero.WriteFile(in.under, "/secret/"+at, []byte("secret"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			f := view(t, in.base, Options{Quota: Quota{Files: 1 << 30, Bytes: 1 << 40}})
			f.Decide = keepsSecret
			was := secretState(t, in.under)
			unchanged := func(what string) {
				t.Helper()
				if is := secretState(t, in.under); is != was {
					t.Fatalf("%s: the secrets are\n%s, and were\n%s", what, is, was)
				}
			}
			for what, do := range decided { // while nobody changes anything
				if in.looks && !looks[what] {
					continue
				}
				for _, to := range []string{"allowed", "own"} {
					refillDecided(in.under)
					in.swap(to)
					if err := do(f); err != nil {
						t.Errorf("%s: %s: %v", to, what, err)
					}
				}
				in.swap("secret")
				refillDecided(in.under)
				if err := do(f); !errors.Is(err, fs.ErrPermission) {
					t.Errorf("%s of a secret: %v", what, err)
				}
				unchanged(what)
			}
			var done atomic.Bool
			var swaps sync.WaitGroup
			defer swaps.Wait()
			defer done.Store(true)
			swaps.Go(func() {
				for i := 0; !done.Load(); i++ {
					in.swap([]string{"own", "secret", "own", "secret", "allowed", "secret"}[i%6])
				}
			})
			for what, do := range decided {
				tries := swapTries() / 10
				if looks[what] {
					tries = 2 * swapTries()
				} else if in.looks {
					continue
				}
				refillDecided(in.under)
				for range tries {
					if !looks[what] {
						refillDecided(in.under)
					}
					if err := do(f); errors.Is(err, errSecret) {
						t.Fatalf("%s got at a secret", what)
					}
				}
				unchanged(what)
			}
		})
	}
}

// TestDecideGrows: what comes into a tree while somebody decides about it is neither moved nor removed with it.
func TestDecideGrows(t *testing.T) {
	for name, do := range map[string]func(f *FS) error{
		"rename": func(f *FS) error { return f.Rename("/tree", "/moved") },
		"remove": func(f *FS) error { return f.RemoveAll("/tree") },
	} {
		t.Run(name, func(t *testing.T) {
			base := Mem()
			if err := base.Mkdir("/tree", 0o700); err != nil {
				t.Fatal(err)
			}
			f := view(t, base, Options{})
			asked := map[string]bool{}
			f.Decide = func(o Operation) error {
				if asked[o.Path] = true; o.Op != OpRemove {
					return nil
				}
				return afero.WriteFile(base, "/tree/late", []byte("late"), 0o600)
			}
			if err := do(f); err == nil || asked["/tree/late"] {
				t.Errorf("%v, asked %v", err, asked)
			}
			if text, err := afero.ReadFile(base, "/tree/late"); err != nil || string(text) != "late" {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}

// TestDecideNew: if somebody else makes a file while it is decided that it may be made, it is decided anew as one that is there; if
// somebody removes one that may be opened, as one that is made.
func TestDecideNew(t *testing.T) {
	base := Mem()
	f := view(t, base, Options{})
	var asked []Operation
	f.Decide = func(o Operation) error {
		if asked = append(asked, o); len(asked) > 1 {
			return nil
		}
		if o.New {
			return afero.WriteFile(base, "/f", []byte("theirs"), 0o600)
		}
		return base.Remove("/f")
	}
	for _, made := range []bool{true, false} {
		asked = nil
		file, err := f.OpenFile("/f", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		file.Close()
		if len(asked) != 2 || asked[0].New != made || asked[1].New == made {
			t.Errorf("%+v", asked)
		}
	}
	if _, files := f.vol.Used(); files != 1 {
		t.Errorf("%d files are paid for, and one was made", files)
	}
}

// A race is a file system, and what makes its /d another thing: a link to allowed or secret, or the directory /own itself.
type race struct {
	base, under afero.Fs // under has what base shows
	swap        func(to string)
	looks       bool // base does not change under
}

// A swapper moves names.
type swapper interface {
	Lstat(name string) (fs.FileInfo, error)
	Symlink(target, name string) error
	Rename(old, new string) error
	Remove(name string) error
}

func swapIn(f swapper, to string) {
	if st, err := f.Lstat("/d"); err == nil && st.IsDir() {
		_ = f.Rename("/d", "/own")
	}
	if to == "own" {
		_ = f.Remove("/d")
		_ = f.Rename("/own", "/d")
		return
	}
	_ = f.Symlink(to, "/next")
	_ = f.Rename("/next", "/d")
}

// racing are file systems whose links change.
func racing(t *testing.T) map[string]race {
	in := map[string]race{}
	overDir := func(name string, make func(dir afero.Fs) (afero.Fs, error)) {
		root := t.TempDir()
		dir, err := Dir(root)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dir.(io.Closer).Close() })
		base, err := make(dir)
		if err != nil {
			t.Fatal(err)
		}
		in[name] = race{base, dir, func(to string) { swapIn(system{root}, to) }, name == "layer"}
	}
	overDir("dir", func(dir afero.Fs) (afero.Fs, error) { return dir, nil })
	overDir("hide", func(dir afero.Fs) (afero.Fs, error) { return Hide(dir, ".env") })
	overDir("layer", func(dir afero.Fs) (afero.Fs, error) { return NewLayer(dir) })
	overDir("mount", func(dir afero.Fs) (afero.Fs, error) { return Mount(Mem(), "/", dir), nil })
	mem := Mem()
	other := view(t, mem, Options{Quota: Quota{Files: 1 << 30}})
	in["mem"] = race{mem, mem, func(to string) { swapIn(other, to); runtime.Gosched() }, false}
	return in
}
