package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fileCalls uses every function of package os and its kin that takes a path.
const fileCalls = `package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

func main() {
	const name = "marked.txt"
	try := func(what string, err error) { fmt.Println(what, err == nil) }
	try("WriteFile", os.WriteFile(name, []byte("x"), 0o644))
	_, err := os.ReadFile(name)
	try("ReadFile", err)
	_, err = os.ReadFile("/etc/marked-passwd")
	try("ReadFile of none", err)
	for _, open := range []func() (*os.File, error){
		func() (*os.File, error) { return os.Open(name) },
		func() (*os.File, error) { return os.Create("marked-2") },
		func() (*os.File, error) { return os.OpenFile(name, os.O_RDWR|os.O_APPEND, 0) },
		func() (*os.File, error) { return os.CreateTemp("", "marked*") },
	} {
		f, err := open()
		try("open", err)
		f.Stat()
		f.Chmod(0o600)
		f.Truncate(0)
		f.Close()
	}
	dir, err := os.MkdirTemp("", "marked*")
	try("MkdirTemp", err)
	try("Mkdir", os.Mkdir("marked-dir", 0o755))
	try("MkdirAll", os.MkdirAll("marked-dir/a/b", 0o755))
	_, err = os.Stat(name)
	try("Stat", err)
	_, err = os.Lstat(name)
	try("Lstat", err)
	_, err = os.ReadDir("marked-dir")
	try("ReadDir", err)
	try("Chmod", os.Chmod(name, 0o600))
	try("Chtimes", os.Chtimes(name, time.Time{}, time.Now()))
	try("Truncate", os.Truncate(name, 0))
	try("Symlink", os.Symlink(name, "marked-link"))
	_, err = os.Readlink("marked-link")
	try("Readlink", err)
	try("Link", os.Link(name, "marked-hard"))
	try("Rename", os.Rename("marked-2", "marked-3"))
	try("CopyFS", os.CopyFS("marked-copy", os.DirFS("marked-dir")))
	_, err = fs.Stat(os.DirFS("."), name)
	try("DirFS", err)
	_, err = filepath.Glob("/marked*/*")
	try("Glob", err)
	_, err = filepath.Abs(name)
	try("Abs", err)
	_, err = filepath.EvalSymlinks("marked-link")
	try("EvalSymlinks", err)
	try("Walk", filepath.Walk("marked-dir", func(string, fs.FileInfo, error) error { return nil }))
	try("WalkDir", filepath.WalkDir("/", func(string, fs.DirEntry, error) error { return nil }))
	try("Chdir", os.Chdir("marked-dir"))
	_, err = os.Getwd()
	try("Getwd", err)
	try("Remove", os.Remove("../marked-3"))
	try("RemoveAll", os.RemoveAll(dir))
}
`

// TestNoHostPath traces the system calls of a script that uses its files, and wants
// none of them to name one: they are in memory.
func TestNoHostPath(t *testing.T) {
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed: ", err)
	}
	dir, bin := t.TempDir(), buildCommand(t)
	paths := func(src string) (map[string]bool, string) {
		t.Helper()
		script, log := filepath.Join(dir, "script.go"), filepath.Join(dir, "log")
		if err := os.WriteFile(script, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(strace, "-f", "-qq", "-e", "trace=%file", "-o", log, bin, "run", script)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, m := range regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`).FindAllStringSubmatch(string(text), -1) {
			seen[m[1]] = true
		}
		return seen, string(out)
	}
	base, _ := paths("package main\nfunc main() { println() }")
	if len(base) == 0 {
		t.Fatal("strace saw nothing, not even the script")
	}
	used, out := paths(fileCalls)
	if n := strings.Count(out, " true\n"); n < 29 {
		t.Errorf("only %d calls went well:\n%s", n, out)
	}
	for path := range used {
		if !base[path] {
			t.Errorf("opened or looked at %s", path)
		}
	}
}
