package confine

import (
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// emptyRoot makes a root directory with nothing in it that cannot be written, and
// lets go of the one before. It needs a mount namespace of its own.
//
// While it has privileges it also shows itself its own threads, to see when all have
// started. A program that is linked with C keeps them in sight: there the Go runtime does
// not know all threads, and they are found in /proc each time that something of all of
// them is changed. No file of it can be opened later.
func emptyRoot(p *process, _ wire.Profile) error {
	p.rooted = true
	const flags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	return inOrder([]action{
		{"make mounts private", func() error { return unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") }},
		{"mount an empty directory", func() error {
			return unix.Mount("tmpfs", "/tmp", "tmpfs", flags, "size=4k,nr_inodes=2,mode=0555")
		}},
		{"make a place for the threads", func() error { return unix.Mkdir("/tmp/proc", 0o555) }},
		{"show the threads", func() error {
			err := unix.Mount("proc", "/tmp/proc", "proc", flags|unix.MS_RDONLY, "")
			if p.shown = err == nil; Linked {
				return err
			}
			return nil // a container may not let it: then nobody looks whether they have started
		}},
		{"enter it", func() error { return unix.Chdir("/tmp") }},
		{"make it the root", func() error { return unix.PivotRoot(".", ".") }},
		{"let go of the old root", func() error { return unix.Unmount(".", unix.MNT_DETACH) }},
		{"enter the root", func() error { return unix.Chdir("/") }},
		{"make it read-only", func() error {
			return unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|flags, "")
		}},
	})
}

// hideThreads takes them out of sight again, but for a program that is linked with C.
func (p *process) hideThreads() error {
	if Linked {
		return nil
	}
	if p.shown && p.rooted {
		return unix.Unmount("/proc", unix.MNT_DETACH)
	}
	return nil
}

// An action is a part of a layer.
type action struct {
	what string
	do   func() error
}

func inOrder(list []action) error {
	for _, a := range list {
		if err := a.do(); err != nil {
			return fmt.Errorf("%s: %w", a.what, err)
		}
	}
	return nil
}
