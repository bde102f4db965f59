package isolate

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/sandtrap-go/sandtrap/internal/machine"
	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// A fakeBus is a bus with a manager of systemd, for a fake tree of groups: the text of
// its directory proc says in which groups processes are.
type fakeBus struct {
	manager *manager
	tree    *groupTree
	given   string // controllers of its scopes
	error   string // that it answers with, "" for none
	silent  bool   // it answers nothing

	mu     sync.Mutex
	asked  int // connections
	scopes []string
	moved  uint32 // the process that it was asked to move last
}

func newFakeBus(t *testing.T, given string) *fakeBus {
	t.Helper()
	dir := t.TempDir()
	b := &fakeBus{given: given, tree: fakeTree(t, "0::/session\n", "|hugetlb", "session|||busy")}
	b.manager = &manager{socket: filepath.Join(dir, "bus"), proc: dir, hello: startup, moved: startup}
	listener, err := net.Listen("unix", b.manager.socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { conn.Close() })
			b.mu.Lock()
			b.asked++
			b.mu.Unlock()
			if !b.silent {
				go b.serve(conn)
			}
		}
	}()
	return b
}

// use has this test use it, with no groups but those of its tree.
func (b *fakeBus) use(t *testing.T) {
	rest()
	groups, manager, starts := cgroups, userManager, nursery.starts
	cgroups, userManager, nursery.starts = b.tree, b.manager, 0
	t.Cleanup(func() {
		rest()
		cgroups, userManager, nursery.starts = groups, manager, starts
	})
}

// serve speaks to a client until it ends.
func (b *fakeBus) serve(conn net.Conn) {
	in := bufio.NewReader(conn)
	in.ReadByte()
	for _, answer := range []string{"REJECTED EXTERNAL", "OK 00", ""} {
		in.ReadString('\n')
		if answer != "" {
			fmt.Fprintf(conn, "%s\r\n", answer)
		}
	}
	for serial := uint32(1); ; serial++ {
		m, err := dbus.DecodeMessage(in)
		if err != nil {
			return
		}
		answer := &dbus.Message{Type: dbus.TypeMethodReply, Headers: map[dbus.HeaderField]dbus.Variant{dbus.FieldReplySerial: dbus.MakeVariant(m.Serial())}}
		switch m.Headers[dbus.FieldMember].Value() {
		case "Hello":
			answer.Body = []any{":1.1"}
		case "StartTransientUnit":
			if err := b.start(m.Body); err != nil {
				answer.Type, answer.Body = dbus.TypeError, []any{err.Error()}
				answer.Headers[dbus.FieldErrorName] = dbus.MakeVariant("org.freedesktop.DBus.Error.AccessDenied")
			} else {
				answer.Body = []any{dbus.ObjectPath("/org/freedesktop/systemd1/job/1")}
			}
		}
		answer.Headers[dbus.FieldSignature] = dbus.MakeVariant(dbus.SignatureOf(answer.Body...))
		if err := answer.EncodeTo(numbered{conn, serial}, binary.LittleEndian); err != nil {
			return
		}
	}
}

// numbered gives messages a serial number, which the library gives to its own alone.
type numbered struct {
	net.Conn
	serial uint32
}

func (n numbered) Write(p []byte) (int, error) {
	if len(p) >= 12 {
		binary.LittleEndian.PutUint32(p[8:], n.serial)
	}
	return n.Conn.Write(p)
}

// start makes a scope, and has its process be in it a bit later.
func (b *fakeBus) start(body []any) error {
	if b.error != "" {
		return errors.New(b.error)
	}
	name, properties := body[0].(string), map[string]any{}
	for _, p := range body[2].([][]any) {
		properties[p[0].(string)] = p[1].(dbus.Variant).Value()
	}
	pids, ok := properties["PIDs"].([]uint32)
	if !ok || len(pids) != 1 || properties["Delegate"] != true || body[1] != "fail" {
		return fmt.Errorf("asked with %v", body)
	}
	dir := filepath.Join(b.tree.root, "user", name)
	for file, text := range map[string]string{"cgroup.procs": "", "cgroup.controllers": b.given, "cgroup.subtree_control": ""} {
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644)); err != nil {
			return err
		}
	}
	b.mu.Lock()
	b.scopes, b.moved = append(b.scopes, dir), pids[0]
	b.mu.Unlock()
	its := filepath.Join(b.manager.proc, strconv.Itoa(int(pids[0])))
	is := func(group string) error { // at no time there is half of it to be read
		return errors.Join(os.WriteFile(its+"/new", []byte("0::"+group+"\n"), 0o644), os.Rename(its+"/new", its+"/cgroup"))
	}
	err := errors.Join(os.MkdirAll(its, 0o755), is("/session"))
	time.AfterFunc(5*time.Millisecond, func() { is("/user/" + name) })
	return err
}

// held is how the memory and the processors of a worker are held.
func held(w *Worker) (memory, cpu posture.Layer) {
	for _, l := range w.Status() {
		switch l.Name {
		case posture.Memory:
			memory = l
		case posture.CPU:
			cpu = l
		}
	}
	return memory, cpu
}

// TestScope: where this process can make no groups a worker is in one below a scope of the user's
// manager, from the first one on, and its spawner is beside it.
func TestScope(t *testing.T) {
	b := newFakeBus(t, "cpu memory pids")
	b.use(t)
	for n := range 2 {
		w := mustStart(t, Spec{Path: worker, Level: Maximum, Memory: 64 << 20, CPU: 0.5})
		memory, cpu := held(w)
		if memory.Reason != "cgroup v2 with memory, pids, cpu, in a scope of systemd" || cpu.State != posture.Applied {
			t.Fatalf("worker %d: memory %+v, cpu %+v", n, memory, cpu)
		}
		if b.asked != 1 || len(b.scopes) != 1 || int(b.moved) != nursery.pid() {
			t.Fatalf("asked %d times, for %v with process %d, not %d", b.asked, b.scopes, b.moved, nursery.pid())
		}
		if got := readText(b.scopes[0], "main/cgroup.procs"); got != strconv.Itoa(nursery.pid()) {
			t.Errorf("in the group main is %q, not the spawner", got)
		}
		dir := w.proc.memory.group.parts[0].dir
		for file, want := range map[string]string{"memory.max": "67108864", "cpu.max": "50000 100000", "cgroup.procs": strconv.Itoa(w.Pid())} {
			if got := readText(dir, file); got != want || filepath.Dir(dir) != b.scopes[0] {
				t.Errorf("%s of %s is %q, not %q", file, dir, got, want)
			}
		}
	}
}

// TestScopeAtOnce: workers that start together are in one scope.
func TestScopeAtOnce(t *testing.T) {
	b := newFakeBus(t, "memory pids")
	b.use(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			w, err := Start(t.Context(), Spec{Path: worker, Level: Maximum, Memory: 64 << 20})
			if err != nil {
				t.Error(err)
				return
			}
			defer w.Close()
			if memory, _ := held(w); !strings.HasSuffix(memory.Reason, "in a scope of systemd") {
				t.Errorf("memory %+v", memory)
			}
		})
	}
	all.Wait()
	if b.asked != 1 {
		t.Errorf("asked %d times", b.asked)
	}
}

// TestScopeNextSpawner: the spawner after one that was killed has a scope of its own.
func TestScopeNextSpawner(t *testing.T) {
	b := newFakeBus(t, "memory pids")
	b.use(t)
	spec := Spec{Path: worker, Level: Maximum, Memory: 64 << 20}
	first := mustStart(t, spec)
	nursery.up.retire()
	second := mustStart(t, spec)
	if memory, _ := held(second); !strings.HasSuffix(memory.Reason, "in a scope of systemd") || b.asked != 2 {
		t.Errorf("memory %+v, asked %d times", memory, b.asked)
	}
	if got, err := first.Do(t.Context(), []byte("echo here"), Handlers{}); string(got) != "here" || err != nil {
		t.Errorf("a worker of the one that died: %q, %v", got, err)
	}
}

// TestScopeOfUser: a scope of the real manager of a user holds memory, the kernel's word that somebody had too much
// is heard, and nothing is left when its spawner has ended.
func TestScopeOfUser(t *testing.T) {
	rest()
	if machine.Groups("memory") == "" {
		t.Skip("this machine needs no manager: this process can make groups that hold memory")
	}
	if _, err := os.Stat(fmt.Sprintf("/run/user/%d/bus", os.Getuid())); err != nil {
		t.Skip("this machine cannot: no manager of this user: ", err)
	}
	w := mustStart(t, Spec{Path: worker, Level: Maximum, Memory: 128 << 20, CPU: 1})
	if memory, cpu := held(w); memory.Reason != "cgroup v2 with memory, pids, cpu, in a scope of systemd" || cpu.State != posture.Applied {
		t.Fatalf("memory %+v, cpu %+v", memory, cpu)
	}
	scope := filepath.Dir(w.proc.memory.group.parts[0].dir)
	if _, err := w.Do(t.Context(), []byte("eat"), Handlers{}); !isDeath(err, OutOfMem) {
		t.Errorf("it ended with %v", err)
	}
	rest()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(scope); errors.Is(err, os.ErrNotExist) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s is left", scope)
		}
	}
}

// TestNoScope: where none is to be had, for whatever reason, memory is watched, and nobody is asked
// again.
func TestNoScope(t *testing.T) {
	for _, tc := range []struct {
		name  string
		be    func(*fakeBus)
		asked int // times
	}{
		{"no bus", func(b *fakeBus) { b.manager.socket += "-elsewhere" }, 0},
		{"groups of its own", func(b *fakeBus) { *b.tree = *fakeTree(t, "0::/\n", "|memory pids|memory pids") }, 0},
		{"a bus that says no", func(b *fakeBus) { b.error = "no" }, 1},
		{"a bus that says nothing", func(b *fakeBus) { b.silent, b.manager.hello = true, 50*time.Millisecond }, 1},
		{"a scope without memory", func(b *fakeBus) { b.given = "pids" }, 1},
		{"a process that is never moved", func(b *fakeBus) { b.manager.proc, b.manager.moved = "/proc", 50*time.Millisecond }, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			b := newFakeBus(t, "memory pids")
			tc.be(b)
			b.use(t)
			for n := range 3 {
				w := mustStart(t, Spec{Path: worker, Level: Maximum, Memory: 64 << 20})
				memory, _ := held(w)
				if grouped := tc.name == "groups of its own"; grouped == strings.HasPrefix(memory.Reason, "watched") || strings.Contains(memory.Reason, "scope") {
					t.Errorf("worker %d: memory %+v", n, memory)
				}
				w.Close()
				rest()
			}
			if b.asked != tc.asked {
				t.Errorf("asked %d times, not %d", b.asked, tc.asked)
			}
		})
	}
}

// TestBusIsOurs: a bus that shows processes by other numbers is not asked, or another one would be moved.
func TestBusIsOurs(t *testing.T) {
	b := newFakeBus(t, "memory pids")
	if conn, err := b.manager.dial(t.Context()); err != nil {
		t.Errorf("the bus of a process of this namespace: %v", err)
	} else {
		conn.Close()
	}
	for _, tc := range []struct {
		status string
		want   bool
	}{
		{"Uid:\t0\nNSpid:\t812\n", true},
		{"NSpid:\t812\t7\n", false}, // it is in one below
		{"", false},                 // it is in one above
	} {
		if got := sameProcesses(status(tc.status)); got != tc.want {
			t.Errorf("%q: %v", tc.status, got)
		}
	}
}
