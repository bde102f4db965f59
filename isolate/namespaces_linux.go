package isolate

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// cloneFlags are those of the namespaces.
var cloneFlags = map[string]uintptr{
	posture.UserNamespace:   unix.CLONE_NEWUSER,
	posture.PidNamespace:    unix.CLONE_NEWPID,
	posture.NetNamespace:    unix.CLONE_NEWNET,
	posture.IPCNamespace:    unix.CLONE_NEWIPC,
	posture.UTSNamespace:    unix.CLONE_NEWUTS,
	posture.CgroupNamespace: unix.CLONE_NEWCGROUP,
	posture.MountNamespace:  unix.CLONE_NEWNS,
}

// nobody is who a worker of root is outside of its namespace.
const nobody = 65534

// mapped says if the user namespace of this process has the id, by its uid_map or gid_map:
// lines of a first id inside, one outside, and how many follow.
func mapped(text string, id int) bool {
	for line := range strings.Lines(text) {
		var inside, outside, count int
		if n, _ := fmt.Sscan(line, &inside, &outside, &count); n == 3 && inside <= id && id-inside < count {
			return true
		}
	}
	return false
}

// hasNobody says if root can hand its workers to nobody. It cannot where it is root of a
// user namespace with few users; outside of that it has no privileges to hand on.
var hasNobody = sync.OnceValue(func() bool {
	users, _ := os.ReadFile("/proc/self/uid_map")
	groups, _ := os.ReadFile("/proc/self/gid_map")
	return mapped(string(users), nobody) && mapped(string(groups), nobody)
})

func attributes(rows []layer) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setsid: true}
	for _, row := range rows {
		attr.Cloneflags |= cloneFlags[row.name]
	}
	if attr.Cloneflags&unix.CLONE_NEWUSER != 0 {
		uid, gid := os.Geteuid(), os.Getegid()
		root := uid == 0 && hasNobody()
		if root {
			uid, gid = nobody, nobody
		}
		attr.Credential = &syscall.Credential{NoSetGroups: !root} // only root can leave its groups
		attr.UidMappings = []syscall.SysProcIDMap{{HostID: uid, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{HostID: gid, Size: 1}}
		attr.GidMappingsEnableSetgroups = root
	}
	return attr
}

// startError says why the kernel did not make the process, if namespaces are why.
func startError(err error, rows []layer) error {
	namespaces := []posture.Layer{}
	for _, row := range rows {
		if cloneFlags[row.name] != 0 {
			namespaces = append(namespaces, posture.Layer{Name: row.name, State: posture.Missing, Reason: namespaceReason(err)})
		}
	}
	refused := errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EINVAL)
	if refused && len(namespaces) > 0 {
		return &MissingError{namespaces}
	}
	return fmt.Errorf("%w: it could not be started: %w", ErrWorker, err)
}

// knobs are where distributions forbid users to make namespaces.
var knobs = []struct{ path, forbids, remedy string }{
	{"/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl kernel.unprivileged_userns_clone=1"},
	{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "an AppArmor profile with userns for this program, or sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
	{"/proc/sys/user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"},
}

func namespaceReason(err error) string {
	for _, k := range knobs {
		if got, e := os.ReadFile(k.path); e == nil && strings.TrimSpace(string(got)) == k.forbids {
			return fmt.Sprintf("%v, as %s is %s; remedy: %s", err, k.path, k.forbids, k.remedy)
		}
	}
	return err.Error() + ", as the kernel or a filter around this process does not let it make namespaces"
}
