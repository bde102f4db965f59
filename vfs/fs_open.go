package vfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/afero"
)

// Open opens a file for reading.
func (f *FS) Open(name string) (*File, error) { return f.OpenFile(name, os.O_RDONLY, 0) }

// Create makes a file, or empties the one there is, and opens it.
func (f *FS) Create(name string) (*File, error) {
	return f.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

// OpenFile opens a file as the flags of package os say.
func (f *FS) OpenFile(name string, flag int, perm fs.FileMode) (*File, error) {
	file, err := f.openFile(name, flag, perm)
	if err != nil {
		return nil, pathError("open", name, err)
	}
	return file, nil
}

func (f *FS) openFile(name string, flag int, perm fs.FileMode) (*File, error) {
	flag &= openFlags
	if flag&os.O_CREATE != 0 && strings.HasSuffix(name, "/") {
		if _, err := f.place(withoutSlashes(name)); err != nil {
			return nil, err
		}
		return nil, errIsDir
	}
	for range lookAgain {
		file, again, err := f.openFound(name, flag, perm)
		if !again {
			return file, err
		}
	}
	return nil, errLinked
}

// openFound opens a file, or makes it if there is none. It reports that it wants to be called again: where opens are decided, one
// that was there is gone now, or one was made meanwhile.
func (f *FS) openFound(name string, flag int, perm fs.FileMode) (file *File, again bool, err error) {
	at, err := f.resolve(name)
	if err != nil {
		return nil, false, err
	}
	found, err := f.mayOpen(at, flag)
	if err != nil {
		return nil, false, err
	}
	at, err = f.decideOpen(at, flag, found)
	if err != nil {
		return nil, false, err
	}
	how := flag
	if f.Decide != nil && found == nil {
		how |= os.O_EXCL
	} else if f.Decide != nil {
		how &^= os.O_CREATE
	}
	file, err = f.openDecided(name, at, flag, how, perm, found)
	again = how != flag && (found == nil && errors.Is(err, fs.ErrExist) || found != nil && isMissing(err))
	return file, again, err
}

func (f *FS) openDecided(name, at string, flag, how int, perm fs.FileMode, found fs.FileInfo) (*File, error) {
	turn, err := f.hold()
	if err != nil {
		return nil, err
	}
	defer f.grows()()
	file := &File{name: name, at: at, fs: f, flag: flag, isDir: found != nil && found.IsDir()}
	if file.inner, err = f.doing().openAt(at, how, perm, found); err != nil {
		file = nil
	}
	if e := f.opened(file, turn); e != nil {
		_ = file.inner.Close() // nothing was written
		return nil, e
	}
	return file, err
}

// openAt opens what was found at a path, and pays for a file that is made.
func (f *FS) openAt(at string, flag int, perm fs.FileMode, found fs.FileInfo) (inner afero.File, err error) {
	// Not all file systems empty a file that is only read.
	how := flag
	if flag&os.O_TRUNC != 0 && !writes(flag) {
		how |= os.O_RDWR
	}
	if found != nil {
		if flag&os.O_TRUNC == 0 {
			return f.base.OpenFile(at, how, perm&^umask)
		}
		found, end, err := f.vol.shrinks(at, func() (fs.FileInfo, error) { return f.stat(at) })
		if err != nil {
			return nil, err
		}
		defer end()
		was := sizeOf(found) // some infos follow their file
		if inner, err = f.base.OpenFile(at, how, perm&^umask); err == nil {
			f.vol.give(was, 0)
		}
		return inner, err
	}
	if err := f.vol.take(0, 1); err != nil {
		return nil, err
	}
	if inner, err = f.base.OpenFile(at, how, perm&^umask); err != nil {
		f.vol.give(0, 1)
	}
	return inner, err
}

// umask is what is taken from the permissions of what scripts make.
const umask = 0o022

// mayOpen checks what a file system might not, and returns what is there, nil if
// it will be made.
func (f *FS) mayOpen(at string, flag int) (fs.FileInfo, error) {
	st, err := f.stat(at)
	switch {
	case err != nil && !isMissing(err):
		return nil, err
	case err != nil && flag&os.O_CREATE == 0:
		return nil, err
	case err != nil:
		return nil, f.parent(at)
	case flag&(os.O_CREATE|os.O_EXCL) == os.O_CREATE|os.O_EXCL:
		return nil, errExist
	case st.IsDir() && (changes(flag) || flag&os.O_CREATE != 0):
		return nil, errIsDir
	}
	return st, nil
}

// ReadFile returns the contents of a file.
func (f *FS) ReadFile(name string) ([]byte, error) {
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	st, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !st.IsDir() {
		f.charge(st.Size() + 512)
	}
	data := make([]byte, 0, max(0, min(st.Size(), 1<<30))+512)
	for {
		n, err := file.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return data, err
		}
		if len(data) == cap(data) {
			f.charge(int64(len(data)))
			data = append(data, 0)[:len(data)]
		}
	}
}

// WriteFile replaces the contents of a file with data.
func (f *FS) WriteFile(name string, data []byte, perm fs.FileMode) error {
	file, err := f.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, perm)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if e := file.Close(); err == nil {
		err = e
	}
	return err
}

// ReadDir lists a directory, sorted by name.
func (f *FS) ReadDir(name string) ([]fs.DirEntry, error) {
	dir, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if !dir.isDir {
		return nil, pathError("open", name, errNotDir)
	}
	return dir.ReadDir(-1)
}

// CreateTemp makes and opens a new file in dir, or in TempDir if dir is empty. The
// last * of the pattern, or its end, becomes a number.
func (f *FS) CreateTemp(dir, pattern string) (*File, error) {
	var file *File
	err := f.temporary("createtemp", dir, pattern, func(name string) (err error) {
		file, err = f.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		return err
	})
	return file, err
}

// MkdirTemp makes a new directory as CreateTemp makes a file.
func (f *FS) MkdirTemp(dir, pattern string) (string, error) {
	made := ""
	err := f.temporary("mkdirtemp", dir, pattern, func(name string) error {
		made = name
		return f.Mkdir(name, 0o700)
	})
	if err != nil {
		return "", err
	}
	return made, nil
}

var errPatternSeparator = errors.New("pattern contains path separator")

// temporary tries names until make finds one free. The numbers are the same each
// run, so that runs are.
func (f *FS) temporary(op, dir, pattern string, make func(name string) error) error {
	if strings.Contains(pattern, "/") {
		return &fs.PathError{Op: op, Path: pattern, Err: errPatternSeparator}
	}
	if dir == "" {
		dir = tempDir
	}
	head, tail := pattern, ""
	if i := strings.LastIndexByte(pattern, '*'); i >= 0 {
		head, tail = pattern[:i], pattern[i+1:]
	}
	for {
		f.mu.Lock()
		f.temp++
		n := 1_000_000_000 + uint32(f.temp)*2_654_435_761%1_000_000_000
		f.mu.Unlock()
		err := make(strings.TrimSuffix(dir, "/") + "/" + head + strconv.FormatUint(uint64(n), 10) + tail)
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}
