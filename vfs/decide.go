package vfs

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"slices"
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

// decide asks whether something may be done to a resolved path, and gives that path without links: there it is to be done, in
// doing. follow is for operations on what a link at the end leads to.
func (f *FS) decide(op Op, at, to string, follow bool) (string, error) {
	if f.Decide == nil {
		return at, nil
	}
	at, err := f.unlinked(at, follow)
	if err != nil {
		return "", err
	}
	return at, f.Decide(Operation{Op: op, Path: at, To: to})
}

// doing is where an operation is done: if operations are decided it is a view that follows no links, since a path that was decided
// has none.
func (f *FS) doing() *FS {
	if f.Decide == nil {
		return f
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.strict == nil {
		f.strict = &FS{vol: f.vol, base: withoutLinks(f.base), fsState: &fsState{}}
	}
	return f.strict
}

// grows is for who makes something: no tree is moved until done.
func (f *FS) grows() (done func()) {
	if f.Decide == nil {
		return func() {}
	}
	f.moving.RLock()
	return f.moving.RUnlock
}

// decideOpen asks about an open with these flags of what was found, and gives the path without links.
func (f *FS) decideOpen(at string, flag int, found fs.FileInfo) (string, error) {
	if f.Decide == nil {
		return at, nil
	}
	if found != nil && found.IsDir() {
		return f.decide(OpList, at, "", true)
	}
	at, err := f.unlinked(at, true)
	if err != nil {
		return "", err
	}
	reads := flag&(os.O_RDONLY|os.O_WRONLY|os.O_RDWR) != os.O_WRONLY && flag&os.O_TRUNC == 0 && found != nil
	if reads {
		if err := f.Decide(Operation{Op: OpRead, Path: at}); err != nil {
			return "", err
		}
	}
	if !changes(flag) && found != nil {
		return at, nil
	}
	return at, f.Decide(Operation{Op: OpWrite, Path: at, New: found == nil})
}

// A below is something in a tree.
type below struct {
	at  string
	dir bool
}

// tree lists a path and all below it: a directory comes before what is in it.
func (f *FS) tree(at string, depth int) ([]below, error) {
	st, err := f.lstat(at)
	if err != nil {
		return nil, err
	}
	list := []below{{at, st.IsDir()}}
	if !st.IsDir() {
		return list, nil
	}
	if depth > maxDepth {
		return nil, errNameTooLong
	}
	dir, err := f.base.Open(at)
	if err != nil {
		return nil, err
	}
	names, err := dir.Readdirnames(-1)
	dir.Close()
	slices.Sort(names)
	for _, kid := range names {
		if err == nil {
			var more []below
			more, err = f.tree(path.Join(at, kid), depth+1)
			list = append(list, more...)
		}
	}
	return list, err
}

// removeDecided asks about the removal of something, and of all below it, and then removes these. If there is more by then, a
// directory stays.
func (f *FS) removeDecided(at string) error {
	at, err := f.unlinked(at, false)
	if err != nil {
		return err
	}
	list, err := f.doing().tree(at, 0)
	if err != nil {
		return err
	}
	for _, b := range list {
		if err := f.Decide(Operation{Op: OpRemove, Path: b.at}); err != nil {
			return err
		}
	}
	for _, b := range slices.Backward(list) {
		if b.at == "/" {
			continue
		}
		if err := f.doing().remove(b.at); err != nil && !isMissing(err) {
			return err
		}
	}
	return nil
}

// decideRename asks about a move, and about each file below as one that is removed here and written there. It gives both paths
// without links. Until done nothing is made that was not asked about.
func (f *FS) decideRename(from, to string) (_, _ string, done func(), err error) {
	if from, err = f.unlinked(from, false); err == nil {
		to, err = f.unlinked(to, false)
	}
	if err == nil {
		err = f.Decide(Operation{Op: OpRename, Path: from, To: to})
	}
	if err != nil {
		return "", "", nil, err
	}
	list, err := f.doing().tree(from, 0)
	for _, b := range list {
		if err == nil {
			err = f.Decide(Operation{Op: OpRemove, Path: b.at})
		}
		if err == nil && !b.dir {
			err = f.Decide(Operation{Op: OpWrite, Path: path.Join(to, strings.TrimPrefix(b.at, from))})
		}
	}
	if err != nil {
		return "", "", nil, err
	}
	f.moving.Lock()
	if now, err := f.doing().tree(from, 0); err != nil || !slices.Equal(now, list) {
		f.moving.Unlock()
		return "", "", nil, cmp.Or(err, error(errLinked))
	}
	return from, to, f.moving.Unlock, nil
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

// errLinked is for an operation that was decided about a path that leads elsewhere by now.
var errLinked = &Refused{"the path has changed while it was decided about"}
