package builtins

var stdOs = Package{
	Path:   "os",
	Prompt: "Args Exit Stdout Stderr File.Write File.WriteString",
	scan:   true,
	Members: []Member{
		{Name: "File", Value: (*File)(nil), With: "Close Name Read Sync Write WriteString", Why: "one of the script's own three streams, never a file of the host"},

		{Name: "Exit", Value: osExit, Why: "ends the run, not the host"},

		{Name: "Args", Value: osArgs, Why: "the run's own arguments"},
		{Name: "Stderr", Value: osStderr},
		{Name: "Stdin", Value: osStdin},
		{Name: "Stdout", Value: osStdout},
	},
	Denied: []Denial{
		{Names: "Chdir Chmod Chown Chtimes CopyFS Create CreateTemp DevNull DirEntry DirFS ErrClosed ErrDeadlineExceeded ErrExist ErrInvalid ErrNoDeadline ErrNoHandle ErrNotExist ErrPermission FileInfo FileMode Getwd IsExist IsNotExist IsPathSeparator IsPermission IsTimeout Lchown Link LinkError Lstat Mkdir MkdirAll MkdirTemp ModeAppend ModeCharDevice ModeDevice ModeDir ModeExclusive ModeIrregular ModeNamedPipe ModePerm ModeSetgid ModeSetuid ModeSocket ModeSticky ModeSymlink ModeTemporary ModeType NewFile O_APPEND O_CREATE O_EXCL O_RDONLY O_RDWR O_SYNC O_TRUNC O_WRONLY Open OpenFile OpenInRoot OpenRoot PathError PathListSeparator PathSeparator Pipe ReadDir ReadFile Readlink Remove RemoveAll Rename Root SEEK_CUR SEEK_END SEEK_SET SameFile Stat Symlink TempDir Truncate UserCacheDir UserConfigDir UserHomeDir WriteFile", Why: "scripts have no files of the host's"},
		{Names: "Clearenv Environ Expand ExpandEnv Getenv LookupEnv Setenv Unsetenv", Why: "scripts have no environment of the host's", Instead: "os.Args"},
		{Names: "ErrProcessDone Executable FindProcess Getegid Geteuid Getgid Getgroups Getpagesize Getpid Getppid Getuid Hostname Interrupt Kill NewSyscallError ProcAttr Process ProcessState Signal StartProcess SyscallError", Why: "scripts may not reach the host's processes"},
		{Names: "File.Chdir File.Chmod File.Chown File.Fd File.ReadAt File.ReadDir File.ReadFrom File.Readdir File.Readdirnames File.Seek File.SetDeadline File.SetReadDeadline File.SetWriteDeadline File.Stat File.SyscallConn File.Truncate File.WriteAt File.WriteTo", Why: "a stream is not a file", Instead: "bufio.NewReader"},
	},
}
