package confine

import (
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/wire"
)

// emptyRoot makes a root directory with nothing in it that cannot be written, and
// lets go of the one before. It needs a mount namespace of its own.
func emptyRoot(*process, wire.Profile) error {
	const flags = unix.MS_NOSUID | unix.MS_NODEV | unix.MS_NOEXEC
	steps := []struct {
		what string
		do   func() error
	}{
		{"make mounts private", func() error {
			return unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
		}},
		{"mount an empty directory", func() error {
			return unix.Mount("tmpfs", "/tmp", "tmpfs", flags, "size=4k,nr_inodes=2,mode=0555")
		}},
		{"show the threads to what changes them all", showThreads},
		{"enter it", func() error { return unix.Chdir("/tmp") }},
		{"make it the root", func() error { return unix.PivotRoot(".", ".") }},
		{"let go of the old root", func() error { return unix.Unmount(".", unix.MNT_DETACH) }},
		{"enter the root", func() error { return unix.Chdir("/") }},
		{"make it read-only", func() error {
			return unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY|flags, "")
		}},
	}
	for _, s := range steps {
		if err := s.do(); err != nil {
			return fmt.Errorf("%s: %w", s.what, err)
		}
	}
	return nil
}
