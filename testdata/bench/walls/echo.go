package walls

import (
	"io"
	"os"
	"os/exec"
	"syscall"
)

// roundTrips measures what no call from one process to another is quicker than, if nobody burns a
// processor while waiting: bytes to a process that sends them back, by plain calls that wait.
func (b *bench) roundTrips() error {
	fds, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	ours, theirs := os.NewFile(uintptr(fds[0]), "ours"), os.NewFile(uintptr(fds[1]), "theirs")
	defer ours.Close()
	echo := exec.Command(b.hello, "echo")
	echo.ExtraFiles = []*os.File{theirs}
	err = echo.Start()
	theirs.Close()
	if err != nil {
		return err
	}
	var data [20]byte
	err = b.add("1,000 bare round trips of 20 bytes between two processes", "", 50, timed(func() error {
		for range 1000 {
			if _, err := ours.Write(data[:]); err != nil {
				return err
			}
			if _, err := io.ReadFull(ours, data[:]); err != nil {
				return err
			}
		}
		return nil
	}))
	ours.Close()
	if ended := echo.Wait(); err == nil {
		err = ended
	}
	return err
}
