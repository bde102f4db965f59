package vfs

import (
	"io/fs"
	"os"
	"strings"
)

// An orphan is a file that is open and has no name any more. It is there until the last that has it open
// is closed, and counts until then.
type orphan struct{ holders int }

// hold makes room for one more open file of the run, and says for which of its Closes.
func (f *FS) hold() (turn int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.open)+f.opening >= f.vol.quota.Open {
		return 0, errTooManyOpen
	}
	f.opening++
	return f.turn, nil
}

// opened ends what hold has begun, with the file unless opening it failed. It fails if the run was closed
// meanwhile.
func (f *FS) opened(file *File, turn int) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.opening--
	switch {
	case file == nil:
		return nil
	case f.turn != turn:
		return fs.ErrClosed
	case f.open == nil:
		f.open = map[*File]bool{}
	}
	f.open[file] = true
	f.vol.opened(file)
	return nil
}

func (v *Volume) opened(file *File) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.open == nil {
		v.open = map[*File]bool{}
	}
	v.open[file] = true
}

// release closes what is open, and gives its bytes back if nothing else holds them.
func (f *FS) release(file *File) error {
	f.mu.Lock()
	delete(f.open, file)
	f.mu.Unlock()
	if f.vol.released(file) {
		if st, err := file.inner.Stat(); err == nil {
			f.vol.give(sizeOf(st), 0)
		}
	}
	return file.inner.Close()
}

// released reports that the file is an orphan that nobody else holds.
func (v *Volume) released(file *File) (last bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.open[file] || file.orphan == nil { // it was released before, or has its name
		delete(v.open, file)
		return false
	}
	delete(v.open, file)
	file.orphan.holders--
	return file.orphan.holders == 0
}

// removed gives back what st used, which was at a path and is there no more. A file that is open is an
// orphan.
func (v *Volume) removed(st fs.FileInfo, at string) {
	var holders []*File
	if st.Mode().IsRegular() {
		holders = v.holders(st, at)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.files = max(0, v.files-1)
	left := &orphan{}
	for _, file := range holders {
		if v.open[file] && file.orphan == nil {
			left.holders++
			file.orphan = left
		}
	}
	if left.holders == 0 {
		v.bytes = max(0, v.bytes-sizeOf(st))
	}
}

// holders are the open files that are st, which was at a path.
func (v *Volume) holders(st fs.FileInfo, at string) []*File {
	var list []*File
	for _, file := range v.list() {
		if its, err := file.inner.Stat(); err == nil && sameFile(its, st, v.at(file), at) {
			list = append(list, file)
		}
	}
	return list
}

// sameFile tells by the paths where the file system of x cannot.
func sameFile(x, y fs.FileInfo, xPath, yPath string) bool {
	own := bare(x, "")
	return SameFile(own, bare(y, "")) || !SameFile(own, own) && xPath == yPath
}

func (v *Volume) list() []*File {
	v.mu.Lock()
	defer v.mu.Unlock()
	list := make([]*File, 0, len(v.open))
	for file := range v.open {
		list = append(list, file)
	}
	return list
}

func (v *Volume) at(file *File) string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return file.at
}

// moved has what is open below a path known at its new one.
func (v *Volume) moved(from, to string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for file := range v.open {
		if rest, ok := strings.CutPrefix(file.at, from); ok && (rest == "" || rest[0] == '/') {
			file.at = to + rest
		}
	}
}

// openFlags are those that scripts may open files with.
const openFlags = os.O_RDONLY | os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREATE | os.O_EXCL | os.O_SYNC | os.O_TRUNC
