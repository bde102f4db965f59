package record

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// A Checkpoint says how long a record is at least, and what its last line then is. As a note, signed in the form of
// golang.org/x/mod/sumdb/note, it shows that lines up to that are neither changed nor cut off.
type Checkpoint struct {
	Lines int64 // of the record, over all its files
	Hash  [sha256.Size]byte
}

// checkpointOrigin is the first line of the text that is signed.
const checkpointOrigin = "sandtrap record"

// maxNote bounds the file of a checkpoint.
const maxNote = 64 << 10

// ReadCheckpoint gives the checkpoint of a note that key has signed.
func ReadCheckpoint(signed []byte, key note.Verifier) (*Checkpoint, error) {
	n, err := note.Open(signed, note.VerifierList(key))
	if err != nil {
		return nil, fmt.Errorf("record: the checkpoint is not signed with key %s: %w", key.Name(), err)
	}
	malformed := errors.New("record: the note that is signed is not a checkpoint of a record")
	parts := strings.Split(n.Text, "\n")
	if len(parts) != 4 || parts[0] != checkpointOrigin || parts[3] != "" {
		return nil, malformed
	}
	lines, err := strconv.ParseInt(parts[1], 10, 64)
	hash, failed := base64.StdEncoding.DecodeString(parts[2])
	if err != nil || lines < 1 || failed != nil || len(hash) != sha256.Size {
		return nil, malformed
	}
	return &Checkpoint{Lines: lines, Hash: [sha256.Size]byte(hash)}, nil
}

func (c *Checkpoint) sign(key note.Signer) ([]byte, error) {
	text := fmt.Sprintf("%s\n%d\n%s\n", checkpointOrigin, c.Lines, base64.StdEncoding.EncodeToString(c.Hash[:]))
	return note.Sign(&note.Note{Text: text}, key)
}

// CheckpointFile is the file with the latest checkpoint of the record at path.
func CheckpointFile(path string) string { return path + ".checkpoint" }

// checkpoint signs the lines so far. They are on the disk before it is.
func (l *Log) checkpoint() error {
	if l.o.Key == nil || l.signed == l.chain.n {
		return nil
	}
	if err := l.file.Sync(); err != nil {
		return err
	}
	signed, err := (&Checkpoint{l.chain.n, l.chain.sum}).sign(l.o.Key.signer)
	if err != nil {
		return err
	}
	if err := replaceFile(CheckpointFile(l.path), signed); err != nil {
		return err
	}
	l.signed = l.chain.n
	if l.o.Publish != nil {
		return l.o.Publish(signed)
	}
	return nil
}

// replaceFile writes a file that has its old content or all of the new one, whatever becomes of this process.
func replaceFile(path string, text []byte) error {
	f, err := createNew(path)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// createNew makes the file that will take the place of that at path.
func createNew(path string) (*os.File, error) {
	name := path + ".new"
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
}

// signedBefore is the checkpoint beside the record at path, nil if there is none.
func signedBefore(path string, key note.Verifier) (*Checkpoint, error) {
	f, err := os.Open(CheckpointFile(path))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxNote))
	if err != nil {
		return nil, err
	}
	return ReadCheckpoint(text, key)
}
