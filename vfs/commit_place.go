package vfs

import (
	"errors"
	"os"
	"sync"

	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/internal/filelock"
)

// takes is nil if base can have what a commit changes at a path, as far as it can be told without a try: a
// plan that cannot be carried out would be in the way of all others.
func takes(base afero.Fs, at string) error {
	switch b := base.(type) {
	case *mountFs:
		to, rest := b.route(at)
		if from, _ := b.route(stage); from != to {
			return errOtherDevice
		}
		return takes(to, rest)
	case *hideFs:
		if b.hides(at) {
			return errDenied
		}
		return takes(b.base, at)
	case *afero.ReadOnlyFs, readOnly:
		return errReadOnly
	}
	return nil
}

// committing are the bases that this process makes a commit to, where the system does not tell.
var committing sync.Map // of afero.Fs

// lockCommit is for who makes a commit to base, or ends one: for one at a time. The stage is there, and is
// this one's when it returns.
func lockCommit(base afero.Fs) (unlock func(), err error) {
	switch b := base.(type) {
	case *mountFs:
		to, _ := b.route(stage)
		return lockCommit(to)
	case *hideFs:
		return lockCommit(b.base)
	case *dirFs:
		return b.lockStage()
	case *memFs, *Layer:
		if _, taken := committing.LoadOrStore(base, true); taken {
			return nil, errCommitting
		}
		return func() { committing.Delete(base) }, nil
	}
	return func() {}, nil // a host's own, which is the host's to keep apart
}

// lockStage has the system keep the stage for one process, and for one file in it, until that ends.
func (d *dirFs) lockStage() (unlock func(), err error) {
	f, err := d.root.Open(inside(stage))
	if err != nil {
		return nil, errors.Join(errCommitting, err)
	}
	if err = filelock.TryLock(f); err == nil {
		err = d.isStage(f)
	} else if err == filelock.ErrLocked {
		err = errCommitting
	}
	if err != nil {
		_ = f.Close() // it is the error that is told
		return nil, err
	}
	return func() { _ = f.Close() }, nil // with which the lock goes
}

// isStage fails if the commit whose stage f is has ended before it was locked.
func (d *dirFs) isStage(f *os.File) error {
	was, err := f.Stat()
	if err != nil {
		return err
	}
	if now, err := d.root.Lstat(inside(stage)); err != nil || !os.SameFile(was, now) {
		return errCommitting
	}
	return nil
}
