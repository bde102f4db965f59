//go:build !unix

package vfs

// noWait is nothing: no directory here has pipes in it.
const noWait = 0
