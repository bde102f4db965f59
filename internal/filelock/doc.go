// Package filelock locks open files against other processes, and against other opens of the same process.
//
// It may not wait for a lock.
package filelock

import "errors"

// ErrLocked is the error of TryLock if another has the file locked.
var ErrLocked = errors.New("the file is locked by another process")
