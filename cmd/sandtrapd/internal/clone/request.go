package clone

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/spf13/afero"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
)

// refName is the form of names of refs: nothing that a program could take for a flag, a revision or another file.
var refName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]*(/[A-Za-z0-9][A-Za-z0-9._+-]*)*$`)
})

// maxRef bounds the name of a ref, and maxURL a URL, in bytes.
const (
	maxRef = 200
	maxURL = 2000
)

// check checks a request, and gives the endpoint of its repository.
func (q *Request) check() (*transport.Endpoint, error) {
	fail := func(format string, args ...any) (*transport.Endpoint, error) {
		return nil, fmt.Errorf("%w: "+format, append([]any{ErrRequest}, args...)...)
	}
	if len(q.URL) > maxURL || !strings.HasPrefix(q.URL, "https://") || strings.ContainsAny(q.URL, "?#") {
		return fail("url: want https://host/path, without a query")
	}
	address, err := egress.Canonical(q.URL)
	if err != nil {
		return fail("url: %w", err)
	}
	if _, isIP := address.IP(); isIP || address.Path == "/" {
		return fail("url: want the name of a host, and the path of a repository")
	}
	if q.Ref != "" && (len(q.Ref) > maxRef || !refName().MatchString(q.Ref) || strings.Contains(q.Ref, "..") || strings.HasSuffix(q.Ref, ".lock")) {
		return fail("ref: want the name of a branch or a tag, or the 40 digits of a commit")
	}
	if dir := strings.TrimPrefix(q.Dir, "/"); dir != "" && (!fs.ValidPath(dir) || checkPath(dir) != nil) {
		return fail("dir: want the path of a directory, without . and ..")
	}
	ep, err := transport.NewEndpoint(address.String())
	if err != nil {
		return fail("url: %w", err)
	}
	return ep, nil
}

// dir is the absolute path of the directory.
func (q *Request) dir() string { return path.Join("/", q.Dir) }

// empty reports as an error that dir is there, and is not an empty directory.
func empty(into afero.Fs, dir string) error {
	list, err := afero.ReadDir(into, dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%w: dir: it cannot be read as a directory", ErrRequest)
	case len(list) > 0:
		return fmt.Errorf("%w: dir: %s is not empty; name another directory", ErrRequest, dir)
	}
	return nil
}

func checkPath(p string) error {
	for _, name := range strings.Split(p, "/") {
		if err := checkName(name); err != nil {
			return err
		}
	}
	return nil
}

// maxName bounds the name of a file, in bytes.
const maxName = 255

// checkName checks the name of an entry of a tree. Names that some system takes for .git are refused too: the files may go there.
func checkName(name string) error {
	switch {
	case name == "" || name == "." || name == "..":
		return fmt.Errorf("%w: a file has the name %q", ErrRepository, name)
	case len(name) > maxName || !utf8.ValidString(name) || strings.ContainsAny(name, "/\\:\x00"):
		return fmt.Errorf("%w: a file has the name %.100q, which not all systems read alike", ErrRepository, name)
	case isGit(name):
		return fmt.Errorf("%w: it has an entry %q", ErrRepository, name)
	}
	for _, r := range name {
		if r < ' ' || r == 0x7f {
			return fmt.Errorf("%w: a file has the name %.100q, with a control character", ErrRepository, name)
		}
	}
	return nil
}

// isGit reports that a file system takes a name for .git: Windows ignores case, spaces and dots at the end, and has short names; that of
// macOS ignores case and characters without width.
func isGit(name string) bool {
	plain := strings.Map(func(r rune) rune {
		if r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0xfeff {
			return -1
		}
		return r
	}, name)
	plain = strings.ToLower(strings.TrimRight(plain, " ."))
	return plain == ".git" || strings.HasPrefix(plain, "git~")
}
