package isolate

import (
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// zombies are the children of this process that have ended and that nobody has waited for.
func zombies(t *testing.T) (pids []string) {
	for _, pid := range children(t) {
		stat, _ := os.ReadFile("/proc/" + pid + "/stat")
		if _, after, _ := strings.Cut(string(stat), ") "); strings.HasPrefix(after, "Z") {
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestNoZombies: whenever a spawner is killed, also while it starts workers, nothing of what it has started
// is left that nobody waits for.
func TestNoZombies(t *testing.T) {
	spec := Spec{Path: worker, Level: Maximum, Memory: 64 << 20}
	times := 40
	if testing.Short() {
		times = 10
	}
	bySpawner(t, spec).Close()
	defer func() {
		nursery.mu.Lock()
		clear(nursery.failed) // those that were killed say nothing of the executable
		nursery.mu.Unlock()
	}()
	for i := range times {
		mustStart(t, spec).Close()
		nursery.settle()
		pid := nursery.pid()
		time.AfterFunc(time.Duration(i%20)*250*time.Microsecond, func() {
			if pid != 0 {
				unix.Kill(pid, unix.SIGKILL)
			}
		})
		if w, err := Start(t.Context(), spec); err == nil {
			w.Close()
		}
		time.Sleep(5 * time.Millisecond)
	}
	rest()
	for range 200 {
		if len(zombies(t)) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, pid := range zombies(t) {
		status, _ := os.ReadFile("/proc/" + pid + "/status")
		ns, err := os.Readlink("/proc/" + pid + "/ns/user")
		t.Errorf("%s is left: %s, %v\n%s", pid, ns, err, status)
	}
}
