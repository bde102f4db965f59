package vfs

import (
	"io/fs"
	"path"
	"strings"
)

// Bounds of a path: those of Linux, and one for the depth, because much that walks
// trees is recursive.
const (
	maxName  = 255
	maxPath  = 4095
	maxDepth = 200
)

// resolve makes of a path of the script's an absolute one without dots. It fails
// as the system would for what cannot be a path, or leads through what is not a
// directory.
func (f *FS) resolve(name string) (string, error) {
	switch {
	case name == "":
		return "", errNotExist
	case strings.Contains(name, "\x00"):
		return "", errInvalid
	case len(name) > maxPath:
		return "", errNameTooLong
	}
	at := "/"
	if !strings.HasPrefix(name, "/") {
		at = f.cwd()
	}
	depth := strings.Count(at, "/")
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case part == "" || part == ".":
			continue
		case len(part) > maxName:
			return "", errNameTooLong
		case part == "..":
			if err := f.isDir(at); err != nil {
				return "", err
			}
			at = path.Dir(at)
			continue
		}
		if depth++; depth > maxDepth {
			return "", errNameTooLong
		}
		at = path.Join(at, part)
	}
	if strings.HasSuffix(name, "/") && at != "/" {
		if st, err := f.vol.base.Stat(at); err == nil && !st.IsDir() {
			return "", errNotDir
		}
	}
	return at, nil
}

// withoutSlashes is a path without those at its end.
func withoutSlashes(name string) string {
	if name == "" {
		return ""
	}
	return name[:1] + strings.TrimRight(name[1:], "/")
}

// stat is what is at a resolved path, at the end of links. Not every file system tells what
// is missing from what is below a file; this does.
func (f *FS) stat(at string) (fs.FileInfo, error) {
	st, err := f.vol.base.Stat(at)
	return st, f.missing(at, err)
}

// lstat is stat without following a link at the end.
func (f *FS) lstat(at string) (fs.FileInfo, error) {
	st, err := lstat(f.vol.base, at)
	return st, f.missing(at, err)
}

// missing is err, unless that says that nothing is at the path and a file is on the way.
func (f *FS) missing(at string, err error) error {
	if !isMissing(err) {
		return err
	}
	for at != "/" {
		at = path.Dir(at)
		switch st, e := f.vol.base.Stat(at); {
		case e == nil && !st.IsDir():
			return errNotDir
		case e == nil:
			return err
		}
	}
	return err
}

// isDir fails if there is no directory at the resolved path.
func (f *FS) isDir(at string) error {
	if at == "/" {
		return nil
	}
	st, err := f.stat(at)
	if err != nil {
		return err
	}
	if !st.IsDir() {
		return errNotDir
	}
	return nil
}

// parent fails if nothing can be made at the resolved path, because it has no
// directory to be in. File systems that make parents silently would hide it.
func (f *FS) parent(at string) error { return f.isDir(path.Dir(at)) }

// firstLink is where the first element of a path that is a symbolic link ends, 0 if
// none is one.
func firstLink(name string, lstat func(string) (fs.FileInfo, error)) (int, error) {
	for end := 1; end <= len(name); end++ {
		if end < len(name) && name[end] != '/' {
			continue
		}
		st, err := lstat(name[:end])
		if err != nil {
			return 0, err
		}
		if st.Mode()&fs.ModeSymlink != 0 {
			return end, nil
		}
	}
	return 0, nil
}

// through is a path with the link that ends at end replaced by its target.
func through(name string, end int, target string) string {
	if !path.IsAbs(target) {
		target = path.Join(path.Dir(name[:end]), target)
	}
	return target + name[end:]
}
