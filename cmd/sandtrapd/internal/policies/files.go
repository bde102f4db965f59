package policies

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/sandtrap-go/sandtrap/cmd/internal/policyfile"
	"github.com/sandtrap-go/sandtrap/cmd/internal/trustedfile"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// suffix is that of policy files in the directory.
const suffix = ".yaml"

// tenantsFile is the file of the directory that says who may use which policy. It is no policy.
const tenantsFile = "tenants" + suffix

// A snapshot is a policy file with all that it extends, as it was read.
type snapshot struct {
	version string
	root    string            // the path of the file
	texts   map[string]string // by path
}

// fileNames are the names of the policies of the directory.
func (c *Catalog) fileNames() (names []string, err error) {
	if c.dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if of, ok := strings.CutSuffix(e.Name(), suffix); ok && e.Name() != tenantsFile && name().MatchString(of) {
			names = append(names, of)
		}
	}
	return names, nil
}

// file is the policy of a file as it is now, nil if there is none. One that has changed is a new version, which is kept.
func (c *Catalog) file(of string) (*snapshot, error) {
	if c.dir == "" || of+suffix == tenantsFile {
		return nil, nil
	}
	path := filepath.Join(c.dir, of+suffix)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if last := c.files[of]; last != nil && last.same() {
		return last, nil
	}
	next, err := c.read(path)
	if err != nil {
		return nil, fmt.Errorf("policy %s: %w", of, err)
	}
	if c.store != nil {
		if err := c.store.KeepPolicy(&store.Policy{Name: of, Version: next.version, Source: store.OfFile, Root: next.root, Texts: next.texts, Created: time.Now()}); err != nil {
			return nil, err
		}
	}
	c.files[of] = next
	return next, nil
}

// same reports that all files of s are as they were.
func (s *snapshot) same() bool {
	for path, text := range s.texts {
		now, err := trustedfile.Read(path)
		if err != nil || string(now) != text {
			return false
		}
	}
	return true
}

// read reads a file and what it extends.
func (c *Catalog) read(path string) (*snapshot, error) {
	s := &snapshot{root: path, texts: map[string]string{}}
	p := policyfile.Default()
	f := policyfile.New(&p)
	f.Open = func(path string) ([]byte, error) {
		text, err := trustedfile.Read(path)
		s.texts[path] = string(text)
		return text, err
	}
	if err := f.Read(path); err != nil {
		return nil, err
	}
	hash := sha256.New()
	for _, path := range slices.Sorted(maps.Keys(s.texts)) {
		rel, err := filepath.Rel(c.dir, path) // the same files elsewhere are the same version
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(hash, "%q %q\n", filepath.ToSlash(rel), s.texts[path])
	}
	s.version = hex.EncodeToString(hash.Sum(nil))[:16]
	return s, nil
}

// tenants are those that may use a policy of the directory or of the program, by its name. All may use one that has no entry.
type tenants map[string][]string

// tenants reads the file of tenants. Without a directory, or a file, all may use all. If there was one when the policies were opened, one
// that is missing is an error: nobody uses a policy then.
func (c *Catalog) tenants() (who tenants, err error) {
	if c.dir == "" {
		return nil, nil
	}
	path := filepath.Join(c.dir, tenantsFile)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) && !c.restricts {
		return nil, nil
	}
	text, err := trustedfile.Read(path)
	if err != nil {
		return nil, err
	}
	who = tenants{}
	err = policyfile.Document(bytes.NewReader(text), "the tenants", func(of, list *yaml.Node) error {
		var names []string
		if err := list.Decode(&names); err != nil || len(names) == 0 {
			return errors.New("want a list of tenants, as [a, b]; leave the line out if all may use it")
		}
		who[of.Value] = names
		return nil
	})
	if err == nil && len(who) == 0 {
		err = errors.New("there is no line as \"policy: [tenant, tenant]\"")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return who, nil
}

// checkTenants checks that the file of tenants is about policies that there are.
func (c *Catalog) checkTenants(files []string) error {
	who, err := c.tenants()
	if err != nil {
		return err
	}
	c.restricts = who != nil
	for of := range who {
		if !slices.Contains(files, of) && !slices.Contains(builtins(), of) {
			return fmt.Errorf("%s: there is no policy %q of the directory or of the program", filepath.Join(c.dir, tenantsFile), of)
		}
	}
	return nil
}
