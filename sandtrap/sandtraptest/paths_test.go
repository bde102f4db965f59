package sandtraptest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// pathsDir is a directory with files that a worker may read, one that it may not, and ways out.
func pathsDir(t *testing.T) string {
	t.Helper()
	base := t.TempDir()
	for name, text := range map[string]string{"in/a.txt": "hello", "in/sub/b.txt": "deep", "in/private.txt": "only mine", "out/secret.txt": "secret"} {
		name = filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(base, "in/private.txt"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"in/inside": "sub/b.txt", "in/outside": "../out/secret.txt", "in/outdir": "../out"} {
		if err := os.Symlink(to, filepath.Join(base, name)); err != nil {
			t.Fatal(err)
		}
	}
	return base
}

// reading tries what there is to read, and ways out.
const reading = `package main

import ("bufio"; "fmt"; "io"; "os")

func try(what string, f func() (string, error)) {
	text, err := f()
	if err != nil {
		text = err.Error()
	}
	fmt.Println(what+":", text)
}

func read(name string) { try(name, func() (string, error) { b, err := os.ReadFile(name); return string(b), err }) }

func main() {
	for _, name := range []string{"a.txt", "sub/b.txt", "sub/../a.txt", "private.txt", "inside", "outside", "outdir/secret.txt", "../out/secret.txt", "/etc/passwd", "none", "a.txt/none", "sub"} {
		read(name)
	}
	try("seek", func() (string, error) {
		f, err := os.Open("a.txt")
		if err != nil { return "", err }
		defer f.Close()
		end, _ := f.Seek(-2, io.SeekEnd)
		rest, _ := io.ReadAll(f)
		f.Seek(1, io.SeekStart)
		line, _ := bufio.NewReader(f).ReadString('\n')
		at := make([]byte, 3)
		n, err := f.ReadAt(at, 3)
		_, werr := f.Write([]byte("x"))
		st, _ := f.Stat()
		return fmt.Sprint(end, string(rest), " ", line, " ", n, string(at[:n]), " ", err, " ", werr, " ", st.Name(), st.Size(), st.Mode()), nil
	})
	try("list", func() (string, error) {
		list, err := os.ReadDir(".")
		return fmt.Sprint(list), err
	})
	try("write", func() (string, error) { return "written", os.WriteFile("new.txt", []byte("new"), 0o644) })
	read("new.txt")
	try("change", func() (string, error) {
		f, err := os.OpenFile("a.txt", os.O_RDWR|os.O_APPEND, 0)
		if err != nil { return "", err }
		defer f.Close()
		fmt.Fprint(f, " world")
		return "changed", nil
	})
	read("a.txt")
	try("remove", func() (string, error) { return "removed", os.Remove("sub/b.txt") })
	try("temp", func() (string, error) {
		f, err := os.CreateTemp("", "x")
		if err != nil { return "", err }
		return "made", f.Close()
	})
}
`

// read is what reading prints before it tries to change anything, and changed and kept are what it
// prints then.
const (
	read = `a.txt: hello
sub/b.txt: deep
sub/../a.txt: hello
private.txt: only mine
inside: deep
outside: open outside: path escapes from parent
outdir/secret.txt: open outdir/secret.txt: path escapes from parent
../out/secret.txt: open ../out/secret.txt: no such file or directory
/etc/passwd: open /etc/passwd: no such file or directory
none: open none: no such file or directory
a.txt/none: open a.txt/none: not a directory
sub: read sub: is a directory
seek: 3lo ello 2lo EOF write a.txt: bad file descriptor a.txt5 -rw-r--r--
list: [- a.txt L inside L outdir L outside - private.txt d sub/]
`
	kept = `write: open new.txt: operation not permitted
new.txt: open new.txt: no such file or directory
change: open a.txt: operation not permitted
a.txt: hello
remove: remove sub/b.txt: operation not permitted
temp: made
`
	changed = `write: written
new.txt: new
change: changed
a.txt: hello world
remove: removed
temp: made
`
)

// TestPaths: a script sees a directory of the host's at its own path, the same in each mode:
// nothing outside of it, to change only if the policy says so, and also what the user of a worker
// may not read.
func TestPaths(t *testing.T) {
	eachMode(t, func(b bench) {
		for suffix, then := range map[string]string{"": kept, ":ro": kept, ":rw": changed} {
			b.In(suffix, func(b bench) {
				in := filepath.Join(pathsDir(b.T), "in")
				box := b.Box(sandtrap.Policy{Std: []string{"bufio", "fmt", "io", "os"}, Files: &sandtrap.Files{Paths: []string{in + suffix}, Cwd: in}})
				res, err := box.Run(b.Context(), sandtrap.Script{Text: reading})
				if err != nil {
					b.Fatal(err)
				}
				if diff := cmp.Diff(read+then, res.Stdout); diff != "" {
					b.Error("want (-) and got (+):", diff)
				}
				text, err := os.ReadFile(filepath.Join(in, "a.txt"))
				if err != nil || (string(text) == "hello") != (then == kept) {
					b.Errorf("the file is %q, %v", text, err)
				}
			})
		}
	})
}

// TestPathsErrors: paths that are not there are errors when the policy is compiled, and are named.
func TestPathsErrors(t *testing.T) {
	base := pathsDir(t)
	in := filepath.Join(base, "in")
	for want, paths := range map[string][]string{
		"no such file":    {filepath.Join(base, "none")},
		"not a directory": {filepath.Join(in, "a.txt")},
		"twice":           {in, in + ":rw"},
		"has no path":     {":ro"},
		"more than 8":     {"1", "2", "3", "4", "5", "6", "7", "8", "9"},
	} {
		_, err := sandtrap.Compile(sandtrap.Policy{Files: &sandtrap.Files{Paths: paths}})
		if !errors.Is(err, sandtrap.ErrPolicy) || !strings.Contains(fmt.Sprint(err), want) || !strings.Contains(fmt.Sprint(err), "Files.Paths") {
			t.Errorf("%v: %v, want %q", paths, err, want)
		}
	}
}

// TestFilesInMemory: files of which the policy says no more are in memory, for each sandbox its own.
func TestFilesInMemory(t *testing.T) {
	eachMode(t, func(b bench) {
		p := pure()
		p.Std, p.Files = []string{"os"}, &sandtrap.Files{Cwd: "/work"}
		const write, read = `return os.WriteFile("a", []byte("x"), 0o600)`, `b, err := os.ReadFile("/work/a"); if err != nil { return err }; return string(b)`
		first, second := b.Box(p), b.Box(p)
		for _, text := range []string{write, read} {
			if _, err := first.Run(b.Context(), sandtrap.Script{Text: text}); err != nil {
				b.Error(text, err)
			}
		}
		if _, err := second.Run(b.Context(), sandtrap.Script{Text: read}); err == nil {
			b.Error("another sandbox has the file")
		}
	})
}
