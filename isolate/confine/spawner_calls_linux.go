package confine

import (
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/sys/unix"
)

// A purpose is a row of the filter of a spawner: calls, and what for. A worker begins with that
// filter, so what it needs until it has its own is here too. All other calls are answered as an old
// kernel would, which has programs do without.
type purpose struct {
	calls []call
	why   string
}

func plain(names ...string) []call {
	list := []call{}
	for _, name := range names {
		list = append(list, call{name: name})
	}
	return list
}

var purposes = []purpose{
	{plain("recvmsg", "read", "write", "readv", "writev", "pread64", "close", "close_range", "lseek"), "what the host asks for, its answer, and files"},
	{plain("clone", "clone3", "vfork", "execve", "pipe2", "dup3", "dup2", "dup", "setsid", "setuid", "setgid", "setgroups", "chdir", "wait4", "waitid"), "to start a worker"},
	{[]call{{name: "unshare", args: []arg{{0, is(unix.CLONE_NEWNET)}}}}, "a network namespace for a seat"},
	{[]call{{name: "kill", args: []arg{{0, is(1)}}}}, "a worker that starts ends itself if its host is gone: it is number 1 in its namespace"},
	{plain("mount", "umount2", "pivot_root", "mkdirat", "mkdir", "fchdir"), "a worker empties its root"},
	{plain("prctl", "capget", "capset", "setrlimit", "getrlimit", "prlimit64", "seccomp", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"), "a worker locks itself down"},
	{plain("mmap", "munmap", "mprotect", "mremap", "madvise", "mincore", "brk"), "memory of the Go runtime and of the loader"},
	{plain("futex", "nanosleep", "clock_nanosleep", "sched_yield", "sched_getaffinity", "set_robust_list", "set_tid_address", "rseq", "arch_prctl", "gettid", "getpid", "getppid", "getpgrp", "membarrier", "restart_syscall"), "threads"},
	{plain("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "tgkill", "tkill", "setitimer", "timer_create", "timer_settime", "timer_delete"), "signals of a program to itself"},
	{plain("epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_wait", "eventfd2", "poll", "ppoll", "pselect6", "select", "pipe"), "waiting"},
	{plain("openat", "open", "fstat", "newfstatat", "stat", "lstat", "statx", "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getdents64", "getcwd", "fcntl", "statfs", "fstatfs"), "files that a program looks at when it starts"},
	{plain("getuid", "geteuid", "getgid", "getegid", "getresuid", "getresgid", "getgroups", "uname", "sysinfo", "getrandom", "clock_gettime", "clock_getres", "gettimeofday", "time", "getrusage", "times", "umask"), "what a program asks when it starts"},
	{[]call{{name: "ioctl", args: []arg{{1, is(unix.TCGETS)}}}, {name: "ioctl", args: []arg{{1, is(unix.TIOCGWINSZ)}}}}, "whether this is a terminal"},
	{plain("exit", "exit_group"), "the end"},
}

// spawnerCalls is the rows, without calls that this architecture does not have.
func spawnerCalls() []call {
	here, err := arch.GetInfo("")
	if err != nil {
		return nil
	}
	list := []call{}
	for _, p := range purposes {
		for _, c := range p.calls {
			if _, ok := here.SyscallNames[c.name]; ok {
				list = append(list, c)
			}
		}
	}
	return list
}
