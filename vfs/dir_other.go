//go:build !unix

package vfs

// noWait is nothing: no directory here has pipes in it.
const noWait = 0

// Rename fails where a link is in a path, but for one that comes between the look and the move: package os has no name for moves by
// handles.
func (d *straightDir) Rename(old, new string) error {
	return d.in(old, func(*dirFs, string) error {
		return d.in(new, func(*dirFs, string) error { return (&dirFs{d.root}).Rename(old, new) })
	})
}
