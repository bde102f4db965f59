package vfs

import (
	"errors"
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

// A nameSet is names of files that are hidden, in lower case.
type nameSet struct {
	plain    map[string]bool
	patterns []string // of path.Match
}

func newNames(list []string) (n nameSet, err error) {
	n.plain = map[string]bool{}
	for _, name := range list {
		if _, err := path.Match(name, ""); err != nil || name == "" || strings.Contains(name, "/") {
			return n, fmt.Errorf("vfs: %q is no pattern for a name", name)
		}
		if name = strings.ToLower(name); strings.ContainsAny(name, `*?[\`) {
			n.patterns = append(n.patterns, name)
		} else {
			n.plain[name] = true
		}
	}
	return n, nil
}

// match reports whether an element of the path has one of the names.
func (n nameSet) match(name string) bool {
	for part := range strings.SplitSeq(strings.ToLower(name), "/") {
		if part != "" && (n.plain[part] || slices.ContainsFunc(n.patterns, func(pattern string) bool {
			ok, _ := path.Match(pattern, part) // newNames has tried it
			return ok
		})) {
			return true
		}
	}
	return false
}

// hideFs is a file system without the paths that have an element of some name.
type hideFs struct {
	base  afero.Fs
	names nameSet

	// change keeps what makes paths lead elsewhere from between a look at where one leads and its use.
	change *sync.RWMutex
}

// Hide returns base without the files, in any directory, whose name matches a pattern of path.Match, and all
// below them: ".git", ".env", "*.pem". For scripts they do not exist and cannot be created. Matching ignores
// case, because base may do so. A link of base to a hidden file is hidden too. Links are checked before use:
// no operation on the result changes them in between, but another user of base might.
func Hide(base afero.Fs, names ...string) (afero.Fs, error) {
	n, err := newNames(names)
	if err != nil {
		return nil, err
	}
	return hide(base, n), nil
}

// hide hides in each part of what is mounted by itself, because links do not lead across mounts.
func hide(base afero.Fs, names nameSet) afero.Fs {
	h := &hideFs{base: base, names: names, change: &sync.RWMutex{}}
	if m, ok := base.(*mountFs); ok && !h.hides(m.at) {
		return mount(hide(m.base, names), m.at, hide(m.sub, names), m.hidden)
	}
	return h
}

func (h *hideFs) looks() func() {
	h.change.RLock()
	return h.change.RUnlock
}

func (h *hideFs) changes() func() {
	h.change.Lock()
	return h.change.Unlock
}

func (h *hideFs) Name() string { return "hide" }

// hides reports whether an element of the path is hidden.
func (h *hideFs) hides(name string) bool { return h.names.match(name) }

// Close closes the base, if that can be.
func (h *hideFs) Close() error {
	if c, ok := h.base.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// leads reports whether the path, or where it leads through links, is hidden. A link with dots in it
// leads elsewhere for a base that goes through directories, as the system does, than for one that takes them
// out of the text: both are looked at.
func (h *hideFs) leads(name string) bool {
	hidden, dots := h.follow(name, false)
	if !hidden && dots {
		hidden, _ = h.follow(name, true)
	}
	return hidden
}

// follow goes along a path and reports whether an element of it, or of a link, is hidden, and whether
// a link had dots. With text the dots of a link are those of a text, not of directories.
func (h *hideFs) follow(name string, text bool) (hidden, dots bool) {
	at, rest, links := "/", strings.Split(clean(name), "/"), 0
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		switch {
		case part == "" || part == ".":
			continue
		case part == "..":
			at = path.Dir(at)
			continue
		case h.hides(part):
			return true, dots
		}
		at = path.Join(at, part)
		st, err := lstat(h.base, at)
		if err != nil || st.Mode()&fs.ModeSymlink == 0 {
			continue
		}
		target, err := readlink(h.base, at)
		switch {
		case errors.Is(err, errEscapes):
			return false, dots // the base does not follow it
		case err != nil:
			return true, dots // nobody knows where to
		}
		if links++; links > maxLinks {
			return false, dots // nowhere
		}
		rest = append(strings.Split(target, "/"), rest...)
		dots = dots || slices.Contains(rest, "..")
		if at = path.Dir(at); path.IsAbs(target) {
			at = "/"
		}
		if text {
			at, rest = "/", strings.Split(path.Join(at, strings.Join(rest, "/")), "/")
		}
	}
	return false, dots
}

// deny is the error for a path that is hidden: it is not there, and nothing can be
// put there.
func (h *hideFs) deny(op string, makes bool, names ...string) error {
	for _, name := range names {
		if h.leads(name) {
			if makes {
				return pathError(op, name, errDenied)
			}
			return pathError(op, name, errNotExist)
		}
	}
	return nil
}

func (h *hideFs) Create(name string) (afero.File, error) {
	return h.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
}

func (h *hideFs) Open(name string) (afero.File, error) { return h.OpenFile(name, os.O_RDONLY, 0) }

func (h *hideFs) OpenFile(name string, flag int, perm fs.FileMode) (afero.File, error) {
	defer h.looks()()
	if err := h.deny("open", flag&os.O_CREATE != 0, name); err != nil {
		return nil, err
	}
	f, err := h.base.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	if st, err := f.Stat(); err == nil && st.IsDir() {
		st, list, err := drain(f)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(list, func(st fs.FileInfo) bool {
			return h.hides(st.Name()) || st.Mode()&fs.ModeSymlink != 0 && h.leads(path.Join(name, st.Name()))
		})
		return &listFile{name: name, st: st, list: list}, nil
	}
	return f, nil
}

func (h *hideFs) Mkdir(name string, perm fs.FileMode) error {
	defer h.changes()()
	if err := h.deny("mkdir", true, name); err != nil {
		return err
	}
	return h.base.Mkdir(name, perm)
}

func (h *hideFs) MkdirAll(name string, perm fs.FileMode) error {
	defer h.changes()()
	if err := h.deny("mkdir", true, name); err != nil {
		return err
	}
	return h.base.MkdirAll(name, perm)
}

// Remove is refused for a directory that only looks empty.
func (h *hideFs) Remove(name string) error {
	defer h.changes()()
	if err := h.deny("remove", false, name); err != nil {
		return err
	}
	if st, err := lstat(h.base, name); err == nil && st.IsDir() {
		if list, err := listing(h.base, name); err == nil && len(list) > 0 {
			return pathError("remove", name, errNotEmpty)
		}
	}
	return h.base.Remove(name)
}

// RemoveAll is refused for what has something hidden in it: it would be lost unseen.
func (h *hideFs) RemoveAll(name string) error {
	defer h.changes()()
	if err := h.deny("unlinkat", false, name); err != nil {
		return err
	}
	hidden := false
	err := afero.Walk(h.base, name, func(at string, _ fs.FileInfo, err error) error {
		hidden = hidden || h.leads(at)
		return err
	})
	switch {
	case hidden:
		return pathError("unlinkat", name, errNotEmpty)
	case isMissing(err):
		return nil
	case err != nil:
		return err
	}
	return h.base.RemoveAll(name)
}

// Rename moves what is hidden in a directory with it.
func (h *hideFs) Rename(old, new string) error {
	defer h.changes()()
	if err := h.deny("rename", false, old); err != nil {
		return linkError("rename", old, new, err)
	}
	if err := h.deny("rename", true, new); err != nil {
		return linkError("rename", old, new, err)
	}
	return h.base.Rename(old, new)
}

func (h *hideFs) Stat(name string) (fs.FileInfo, error) {
	defer h.looks()()
	if err := h.deny("stat", false, name); err != nil {
		return nil, err
	}
	return h.base.Stat(name)
}

// LstatIfPossible is Lstat.
func (h *hideFs) LstatIfPossible(name string) (fs.FileInfo, bool, error) {
	defer h.looks()()
	if err := h.deny("lstat", false, name); err != nil {
		return nil, true, err
	}
	st, err := lstat(h.base, name)
	return st, true, err
}

func (h *hideFs) Chmod(name string, mode fs.FileMode) error {
	defer h.looks()()
	if err := h.deny("chmod", false, name); err != nil {
		return err
	}
	return h.base.Chmod(name, mode)
}

func (h *hideFs) Chown(name string, _, _ int) error { return pathError("chown", name, errNotAllowed) }

func (h *hideFs) Chtimes(name string, atime, mtime time.Time) error {
	defer h.looks()()
	if err := h.deny("chtimes", false, name); err != nil {
		return err
	}
	return h.base.Chtimes(name, atime, mtime)
}

// SymlinkIfPossible refuses links to what is hidden.
func (h *hideFs) SymlinkIfPossible(target, name string) error {
	defer h.changes()()
	to := target
	if !path.IsAbs(to) {
		to = path.Join(path.Dir(clean(name)), to)
	}
	if err := h.deny("symlink", true, name, to); err != nil {
		return linkError("symlink", target, name, err)
	}
	return symlink(h.base, target, name)
}

// ReadlinkIfPossible returns where a symbolic link leads.
func (h *hideFs) ReadlinkIfPossible(name string) (string, error) {
	defer h.looks()()
	if err := h.deny("readlink", false, name); err != nil {
		return "", err
	}
	return readlink(h.base, name)
}
