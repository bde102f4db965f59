//go:build unix

package trustedfile

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// onlyOurs is an error if somebody else than this user, or root, may write the file.
func onlyOurs(info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fmt.Errorf("has no owner that could be looked at")
	}
	if stat.Uid != 0 && int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("belongs to user %d, who could change it: make it yours", stat.Uid)
	}
	if mode := info.Mode().Perm(); mode&0o022 != 0 {
		return fmt.Errorf("can be written by others (mode %04o): chmod go-w", mode)
	}
	return nil
}

// secret is an error if somebody else may read the file, or write it.
func secret(info fs.FileInfo) error {
	if err := onlyOurs(info); err != nil {
		return err
	}
	others, remedy := fs.FileMode(0o077), "go-rwx"
	if info.Sys().(*syscall.Stat_t).Uid == 0 { // who is in a group that root gave a file to is known to root
		others, remedy = 0o027, "g-w,o-rwx"
	}
	if mode := info.Mode().Perm(); mode&others != 0 {
		return fmt.Errorf("can be read by others (mode %04o): chmod %s", mode, remedy)
	}
	return nil
}
