package dryrun

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"unicode/utf8"

	"github.com/sandtrap-go/sandtrap/vfs"
)

// Bounds of changes.
const (
	mostChanges  = 10_000
	mostText     = 64 << 10 // of a file whose lines are compared
	mostCompared = 4 << 20  // of all such files together: to compare lines takes longer than to write them
	mostDiffs    = 1 << 20  // of all differences together
)

// changes are the differences of a preview, and how many more there are.
func changes(p *vfs.Preview) (list []Change, more int, err error) {
	differences, err := p.Diff()
	if err != nil {
		return []Change{}, 0, err
	}
	more = max(0, len(differences)-mostChanges)
	list, diffs := []Change{}, &differ{p, mostCompared, mostDiffs}
	for _, d := range differences[:len(differences)-more] {
		c := Change{Path: d.Path, Kind: d.Kind, Before: stateOf(p, d.Path, d.Before, false), After: stateOf(p, d.Path, d.After, true)}
		if diffs.lines(&c, &d); c.Diff == "" && isFile(d.After) {
			c.After.SHA256 = hash(p, d.Path)
		}
		list = append(list, c)
	}
	return list, more, nil
}

func isFile(st fs.FileInfo) bool { return st != nil && st.Mode().IsRegular() }

func stateOf(p *vfs.Preview, path string, st fs.FileInfo, after bool) *State {
	if st == nil {
		return nil
	}
	s := &State{Mode: st.Mode().String()}
	switch {
	case isFile(st):
		s.Size = st.Size()
	case st.Mode()&fs.ModeSymlink != 0:
		s.Link, _ = p.Readlink(path, after) // of one that leads out of its directory nothing is known
	}
	return s
}

// A differ compares lines, as long as there is room.
type differ struct {
	preview        *vfs.Preview
	compared, room int64 // bytes that are left of texts, and of differences
}

// lines gives a change the lines that differ, if they are known and there is room.
func (d *differ) lines(c *Change, of *vfs.Difference) {
	size := int64(0)
	for _, st := range []fs.FileInfo{of.Before, of.After} {
		if isFile(st) {
			size += st.Size()
		}
	}
	if size > d.compared {
		return
	}
	before, ok := text(d.preview, of.Path, of.Before, false)
	if !ok {
		return
	}
	after, ok := text(d.preview, of.Path, of.After, true)
	if !ok {
		return
	}
	d.compared -= size
	if c.Diff = unified(before, after); int64(len(c.Diff)) > d.room {
		c.Diff = ""
	}
	d.room -= int64(len(c.Diff))
}

// text is that of a file, empty if there is none. It reports false for what is no text, or is too long.
func text(p *vfs.Preview, path string, st fs.FileInfo, after bool) (string, bool) {
	if !isFile(st) {
		return "", true
	}
	if st.Size() > mostText {
		return "", false
	}
	f, err := p.Open(path, after)
	if err != nil { // it is hidden from scripts
		return "", false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, mostText+1))
	return string(b), err == nil && len(b) <= mostText && utf8.Valid(b) && !bytes.ContainsRune(b, 0)
}

// hash is that of a file after the changes, empty if scripts cannot read it.
func hash(p *vfs.Preview, path string) string {
	f, err := p.Open(path, true)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
