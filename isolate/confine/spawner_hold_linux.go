package confine

import (
	"errors"
	"fmt"
	"unsafe"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// spawnerLayers hold a spawner, in the order in which they are applied. Workers begin with all of
// them but the dumpable one, so none may take away what a worker needs until it has its own.
var spawnerLayers = []layer{
	{posture.Descriptors, closeDescriptors, "what the host had open is out of reach"},
	{posture.Capabilities, keepCapabilities, "of the privileges in its namespace it keeps those that it starts workers with"},
	{posture.Bounding, dropBounding, "no program that it starts gets others; and a worker has not to do this again, which takes a call for each on each thread"},
	{posture.Securebits, lockSecurebits, "root of its namespace is nobody special: workers begin with one privilege"},
	{posture.Rlimits, limitSpawner, "it leaves no core and writes no file"},
	{posture.NoNewPrivs, noNewPrivs, "no program that it starts has more"},
	{posture.Landlock, landlockSpawner, "no TCP port, and no signal or abstract socket of others; rules for files would forbid its workers to make their roots"},
	{posture.Undumpable, undumpable, "nobody attaches to it or reads its memory"},
	{posture.NoWriteExec, noWriteExecHere, "what it writes never becomes code"},
	{posture.Seccomp, filterSpawner, "the kernel takes no call but to start workers, and what workers lock themselves down with"},
}

// optional are layers that a spawner goes without on kernels that do not have them: it runs nothing
// of a script's.
var optional = map[string]bool{posture.Landlock: true, posture.NoWriteExec: true}

// holdSpawner applies them, and says which it has.
func holdSpawner() ([]posture.Layer, error) {
	p := &process{spawns: true, reasons: map[string]string{}}
	has := []posture.Layer{}
	for _, l := range spawnerLayers {
		state := posture.Layer{Name: l.name, State: posture.Applied}
		if err := l.do(p, posture.Profile{}); err != nil {
			if !optional[l.name] {
				return nil, fmt.Errorf("%s: %w", l.name, err)
			}
			state.State, state.Reason = posture.Missing, err.Error()
		}
		has = append(has, state)
	}
	return has, nil
}

// spawnerCapabilities is what is left of a spawner's privileges. It has them in its user namespace
// alone.
var spawnerCapabilities = []struct {
	capability uint
	why        string
}{
	{unix.CAP_SYS_ADMIN, "to make namespaces; and workers mount their roots"},
	{unix.CAP_SETPCAP, "it empties its bounding set and locks its secure bits"},
	{unix.CAP_SETUID, "a process that is started becomes root in its namespace"},
	{unix.CAP_SETGID, "and its group"},
}

// keepCapabilities takes the others from each thread. Of those that are left workers begin with the one
// that they make their roots with: locked secure bits give them none for being root.
func keepCapabilities(*process, posture.Profile) error {
	var kept [2]unix.CapUserData
	for _, c := range spawnerCapabilities {
		bit := uint32(1) << (c.capability % 32)
		at := &kept[c.capability/32]
		at.Effective, at.Permitted, at.Inheritable = at.Effective|bit, at.Permitted|bit, at.Inheritable|bit
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	if _, _, errno := psx.Syscall3(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&kept[0])), 0); errno != 0 {
		return errno
	}
	_, _, errno := psx.Syscall6(unix.SYS_PRCTL, unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_RAISE, unix.CAP_SYS_ADMIN, 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("ambient: %w", errno)
	}
	return nil
}

// limitSpawner sets the rows of a worker's limits that are nothing: others it needs.
func limitSpawner(*process, posture.Profile) error {
	for _, r := range rlimits {
		if r.value(posture.Profile{}) != 0 {
			continue
		}
		if err := unix.Setrlimit(r.resource, &unix.Rlimit{}); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return nil
}

// landlockSpawner forbids what is no file.
func landlockSpawner(*process, posture.Profile) error {
	abi, err := ll.LandlockGetABIVersion()
	if err != nil {
		return err
	}
	r, err := atABI(abi)
	if err != nil {
		return err
	}
	if r.network|r.scopes == 0 {
		return errors.New("this kernel's Landlock knows files alone")
	}
	rules, err := ll.LandlockCreateRuleset(&ll.RulesetAttr{HandledAccessNet: r.network, Scoped: r.scopes}, 0)
	if err != nil {
		return err
	}
	defer unix.Close(rules)
	return ll.AllThreadsLandlockRestrictSelf(rules, 0)
}

// noWriteExecHere is noWriteExec for this process: workers have levels of their own.
func noWriteExecHere(*process, posture.Profile) error {
	return unix.Prctl(unix.PR_SET_MDWE, unix.PR_MDWE_REFUSE_EXEC_GAIN|unix.PR_MDWE_NO_INHERIT, 0, 0, 0)
}

func filterSpawner(p *process, _ posture.Profile) error {
	program, err := p.assemble()
	if err != nil {
		return err
	}
	return p.install(program)
}
