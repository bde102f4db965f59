package audit

import (
	"testing"
	"unsafe"

	"github.com/elastic/go-seccomp-bpf/arch"
)

// TestSizes: the kernel writes as much as the numbers of its calls say.
func TestSizes(t *testing.T) {
	for _, tc := range []struct{ request, size uintptr }{
		{ioctlReceive, unsafe.Sizeof(notice{})},
		{ioctlSend, unsafe.Sizeof(reply{})},
		{ioctlValid, unsafe.Sizeof(notice{}.ID)},
	} {
		if got := tc.request >> 16 & 0x3fff; got != tc.size {
			t.Errorf("%#x is about %d bytes, not %d", tc.request, got, tc.size)
		}
	}
}

// TestPaths: each row names a call of some architecture.
func TestPaths(t *testing.T) {
	for name := range paths {
		if _, ok := arch.X86_64.SyscallNames[name]; !ok {
			t.Errorf("there is no call %s", name)
		}
	}
}
