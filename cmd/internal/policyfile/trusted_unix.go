//go:build unix

package policyfile

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
