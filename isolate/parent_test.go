//go:build linux

package isolate

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// hostMain is what this program does as a host that will be killed.
func hostMain() {
	for range 3 {
		w, err := Start(context.Background(), Spec{Path: worker, Level: Maximum})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Print(w.Pid(), " ")
		for nursery.starts > 1 && nursery.pid() == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	fmt.Println(nursery.pid())
	select {}
}

// TestHostDies: workers end with their host, and so does their spawner.
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
	pids := strings.Fields(line)
	if len(pids) != 4 {
		t.Fatalf("no three workers and a spawner: %q", line)
	}
	for _, pid := range pids {
		if !runs(pid) {
			t.Errorf("no process %s", pid)
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	for end := time.Now().Add(2 * time.Second); slices.ContainsFunc(pids, runs); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("of processes %v not all are gone", pids)
		}
	}
}

// runs says that there is such a process.
func runs(pid string) bool {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	return err == nil && !strings.Contains(string(text), ") Z ")
}
