// Package trustedfile reads files that decide what scripts and clients may do.
//
// It may not know what is in them.
package trustedfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxFile bounds what is read of a file, in bytes.
const maxFile = 1 << 20

// Read reads a file that nobody may change but the user who reads it, or root: a link, another owner, or a file that its group
// or others may write is refused. What is looked at is the file that was opened.
func Read(path string) ([]byte, error) { return read(path, onlyOurs) }

// ReadSecret is Read for a file with secrets: one that others may read is refused too. The group may read a file of root.
func ReadSecret(path string) ([]byte, error) { return read(path, secret) }

func read(path string, check func(fs.FileInfo) error) ([]byte, error) {
	named, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if named.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a link, and who may change it is not known: name the file that it leads to", path)
	}
	if !named.Mode().IsRegular() { // before it is opened: a pipe would wait for a writer
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	opened, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !os.SameFile(named, opened) {
		return nil, fmt.Errorf("%s was replaced while it was opened", path)
	}
	if err := check(opened); err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = fmt.Errorf("%s is longer than %d bytes", path, maxFile)
	}
	return text, err
}
