package vfs

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/afero"
)

// A fault is what went wrong with a file, in the words of Linux: a script reads
// what it would read there, wherever the host runs, and nothing that a file system
// of the host's says reaches it.
type fault struct {
	text string
	is   error // the error of io/fs or errors that it counts as
}

func (f *fault) Error() string { return f.text }

// Is makes errors.Is(err, fs.ErrNotExist) and its kin work.
func (f *fault) Is(target error) bool { return f.is != nil && target == f.is }

var (
	errNotExist    = &fault{"no such file or directory", fs.ErrNotExist}
	errExist       = &fault{"file exists", fs.ErrExist}
	errDenied      = &fault{"permission denied", fs.ErrPermission}
	errNotAllowed  = &fault{"operation not permitted", fs.ErrPermission}
	errReadOnly    = &fault{"read-only file system", fs.ErrPermission}
	errNotDir      = &fault{"not a directory", nil}
	errIsDir       = &fault{"is a directory", nil}
	errNotEmpty    = &fault{"directory not empty", fs.ErrExist}
	errInvalid     = &fault{"invalid argument", nil}
	errNoSpace     = &fault{"no space left on device", nil}
	errQuota       = &fault{"disk quota exceeded", nil}
	errTooLarge    = &fault{"file too large", nil}
	errOtherDevice = &fault{"invalid cross-device link", nil}
	errLoop        = &fault{"too many levels of symbolic links", nil}
	errNameTooLong = &fault{"file name too long", nil}
	errTooManyOpen = &fault{"too many open files", nil}
	errBadFile     = &fault{"bad file descriptor", nil}
	errUnsupported = &fault{"operation not supported", errors.ErrUnsupported}
	errEscapes     = &fault{"path escapes from parent", nil}
	errInput       = &fault{"input/output error", nil}
)

// known are the faults that are told apart by their text, which is the same in the
// errors of the systems that Go runs on.
var known = func() map[string]*fault {
	m := map[string]*fault{}
	for _, f := range []*fault{
		errNotExist, errExist, errDenied, errNotAllowed, errReadOnly, errNotDir, errIsDir, errNotEmpty, errInvalid, errNoSpace,
		errQuota, errTooLarge, errOtherDevice, errLoop, errNameTooLong, errTooManyOpen, errBadFile, errUnsupported, errEscapes,
	} {
		m[f.text] = f
	}
	return m
}()

// Known returns the error of this package with a text, for what speaks of files to
// another process; of a text that none has, an input/output error.
func Known(text string) error {
	if f := known[text]; f != nil {
		return f
	}
	if text == fs.ErrClosed.Error() {
		return fs.ErrClosed
	}
	return errInput
}

// kinds are the faults that are told apart by what they count as.
var kinds = []struct {
	is error
	f  *fault
}{
	{fs.ErrNotExist, errNotExist},
	{fs.ErrExist, errExist},
	{fs.ErrPermission, errDenied},
	{fs.ErrInvalid, errInvalid},
	{errors.ErrUnsupported, errUnsupported},
}

// cause is the fault in an error of a file system: one of ours, or an input/output
// error if it is of no known kind. What readers rely on by identity stays.
func cause(err error) error {
	var f *fault
	switch {
	case errors.As(err, &f):
		return f
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return err
	case errors.Is(err, fs.ErrClosed), errors.Is(err, afero.ErrFileClosed):
		return fs.ErrClosed
	}
	if f := known[innermost(err).Error()]; f != nil {
		return f
	}
	for _, k := range kinds {
		if errors.Is(err, k.is) {
			return k.f
		}
	}
	return errInput
}

func innermost(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}

// pathError is err as package os would return it for the script's path.
func pathError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	if c := cause(err); c != io.EOF {
		return &fs.PathError{Op: op, Path: path, Err: c}
	}
	return io.EOF
}

func linkError(op, old, new string, err error) error {
	if err == nil {
		return nil
	}
	return &os.LinkError{Op: op, Old: old, New: new, Err: cause(err)}
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// IsExist is os.IsExist. Like its kin below it looks
// through the errors of package os and no others.
func IsExist(err error) bool { return counts(err, fs.ErrExist) }

// IsNotExist is os.IsNotExist.
func IsNotExist(err error) bool { return counts(err, fs.ErrNotExist) }

// IsPermission is os.IsPermission.
func IsPermission(err error) bool { return counts(err, fs.ErrPermission) }

// IsTimeout is os.IsTimeout.
func IsTimeout(err error) bool {
	t, ok := underlying(err).(interface{ Timeout() bool })
	return ok && t.Timeout()
}

func counts(err, target error) bool {
	err = underlying(err)
	f, ok := err.(*fault)
	return err == target || ok && f.is == target
}

func underlying(err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		return e.Err
	case *os.LinkError:
		return e.Err
	}
	return err
}
