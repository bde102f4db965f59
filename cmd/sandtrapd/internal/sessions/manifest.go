package sessions

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// Bounds of what a session may have.
const (
	MaxFiles     = 10_000   // files, directories and links
	MaxFileBytes = 64 << 20 // in all files
	MaxState     = 64 << 20 // bytes of the values of the variables, as saved

	maxManifest  = 16 << 20
	maxPath      = 1024 // bytes
	maxName      = 255  // bytes of one element of a path
	maxVariables = 1000 // that are listed
	maxText      = 500  // bytes of a type or a reason in a list
)

// A manifest is all that a session has. It is kept as a content, in JSON.
type manifest struct {
	Format    string            `json:"format"`
	Version   int               `json:"version"`
	Origin    string            `json:"origin"` // the session that it and its forks come from
	Policy    string            `json:"policy"`
	State     *content          `json:"state,omitempty"` // what (*sandtrap.Session).Save has written; nil before the first cell
	Variables []Variable        `json:"variables,omitempty"`
	Skipped   map[string]string `json:"skipped,omitempty"` // variables without their values, with the reasons
	Entries   []entry           `json:"entries,omitempty"` // sorted by path, directories before what is in them
}

// A content is data by its hash.
type content struct {
	Hash store.Hash `json:"hash"`
	Size int64      `json:"size"`
}

// A Variable is a name that the runs of a session have declared, or import.
type Variable struct {
	Kind string `json:"kind"` // import, var, const, func or type
	Name string `json:"name"`
	Type string `json:"type"`
}

// An entry is a file, a directory or a symbolic link. Links are those of scripts, and lead nowhere but in their own files.
type entry struct {
	Path  string      `json:"path"` // relative to the working directory, as fs.ValidPath wants it
	Mode  fs.FileMode `json:"mode"`
	MTime int64       `json:"mtime"`          // Unix time in ns
	Data  *content    `json:"data,omitempty"` // of a file
	Link  string      `json:"link,omitempty"` // of a link: where it leads
}

const (
	manifestFormat  = "sandtrapd session"
	manifestVersion = 1
)

// encode is m in JSON, and its hash. The same m has the same text.
func (m *manifest) encode() (text []byte, hash store.Hash, err error) {
	m.Format, m.Version = manifestFormat, manifestVersion
	if err := m.check(); err != nil {
		return nil, hash, err
	}
	text, err = json.Marshal(m)
	if err == nil && len(text) > maxManifest {
		err = fmt.Errorf("the list of its files and variables has %d bytes; the limit is %d", len(text), maxManifest)
	}
	return text, store.HashOf(text), err
}

// decode reads a manifest that may be from anybody: it is valid, or refused as a whole.
func decode(text []byte) (*manifest, error) {
	if len(text) > maxManifest {
		return nil, fmt.Errorf("a manifest of %d bytes; the limit is %d", len(text), maxManifest)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	m := &manifest{}
	if err := dec.Decode(m); err != nil {
		return nil, fmt.Errorf("not a manifest: %w", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("not a manifest: something follows it")
	}
	if m.Format != manifestFormat || m.Version != manifestVersion {
		return nil, fmt.Errorf("a manifest of format %q, version %d; want %q, version %d", m.Format, m.Version, manifestFormat, manifestVersion)
	}
	return m, m.check()
}

// check checks what a manifest lists, against all bounds.
func (m *manifest) check() error {
	if m.State != nil && (m.State.Size < 0 || m.State.Size > MaxState) {
		return fmt.Errorf("its variables have %d bytes as saved; the limit is %d", m.State.Size, MaxState)
	}
	if len(m.Variables) > maxVariables || len(m.Skipped) > maxVariables {
		return fmt.Errorf("more than %d variables are listed", maxVariables)
	}
	if len(m.Entries) > MaxFiles {
		return fmt.Errorf("it has %d files and directories; the limit is %d", len(m.Entries), MaxFiles)
	}
	dirs, last, size := map[string]bool{".": true}, "", int64(0)
	for i := range m.Entries {
		e := &m.Entries[i]
		switch err := e.check(); {
		case err != nil:
			return err
		case e.Path <= last:
			return fmt.Errorf("%q comes after %q", e.Path, last)
		case !dirs[path.Dir(e.Path)]:
			return fmt.Errorf("%q is not in a directory", e.Path)
		}
		if e.Mode.IsDir() {
			dirs[e.Path] = true
		}
		last = e.Path
		if size += e.size(); size > MaxFileBytes {
			return fmt.Errorf("its files have more than %d bytes", MaxFileBytes)
		}
	}
	return nil
}

// check checks an entry by itself.
func (e *entry) check() error {
	if err := checkPath(e.Path); err != nil {
		return err
	}
	ok := false
	switch e.Mode &^ (fs.ModePerm | fs.ModeSticky) {
	case fs.ModeDir:
		ok = e.Data == nil && e.Link == ""
	case 0:
		ok = e.Data != nil && e.Link == "" && e.Data.Size >= 0 && e.Data.Size <= MaxFileBytes
	case fs.ModeSymlink:
		ok = e.Data == nil && e.Link != "" && len(e.Link) <= maxPath && !strings.ContainsRune(e.Link, 0)
	}
	if !ok {
		return fmt.Errorf("%q is not a file, a directory or a link", e.Path)
	}
	return nil
}

// checkPath checks a path that may be from anybody: it leads nowhere but below the working directory.
func checkPath(p string) error {
	switch {
	case !fs.ValidPath(p) || p == "." || strings.ContainsRune(p, 0):
		return fmt.Errorf("%.200q is not a path below the working directory: want names with / between them, and neither . nor .. among them", p)
	case len(p) > maxPath:
		return fmt.Errorf("a path of %d bytes; the limit is %d", len(p), maxPath)
	}
	for name := range strings.SplitSeq(p, "/") {
		if len(name) > maxName {
			return fmt.Errorf("a name of %d bytes in a path; the limit is %d", len(name), maxName)
		}
	}
	return nil
}

func (e *entry) size() int64 {
	if e.Data == nil {
		return int64(len(e.Link))
	}
	return e.Data.Size
}

// bytes are those of all that m lists.
func (m *manifest) bytes() (n int64) {
	if m.State != nil {
		n = m.State.Size
	}
	for i := range m.Entries {
		n += m.Entries[i].size()
	}
	return n
}

// needed are the contents that m lists, and its own.
func (m *manifest) needed(own store.Hash) map[store.Hash]bool {
	all := map[store.Hash]bool{own: true}
	if m.State != nil {
		all[m.State.Hash] = true
	}
	for i := range m.Entries {
		if d := m.Entries[i].Data; d != nil {
			all[d.Hash] = true
		}
	}
	return all
}

// find is where the entry with a path is, or would be.
func (m *manifest) find(p string) (at int, found bool) {
	return slices.BinarySearchFunc(m.Entries, p, func(e entry, p string) int { return strings.Compare(e.Path, p) })
}

// clone is m with entries of its own.
func (m *manifest) clone() *manifest {
	c := *m
	c.Entries = slices.Clone(m.Entries)
	return &c
}

// set puts an entry, with the directories that it is in. It replaces a file or a link; a directory stays what it is.
func (m *manifest) set(e entry) error {
	if err := checkPath(e.Path); err != nil {
		return err
	}
	if dir := path.Dir(e.Path); dir != "." {
		if at, found := m.find(dir); !found {
			if err := m.set(entry{Path: dir, Mode: fs.ModeDir | 0o755, MTime: e.MTime}); err != nil {
				return err
			}
		} else if !m.Entries[at].Mode.IsDir() {
			return fmt.Errorf("%q is not a directory", dir)
		}
	}
	at, found := m.find(e.Path)
	switch {
	case !found && len(m.Entries) >= MaxFiles:
		return fmt.Errorf("%w: more than %d files and directories", ErrTooLarge, MaxFiles)
	case !found:
		m.Entries = slices.Insert(m.Entries, at, e)
	case m.Entries[at].Mode.IsDir() != e.Mode.IsDir():
		return fmt.Errorf("%q is there already, and only one of the two is a directory", e.Path)
	default:
		m.Entries[at] = e
	}
	return nil
}

// remove removes a file, a link, or a directory with all that is in it. It reports whether there was one.
func (m *manifest) remove(p string) bool {
	if _, found := m.find(p); !found {
		return false
	}
	m.Entries = slices.DeleteFunc(m.Entries, func(e entry) bool { return e.Path == p || strings.HasPrefix(e.Path, p+"/") })
	return true
}
