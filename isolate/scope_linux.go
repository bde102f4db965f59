package isolate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/unix"
)

// A manager is systemd's for what a user starts. It has groups that are the user's, and moves processes
// of his into one for whoever asks on his bus: a scope. It is asked where this process can make no
// groups, for a spawner, which keeps the scope: when all that is in it has ended systemd removes it.
type manager struct {
	socket string        // of the bus
	proc   string        // where processes are shown
	hello  time.Duration // in which the bus has to answer
	moved  time.Duration // in which the process has to be in its scope

	mu      sync.Mutex
	looked  bool // whether it is needed, and there
	refused bool // it is not asked, or not again
}

var userManager = &manager{socket: busSocket(), proc: "/proc", hello: 500 * time.Millisecond, moved: 2 * time.Second}

// busSocket is where the bus of this user is, if there is one.
func busSocket() string {
	dir := os.Getenv("XDG_RUNTIME_DIR")
	if dir == "" {
		dir = "/run/user/" + strconv.Itoa(os.Geteuid())
	}
	return filepath.Join(dir, "bus")
}

// scopes counts those that were asked for, for their names.
var scopes atomic.Int64

// wanted says whether a scope may be had, and nothing better.
func (m *manager) wanted() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.looked {
		m.looked = true
		_, err := os.Stat(m.socket)
		m.refused = err != nil || canGroup()
	}
	return !m.refused
}

// canGroup says whether this process can make a group that holds memory.
func canGroup() bool {
	for _, version := range []string{version2, version1} {
		if g, err := cgroups.makeGroup(version, bounds{memory: 1 << 20}); err == nil {
			g.remove()
			return true
		}
	}
	return false
}

// scope has the process put in a scope, and returns where groups can be made there; nil if that is
// not to be had.
func (m *manager) scope(pid int) *groupTree {
	if !m.wanted() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), m.moved)
	defer cancel()
	late := time.AfterFunc(m.hello, cancel)
	defer late.Stop()
	conn, err := m.dial(ctx)
	if err == nil {
		late.Stop()
		defer conn.Close()
		if t, err := m.ask(ctx, conn, pid); err == nil {
			return t
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refused = true
	return nil
}

// ask asks for a scope and waits until the process is in it.
func (m *manager) ask(ctx context.Context, conn *dbus.Conn, pid int) (*groupTree, error) {
	type property struct {
		Name  string
		Value dbus.Variant
	}
	type unit struct {
		Name       string
		Properties []property
	}
	name := groupName() + strconv.FormatInt(scopes.Add(1), 10) + ".scope"
	properties := []property{
		{"Description", dbus.MakeVariant("workers of process " + strconv.Itoa(os.Getpid()))},
		{"PIDs", dbus.MakeVariant([]uint32{uint32(pid)})},
		{"Delegate", dbus.MakeVariant(true)},
		{"CollectMode", dbus.MakeVariant("inactive-or-failed")}, // nothing stays of one whose worker was killed
	}
	systemd := conn.Object("org.freedesktop.systemd1", "/org/freedesktop/systemd1")
	const method = "org.freedesktop.systemd1.Manager.StartTransientUnit"
	if err := systemd.CallWithContext(ctx, method, 0, name, "fail", properties, []unit{}).Err; err != nil {
		return nil, err
	}
	t := &groupTree{cgroups.root, filepath.Join(m.proc, strconv.Itoa(pid), "cgroup"), cgroups.mkdir}
	for { // the answer comes before the process is moved
		own, err := t.own("")
		if err != nil {
			return nil, err
		}
		if filepath.Base(own) == name {
			return t, t.vacate(own, pid)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

// vacate moves the process to a group of its own in the scope: one that has processes can give nothing
// to those below it.
func (t *groupTree) vacate(scope string, pid int) error {
	for _, mount := range hierarchies[0].mounts {
		dir := filepath.Join(t.root, mount, scope)
		if !(part{dir: dir}).has("cgroup.subtree_control") {
			continue
		}
		main := part{dir: filepath.Join(dir, "main")}
		if err := t.mkdir(main.dir); err != nil {
			return err
		}
		if err := main.write("cgroup.procs", strconv.Itoa(pid)); err != nil {
			return err
		}
		_, err := t.places(hierarchies[0], bounds{memory: 1})
		return err
	}
	return fmt.Errorf("no group %s of version 2", scope)
}

// dial connects to the bus. It has to be of this user, and show processes by the numbers that they
// have here: else it would move another one.
func (m *manager) dial(ctx context.Context) (*dbus.Conn, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	socket := os.NewFile(uintptr(fd), m.socket)
	if err := unix.Connect(fd, &unix.SockaddrUnix{Name: m.socket}); err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	its, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	if int(its.Uid) != os.Geteuid() || !sameProcesses(readStatus(fmt.Sprintf("/proc/%d/status", its.Pid), nil)) {
		return nil, errors.Join(errors.New("the bus is another user's, or in another namespace of processes"), socket.Close())
	}
	conn, err := dbus.NewConn(socket, dbus.WithContext(ctx)) // whose end closes it
	if err != nil {
		return nil, errors.Join(err, socket.Close())
	}
	if err := conn.Auth(nil); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	if err := conn.Hello(); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// sameProcesses says whether a process of that status is in the namespace of processes of this one: it has
// a number there, and no other in one below.
func sameProcesses(its status) bool { return len(strings.Fields(its.value("NSpid"))) == 1 }
