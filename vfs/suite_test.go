package vfs

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/afero"
)

// files are the functions of package os that the suite is about: those of an FS,
// and those of the system.
type files interface {
	OpenFile(name string, flag int, perm fs.FileMode) (file, error)
	ReadFile(name string) ([]byte, error)
	WriteFile(name string, data []byte, perm fs.FileMode) error
	ReadDir(name string) ([]fs.DirEntry, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	Mkdir(name string, perm fs.FileMode) error
	MkdirAll(name string, perm fs.FileMode) error
	Remove(name string) error
	RemoveAll(name string) error
	Rename(old, new string) error
	Chmod(name string, mode fs.FileMode) error
	Truncate(name string, size int64) error
	Chdir(name string) error
	Symlink(target, name string) error
	Readlink(name string) (string, error)
}

type file interface {
	io.ReadWriteSeeker
	io.ReaderAt
	io.WriterAt
	io.Closer
	Name() string
	Stat() (fs.FileInfo, error)
	ReadDir(n int) ([]fs.DirEntry, error)
	Readdirnames(n int) ([]string, error)
	Truncate(size int64) error
}

type ours struct{ *FS }

func (o ours) OpenFile(name string, flag int, perm fs.FileMode) (file, error) {
	f, err := o.FS.OpenFile(name, flag, perm)
	return f, err
}

// system is package os in a directory of its own.
type system struct{ dir string }

func (s system) at(name string) string {
	if strings.HasPrefix(name, "/") {
		return s.dir + name
	}
	return name
}

func (s system) OpenFile(name string, flag int, perm fs.FileMode) (file, error) {
	f, err := os.OpenFile(s.at(name), flag, perm)
	return f, err
}
func (s system) ReadFile(name string) ([]byte, error) { return os.ReadFile(s.at(name)) }
func (s system) WriteFile(name string, data []byte, perm fs.FileMode) error {
	return os.WriteFile(s.at(name), data, perm)
}
func (s system) ReadDir(name string) ([]fs.DirEntry, error)   { return os.ReadDir(s.at(name)) }
func (s system) Stat(name string) (fs.FileInfo, error)        { return os.Stat(s.at(name)) }
func (s system) Lstat(name string) (fs.FileInfo, error)       { return os.Lstat(s.at(name)) }
func (s system) Mkdir(name string, perm fs.FileMode) error    { return os.Mkdir(s.at(name), perm) }
func (s system) MkdirAll(name string, perm fs.FileMode) error { return os.MkdirAll(s.at(name), perm) }
func (s system) Remove(name string) error                     { return os.Remove(s.at(name)) }
func (s system) RemoveAll(name string) error                  { return os.RemoveAll(s.at(name)) }
func (s system) Rename(old, new string) error                 { return os.Rename(s.at(old), s.at(new)) }
func (s system) Chmod(name string, mode fs.FileMode) error    { return os.Chmod(s.at(name), mode) }
func (s system) Truncate(name string, size int64) error       { return os.Truncate(s.at(name), size) }
func (s system) Chdir(name string) error                      { return os.Chdir(s.at(name)) }
func (s system) Symlink(target, name string) error            { return os.Symlink(target, s.at(name)) }
func (s system) Readlink(name string) (string, error)         { return os.Readlink(s.at(name)) }

// implementations are the file systems that the suite runs on.
func implementations(t *testing.T) map[string]afero.Fs {
	dir, err := Dir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.(io.Closer).Close() })
	layer, err := NewLayer(Mem())
	if err != nil {
		t.Fatal(err)
	}
	under, err := Dir(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { under.(io.Closer).Close() })
	overDir, err := NewLayer(under)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]afero.Fs{
		"mem": Mem(), "dir": dir, "layer": layer, "layer over dir": overDir,
		"mount": Mount(Mem(), "/m/n", Mem()), "a host's own": afero.NewMemMapFs(),
	}
}

func view(t testing.TB, base afero.Fs, o Options) *FS {
	t.Helper()
	vol, err := New(base, o)
	if err != nil {
		t.Fatal(err)
	}
	f := vol.FS()
	t.Cleanup(func() { f.Close() })
	return f
}

// record writes down what the operations of a step return, without what differs
// from system to system.
type record struct {
	fs    files
	lines []string
	links bool
	rough bool // that something fails is enough, not how
}

func (r *record) add(what string, err error, values ...any) {
	line := what + ": "
	for _, v := range values {
		line += fmt.Sprintf("%v ", v)
	}
	if err != nil && r.rough {
		line += "fails"
	} else if err != nil {
		line += strings.ReplaceAll(err.Error(), r.root(), "")
		for _, known := range []error{fs.ErrNotExist, fs.ErrExist, fs.ErrPermission, fs.ErrInvalid, fs.ErrClosed, io.EOF} {
			if errors.Is(err, known) {
				line += fmt.Sprintf(" [%v]", known)
			}
		}
	}
	r.lines = append(r.lines, line)
}

func (r *record) root() string {
	if s, ok := r.fs.(system); ok {
		return s.dir
	}
	return "no such root"
}

func (r *record) write(name, text string) {
	r.add("write "+name, r.fs.WriteFile(name, []byte(text), 0o644))
}

func (r *record) read(name string) {
	data, err := r.fs.ReadFile(name)
	r.add("read "+name, err, fmt.Sprintf("%q", data))
}

func (r *record) list(name string) {
	entries, err := r.fs.ReadDir(name)
	r.add("list "+name, err, entries)
}

func (r *record) stat(name string) {
	st, err := r.fs.Stat(name)
	if err != nil {
		r.add("stat "+name, err)
		return
	}
	size := st.Size()
	if st.IsDir() {
		size = 0
	}
	r.add("stat "+name, nil, st.Name(), size, st.Mode(), st.IsDir())
}

// steps are what the suite does.
var steps = []struct {
	name string
	do   func(r *record)
}{
	{"write and read", func(r *record) {
		r.write("a.txt", "hello")
		r.read("a.txt")
		r.read("/w/a.txt")
		r.read("./x/../a.txt")
		r.stat("a.txt")
		r.stat("/w/./a.txt")
		r.read("missing.txt")
		r.read("")
		r.read("a.txt/")
		r.read("a.txt/b")
		r.write("no/such/dir.txt", "x")
		r.write("a.txt/b", "x")
		r.read(".")
		r.write("nul\x00", "x")
		r.write(strings.Repeat("n", 256), "x")
		r.list(".")
	}},
	{"directories", func(r *record) {
		r.add("mkdir", r.fs.Mkdir("d", 0o755))
		r.add("mkdir again", r.fs.Mkdir("d", 0o755))
		r.add("mkdir below nothing", r.fs.Mkdir("x/y", 0o755))
		r.add("mkdirall", r.fs.MkdirAll("d/e/f", 0o755))
		r.add("mkdirall again", r.fs.MkdirAll("d/e/f", 0o755))
		r.write("d/one", "1")
		r.write("d/e/two", "22")
		r.add("mkdirall through a file", r.fs.MkdirAll("d/one/x", 0o755))
		r.list("d")
		r.list("d/e")
		r.list("d/one")
		r.list("missing")
		r.stat("d")
		r.add("remove full", r.fs.Remove("d"))
		r.add("remove file", r.fs.Remove("d/one"))
		r.add("remove missing", r.fs.Remove("d/one"))
		r.add("removeall", r.fs.RemoveAll("d"))
		r.add("removeall missing", r.fs.RemoveAll("d"))
		r.add("removeall dot", r.fs.RemoveAll("."))
		r.stat("d")
		r.list(".")
	}},
	{"rename", func(r *record) {
		r.write("a", "a")
		r.write("b", "b")
		r.add("mkdir", r.fs.MkdirAll("d/e", 0o755))
		r.write("d/e/f", "f")
		r.add("file", r.fs.Rename("a", "c"))
		r.add("over a file", r.fs.Rename("b", "c"))
		r.read("c")
		r.read("b")
		r.add("dir", r.fs.Rename("d", "g"))
		r.read("g/e/f")
		r.stat("d")
		r.add("into itself", r.fs.Rename("g", "g/h"))
		r.add("missing", r.fs.Rename("zzz", "y"))
		r.add("to nowhere", r.fs.Rename("c", "no/c"))
		r.add("file over dir", r.fs.Rename("c", "g"))
		r.add("dir over file", r.fs.Rename("g", "c"))
		r.add("onto itself", r.fs.Rename("c", "c"))
		r.list(".")
	}},
	{"open flags", func(r *record) {
		open := func(what string, flag int) file {
			f, err := r.fs.OpenFile("o", flag, 0o644)
			r.add(what, err)
			if err != nil {
				return nil
			}
			return f
		}
		open("read missing", os.O_RDONLY)
		f := open("excl", os.O_CREATE|os.O_EXCL|os.O_WRONLY)
		_, err := f.Write([]byte("0123456789"))
		r.add("write", err)
		_, err = f.Read(make([]byte, 1))
		r.add("read from write-only", err)
		r.add("close", f.Close())
		r.add("close again", f.Close())
		_, err = f.Write([]byte("x"))
		r.add("write closed", err)
		open("excl again", os.O_CREATE|os.O_EXCL|os.O_WRONLY)
		f = open("append", os.O_APPEND|os.O_WRONLY)
		f.Write([]byte("ab"))
		f.Write([]byte("cd"))
		f.Close()
		r.read("o")
		f = open("read", os.O_RDONLY)
		_, err = f.Write([]byte("x"))
		r.add("write to read-only", err)
		p := make([]byte, 4)
		n, err := f.ReadAt(p, 3)
		r.add("readat", err, n, string(p))
		n, err = f.ReadAt(p, 12)
		r.add("readat at the end", err, n)
		_, err = f.ReadAt(p, -1)
		r.add("readat negative", err)
		at, err := f.Seek(-2, io.SeekEnd)
		r.add("seek", err, at)
		n, err = f.Read(p)
		r.add("read", err, n)
		n, err = f.Read(p)
		r.add("read at the end", err, n)
		_, err = f.Seek(-1, io.SeekStart)
		r.add("seek negative", err)
		f.Close()
		f = open("read and write", os.O_RDWR)
		_, err = f.WriteAt([]byte("XY"), 2)
		r.add("writeat", err)
		_, err = f.Seek(16, io.SeekStart)
		r.add("seek beyond", err)
		f.Write([]byte("!"))
		r.add("truncate", f.Truncate(18))
		st, err := f.Stat()
		r.add("stat", err, st.Size(), st.Name())
		f.Close()
		r.read("o")
		f = open("truncating", os.O_TRUNC|os.O_WRONLY)
		f.Close()
		r.read("o")
		r.write("o", "as before")
		f = open("truncating to read", os.O_TRUNC)
		_, err = f.Write([]byte("x"))
		r.add("write to what is read", err)
		f.Close()
		r.read("o")
		_, err = r.fs.OpenFile(".", os.O_TRUNC, 0)
		r.add("directory truncating", err)
		r.add("truncate", r.fs.Truncate("o", 3))
		r.read("o")
		r.add("truncate missing", r.fs.Truncate("oo", 3))
		r.add("truncate negative", r.fs.Truncate("o", -1))
		_, err = r.fs.OpenFile(".", os.O_WRONLY, 0)
		r.add("directory for writing", err)
		_, err = r.fs.OpenFile("o/", os.O_RDONLY, 0)
		r.add("file with a slash", err)
	}},
	{"what is open stays", func(r *record) {
		r.write("k", "keep")
		f, err := r.fs.OpenFile("k", os.O_RDWR, 0)
		r.add("open", err)
		r.add("remove", r.fs.Remove("k"))
		p := make([]byte, 8)
		n, err := f.Read(p)
		r.add("read removed", err, string(p[:n]))
		r.add("close", f.Close())
	}},
	{"listing in parts", func(r *record) {
		r.add("mkdir", r.fs.Mkdir("l", 0o755))
		for _, n := range []string{"c", "a", "b"} {
			r.write("l/"+n, n)
		}
		d, err := r.fs.OpenFile("l", os.O_RDONLY, 0)
		r.add("open", err)
		total := 0
		for {
			part, err := d.ReadDir(2)
			total += len(part)
			if err != nil {
				r.add("end", err, total)
				break
			}
		}
		none, err := d.ReadDir(-1)
		r.add("nothing left", err, len(none))
		d.Close()
		f, _ := r.fs.OpenFile("l/a", os.O_RDONLY, 0)
		_, err = f.ReadDir(-1)
		r.add("list a file", err)
		f.Close()
	}},
	{"working directory", func(r *record) {
		r.add("mkdir", r.fs.MkdirAll("cd/in", 0o755))
		r.add("chdir", r.fs.Chdir("cd"))
		r.write("here", "x")
		r.list(".")
		r.list("..")
		r.add("chdir missing", r.fs.Chdir("nowhere"))
		r.add("chdir file", r.fs.Chdir("here"))
		r.add("chdir up", r.fs.Chdir(".."))
		r.read("cd/here")
	}},
	{"modes", func(r *record) {
		r.write("m", "x")
		r.add("chmod", r.fs.Chmod("m", 0o600))
		r.stat("m")
		r.add("chmod missing", r.fs.Chmod("mm", 0o600))
		r.add("mkdir", r.fs.Mkdir("md", 0o777))
		r.stat("md")
	}},
	{"links", func(r *record) {
		if !r.links {
			return
		}
		r.write("t", "target")
		r.add("symlink", r.fs.Symlink("t", "s"))
		r.add("again", r.fs.Symlink("t", "s"))
		r.read("s")
		to, err := r.fs.Readlink("s")
		r.add("readlink", err, to)
		_, err = r.fs.Readlink("t")
		r.add("readlink of a file", err)
		st, err := r.fs.Lstat("s")
		r.add("lstat", err, st.Mode().Type())
		r.stat("s")
		r.write("s", "through")
		r.read("t")
		r.add("symlink to nothing", r.fs.Symlink("nothing", "n"))
		r.read("n")
		r.add("loop", r.fs.Symlink("loop", "loop"))
		r.add("remove the link", r.fs.Remove("s"))
		r.read("t")
		r.add("mkdir", r.fs.Mkdir("ld", 0o755))
		r.write("ld/f", "in")
		r.add("symlink to dir", r.fs.Symlink("ld", "sd"))
		r.read("sd/f")
		r.add("removeall of the link", r.fs.RemoveAll("sd"))
		r.read("ld/f")
	}},
}

// TestSuite does the same on every implementation and with package os on a real
// directory, and wants the same of all.
func TestSuite(t *testing.T) {
	for _, s := range steps {
		t.Run(s.name, func(t *testing.T) {

			want := onSystem(t, s.do)
			for name, base := range implementations(t) {
				t.Run(name, func(t *testing.T) {
					_, links := base.(afero.Linker)
					r := &record{fs: ours{view(t, base, Options{Cwd: "/w"})}, links: links}
					s.do(r)
					if links || s.name != "links" {
						compare(t, r.lines, want)
					}
				})
			}
		})
	}
}

func onSystem(t *testing.T, do func(*record)) []string {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path.Join(dir, "w"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(path.Join(dir, "w"))
	r := &record{fs: system{dir}, links: true}
	do(r)
	return r.lines
}

func compare(t *testing.T, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "(nothing)", "(nothing)"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("got  %s\nwant %s", g, w)
		}
	}
}
