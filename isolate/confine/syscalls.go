package confine

// A call is a row of the filter: what the kernel does for a worker. All other calls end
// the process. Rows of one name add up.
type call struct {
	name string
	args []arg // all must hold; none for any arguments
	why  string
}

// An arg is a condition on one argument.
type arg struct {
	index uint32
	equal value
}

// A value is a number, or one that is known only in the process.
type value struct {
	number uint64
	of     source
}

type source int

const (
	constant source = iota
	ownPid
	ownEpoll
	ownEvent
)

func is(n uint64) value { return value{number: n} }

// calls is what the Go runtime and the protocol need once all threads run, on amd64 and
// arm64 alike. A worker that was locked down was watched for what it calls; the reasons
// are read in the sources of the runtime.
var calls = []call{
	{"read", []arg{{0, is(3)}}, "frames of the host"},
	{"read", []arg{{0, value{of: ownEvent}}}, "the runtime wakes its poller"},
	{"write", []arg{{0, is(3)}}, "frames to the host"},
	{"write", []arg{{0, value{of: ownEvent}}}, "the runtime wakes its poller"},
	{"write", []arg{{0, is(2)}}, "the runtime's last words, for the host to tell what it died of"},
	{"epoll_pwait", []arg{{0, value{of: ownEpoll}}}, "timers"},
	{"futex", []arg{{1, is(128)}}, "FUTEX_WAIT_PRIVATE: locks and parked threads"},
	{"futex", []arg{{1, is(129)}}, "FUTEX_WAKE_PRIVATE"},
	{"nanosleep", nil, "short waits of the runtime"},
	{"sched_yield", nil, "short waits of the runtime"},
	{"getpid", nil, "the first half of a preemption"},
	{"tgkill", []arg{{0, value{of: ownPid}}, {2, is(23)}}, "preemption: SIGURG to a thread of its own"},
	{"rt_sigreturn", nil, "the way back from a signal"},
	{"mmap", []arg{{2, is(0)}, {3, is(0x22)}}, "address space: no access, private, anonymous"},
	{"mmap", []arg{{2, is(0)}, {3, is(0x32)}}, "memory given up: the same at a fixed place"},
	{"mmap", []arg{{2, is(3)}, {3, is(0x22)}}, "memory: read and write, never execute"},
	{"mmap", []arg{{2, is(3)}, {3, is(0x32)}}, "memory within the address space"},
	{"mmap", []arg{{2, is(3)}, {3, is(0x28)}}, "state of the kernel's random numbers: droppable, anonymous"},
	{"munmap", nil, "memory given back"},
	{"madvise", []arg{{2, is(4)}}, "MADV_DONTNEED: unused memory goes back"},
	{"madvise", []arg{{2, is(8)}}, "MADV_FREE"},
	{"madvise", []arg{{2, is(14)}}, "MADV_HUGEPAGE"},
	{"madvise", []arg{{2, is(15)}}, "MADV_NOHUGEPAGE"},
	{"madvise", []arg{{2, is(25)}}, "MADV_COLLAPSE"},
	{"exit_group", nil, "the end"},
	{"gettid", nil, "a thread that still starts when the filter comes"},
	{"rt_sigprocmask", nil, "a thread that still starts when the filter comes"},
	{"sigaltstack", nil, "a thread that still starts when the filter comes"},
	{"restart_syscall", nil, "the kernel's own, after the process was stopped and continued"},
	{"clock_gettime", nil, "the time, on machines where the kernel's page does not have it"},
	{"getrandom", nil, "random numbers, when their state is stale"},
}

// A probe is a call that the runtime tries and can do without: it gets an error.
type probe struct {
	name  string
	errno uint16
	why   string
}

var probes = []probe{
	{"prctl", 22, "names for memory, in lists that people read; EINVAL has the runtime stop trying"},
}
