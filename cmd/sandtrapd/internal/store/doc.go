// Package store keeps what the service has acknowledged, in one SQLite database in the data directory: runs with their journals,
// keys, and all that belongs to a tenant. Each row bears its tenant, and each query names one.
//
// Writes are made by one goroutine, which commits those that wait together: a write that has returned is on disk.
//
// It may not run a script, or know what a request looks like.
package store

import (
	"errors"
	"fmt"
)

// ErrNone is matched by errors about what is not there, or belongs to another tenant: nothing tells one from the other.
var ErrNone = errors.New("there is none")

// ErrExists is matched by errors about what is there already.
var ErrExists = errors.New("it exists")

// ErrState is matched by errors about a row that is in another state than the one that a change starts from.
var ErrState = errors.New("it is in another state")

// InState is an error that matches ErrState, with a text that says in which state the row is.
func InState(format string, args ...any) error { return stateError(fmt.Sprintf(format, args...)) }

type stateError string

func (e stateError) Error() string { return string(e) }

func (stateError) Is(target error) bool { return target == ErrState }
