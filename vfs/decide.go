package vfs

import (
	"io/fs"
	"os"
	"path"
	"strings"
)

// An Op is an operation on files that a FS asks about before it is done.
type Op string

// The operations. An open file is asked about when it is opened, not when it is read or written; nothing is asked about looking at
// a name, a size and times.
const (
	OpRead   Op = "read"   // a file is opened for reading
	OpWrite  Op = "write"  // a file is made, or opened for writing
	OpList   Op = "list"   // a directory is opened
	OpMkdir  Op = "mkdir"  // a directory is made
	OpRemove Op = "remove" // a file or a directory is removed; with RemoveAll each one below it
	OpRename Op = "rename" // with where to; each file below is asked about with OpRemove and OpWrite too
	OpLink   Op = "link"   // a symbolic link is made, with where it leads
	OpChange Op = "change" // permissions or times are set
)

// An Operation is one that is asked about.
type Operation struct {
	Op   Op
	Path string // absolute, without links
	To   string // where OpRename leads to, likewise; the text of the link of OpLink
	New  bool   // of OpWrite: there is no such file yet
}

// Two reports an operation with a second path.
func (o Op) Two() bool { return o == OpRename || o == OpLink }

// Ops are all operations.
func Ops() []Op {
	return []Op{OpRead, OpWrite, OpList, OpMkdir, OpRemove, OpRename, OpLink, OpChange}
}

// decide asks whether something may be done to a resolved path, which is told without links. follow is for operations on
// what a link at the end leads to.
func (f *FS) decide(op Op, at, to string, follow bool) error {
	if f.Decide == nil {
		return nil
	}
	at, err := f.unlinked(at, follow)
	if err == nil && op == OpRename {
		to, err = f.unlinked(to, false)
	}
	if err != nil {
		return err
	}
	return f.Decide(Operation{Op: op, Path: at, To: to})
}

// decideOpen asks about an open with these flags of what was found.
func (f *FS) decideOpen(at string, flag int, found fs.FileInfo) error {
	switch {
	case f.Decide == nil:
		return nil
	case found != nil && found.IsDir():
		return f.decide(OpList, at, "", true)
	}
	reads := flag&(os.O_RDONLY|os.O_WRONLY|os.O_RDWR) != os.O_WRONLY && flag&os.O_TRUNC == 0 && found != nil
	if reads {
		if err := f.decide(OpRead, at, "", true); err != nil {
			return err
		}
	}
	if !changes(flag) && found != nil {
		return nil
	}
	at, err := f.unlinked(at, true)
	if err != nil {
		return err
	}
	return f.Decide(Operation{Op: OpWrite, Path: at, New: found == nil})
}

// decideTree asks about something and all below it, before anything is done.
func (f *FS) decideTree(at string, ask func(at string, st fs.FileInfo) error, depth int) error {
	if f.Decide == nil {
		return nil
	}
	st, err := f.lstat(at)
	if err != nil {
		return err
	}
	if err := ask(at, st); err != nil || !st.IsDir() {
		return err
	}
	if depth > maxDepth {
		return errNameTooLong
	}
	dir, err := f.base.Open(at)
	if err != nil {
		return err
	}
	list, err := dir.Readdirnames(-1)
	dir.Close()
	for _, kid := range list {
		if err == nil {
			err = f.decideTree(path.Join(at, kid), ask, depth+1)
		}
	}
	return err
}

// decideRemove asks about the removal of something, and of all below it.
func (f *FS) decideRemove(at string) error {
	return f.decideTree(at, func(at string, _ fs.FileInfo) error { return f.decide(OpRemove, at, "", false) }, 0)
}

// decideRename asks about a move, and about each file below as one that is removed here and written there.
func (f *FS) decideRename(from, to string) error {
	if err := f.decide(OpRename, from, to, false); err != nil {
		return err
	}
	return f.decideTree(from, func(at string, st fs.FileInfo) error {
		err := f.decide(OpRemove, at, "", false)
		if err == nil && !st.IsDir() {
			err = f.decide(OpWrite, path.Join(to, strings.TrimPrefix(at, from)), "", false)
		}
		return err
	}, 0)
}

// unlinked is a resolved path without symbolic links, those at its end too if follow is set. What is missing has none.
func (f *FS) unlinked(at string, follow bool) (string, error) {
	done, rest := "/", strings.TrimPrefix(at, "/")
	for links := 0; rest != ""; {
		part, more, _ := strings.Cut(rest, "/")
		rest = more
		switch part {
		case "", ".":
			continue
		case "..":
			done = path.Dir(done)
			continue
		}
		next := path.Join(done, part)
		st, err := lstat(f.base, next)
		if err != nil || st.Mode()&fs.ModeSymlink == 0 || rest == "" && !follow {
			done = next
			continue
		}
		target, err := readlink(f.base, next)
		if err != nil {
			return "", err
		}
		if links++; links > maxLinks {
			return "", errManyLinks
		}
		if strings.HasPrefix(target, "/") {
			done = "/"
		}
		rest = path.Join(target, rest)
	}
	return done, nil
}

// refusedPrefix begins the text of a Refused.
const refusedPrefix = "permission denied: "

// A Refused is an error of Decide whose text scripts see. Of other errors they see a fault only.
type Refused struct{ Reason string }

func (r *Refused) Error() string { return refusedPrefix + r.Reason }

// Is makes it count as fs.ErrPermission.
func (r *Refused) Is(target error) bool { return target == fs.ErrPermission }
