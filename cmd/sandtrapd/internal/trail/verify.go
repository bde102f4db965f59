package trail

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

// Verify checks that no line of the record was changed, removed, moved or cut off. The error is a *record.BadLine about the first one. It
// reads all files: runs go on meanwhile, and one verification waits for another.
func (t *Trail) Verify(ctx context.Context) (record.Summary, error) {
	select {
	case t.verifies <- struct{}{}:
		defer func() { <-t.verifies }()
	case <-ctx.Done():
		return record.Summary{}, ctx.Err()
	}
	dir, err := os.MkdirTemp(t.dir, copyPrefix)
	if err != nil {
		return record.Summary{}, err
	}
	defer os.RemoveAll(dir)
	signed, err := t.gather(dir)
	if err != nil {
		return record.Summary{}, err
	}
	checkpoint, err := record.ReadCheckpoint(signed, t.verifier)
	if err != nil {
		return record.Summary{}, &record.BadLine{File: filepath.Base(record.CheckpointFile(t.path)), Reason: err.Error()}
	}
	s, err := record.VerifyFiles(filepath.Join(dir, fileName), checkpoint)
	if bad, ok := errors.AsType[*record.BadLine](err); ok {
		bad.File = filepath.Base(bad.File)
	}
	return s, err
}

// gather puts the files of the record as they are now into a directory, and gives the checkpoint. No event is written while it finds
// them; the newest file is copied after that.
func (t *Trail) gather(dir string) (checkpoint []byte, err error) {
	newest, size, checkpoint, err := t.link(dir)
	if newest != nil {
		defer newest.Close()
	}
	if err != nil {
		return nil, err
	}
	to, err := os.OpenFile(filepath.Join(dir, fileName), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	_, err = io.CopyN(to, newest, size)
	return checkpoint, errors.Join(err, to.Close())
}

func (t *Trail) link(dir string) (newest *os.File, size int64, checkpoint []byte, err error) {
	t.copying.Lock()
	defer t.copying.Unlock()
	list, err := t.files()
	if err != nil {
		return nil, 0, nil, err
	}
	for _, f := range list[:len(list)-1] {
		if err := os.Link(f.path, filepath.Join(dir, filepath.Base(f.path))); err != nil {
			return nil, 0, nil, err
		}
	}
	if newest, err = os.Open(t.path); err != nil {
		return nil, 0, nil, err
	}
	info, err := newest.Stat()
	if err != nil {
		return newest, 0, nil, err
	}
	checkpoint, err = os.ReadFile(record.CheckpointFile(t.path))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // ReadCheckpoint says so
	}
	return newest, info.Size(), checkpoint, err
}
