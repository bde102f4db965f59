package ends

import (
	"encoding/binary"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A counter counts the instructions of a thread, those of the kernel for it apart. They do not
// become more because somebody else has the processor.
type counter struct{ fd int }

func countInstructions(thread int) (counter, error) {
	fd, err := unix.PerfEventOpen(&unix.PerfEventAttr{
		Type: unix.PERF_TYPE_HARDWARE, Config: unix.PERF_COUNT_HW_INSTRUCTIONS,
		Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})), Bits: unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv,
	}, thread, -1, -1, unix.PERF_FLAG_FD_CLOEXEC)
	return counter{fd}, err
}

// now is how many there were since the counter was made; it outlives the thread.
func (c counter) now() int64 {
	var b [8]byte
	if n, err := unix.Read(c.fd, b[:]); n != len(b) || err != nil {
		panic(err)
	}
	return int64(binary.NativeEndian.Uint64(b[:]))
}

func (c counter) close() { _ = unix.Close(c.fd) }

func thisThread() int { return unix.Gettid() }

// TestInstructions: the counter counts. Where the kernel counts none the tests of amplifiers have
// the stops and the heap alone to look at, and say so.
func TestInstructions(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := countInstructions(0)
	if err != nil {
		t.Skip("the kernel counts no instructions here: perf_event_open: ", err)
	}
	defer c.close()
	before, sum := c.now(), 0
	for i := range 1_000_000 {
		sum += i
	}
	if n := c.now() - before; n < 1_000_000 || sum == 0 {
		t.Errorf("%d instructions for a million steps", n)
	}
}
