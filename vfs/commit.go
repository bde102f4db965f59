package vfs

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
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

// A ConflictError reports paths that have changed in both the base and the layer.
type ConflictError struct {
	Paths []string // sorted
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("vfs: changed in the base since the layer changed them: %s", strings.Join(e.Paths, ", "))
}

// A step is one thing that a commit does. It can be done again.
type step struct {
	Do    string // remove, mkdir, file or mode
	Path  exactText
	Mode  fs.FileMode `json:",omitempty"`
	Time  time.Time   `json:",omitzero"`
	Stage string      `json:",omitempty"` // of a file or a link: where it is staged
}

// An exactText is a text that may be no UTF-8, which JSON has no texts for.
type exactText string

func (t exactText) MarshalText() ([]byte, error) { return []byte(strconv.QuoteToASCII(string(t))), nil }

func (t *exactText) UnmarshalText(text []byte) error {
	s, err := strconv.Unquote(string(text))
	*t = exactText(s)
	return err
}

// Commit applies the changes to the base and empties the layer. If the base has changed in the same places, or no longer has a place for
// a change, it changes nothing and returns a *ConflictError. After another error the base is unchanged, or the next NewLayer completes
// the commit. Later writes to open files are lost. During a commit, or after an interrupted one, the base accepts no other.
func (l *Layer) Commit() error {
	defer l.lock()()
	changes, err := l.diff()
	if err != nil {
		return err
	}
	if len(changes) == 0 {
		l.reset()
		return nil
	}
	if err := l.base.Mkdir(stage, 0o700); err != nil {
		if cause(err) == errExist {
			return errCommitting
		}
		return err
	}
	unlock, err := lockCommit(l.base)
	if err != nil {
		return err
	}
	defer unlock()
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

var errCommitting = fmt.Errorf("vfs: a commit to the base is under way, or was cut off: %w", errExist)

// conflicts are the paths at which the base is not as the changes need it.
func (l *Layer) conflicts(changes []Change) ([]string, error) {
	changed := map[string]bool{}
	for _, c := range changes {
		changed[c.Path] = true
	}
	paths := map[string]bool{}
	for _, c := range changes {
		now, was := stateOf(l.base, c.Path), l.touched[c.Path]
		if now.exists != was.exists || now.mode != was.mode || now.size != was.size || !now.mtime.Equal(was.mtime) {
			paths[c.Path] = true
		} else if at := l.noWay(c.Path, changed); at != "" {
			paths[at] = true
		}
		if !c.removes(was) || !now.mode.IsDir() {
			continue
		}
		list, err := listing(l.base, c.Path)
		if err != nil {
			return nil, err
		}
		for _, kid := range list {
			if at := path.Join(c.Path, kid.Name()); !changed[at] {
				paths[at] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(paths)), nil
}

// noWay is what is no directory in the base, of those on the way to a path that are not
// changed themselves; "" if all are.
func (l *Layer) noWay(at string, changed map[string]bool) string {
	for at = path.Dir(at); at != "/"; at = path.Dir(at) {
		if st, err := lstat(l.base, at); !changed[at] && (err != nil || !st.IsDir()) {
			return at
		}
	}
	return ""
}

// removes says that what base has at the path is taken away.
func (c *Change) removes(was baseState) bool {
	return c.Kind == Deleted || c.Kind == Modified && was.mode.Type() != c.Mode.Type()
}

// stage writes what a commit needs, and the plan last. It looks for conflicts, because
// with the stage there no other commit is under way.
func (l *Layer) stage(changes []Change) ([]step, error) {
	if conflicts, err := l.conflicts(changes); err != nil {
		return nil, err
	} else if len(conflicts) > 0 {
		return nil, &ConflictError{conflicts}
	}
	var steps, modes []step
	for _, c := range slices.Backward(changes) { // leaves before what holds them
		if err := takes(l.base, c.Path); err != nil {
			return nil, pathError("commit", c.Path, err)
		}
		if was := l.touched[c.Path]; c.removes(was) {
			steps = append(steps, step{Do: "remove", Path: exactText(c.Path), Mode: was.mode})
		}
		if c.Kind != Deleted && c.Mode.IsDir() { // when all is in it
			modes = append(modes, step{Do: "mode", Path: exactText(c.Path), Mode: c.Mode})
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
	steps = append(steps, modes...)
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
	s := step{Path: exactText(c.Path), Mode: c.Mode, Time: st.ModTime()}
	switch {
	case c.Mode.IsDir():
		s.Do = "mkdir"
		return s, nil
	case c.Mode&fs.ModeSymlink != 0:
		s.Do, s.Stage = "file", at
		target, err := l.readlink(c.Path)
		if err != nil {
			return step{}, err
		}
		return s, symlink(l.base, target, at)
	}
	s.Do, s.Stage = "file", at
	if err = copyFile(l.base, at, l.upper, c.Path, c.Mode); err == nil {
		err = l.base.Chtimes(at, st.ModTime(), st.ModTime())
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
	at := string(s.Path)
	switch s.Do {
	case "remove":
		st, err := exact(base, at)
		if err != nil || st.Mode().Type() != s.Mode.Type() {
			return nil // removed before, and perhaps something else put there
		}
		return base.Remove(at)
	case "mkdir":
		if err := base.Mkdir(at, s.Mode|ownerAll); err != nil && cause(err) != errExist {
			return err
		}
		return base.Chmod(at, s.Mode|ownerAll) // until all is in it
	case "mode":
		return base.Chmod(at, s.Mode)
	case "file":
		if _, err := lstat(base, s.Stage); isMissing(err) {
			return nil // it has been moved to its place
		}
		return base.Rename(s.Stage, at)
	}
	return errInvalid
}

// ownerAll lets the owner of a directory change what is in it.
const ownerAll = 0o700

// recoverCommit ends a commit that was cut off.
func recoverCommit(base afero.Fs) error {
	if _, err := lstat(base, stage); err != nil {
		return nil
	}
	unlock, err := lockCommit(base)
	if err != nil {
		return err
	}
	defer unlock()
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
		if at := string(s.Path); at != path.Clean("/"+at) || s.Stage != "" && path.Dir(s.Stage) != stage {
			return errInvalid
		}
	}
	return apply(base, steps)
}
