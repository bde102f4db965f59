package main

import "golang.org/x/sys/unix"

// int80 makes a call of i386, as a program of 32 bits does.
func int80(nr uint32) int32

func init() {
	attacks["int 0x80"] = func() error {
		if n := int80(20); n < 0 { // getpid
			return unix.Errno(-n)
		}
		return nil
	}
}
