package dispatch

import (
	"context"
	"errors"
)

// MaxCell bounds the contents of a session whose cells are done by workers elsewhere, with its manifest, in bytes.
const MaxCell = 32 << 20

// A Cell is what the session of a job is before it.
type Cell struct {
	Tools    string  // of the session
	Manifest Content // of all that the session has, as package sessions has it
	After    string  `cbor:",omitempty"` // the run that has made it what it is; empty if that is not known
	Bytes    int64   // of all its contents, and the manifest
}

// A Content is data of a session.
type Content struct {
	Hash [32]byte // SHA-256
	Size int64
}

// Contents gets contents of the session of a job. Who calls it bounds them by the Bytes of the Cell, and checks what comes by its hash.
type Contents func(ctx context.Context, want []Content) ([][]byte, error)

// A Become is what a session has become by a job.
type Become struct {
	Manifest []byte
	New      [][]byte // contents that it has not had before
}

// ErrForeign is the error of Contents about one that the session has not.
var ErrForeign = errors.New("the session of the run has no such content")
