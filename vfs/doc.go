// Package vfs gives scripts files, with a quota and no way out.
//
// The storage is an afero.Fs: [Mem] is in memory, [Dir] is a directory of the host
// without escape by a path, link or race, [Layer] is an overlay, [Mount] combines several
// under one root, [ReadOnly] rejects changes, [From] adapts an io/fs.FS; or it is one of
// the host's own.
//
// A [Volume] is such storage with a [Quota], shared by the runs of one sandbox. An [FS]
// is the view of one run: the functions of package os on the script's paths, with a
// working directory of its own, and errors with Go's texts and the script's paths, and
// without paths of the host.
//
// Not guaranteed: that the times and the modes of files survive in an afero.Fs
// that does not keep them.
//
// It may not follow a path, a link or a race out of a volume.
package vfs
