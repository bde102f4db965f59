package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandtrap-go/sandtrap/internal/machine"
)

// TestHosts runs the programs of hosts and compares what they print with what is written
// beside them, with each isolation.
func TestHosts(t *testing.T) {
	mains, err := filepath.Glob("hosts/*/main.go")
	if err != nil || len(mains) < 5 {
		t.Fatalf("%d programs, %v", len(mains), err)
	}
	for _, main := range mains {
		dir := filepath.Dir(main)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			host := filepath.Join(t.TempDir(), "host")
			if out, err := exec.Command("go", "build", "-o", host, "./"+dir).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			for _, isolation := range []string{"none", "process", "kernel"} {
				t.Run(isolation, func(t *testing.T) { runHost(t, dir, host, isolation) })
			}
		})
	}
}

func runHost(t *testing.T, dir, host, isolation string) {
	if lacks := machine.Confinement(); isolation == "kernel" && lacks != "" && os.Getenv("SANDTRAP_KERNEL_TESTS") != "required" {
		t.Skip("this machine cannot: " + lacks)
	}
	cmd := exec.Command(host, "-isolation", isolation)
	cmd.Dir = ".."
	cmd.Stderr = os.Stderr
	got, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if want := read(t, filepath.Join(dir, "output.txt")); string(got) != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestQuickstartProgram: the program of the quickstart is whole, and prints what the page says.
func TestQuickstartProgram(t *testing.T) {
	_, code, found := strings.Cut(read(t, "quickstart.md"), "```go\npackage main\n")
	code, _, closed := strings.Cut(code, "\n```\n")
	if !found || !closed {
		t.Fatal("quickstart.md has no program")
	}
	dir := t.TempDir()
	main, host := filepath.Join(dir, "main.go"), filepath.Join(dir, "host")
	if err := os.WriteFile(main, []byte("package main\n"+code+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", host, main).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if lacks := machine.Confinement(); lacks != "" && os.Getenv("SANDTRAP_KERNEL_TESTS") != "required" {
		t.Skip("this machine cannot: " + lacks)
	}
	out, err := exec.Command(host).CombinedOutput()
	if err != nil || string(out) != "hello\n kernel <nil>\n" {
		t.Errorf("%v\n%s", err, out)
	}
}
