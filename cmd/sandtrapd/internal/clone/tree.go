package clone

import (
	"context"
	"fmt"
	"io/fs"
	"path"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/spf13/afero"
)

// A plan is what will be written: the whole tree of a commit is checked before the first file is.
type plan struct {
	limits  Limits
	objects *objects
	entries int      // of all trees
	dirs    []string // each after its parent
	files   []file
	res     Result
}

type file struct {
	path string
	mode fs.FileMode
	data []byte
}

// maxDepth bounds how deep directories are nested, maxTags how many tags point at each other, and maxPath a path, in bytes.
const (
	maxDepth   = 64
	maxTags    = 8
	maxPath    = 4096
	maxSkipped = 100
)

// decoder is an object of go-git.
type decoder interface {
	Decode(plumbing.EncodedObject) error
}

// decode reads an object of a kind.
func (p *plan) decode(hash plumbing.Hash, kind plumbing.ObjectType, to decoder) error {
	it := p.objects.byHash[hash]
	if it == nil || it.kind != kind {
		return fmt.Errorf("%w: the %s %s is missing", ErrRepository, kind, hash)
	}
	o := &plumbing.MemoryObject{}
	o.SetType(kind)
	if _, err := o.Write(it.data); err != nil {
		return err
	}
	if err := to.Decode(o); err != nil {
		return fmt.Errorf("%w: the %s %s is malformed", ErrRepository, kind, hash)
	}
	return nil
}

// commit plans the files of a commit, or of the one that a tag points at.
func (p *plan) commit(hash plumbing.Hash) error {
	for range maxTags {
		it := p.objects.byHash[hash]
		if it == nil || it.kind != plumbing.TagObject {
			break
		}
		var tag object.Tag
		if err := p.decode(hash, plumbing.TagObject, &tag); err != nil {
			return err
		}
		hash = tag.Target
	}
	var commit object.Commit
	if err := p.decode(hash, plumbing.CommitObject, &commit); err != nil {
		return err
	}
	p.res.Commit = hash.String()
	return p.tree(commit.TreeHash, "", 0)
}

func (p *plan) tree(hash plumbing.Hash, dir string, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("%w: its directories are nested more than %d deep", ErrLimit, maxDepth)
	}
	var tree object.Tree
	if err := p.decode(hash, plumbing.TreeObject, &tree); err != nil {
		return err
	}
	if p.entries += len(tree.Entries); p.entries > p.limits.Files {
		return fmt.Errorf("%w: it has more than %d files and directories", ErrLimit, p.limits.Files)
	}
	seen := map[string]bool{}
	for _, e := range tree.Entries {
		if err := checkName(e.Name); err != nil {
			return err
		}
		if seen[e.Name] {
			return fmt.Errorf("%w: a directory has two entries %q", ErrRepository, e.Name)
		}
		seen[e.Name] = true
		if err := p.entry(e, path.Join(dir, e.Name), depth); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) entry(e object.TreeEntry, at string, depth int) error {
	if len(at) > maxPath {
		return fmt.Errorf("%w: it has a path of more than %d bytes", ErrLimit, maxPath)
	}
	switch e.Mode {
	case filemode.Dir:
		p.dirs = append(p.dirs, at)
		return p.tree(e.Hash, at, depth+1)
	case filemode.Submodule:
		if len(p.res.Skipped) < maxSkipped {
			p.res.Skipped = append(p.res.Skipped, at)
		}
		return nil
	case filemode.Regular, filemode.Deprecated, filemode.Symlink:
		return p.file(e.Hash, at, 0o644)
	case filemode.Executable:
		return p.file(e.Hash, at, 0o755)
	}
	return fmt.Errorf("%w: %s has the mode %s", ErrRepository, at, e.Mode)
}

func (p *plan) file(hash plumbing.Hash, at string, mode fs.FileMode) error {
	it := p.objects.byHash[hash]
	if it == nil || it.kind != plumbing.BlobObject {
		return fmt.Errorf("%w: the content of %s is missing", ErrRepository, at)
	}
	size := int64(len(it.data))
	if size > p.limits.File {
		return fmt.Errorf("%w: %s has %d bytes; the limit is %d", ErrLimit, at, size, p.limits.File)
	}
	if p.res.Bytes += size; p.res.Bytes > p.limits.Unpacked {
		return fmt.Errorf("%w: its files have more than %d bytes", ErrLimit, p.limits.Unpacked)
	}
	p.res.Files++
	p.files = append(p.files, file{at, mode, it.data})
	return nil
}

// write writes all of it, or nothing.
func (p *plan) write(ctx context.Context, into afero.Fs, dir string) (err error) {
	_, missing := into.Stat(dir)
	defer func() {
		if err != nil {
			p.undo(into, dir, missing != nil)
		}
	}()
	if err := into.MkdirAll(dir, 0o755); err != nil {
		return writeError(err)
	}
	for _, d := range p.dirs {
		if err := into.Mkdir(path.Join(dir, d), 0o755); err != nil {
			return writeError(err)
		}
	}
	for _, f := range p.files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := afero.WriteFile(into, path.Join(dir, f.path), f.data, f.mode); err != nil {
			return writeError(err)
		}
	}
	return nil
}

func writeError(err error) error {
	return fmt.Errorf("%w: it does not fit into the files: %w", ErrLimit, err)
}

// undo removes what was written; dir was empty or missing before.
func (p *plan) undo(into afero.Fs, dir string, made bool) {
	if made {
		_ = into.RemoveAll(dir)
		return
	}
	list, _ := afero.ReadDir(into, dir)
	for _, f := range list {
		_ = into.RemoveAll(path.Join(dir, f.Name()))
	}
}
