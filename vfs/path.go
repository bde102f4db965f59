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
	case len(name) > maxPath:
		return "", errNameTooLong
	}
	w := f.walk(name)
	for part := range strings.SplitSeq(name, "/") {
		if err := w.enter(part); err != nil {
			return "", err
		}
	}
	if strings.HasSuffix(name, "/") && w.at != "/" {
		if st, err := f.base.Stat(w.at); err == nil && !st.IsDir() {
			return "", errNotDir
		}
	}
	return w.at, nil
}

// A pathWalk goes along a path of the script's. It is at a path without dots.
type pathWalk struct {
	fs    *FS
	at    string
	depth int // does not become less: as many elements as it has been in
}

func (f *FS) walk(name string) pathWalk {
	at := "/"
	if !strings.HasPrefix(name, "/") {
		at = f.cwd()
	}
	return pathWalk{f, at, strings.Count(at, "/")}
}

// enter goes on by an element.
func (w *pathWalk) enter(part string) error {
	switch {
	case part == "" || part == ".":
		return nil
	case strings.Contains(part, "\x00"):
		return errInvalid
	case len(part) > maxName:
		return errNameTooLong
	case part == "..":
		if err := w.fs.isDir(w.at); err != nil {
			return err
		}
		w.at = path.Dir(w.at)
		return nil
	}
	if w.depth++; w.depth > maxDepth {
		return errNameTooLong
	}
	w.at = path.Join(w.at, part)
	return nil
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
	st, err := f.base.Stat(at)
	return st, f.missing(at, err)
}

// lstat is stat without following a link at the end.
func (f *FS) lstat(at string) (fs.FileInfo, error) {
	st, err := lstat(f.base, at)
	return st, f.missing(at, err)
}

// missing is err, unless that says that nothing is at the path and a file is on the way.
func (f *FS) missing(at string, err error) error {
	if !isMissing(err) {
		return err
	}
	for at != "/" {
		at = path.Dir(at)
		switch st, e := f.base.Stat(at); {
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
