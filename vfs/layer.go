package vfs

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/afero"
)

// A Layer is an overlay: it reads from its base and writes to memory, until
// [Layer.Commit] applies the changes to the base or [Layer.Discard] drops them. It is
// safe for concurrent use if its base is.
type Layer struct {
	base    afero.Fs
	noLinks bool // none is followed
	*layered
}

// layered is what the views of a Layer share.
type layered struct {
	mu      sync.Mutex
	memory  *memFs               // of what was made or changed
	most    int64                // bytes that there may be of it; no bound if it is 0
	upper   afero.Fs             // memory
	gone    map[string]bool      // paths of base that are not to be seen, and all below them
	touched map[string]baseState // what base had where there is a change now

	at   time.Time   // where its clock stands; zero for that of the machine
	mask fs.FileMode // permissions that base does not give to what is made
}

// baseState is what base had at a path when a change was made there.
type baseState struct {
	exists bool
	mode   fs.FileMode
	size   int64
	mtime  time.Time
}

// NewLayer makes a layer without changes. If a commit to base was interrupted, it is finished first,
// or undone if it had not begun to change anything. No layer can be made during a commit.
func NewLayer(base afero.Fs) (*Layer, error) {
	if err := recoverCommit(base); err != nil {
		return nil, fmt.Errorf("vfs: finishing a commit that was cut off: %w", err)
	}
	return newLayer(base, time.Time{}, 0), nil
}

func newLayer(base afero.Fs, at time.Time, mask fs.FileMode) *Layer {
	l := &Layer{base: base, layered: &layered{at: at, mask: mask}}
	l.reset()
	return l
}

func (l *Layer) reset() {
	l.memory = newMem(l.at)
	l.memory.most = l.most
	l.upper, l.gone, l.touched = l.memory, map[string]bool{}, map[string]baseState{}
}

// bound has the layer keep so many bytes at most, or as many as another volume lets it: files that it copies to
// change them take memory of the host, as much as those that are made.
func (l *Layer) bound(bytes int64) {
	defer l.lock()()
	l.most = max(l.most, bytes)
	l.memory.bound(l.most)
}

// Discard drops all changes. Open files keep their contents.
func (l *Layer) Discard() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reset()
}

// Name is that of an afero.Fs.
func (l *Layer) Name() string { return "layer" }

func (l *Layer) lock() func() {
	l.mu.Lock()
	return l.mu.Unlock
}

// below says that a deletion hides what base has at the path.
func (l *Layer) below(at string) bool {
	for ; ; at = path.Dir(at) {
		if l.gone[at] {
			return true
		}
		if at == "/" {
			return false
		}
	}
}

// stat is Lstat over both. Nothing is at a path through what is no directory here.
func (l *Layer) stat(at string) (fs.FileInfo, error) {
	if err := throughDirs(l.upper, at); err == errNotDir {
		return nil, errNotExist
	}
	return l.entry(at)
}

// onTheWay is stat for one path after the other, each one element longer: what has been seen to be a
// directory is not looked at again for what is in it.
func (l *Layer) onTheWay() func(at string) (fs.FileInfo, error) {
	inside := true
	return func(at string) (fs.FileInfo, error) {
		if !inside {
			return nil, errNotExist
		}
		st, err := l.entry(at)
		inside = err == nil && st.IsDir()
		return st, err
	}
}

// entry is stat where the path leads through directories alone.
func (l *Layer) entry(at string) (fs.FileInfo, error) {
	if st, err := lstat(l.upper, at); err == nil {
		if !st.IsDir() || l.below(at) {
			return st, nil
		}
		if below, err := lstat(l.base, at); err != nil || !below.IsDir() || l.touchedMode(at) {
			return st, nil
		}
		return lstat(l.base, at)
	}
	if l.below(at) {
		return nil, errNotExist
	}
	return lstat(l.base, at)
}

// touchedMode says that the directory's own mode or time was changed, and is not
// only there to hold what is below it.
func (l *Layer) touchedMode(at string) bool {
	_, ok := l.touched[at]
	return ok
}

// note remembers what base has at a path that is changed for the first time. It
// refuses the place where commits are staged.
func (l *Layer) note(at string) error {
	if at == stage || strings.HasPrefix(at, stage+"/") {
		return errNotAllowed
	}
	if _, ok := l.touched[at]; !ok {
		l.touched[at] = stateOf(l.base, at)
	}
	return nil
}

func stateOf(base afero.Fs, at string) baseState {
	st, err := exact(base, at)
	if err != nil {
		return baseState{}
	}
	s := baseState{exists: true, mode: st.Mode(), size: st.Size(), mtime: st.ModTime()}
	if st.IsDir() {
		s.size, s.mtime = 0, time.Time{} // these change with every file in it
	}
	return s
}

// exact is Lstat for a path that leads through directories alone: what is behind a link has
// another one.
func exact(base afero.Fs, at string) (fs.FileInfo, error) {
	if err := throughDirs(base, at); err != nil {
		return nil, err
	}
	return lstat(base, at)
}

// throughDirs is errNotDir if something on the way to a path is no directory, and the error of the first that
// is not there: what would be in that is not looked for.
func throughDirs(in afero.Fs, at string) error {
	for end := 1; end < len(at); end++ {
		if at[end] != '/' {
			continue
		}
		st, err := lstat(in, at[:end])
		if err != nil {
			return err
		}
		if !st.IsDir() {
			return errNotDir
		}
	}
	return nil
}

// parents makes the directories on the way to a path in the upper part.
func (l *Layer) parents(at string) error {
	dir := path.Dir(at)
	if dir == "/" {
		return nil
	}
	if st, err := lstat(l.upper, dir); err == nil && st.IsDir() {
		return nil
	}
	if err := l.parents(dir); err != nil {
		return err
	}
	st, err := l.entry(dir) // what leads to it is there by now
	switch {
	case err != nil:
		return err
	case !st.IsDir():
		return errNotDir
	}
	return l.copyDir(dir, st)
}

func (l *Layer) copyDir(at string, st fs.FileInfo) error {
	if err := l.upper.Mkdir(at, st.Mode()); err != nil {
		return err
	}
	return l.upper.Chtimes(at, st.ModTime(), st.ModTime())
}

// lift copies what is at a path into the upper part, if it is not there yet; of a
// directory the directory alone, and of a file that is to be emptied nothing of what is in it.
func (l *Layer) lift(at string, emptied bool) error {
	if _, err := lstat(l.upper, at); err == nil {
		return l.note(at)
	}
	st, err := l.stat(at)
	if err != nil {
		return err
	}
	if err := l.parents(at); err != nil {
		return err
	}
	if err := l.note(at); err != nil {
		return err
	}
	switch {
	case st.IsDir():
		return l.copyDir(at, st)
	case st.Mode()&fs.ModeSymlink != 0:
		target, err := readlink(l.base, at)
		if err != nil {
			return err
		}
		return symlink(l.upper, target, at)
	case emptied:
		return afero.WriteFile(l.upper, at, nil, st.Mode().Perm())
	case !l.memory.has(st.Size()):
		return errQuota
	}
	if err = copyFile(l.upper, at, l.base, at, st.Mode()); err == nil {
		err = l.upper.Chtimes(at, st.ModTime(), st.ModTime())
	}
	if err != nil {
		_ = l.upper.Remove(at) // a part of the file would pass for all of it
	}
	return err
}

func copyFile(to afero.Fs, toPath string, from afero.Fs, fromPath string, mode fs.FileMode) error {
	in, err := from.Open(fromPath)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := to.OpenFile(toPath, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode.Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if e := out.Sync(); err == nil { // what a commit stages is there before its plan
		err = e
	}
	if e := out.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = to.Chmod(toPath, mode.Perm()) // the umask of the host's has no say
	}
	return err
}

// bytesBelow is how many bytes of a tree are in the base alone.
func (l *Layer) bytesBelow(at string) (bytes int64, err error) {
	st, err := l.stat(at)
	if err != nil {
		return 0, err
	}
	if !st.IsDir() {
		if _, err := lstat(l.upper, at); err != nil {
			bytes = sizeOf(st)
		}
		return bytes, nil
	}
	list, err := l.list(at)
	for _, kid := range list {
		n, e := l.bytesBelow(path.Join(at, kid.Name()))
		if err == nil {
			err = e
		}
		bytes += n
	}
	return bytes, err
}

// liftAll lifts a tree.
func (l *Layer) liftAll(at string) error {
	if err := l.lift(at, false); err != nil {
		return err
	}
	st, err := l.stat(at)
	if err != nil || !st.IsDir() {
		return err
	}
	list, err := l.list(at)
	if err != nil {
		return err
	}
	for _, kid := range list {
		if err := l.liftAll(path.Join(at, kid.Name())); err != nil {
			return err
		}
	}
	return nil
}

// list is what both have in a directory.
func (l *Layer) list(at string) ([]fs.FileInfo, error) {
	upper, err := listing(l.upper, at)
	if err != nil && !isMissing(err) {
		return nil, err
	}
	if l.below(at) {
		return upper, nil
	}
	base, err := listing(l.base, at)
	if err != nil && !isMissing(err) && cause(err) != errNotDir {
		return nil, err
	}
	merged := slices.Clone(upper)
	for _, st := range base {
		name := st.Name()
		shown := slices.ContainsFunc(upper, func(u fs.FileInfo) bool { return u.Name() == name })
		if !shown && !l.gone[path.Join(at, name)] {
			merged = append(merged, st)
		}
	}
	sortByName(merged)
	return merged, nil
}

func listing(base afero.Fs, at string) ([]fs.FileInfo, error) {
	dir, err := base.Open(at)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.Readdir(-1)
}
