package main

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// probes are natural calls that each find out about one layer, where the filter is not
// there to end the process before.
var probes = map[string]func() error{
	"landlock": func() error {
		_, err := os.ReadDir("/")
		return err
	},
	"no_write_exec": func() error {
		_, err := unix.Mmap(-1, 0, 4096, everything, unix.MAP_PRIVATE|unix.MAP_ANON)
		return err
	},
	"not_dumpable": func() error {
		if n, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err != nil || n != 0 {
			return nil
		}
		return fmt.Errorf("it is not dumpable")
	},
	"securebits": func() error {
		if n, err := unix.PrctlRetInt(unix.PR_GET_SECUREBITS, 0, 0, 0, 0); err != nil || n != 0xef {
			return nil
		}
		return fmt.Errorf("they are locked")
	},
	"no_new_privs": func() error {
		if n, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); err != nil || n != 1 {
			return nil
		}
		return fmt.Errorf("it gets none")
	},
	"memory": func() error {
		all := [][]byte{}
		for range 200 {
			all = append(all, bytes.Repeat([]byte{1}, 1<<20))
		}
		runtime.KeepAlive(all)
		return nil
	},
	"bomb": func() error {
		for range 300 { // should nothing stop it
			child, _, errno := unix.RawSyscall6(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
			for errno == 0 && child == 0 {
				unix.RawSyscall6(unix.SYS_PPOLL, 0, 0, 0, 0, 0, 0)
			}
			if errno != 0 {
				return errno
			}
		}
		return nil
	},
	"rlimits": func() error {
		for range 64 {
			if _, err := unix.Dup(1); err != nil {
				return err
			}
		}
		return nil
	},
}

// dial says something to an address of a network.
func dial(to []string) error {
	conn, err := net.DialTimeout(to[0], to[1], 20*time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.Write([]byte("hello"))
	return err
}
