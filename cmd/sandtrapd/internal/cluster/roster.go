package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nats-io/nkeys"

	"github.com/sandtrap-go/sandtrap/cmd/internal/trustedfile"
)

// An Entry is a worker or a front that a server lets in.
type Entry struct {
	Name   string
	Role   Role
	Public string // key
}

// A Roster is a directory with a file for each worker and front that the embedded server lets in, of its name. Commands write it while the server
// reads it: each file is made whole or not at all, and is never changed.
type Roster string

// Add adds a worker or a front. The error matches fs.ErrExists if the name is taken.
func (r Roster) Add(e Entry) error {
	if err := checkName(e.Name); err != nil {
		return err
	}
	if e.Name == SelfName || e.Name == nobody {
		return fmt.Errorf("the name %q is taken by the server", e.Name)
	}
	if err := os.MkdirAll(string(r), 0o700); err != nil {
		return err
	}
	names, err := r.names()
	if err != nil {
		return err
	}
	if len(names) >= maxMembers {
		return fmt.Errorf("there are %d workers and fronts: remove one before", len(names))
	}
	if slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, e.Name) }) {
		return fmt.Errorf("%q: %w: remove it before, or take another name", e.Name, fs.ErrExist)
	}
	return create(filepath.Join(string(r), e.Name), fmt.Sprintf("%s %s\n", e.Role, e.Public))
}

// Remove removes one. The error matches fs.ErrNotExist if there is none.
func (r Roster) Remove(name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	return os.Remove(filepath.Join(string(r), name))
}

// List is all of them, by role and name. Those that are malformed are left out, and the error is about them.
func (r Roster) List() (list []Entry, err error) {
	names, err := r.names()
	for _, name := range names {
		e, bad := r.read(name)
		if errors.Is(bad, fs.ErrNotExist) { // removed meanwhile
			continue
		}
		if err = errors.Join(err, bad); bad == nil {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b Entry) int { return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(a.Name, b.Name)) })
	return list, err
}

// names are those of all files.
func (r Roster) names() (names []string, err error) {
	dir, err := os.Open(string(r))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err = dir.Readdirnames(maxMembers + 1)
	if errors.Is(err, io.EOF) { // it is empty
		err = nil
	}
	return names[:min(len(names), maxMembers)], err
}

func (r Roster) read(name string) (Entry, error) {
	path := filepath.Join(string(r), name)
	text, err := trustedfile.Read(path)
	if err != nil {
		return Entry{}, err
	}
	fields := strings.Fields(string(text))
	if checkName(name) != nil || len(fields) != 2 || fields[0] != string(RoleWorker) && fields[0] != string(RoleFront) || !nkeys.IsValidPublicUserKey(fields[1]) {
		return Entry{}, fmt.Errorf("%s: want the role and the public key of a worker or a front", path)
	}
	return Entry{name, Role(fields[0]), fields[1]}, nil
}
