package isolate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// sysBlock is where the kernel shows disks by their numbers.
const sysBlock = "/sys/dev/block"

// disks are the numbers of those that the directories are on. Each has to be on one: what is kept in
// memory, on another machine or in layers has none, and btrfs does not say on which it is. A
// part of a disk stands for the whole, for which alone the kernel has rates.
func disks(sys string, dirs []*os.File) ([]string, error) {
	all := []string{}
	for _, dir := range dirs {
		var st unix.Stat_t
		if err := unix.Fstat(int(dir.Fd()), &st); err != nil {
			return nil, err
		}
		number := strconv.Itoa(int(unix.Major(st.Dev))) + ":" + strconv.Itoa(int(unix.Minor(st.Dev)))
		at, err := filepath.EvalSymlinks(filepath.Join(sys, number))
		if err != nil {
			return nil, fmt.Errorf("isolate: %s is on no disk: %w", dir.Name(), err)
		}
		if (part{dir: at}).has("partition") {
			number = strings.TrimSpace(readText(filepath.Dir(at), "dev"))
		}
		if !slices.Contains(all, number) {
			all = append(all, number)
		}
	}
	return all, nil
}
