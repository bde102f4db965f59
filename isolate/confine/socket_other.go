//go:build !linux

package confine

import "errors"

// A Link is the socket to the host. There is none here.
type Link struct{}

func (Link) Read([]byte) (int, error)  { return 0, errors.ErrUnsupported }
func (Link) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }
