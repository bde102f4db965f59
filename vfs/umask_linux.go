package vfs

import (
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// processUmask is the umask of the process, which the kernel tells without changing it.
func processUmask() fs.FileMode {
	text, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "Umask:"); ok {
			if n, err := strconv.ParseUint(strings.TrimSpace(value), 8, 32); err == nil {
				return fs.FileMode(n) & fs.ModePerm
			}
		}
	}
	return 0
}
