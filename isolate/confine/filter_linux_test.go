package confine

import (
	"encoding/binary"
	"fmt"
	"os"
	"slices"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"github.com/sandtrap-go/sandtrap/isolate/posture"
)

const (
	amd64 = 0xc000003e
	i386  = 0x40000003
	arm64 = 0xc00000b7
)

// TestFilter runs the filter in a machine of its own, so that it can be read on any kernel.
// With an audit the host hears of calls that would end the process.
func TestFilter(t *testing.T) {
	for _, audit := range []bool{false, true} {
		t.Run(fmt.Sprint("audit ", audit), func(t *testing.T) { testFilter(t, &process{epoll: 4, event: 5, audit: audit}) })
	}
}

func testFilter(t *testing.T, p *process) {
	policy := p.policy()
	list, err := policy.Assemble()
	if err != nil {
		t.Fatal(err)
	}
	vm, err := bpf.NewVM(p.finish(list))
	if err != nil {
		t.Fatal(err)
	}
	here := uint32(amd64)
	if unix.SYS_READ != 0 {
		here = arm64
	}
	const always, allow = unix.SECCOMP_RET_KILL_PROCESS, unix.SECCOMP_RET_ALLOW
	kill := uint32(always)
	if p.audit {
		kill = unix.SECCOMP_RET_USER_NOTIF
	}
	x32 := kill // elsewhere it is one of another architecture
	if here == amd64 {
		x32 = always
	}
	for _, tc := range []struct {
		name string
		arch uint32
		nr   uint32
		args [6]uint64
		want uint32
	}{
		{"read of the socket", here, unix.SYS_READ, [6]uint64{3}, allow},
		{"read of another", here, unix.SYS_READ, [6]uint64{0}, kill},
		{"read, with high bits", here, unix.SYS_READ, [6]uint64{1<<32 | 3}, kill},
		{"write to the event", here, unix.SYS_WRITE, [6]uint64{5}, allow},
		{"futex wait", here, unix.SYS_FUTEX, [6]uint64{0, 128}, allow},
		{"futex lock", here, unix.SYS_FUTEX, [6]uint64{0, 6}, kill},
		{"memory", here, unix.SYS_MMAP, [6]uint64{0, 4096, 3, 0x22, ^uint64(0)}, allow},
		{"memory with code", here, unix.SYS_MMAP, [6]uint64{0, 4096, 7, 0x22, ^uint64(0)}, kill},
		{"shared memory", here, unix.SYS_MMAP, [6]uint64{0, 4096, 3, 0x21, ^uint64(0)}, kill},
		{"openat", here, unix.SYS_OPENAT, [6]uint64{}, kill},
		{"prctl", here, unix.SYS_PRCTL, [6]uint64{}, unix.SECCOMP_RET_ERRNO | uint32(unix.EINVAL)},
		{"a thread", here, unix.SYS_CLONE, [6]uint64{0xd0f00}, kill},
		{"a call of i386", i386, unix.SYS_READ, [6]uint64{3}, kill},
		{"a call of x32", amd64, 0x40000000, [6]uint64{3}, x32},
	} {
		if got := outcome(t, vm, tc.arch, tc.nr, tc.args); got != tc.want {
			t.Errorf("%s: %#x, want %#x", tc.name, got, tc.want)
		}
	}
}

// TestFilterIsOne: the tables make one program, to the byte, each time; another process has other numbers in it and
// nothing else. The filter is the last layer, after which no call of setting up is possible.
func TestFilterIsOne(t *testing.T) {
	for name, p := range map[string]*process{
		"plain": {epoll: 4, event: 5}, "directories": {epoll: 4, event: 5, dirs: []*os.Root{nil}}, "audit": {epoll: 4, event: 5, audit: true}, "spawner": {spawns: true},
	} {
		first, err := p.assemble()
		if err != nil || len(first) < 20 {
			t.Fatalf("%s: %d instructions, %v", name, len(first), err)
		}
		for range 20 {
			if again, err := p.assemble(); err != nil || !slices.Equal(again, first) {
				t.Fatalf("%s: another program, %v", name, err)
			}
		}
		other := *p
		other.epoll, other.event = 14, 15
		if again, err := other.assemble(); err != nil || len(again) != len(first) {
			t.Errorf("%s: with other descriptors %d instructions instead of %d, %v", name, len(again), len(first), err)
		}
	}
	if last := layers[len(layers)-1].name; last != posture.Seccomp {
		t.Errorf("the last layer is %s", last)
	}
}

func BenchmarkFilter(b *testing.B) {
	p := &process{epoll: 4, event: 5}
	for b.Loop() {
		if _, err := p.assemble(); err != nil {
			b.Fatal(err)
		}
	}
}

// TestFilterOfDirectories: with directories the filter lets through what opens and reads files, by the
// exact flags, and nothing else that is about paths.
func TestFilterOfDirectories(t *testing.T) {
	p := &process{epoll: 4, event: 5, dirs: []*os.Root{nil}}
	policy := p.policy()
	list, err := policy.Assemble()
	if err != nil {
		t.Fatal(err)
	}
	vm, err := bpf.NewVM(p.finish(list))
	if err != nil {
		t.Fatal(err)
	}
	here := uint32(amd64)
	if unix.SYS_READ != 0 {
		here = arm64
	}
	const kill, allow, refuse = unix.SECCOMP_RET_KILL_PROCESS, unix.SECCOMP_RET_ALLOW, unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	const file = unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_NONBLOCK
	for _, tc := range []struct {
		name string
		nr   uint32
		args [6]uint64
		want uint32
	}{
		{"a file", unix.SYS_OPENAT, [6]uint64{4, 0, file}, allow},
		{"a directory", unix.SYS_OPENAT, [6]uint64{4, 0, unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_DIRECTORY}, allow},
		{"to write", unix.SYS_OPENAT, [6]uint64{4, 0, file | unix.O_RDWR}, kill},
		{"a path", unix.SYS_OPENAT, [6]uint64{4, 0, file | unix.O_PATH}, kill},
		{"by links", unix.SYS_OPENAT, [6]uint64{4, 0, unix.O_CLOEXEC | unix.O_NONBLOCK}, kill},
		{"high bits", unix.SYS_OPENAT, [6]uint64{4, 0, 1<<32 | file}, kill},
		{"stat", unix.SYS_STATX, [6]uint64{4}, kill},
		{"pread", unix.SYS_PREAD64, [6]uint64{9}, allow},
		{"read", unix.SYS_READ, [6]uint64{9}, kill},
		{"readlinkat", unix.SYS_READLINKAT, [6]uint64{4}, refuse},
		{"epoll_ctl", unix.SYS_EPOLL_CTL, [6]uint64{4}, refuse},
	} {
		if got := outcome(t, vm, here, tc.nr, tc.args); got != tc.want {
			t.Errorf("%s: %#x, want %#x", tc.name, got, tc.want)
		}
	}
	for _, c := range dirCalls {
		if c.why == "" {
			t.Errorf("%s has no reason", c.name)
		}
	}
}

// outcome is what the filter says of a call. The machine reads numbers in network order.
func outcome(t *testing.T, vm *bpf.VM, arch, nr uint32, args [6]uint64) uint32 {
	t.Helper()
	data := binary.BigEndian.AppendUint32(nil, nr)
	data = binary.BigEndian.AppendUint32(data, arch)
	data = append(data, make([]byte, 8)...)
	for _, a := range args {
		data = binary.BigEndian.AppendUint32(data, uint32(a)) // the low half comes first
		data = binary.BigEndian.AppendUint32(data, uint32(a>>32))
	}
	n, err := vm.Run(data)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(n)
}
