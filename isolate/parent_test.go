//go:build linux

package isolate

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// hostMain is what this program does as a host that will be killed.
func hostMain() {
	for range 3 {
		w, err := Start(context.Background(), Spec{Path: worker, Level: Level(os.Getenv("ISOLATE_TEST_HOST")), Memory: 256 << 20})
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

// TestHostDies: workers of each level end with their host, and so does their spawner, also those that stand still and do not
// read the end of their socket.
func TestHostDies(t *testing.T) {
	for _, level := range levels {
		t.Run(string(level), func(t *testing.T) { testHostDies(t, level) })
	}
}

func testHostDies(t *testing.T, level Level) {
	mustStart(t, Spec{Path: worker, Level: level}).Close()
	cmd, pids := startHost(t, level)
	defer cgroups.sweep()
	if level == Bare || level == Standard { // no spawner starts these
		if pids[3] != "0" {
			t.Errorf("there is a spawner: %q", pids)
		}
		pids = pids[:3]
	}
	for _, pid := range pids {
		if !runs(pid) {
			t.Errorf("no process %s", pid)
		}
	}
	for _, pid := range pids[1:] {
		if err := signal(pid, unix.SIGSTOP); err != nil {
			t.Error(err)
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	for end := time.Now().Add(2 * time.Second); slices.ContainsFunc(pids, runs); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			left := slices.DeleteFunc(pids, func(pid string) bool { return !runs(pid) })
			for _, pid := range left {
				signal(pid, unix.SIGKILL)
			}
			t.Fatalf("processes %v are left", left)
		}
	}
}

// startHost starts this program as a host, which has three workers and perhaps a spawner, 0 if not: these are the numbers.
func startHost(t *testing.T, level Level) (*exec.Cmd, []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "ISOLATE_TEST_HOST="+string(level), "ISOLATE_TEST_WORKER="+worker)
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
	return cmd, pids
}

func signal(pid string, s unix.Signal) error {
	n, err := strconv.Atoi(pid)
	if err != nil {
		return err
	}
	return unix.Kill(n, s)
}

// runs says that there is such a process.
func runs(pid string) bool {
	text, err := os.ReadFile("/proc/" + pid + "/stat")
	return err == nil && !strings.Contains(string(text), ") Z ")
}
