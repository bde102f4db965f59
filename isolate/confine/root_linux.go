package confine

import (
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

// emptyRoot makes a root directory with nothing in it that cannot be written, and
// lets go of the one before. It needs a mount namespace of its own.
//
// A program that is linked with C also sees its own threads: there the Go runtime does
// not know all of them, and they are found in /proc each time that something of all of
// them is changed. No file of it can be opened later.
func emptyRoot(_ *process, _ posture.Profile) error {
	const flags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	list := []action{
		{"make mounts private", func() error { return unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") }},
		// Its owner may write to it until it is read-only: he need not have a privilege for that.
		{"mount an empty directory", func() error {
			return unix.Mount("tmpfs", "/tmp", "tmpfs", flags, "size=4k,nr_inodes=2,mode=0755")
		}},
	}
	if Linked {
		list = append(list, []action{
			{"make a place for the threads", func() error { return unix.Mkdir("/tmp/proc", 0o555) }},
			{"show the threads", func() error { return unix.Mount("proc", "/tmp/proc", "proc", flags|unix.MS_RDONLY, "") }},
		}...)
	}
	return inOrder(append(list, []action{
		{"enter it", func() error { return unix.Chdir("/tmp") }},
		{"make it the root", func() error { return unix.PivotRoot(".", ".") }},
		{"let go of the old root", func() error { return unix.Unmount(".", unix.MNT_DETACH) }},
		{"enter the root", func() error { return unix.Chdir("/") }},
		{"make it read-only", func() error {
			return unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|flags, "")
		}},
	}...))
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
