package docs

import (
	"os"
	"os/exec"
	"path/filepath"
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
