package policyfile

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxPolicyFile bounds what is read of a policy file, in bytes.
const maxPolicyFile = 1 << 20

// ReadTrusted reads a file that decides what scripts may do, and so must be changed by
// nobody but the user who reads it, or root: a link, another owner, or a file that its group
// or others may write is refused. What is looked at is the file that was opened.
func ReadTrusted(path string) ([]byte, error) {
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
	if err := onlyOurs(opened); err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxPolicyFile+1))
	if err == nil && len(text) > maxPolicyFile {
		err = fmt.Errorf("%s is longer than %d bytes", path, maxPolicyFile)
	}
	return text, err
}
