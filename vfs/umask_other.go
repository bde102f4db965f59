//go:build !linux

package vfs

import "io/fs"

// processUmask is not known here: to ask for the umask of the process is to change it.
func processUmask() fs.FileMode { return 0 }
