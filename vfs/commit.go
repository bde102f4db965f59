package vfs

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/afero"
)

// A commit first writes all that it needs into a directory of its own beneath the
// base, last of all a plan under its final name: from then on it can only go
// forward. Whoever is cut off before leaves the old tree, after it the new one,
// which the next NewLayer finishes.

const (
	stage    = "/.sandtrap-commit"
	planFile = stage + "/plan"
)

// A ConflictError says that base has changed where the layer has too.
type ConflictError struct {
	Paths []string // sorted
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("vfs: changed in the base since the layer changed them: %s", strings.Join(e.Paths, ", "))
}

// A step is one thing that a commit does. It can be done again.
type step struct {
	Do    string // remove, mkdir, file, link or mode
	Path  string
	Mode  fs.FileMode `json:",omitempty"`
	Time  time.Time   `json:",omitzero"`
	Stage string      `json:",omitempty"` // of a file: where its content is staged
	Link  string      `json:",omitempty"`
}

// Commit makes the changes in the base and empties the layer. If the base has
// changed in the same places it changes nothing and returns a *ConflictError. After
// another error the base is as it was, or will be as it is to be after the next
// NewLayer.
func (l *Layer) Commit() error {
	defer l.lock()()
	changes, err := l.diff()
	if err != nil {
		return err
	}
	if conflicts := l.conflicts(changes); len(conflicts) > 0 {
		return &ConflictError{conflicts}
	}
	if len(changes) == 0 {
		l.reset()
		return nil
	}
	steps, err := l.stage(changes)
	if err != nil {
		_ = l.base.RemoveAll(stage) // the error to report is the first one
		return err
	}
	if err := apply(l.base, steps); err != nil {
		return err
	}
	l.reset()
	return nil
}

func (l *Layer) conflicts(changes []Change) []string {
	var paths []string
	for _, c := range changes {
		now, was := stateOf(l.base, c.Path), l.touched[c.Path]
		if now.exists != was.exists || now.mode != was.mode || now.size != was.size || !now.mtime.Equal(was.mtime) {
			paths = append(paths, c.Path)
		}
	}
	return paths
}

// stage writes what a commit needs, and the plan last.
func (l *Layer) stage(changes []Change) ([]step, error) {
	if err := l.base.RemoveAll(stage); err != nil {
		return nil, err
	}
	if err := l.base.Mkdir(stage, 0o700); err != nil {
		return nil, err
	}
	var steps []step
	for _, c := range slices.Backward(changes) { // leaves before what holds them
		was := l.touched[c.Path]
		if c.Kind == Deleted || c.Kind == Modified && was.mode.Type() != c.Mode.Type() {
			steps = append(steps, step{Do: "remove", Path: c.Path, Mode: was.mode})
		}
	}
	for i, c := range changes {
		if c.Kind == Deleted {
			continue
		}
		s, err := l.stageOne(c, stage+"/"+strconv.Itoa(i))
		if err != nil {
			return nil, err
		}
		steps = append(steps, s)
	}
	text, err := json.Marshal(steps)
	if err != nil {
		return nil, err
	}
	if err := writeSynced(l.base, planFile+".new", text); err != nil {
		return nil, err
	}
	return steps, l.base.Rename(planFile+".new", planFile)
}

func (l *Layer) stageOne(c Change, at string) (step, error) {
	st, err := l.stat(c.Path)
	if err != nil {
		return step{}, err
	}
	s := step{Path: c.Path, Mode: c.Mode, Time: st.ModTime()}
	switch {
	case c.Mode.IsDir() && l.touched[c.Path].exists && l.touched[c.Path].mode.IsDir():
		s.Do = "mode"
	case c.Mode.IsDir():
		s.Do = "mkdir"
	case c.Mode&fs.ModeSymlink != 0:
		s.Do = "link"
		s.Link, err = l.readlink(c.Path)
	default:
		s.Do, s.Stage = "file", at
		if err = copyFile(l.base, at, l.upper, c.Path, c.Mode); err == nil {
			err = l.base.Chtimes(at, st.ModTime(), st.ModTime())
		}
	}
	return s, err
}

func writeSynced(base afero.Fs, at string, text []byte) error {
	f, err := base.OpenFile(at, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if e := f.Sync(); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	return err
}

// apply takes the steps of a plan, however many of them were taken before, and
// ends the commit.
func apply(base afero.Fs, steps []step) error {
	for _, s := range steps {
		if err := s.take(base); err != nil {
			return fmt.Errorf("%s %s: %w", s.Do, s.Path, cause(err))
		}
	}
	if err := base.Remove(planFile); err != nil {
		return err
	}
	return base.RemoveAll(stage)
}

func (s *step) take(base afero.Fs) error {
	switch s.Do {
	case "remove":
		st, err := lstat(base, s.Path)
		if err != nil || st.Mode().Type() != s.Mode.Type() {
			return nil // removed before, and perhaps something else put there
		}
		return base.Remove(s.Path)
	case "mkdir":
		if err := base.Mkdir(s.Path, s.Mode); err != nil && cause(err) != errExist {
			return err
		}
		return base.Chmod(s.Path, s.Mode)
	case "mode":
		return base.Chmod(s.Path, s.Mode)
	case "link":
		if target, err := readlink(base, s.Path); err == nil && target == s.Link {
			return nil
		} else if err == nil {
			if err := base.Remove(s.Path); err != nil {
				return err
			}
		}
		return symlink(base, s.Link, s.Path)
	case "file":
		if _, err := lstat(base, s.Stage); isMissing(err) {
			return nil // it has been moved to its place
		}
		return base.Rename(s.Stage, s.Path)
	}
	return errInvalid
}

// recoverCommit ends a commit that was cut off.
func recoverCommit(base afero.Fs) error {
	if _, err := lstat(base, stage); err != nil {
		return nil
	}
	if _, err := lstat(base, planFile); isMissing(err) {
		return base.RemoveAll(stage)
	}
	text, err := afero.ReadFile(base, planFile)
	if err != nil {
		return err
	}
	var steps []step
	if err := json.Unmarshal(text, &steps); err != nil {
		return err
	}
	for _, s := range steps {
		if s.Path != path.Clean("/"+s.Path) || s.Stage != "" && path.Dir(s.Stage) != stage {
			return errInvalid
		}
	}
	return apply(base, steps)
}
