//go:build linux

package isolate

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// rest ends the spawner, if there is one and no worker needs it.
func rest() {
	nursery.settle()
	nursery.retire()
}

// settle waits until no spawner is being brought up.
func (n *nest) settle() {
	for busy := true; busy; time.Sleep(time.Millisecond) {
		n.mu.Lock()
		busy = n.raising != nil
		n.mu.Unlock()
	}
}

// pid is that of the spawner, 0 if there is none.
func (n *nest) pid() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.up == nil || n.up.dead() {
		return 0
	}
	return n.up.of.Pid
}

// directly starts a worker without a spawner.
func directly(t *testing.T, spec Spec) *Worker {
	t.Helper()
	rest()
	defer func(before *manager) { userManager = before }(userManager)
	userManager = &manager{looked: true, refused: true} // for which the first one, too, would have a spawner
	w := mustStart(t, spec)
	if w.proc.left != nil {
		t.Fatal("it was started by a spawner")
	}
	return w
}

// bySpawner starts a worker with a spawner.
func bySpawner(t *testing.T, spec Spec) *Worker {
	t.Helper()
	for range 3 {
		w := mustStart(t, spec)
		if w.proc.left != nil {
			return w
		}
		w.Close()
		nursery.settle()
	}
	t.Fatal("there is no spawner")
	return nil
}

// TestSpawnerPosture: a spawner has the privileges of its user namespace alone, of those the few that
// its work needs, and the kernel takes few calls of it; workers say what holds what started them.
func TestSpawnerPosture(t *testing.T) {
	w := bySpawner(t, Spec{Path: worker, Level: Maximum})
	s := &seen{dir: "/proc/" + strconv.Itoa(nursery.pid())}
	its := readStatus(s.dir+"/status", nil)
	const few = "00000000002001c0" // SETGID, SETUID, SETPCAP and SYS_ADMIN, which alone its workers begin with
	for key, want := range map[string]string{
		"CapBnd": "0000000000000000", "CapAmb": "0000000000200000", "NoNewPrivs": "1", "Groups": "",
		"CapPrm": few, "CapEff": few, "CapInh": few, "Seccomp": "2", "Seccomp_filters": "1",
		"Uid": strings.TrimSpace(strings.Repeat(strconv.Itoa(nobody)+"\t", 4)),
	} {
		if got := its.value(key); got != want {
			t.Errorf("%s is %q, not %q", key, got, want)
		}
	}
	if err := s.noCore(); err != nil {
		t.Error(err)
	}
	const held = "descriptors capabilities bounding_set securebits rlimits no_new_privs landlock not_dumpable no_write_exec seccomp"
	for _, l := range w.Status() {
		if l.Name == posture.UserNamespace && !strings.HasSuffix(l.Reason, held) {
			t.Errorf("it says %q", l.Reason)
		}
	}
	for _, kind := range []string{"user", "net", "ipc", "uts", "mnt", "cgroup"} {
		if err := namespace(kind)(s); err != nil {
			t.Error(kind, err)
		}
	}
	if text := read(t, s.dir+"/environ"); text != "" {
		t.Errorf("environment %q", text)
	}
	fds, err := os.ReadDir(s.dir + "/fd")
	if err != nil || len(fds) != 6 { // two of them the Go runtime's
		t.Errorf("%d descriptors, %v", len(fds), err)
	}
}

// TestSpawnerDies: what a spawner has started lives on when it is killed, and there is another
// one for what comes.
func TestSpawnerDies(t *testing.T) {
	spec := Spec{Path: worker, Level: Maximum, Memory: 64 << 20}
	w := bySpawner(t, spec)
	first := nursery.pid()
	for range 3 {
		if pid := nursery.pid(); pid != 0 {
			unix.Kill(pid, unix.SIGKILL)
		}
		mustStart(t, spec).Close()
	}
	if got, err := w.Do(t.Context(), []byte("echo here"), Handlers{}); string(got) != "here" || err != nil {
		t.Errorf("a worker of the one that died: %q, %v", got, err)
	}
	bySpawner(t, spec)
	if pid := nursery.pid(); pid == first {
		t.Errorf("still %d", pid)
	}
}

// TestSpawnerLies: a process that is no child of the host is no worker, whoever says so, and nothing
// is done to it.
func TestSpawnerLies(t *testing.T) {
	shell := exec.Command("sh", "-c", "sleep 60 & echo $!; wait")
	out, err := shell.StdoutPipe()
	if err == nil {
		err = shell.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	victim, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Kill(victim, unix.SIGKILL)
	for _, pid := range []int{victim, os.Getpid(), 1, 0, -1} {
		if p, err := findChild(pid); p != nil || err == nil {
			t.Errorf("process %d is taken for a worker", pid)
		}
	}
	ours, theirs, err := socketpair(unix.SOCK_SEQPACKET, false)
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	lie, err := wire.Encode(posture.SpawnAnswer{Pid: victim})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := theirs.Write(lie); err != nil {
		t.Fatal(err)
	}
	rows, err := Maximum.rows()
	if err != nil {
		t.Fatal(err)
	}
	s := &spawner{of: shell.Process, socket: ours, gone: make(chan struct{})}
	if p, err := s.spawn(Spec{Path: worker, Level: Maximum}, rows, &workerFiles{theirs: [posture.SpawnFiles]*os.File{theirs, theirs, theirs}}); p != nil || err == nil {
		t.Error("a spawner that lies is believed")
	}
	shell.Wait()
	if !runs(strconv.Itoa(victim)) {
		t.Error("the process that it named is gone")
	}
}

// TestSpawnerRests: a spawner that nobody needs ends, and leaves no groups.
func TestSpawnerRests(t *testing.T) {
	rest()
	w := bySpawner(t, Spec{Path: worker, Level: Maximum, Memory: 64 << 20})
	nursery.mu.Lock()
	idle := nursery.idle
	nursery.idle = time.Millisecond
	nursery.mu.Unlock()
	defer func() { nursery.idle = idle }()
	time.Sleep(20 * time.Millisecond)
	if nursery.pid() == 0 {
		t.Error("it ended while its worker was there")
	}
	w.Close()
	for end := time.Now().Add(5 * time.Second); nursery.pid() != 0 || len(groupsNamed(groupName())) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it is there, with %v", groupsNamed(groupName()))
		}
	}
}

// TestSeats: a group that had a worker before holds the next one, at its own limit, and
// what the kernel did to the one before is forgotten.
func TestSeats(t *testing.T) {
	rest()
	small := bySpawner(t, Spec{Path: worker, Level: Maximum, Memory: 64 << 20})
	if small.proc.memory == nil || small.proc.memory.seat == nil {
		cannotBe(t, "control groups for memory", machine.Groups("memory"))
	}
	group := small.proc.memory.group
	if _, err := small.Do(t.Context(), []byte("eat"), Handlers{}); !isDeath(err, OutOfMem) {
		t.Errorf("the first: %v", err)
	}
	large := bySpawner(t, Spec{Path: worker, Level: Maximum, Memory: 128 << 20})
	if large.proc.memory.group != group {
		t.Error("it has another group")
	}
	if got := strings.TrimSpace(read(t, group.parts[0].dir+"/"+group.parts[0].settings[0].file)); got != strconv.Itoa(128<<20) {
		t.Errorf("the limit is %s", got)
	}
	if !strings.Contains(read(t, group.parts[0].dir+"/cgroup.procs"), strconv.Itoa(large.Pid())) {
		t.Error("it is not in the group")
	}
	large.proc.kill()
	if _, err := large.Do(t.Context(), []byte("echo"), Handlers{}); !isDeath(err, Killed) {
		t.Errorf("the second: %v", err)
	}
}

func isDeath(err error, cause Cause) bool {
	d, ok := errors.AsType[*DeathError](err)
	return ok && d.Cause == cause
}

// TestWorkersShareNoNamespaces: those that live at the same time share the one of users alone,
// though one may have the network of a worker that is gone.
func TestWorkersShareNoNamespaces(t *testing.T) {
	spec := Spec{Path: worker, Level: Maximum, Memory: 64 << 20}
	bySpawner(t, spec).Close() // leaves a seat
	seen := map[string]bool{}
	for range 3 {
		w := bySpawner(t, spec)
		for _, kind := range []string{"pid", "net", "ipc", "uts", "mnt", "cgroup"} {
			its, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/%s", w.Pid(), kind))
			if err != nil {
				t.Fatal(err)
			}
			if seen[its] {
				t.Errorf("two of them are in %s", its)
			}
			seen[its] = true
		}
	}
	if len(seen) != 3*6 {
		t.Errorf("%d namespaces: %v", len(seen), seen)
	}
}
