package audit

// paths tells which argument of a call is the address of a path, or of a name.
var paths = map[string]int{
	"access": 0, "acct": 0, "chdir": 0, "chmod": 0, "chown": 0, "chroot": 0, "creat": 0, "delete_module": 0,
	"execve": 0, "getxattr": 0, "lchown": 0, "link": 0, "lstat": 0, "memfd_create": 0, "mkdir": 0, "mknod": 0,
	"mq_open": 0, "mq_unlink": 0, "open": 0, "pivot_root": 0, "readlink": 0, "rename": 0, "rmdir": 0,
	"setxattr": 0, "stat": 0, "statfs": 0, "swapoff": 0, "swapon": 0, "symlink": 0,
	"truncate": 0, "umount2": 0, "unlink": 0, "uselib": 0, "utime": 0, "utimes": 0,

	"execveat": 1, "faccessat": 1, "faccessat2": 1, "fchmodat": 1, "fchownat": 1, "fsconfig": 2, "fspick": 1,
	"futimesat": 1, "inotify_add_watch": 1, "linkat": 1, "mkdirat": 1, "mknodat": 1, "mount": 1,
	"name_to_handle_at": 1, "newfstatat": 1, "open_tree": 1, "openat": 1, "openat2": 1, "quotactl": 1,
	"readlinkat": 1, "renameat": 1, "renameat2": 1, "statx": 1, "unlinkat": 1, "utimensat": 1,
	"fanotify_mark": 4,
}
