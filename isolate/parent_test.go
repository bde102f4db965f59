//go:build linux

package isolate

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// hostMain is what this program does as a host that will be killed.
func hostMain() {
	w, err := Start(context.Background(), Spec{Path: worker, Level: Maximum})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(w.Pid())
	select {}
}

// TestHostDies: a worker ends with its host, also while it computes.
func TestHostDies(t *testing.T) {
	mustStart(t, Spec{Path: worker, Level: Maximum}).Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ISOLATE_TEST_HOST=1", "ISOLATE_TEST_WORKER="+worker)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	pid := strings.TrimSpace(line)
	if _, err := os.Stat("/proc/" + pid + "/status"); err != nil || pid == "" {
		t.Fatalf("no worker: %q", line)
	}
	cmd.Process.Kill()
	cmd.Wait()
	for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		text, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || strings.Contains(string(text), ") Z ") {
			return
		}
	}
	t.Errorf("process %s is still there", pid)
}
