package main

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// probes are natural calls that each find out about one layer, where the filter is not
// there to end the process before.
var probes = map[string]func() error{
	"landlock": func() error {
		_, err := os.ReadDir("/")
		return err
	},
	"network": func() error {
		_, err := net.Listen("tcp", "127.0.0.1:0")
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
	"rlimits": func() error {
		for range 64 {
			if _, err := unix.Dup(1); err != nil {
				return err
			}
		}
		return nil
	},
}
