package vfs

import (
	"io/fs"
	"os"
	"time"
)

// info is what is known of a file: that, and nothing that the host's system adds.
type info struct {
	name  string
	size  int64
	mode  fs.FileMode
	mtime time.Time
	same  any // the same for the same file: a node, or the fs.FileInfo of the system
}

func (i *info) Name() string       { return i.name }
func (i *info) Size() int64        { return i.size }
func (i *info) Mode() fs.FileMode  { return i.mode }
func (i *info) ModTime() time.Time { return i.mtime }
func (i *info) IsDir() bool        { return i.mode.IsDir() }

// Sys is nil: what the system knows beyond that is not the script's to see.
func (i *info) Sys() any { return nil }

// An entry is an fs.DirEntry; it prints as one of package os.
type entry struct{ *info }

func (e entry) Type() fs.FileMode          { return e.mode.Type() }
func (e entry) Info() (fs.FileInfo, error) { return e.info, nil }
func (e entry) String() string             { return fs.FormatDirEntry(e) }

// bare is st under another name and without what is the system's.
func bare(st fs.FileInfo, name string) *info {
	if i, ok := st.(*info); ok {
		return &info{name, i.size, i.mode, i.mtime, i.same}
	}
	return &info{name, st.Size(), st.Mode(), st.ModTime(), st}
}

// SameFile is os.SameFile.
func SameFile(a, b fs.FileInfo) bool {
	x, ok := a.(*info)
	y, ok2 := b.(*info)
	if !ok || !ok2 {
		return false
	}
	if n, ok := x.same.(*node); ok {
		return any(n) == y.same
	}
	p, ok := x.same.(fs.FileInfo)
	q, ok2 := y.same.(fs.FileInfo)
	if !ok || !ok2 {
		return false
	}
	if far, ok := p.(interface{ Same(fs.FileInfo) bool }); ok { // of a file system that is elsewhere
		return far.Same(q)
	}
	return os.SameFile(p, q)
}
