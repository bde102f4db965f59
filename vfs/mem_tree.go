package vfs

import (
	"io/fs"
	"path"
	"strings"
)

// The operations of memFs that change which names there are.

func (m *memFs) Mkdir(name string, perm fs.FileMode) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, base, n, err := m.walk(name, false)
	switch {
	case err != nil:
	case n != nil:
		err = errExist
	default:
		dir.add(base, newDir(perm, m.now()), m.now())
	}
	return pathError("mkdir", name, err)
}

func (m *memFs) MkdirAll(name string, perm fs.FileMode) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := "/"
	for part := range strings.SplitSeq(strings.Trim(name, "/"), "/") {
		at = path.Join(at, part)
		dir, base, n, err := m.walk(at, true)
		switch {
		case err != nil:
			return pathError("mkdir", name, err)
		case n == nil:
			dir.add(base, newDir(perm, m.now()), m.now())
		case !n.mode.IsDir():
			return pathError("mkdir", at, errNotDir)
		}
	}
	return nil
}

func (m *memFs) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, base, n, err := m.walk(name, false)
	switch {
	case err != nil:
	case n == nil:
		err = errNotExist
	case n == m.root:
		err = errNotAllowed
	case len(n.kids) > 0:
		err = errNotEmpty
	default:
		dir.drop(base, m.now())
		m.lose(n)
	}
	return pathError("remove", name, err)
}

func (m *memFs) RemoveAll(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, base, n, err := m.walk(name, false)
	switch {
	case err == errNotExist, err == nil && n == nil:
		return nil
	case err != nil:
	case n == m.root:
		for _, kid := range n.kids {
			m.lose(kid)
		}
		clear(n.kids)
	default:
		dir.drop(base, m.now())
		m.lose(n)
	}
	return pathError("unlinkat", name, err)
}

func (m *memFs) Rename(old, new string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return linkError("rename", old, new, m.rename(old, new))
}

func (m *memFs) rename(old, new string) error {
	from, oldBase, n, err := m.walk(old, false)
	if err != nil {
		return err
	}
	to, newBase, there, err := m.walk(new, false)
	switch {
	case err != nil:
		return err
	case n == nil:
		return errNotExist
	case n == m.root, there == m.root:
		return errNotAllowed
	case n == there:
		return nil
	case to.isWithin(n): // by whatever names and links
		return errInvalid
	case there == nil:
	case there.mode.IsDir() && !n.mode.IsDir():
		return errExist
	case n.mode.IsDir() && !there.mode.IsDir():
		return errNotDir
	case len(there.kids) > 0:
		return errExist
	}
	from.drop(oldBase, m.now())
	if there != nil {
		m.lose(there)
	}
	to.add(newBase, n, m.now())
	return nil
}

// SymlinkIfPossible makes a symbolic link.
func (m *memFs) SymlinkIfPossible(target, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	dir, base, n, err := m.walk(name, false)
	switch {
	case err != nil:
	case n != nil:
		err = errExist
	case target == "":
		err = errNotExist
	default:
		dir.add(base, &node{mode: fs.ModeSymlink | 0o777, mtime: m.now(), link: target}, m.now())
	}
	return linkError("symlink", target, name, err)
}

// ReadlinkIfPossible returns where a symbolic link leads.
func (m *memFs) ReadlinkIfPossible(name string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	n, err := m.find(name, false)
	if err == nil && n.link == "" {
		err = errInvalid
	}
	if err != nil {
		return "", pathError("readlink", name, err)
	}
	return n.link, nil
}
