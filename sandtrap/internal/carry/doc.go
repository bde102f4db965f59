// Package carry writes Go values with their types as bytes and reads them in another
// process, where the values are copies: of data, and of nothing else. Functions,
// channels and what a type keeps to itself do not cross; an error says where such a
// thing is in the value.
//
// The bytes are CBOR (RFC 8949): a type, then the value that fits it. The reader takes
// them for hostile. It makes no type of more than maxTypes parts, no value nested deeper
// than maxDepth, and takes no more memory than it is given leave for. Saved sessions are
// plain data, and are read here too.
//
// It may not cross functions or channels, or trust the bytes that it reads.
package carry

import (
	"errors"
	"fmt"
)

const (
	maxTypes = 1 << 10 // parts of one type
	maxDepth = 200     // of a value, and of a type
	maxPath  = 100     // bytes of a path that are shown
)

// ErrFormat is matched by errors about bytes that no Encode made.
var ErrFormat = errors.New("carry: not a value")

// A KindError says that something cannot cross.
type KindError struct {
	Path string // within the value: ".Items[3].Done"
	Type string // as Go writes it
	Why  string
}

func (e *KindError) Error() string { return e.Of("value") + " " + e.Why }

// Of names the part of a value called name that cannot cross, with its type.
func (e *KindError) Of(name string) string {
	path := e.Path
	if len(path) > maxPath {
		path = path[:maxPath] + "…"
	}
	return fmt.Sprintf("%s%s of type %s", name, path, e.Type)
}
