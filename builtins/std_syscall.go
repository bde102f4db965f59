package builtins

var stdSyscall = Package{
	Path: "syscall",
	scan: true,
	Members: []Member{
		{Name: "Signal", Value: (*Signal)(nil), With: "Signal String", Why: "a name; none is ever delivered"},

		{Name: "SIGABRT", Value: Signal(6)},
		{Name: "SIGALRM", Value: Signal(14)},
		{Name: "SIGBUS", Value: Signal(7)},
		{Name: "SIGFPE", Value: Signal(8)},
		{Name: "SIGHUP", Value: Signal(1)},
		{Name: "SIGILL", Value: Signal(4)},
		{Name: "SIGINT", Value: Signal(2)},
		{Name: "SIGKILL", Value: Signal(9)},
		{Name: "SIGPIPE", Value: Signal(13)},
		{Name: "SIGQUIT", Value: Signal(3)},
		{Name: "SIGSEGV", Value: Signal(11)},
		{Name: "SIGTERM", Value: Signal(15)},
		{Name: "SIGTRAP", Value: Signal(5)},
		{Name: "SIGUSR1", Value: Signal(10)},
		{Name: "SIGUSR2", Value: Signal(12)},
	},
	Denied: []Denial{
		{Names: "*", Why: "scripts may not reach the operating system"},
	},
}
