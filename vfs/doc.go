// Package vfs gives scripts files, with a quota and no way out.
//
// Where the files are is an afero.Fs: [Mem] in memory, [Dir] a directory of the
// host out of which no path, link or race leads, [Layer] changes kept apart from
// what they change, [Mount] several under one root, [ReadOnly] one that stays as
// it is, or any of the host's own; [From] makes one of an io/fs.FS.
//
// A [Volume] is such files with a [Quota], shared by the runs of one sandbox. A
// [FS] is what one run sees of it: the functions of package os on paths that the
// script writes, with a working directory of its own, and errors with Go's texts,
// the script's paths and nothing of the host's.
//
// Not guaranteed: that the times and the modes of files survive in an afero.Fs
// that does not keep them.
//
// It may not follow a path, a link or a race out of what a volume has.
package vfs
