package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestHosts runs the programs of hosts and compares what they print with what is written
// beside them.
func TestHosts(t *testing.T) {
	mains, err := filepath.Glob("hosts/*/main.go")
	if err != nil || len(mains) < 5 {
		t.Fatalf("%d programs, %v", len(mains), err)
	}
	for _, main := range mains {
		dir := filepath.Dir(main)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			cmd := exec.Command("go", "run", "./docs/"+filepath.ToSlash(dir))
			cmd.Dir = ".."
			cmd.Stderr = os.Stderr
			got, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			if want := read(t, filepath.Join(dir, "output.txt")); string(got) != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}
