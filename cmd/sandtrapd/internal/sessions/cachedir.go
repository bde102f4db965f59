package sessions

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sandtrap-go/sandtrap/internal/filelock"
)

const (
	cachePrefix = "sandtrapd-worker-"
	lockName    = "lock"
)

// makeCacheDir makes a directory for contents. Its lock is held for as long as the process is there: the next one removes what one that was killed
// has left. Where there are no locks it is nil, and nothing is removed.
func makeCacheDir() (dir string, lock *os.File, err error) {
	if dir, err = os.MkdirTemp("", cachePrefix); err != nil {
		return "", nil, err
	}
	if lock, err = lockDir(dir); err != nil {
		return "", nil, errors.Join(err, os.RemoveAll(dir))
	}
	if lock != nil {
		removeLeft(os.TempDir())
	}
	return dir, lock, nil
}

// lockDir makes the lock of a directory, which is held when others see it.
func lockDir(dir string) (*os.File, error) {
	file := filepath.Join(dir, lockName)
	lock, err := os.OpenFile(file+".new", os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err = filelock.TryLock(lock); err == nil && locked(lock.Name()) {
		if err = os.Rename(lock.Name(), file); err == nil {
			return lock, nil
		}
	}
	return nil, errors.Join(err, lock.Close(), os.Remove(file+".new"))
}

// locked reports that a lock which is held is held for others too.
func locked(name string) bool {
	again, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer again.Close()
	return errors.Is(filelock.TryLock(again), filelock.ErrLocked)
}

// removeLeft removes the directories that processes have left which are gone: whose lock nobody holds. What cannot be removed stays. One
// without a lock is just made, or that of an older build, and stays too. It follows no links.
func removeLeft(tmp string) {
	root, err := os.OpenRoot(tmp)
	if err != nil {
		return
	}
	defer root.Close()
	names, err := fs.Glob(root.FS(), cachePrefix+"*")
	if err != nil {
		return
	}
	for _, name := range names {
		if info, err := root.Lstat(name); err == nil && info.IsDir() {
			removeOne(root, name)
		}
	}
}

func removeOne(root *os.Root, name string) {
	in, err := root.OpenRoot(name)
	if err != nil {
		return
	}
	defer in.Close()
	lock, err := in.OpenFile(lockName, os.O_RDWR, 0) // no link out of the directory
	if err != nil {
		return
	}
	defer lock.Close()
	if filelock.TryLock(lock) != nil {
		return // its process is there
	}
	_ = root.RemoveAll(name)
}
