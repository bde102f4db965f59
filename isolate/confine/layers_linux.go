package confine

import (
	"fmt"
	"math"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// Socket is the descriptor that the host is behind. Below it are the three of every
// process.
const Socket = 3

// What comes after it when the process starts: its executable, and directories.
const (
	executable = Socket + 1
	firstDir   = executable + 1
)

// layers in the order in which each leaves the next what it needs: mounts need
// capabilities and are forbidden under Landlock, and after the filter no setup call is
// possible. What is done to each thread comes before there are many: those that start later
// begin with it.
var layers = []layer{
	{posture.Descriptors, closeDescriptors, "what the host had open is out of reach"},
	{posture.Root, emptyRoot, "there is no path to open"},
	{posture.Bounding, dropBounding, "no program that it might start gets a privilege"},
	{posture.Rlimits, limit, "a worker cannot use up what others need, and leaves no core"},
	{posture.Securebits, lockSecurebits, "being root in its namespace gives nothing back"},
	{posture.Capabilities, dropCapabilities, "no privilege is left to use"},
	{posture.NoNewPrivs, noNewPrivs, "no program that it might start has more"},
	{posture.Landlock, landlockAll, "a second layer that forbids each path and connection"},
	{posture.Threads, haveThreads, "all threads that it will have are there, so that it need not make any"},
	{posture.Undumpable, undumpable, "nobody attaches to it or reads its memory"},
	{posture.NoWriteExec, noWriteExec, "what it writes never becomes code"},
	{posture.Seccomp, filter, "the kernel takes no call but those of the table"},
}

// closeDescriptors closes all but those of the wire and of the Go runtime. The runtime may have its own
// already: on a busy machine its collector waits by a timer before main begins.
func closeDescriptors(p *process, profile posture.Profile) error {
	if profile.Dirs < 0 || profile.Dirs > posture.MaxDirs {
		return fmt.Errorf("%d directories", profile.Dirs)
	}
	if err := p.findDescriptors(); err != nil {
		return err
	}
	gaps := []struct{ first, last int }{{executable, executable}, {firstDir + profile.Dirs, math.MaxInt32}}
	for _, gap := range gaps {
		if err := closeAllBut(gap.first, gap.last, p.epoll, p.event); err != nil {
			return err
		}
	}
	return p.takeDirs(profile.Dirs)
}

// closeAllBut closes the descriptors from first to last but for those kept.
func closeAllBut(first, last int, kept ...int) error {
	slices.Sort(kept)
	for _, fd := range append(kept, last+1) {
		if end := min(fd-1, last); first <= end {
			if err := unix.CloseRange(uint(first), uint(end), 0); err != nil {
				return err
			}
		}
		first = max(first, fd+1)
	}
	return nil
}

func undumpable(*process, posture.Profile) error {
	return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
}

func noWriteExec(*process, posture.Profile) error {
	return unix.Prctl(unix.PR_SET_MDWE, unix.PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0)
}

// noNewPrivs has nothing to do where a spawner has begun with it.
func noNewPrivs(*process, posture.Profile) error {
	if held, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); err == nil && held == 1 {
		return nil // on this thread, so on all: each was started by one that began with it
	}
	return onAllThreads(unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1)
}
