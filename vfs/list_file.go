package vfs

import (
	"io"
	"io/fs"
	"sort"
)

// listFile is an open directory whose listing is made of several.
type listFile struct {
	name string
	st   fs.FileInfo
	list []fs.FileInfo
	at   int
}

func (f *listFile) Name() string               { return f.name }
func (f *listFile) Close() error               { return nil }
func (f *listFile) Stat() (fs.FileInfo, error) { return f.st, nil }
func (f *listFile) Sync() error                { return nil }

func (f *listFile) Readdir(count int) ([]fs.FileInfo, error) {
	if f.at == 0 {
		sortByName(f.list)
	}
	rest := f.list[f.at:]
	got, err := next(&rest, count)
	f.at += len(got)
	return got, err
}

func sortByName(list []fs.FileInfo) {
	sort.Slice(list, func(i, j int) bool { return list[i].Name() < list[j].Name() })
}

func (f *listFile) Readdirnames(count int) ([]string, error) {
	infos, err := f.Readdir(count)
	return names(infos), err
}

func (f *listFile) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekStart {
		return 0, pathError("seek", f.name, errInvalid)
	}
	f.at = 0
	return 0, nil
}

func (f *listFile) Read([]byte) (int, error)          { return 0, pathError("read", f.name, errIsDir) }
func (f *listFile) ReadAt([]byte, int64) (int, error) { return 0, pathError("read", f.name, errIsDir) }
func (f *listFile) Write([]byte) (int, error)         { return 0, pathError("write", f.name, errBadFile) }
func (f *listFile) WriteAt([]byte, int64) (int, error) {
	return 0, pathError("write", f.name, errBadFile)
}
func (f *listFile) WriteString(string) (int, error) { return 0, pathError("write", f.name, errBadFile) }
func (f *listFile) Truncate(int64) error            { return pathError("truncate", f.name, errInvalid) }
