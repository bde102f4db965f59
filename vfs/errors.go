package vfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/afero"
)

// A fault is what went wrong with a file, as a number of Linux: a script reads
// what it would read there, wherever the host runs, and nothing that a file system
// of the host's says reaches it.
type fault uintptr

const (
	errNotAllowed  fault = 1
	errNotExist    fault = 2
	errInput       fault = 5
	errBadFile     fault = 9
	errDenied      fault = 13
	errExist       fault = 17
	errOtherDevice fault = 18
	errNotDir      fault = 20
	errIsDir       fault = 21
	errInvalid     fault = 22
	errTooManyOpen fault = 24
	errTooLarge    fault = 27
	errNoSpace     fault = 28
	errReadOnly    fault = 30
	errNameTooLong fault = 36
	errNotEmpty    fault = 39
	errLoop        fault = 40
	errUnsupported fault = 95
	errQuota       fault = 122
)

// faults are what each says, and the error of io/fs or errors that it counts as.
var faults = map[fault]struct {
	text string
	is   error
}{
	errNotAllowed:  {"operation not permitted", fs.ErrPermission},
	errNotExist:    {"no such file or directory", fs.ErrNotExist},
	errInput:       {"input/output error", nil},
	errBadFile:     {"bad file descriptor", nil},
	errDenied:      {"permission denied", fs.ErrPermission},
	errExist:       {"file exists", fs.ErrExist},
	errOtherDevice: {"invalid cross-device link", nil},
	errNotDir:      {"not a directory", nil},
	errIsDir:       {"is a directory", nil},
	errInvalid:     {"invalid argument", nil},
	errTooManyOpen: {"too many open files", nil},
	errTooLarge:    {"file too large", nil},
	errNoSpace:     {"no space left on device", nil},
	errReadOnly:    {"read-only file system", fs.ErrPermission},
	errNameTooLong: {"file name too long", nil},
	errNotEmpty:    {"directory not empty", fs.ErrExist},
	errLoop:        {"too many levels of symbolic links", nil},
	errUnsupported: {"operation not supported", errors.ErrUnsupported},
	errQuota:       {"disk quota exceeded", nil},
}

func (f fault) Error() string { return faults[f].text }

// Is makes errors.Is(err, fs.ErrNotExist) and its kin work.
func (f fault) Is(target error) bool { is := faults[f].is; return is != nil && target == is }

// Errors of package os that have no number.
var (
	errEscapes   = errors.New("path escapes from parent")
	errManyLinks = errors.New("EvalSymlinks: too many links")
	errNegative  = errors.New("negative offset")
	errAppendAt  = errors.New("os: invalid use of WriteAt on file opened with O_APPEND")
	errEmptyRoot = errors.New("os: DirFS with empty root")
)

// known are the errors that are told apart by their text, which is the same in the
// errors of the systems that Go runs on.
var known = func() map[string]error {
	m := map[string]error{}
	for f := range faults {
		m[f.Error()] = f
	}
	for _, err := range []error{errEscapes, errManyLinks, errNegative, errAppendAt, errEmptyRoot} {
		m[err.Error()] = err
	}
	return m
}()

// Known returns the error of this package with the given text, for a file protocol
// between processes; an input/output error for an unknown text.
func Known(text string) error {
	if f := known[text]; f != nil {
		return f
	}
	if text == fs.ErrClosed.Error() {
		return fs.ErrClosed
	}
	if reason, ok := strings.CutPrefix(text, refusedPrefix); ok {
		return &Refused{reason}
	}
	return errInput
}

// kinds are the faults that are told apart by what they count as.
var kinds = []struct {
	is error
	f  fault
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
	var f fault
	var r *Refused
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &r):
		return r
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

// IsExist is os.IsExist. Like the functions below it unwraps the errors of package os
// only.
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
	f, ok := err.(fault)
	return err == target || ok && f.Is(target)
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
