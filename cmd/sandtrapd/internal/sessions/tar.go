package sessions

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/runs"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// ReadTar is the files that a session has after its last cell, as a tar. Release is to be called when it is not needed any more.
func (m *Manager) ReadTar(ctx context.Context, tenant, id string) (text []byte, release func(), err error) {
	release = func() {}
	err = m.look(ctx, tenant, id, func(row *store.Session, man *manifest) error {
		release()
		release = func() {}
		h, err := m.held.take(tenant, row.Bytes+int64(len(man.Entries))*3*512)
		if err != nil {
			return err
		}
		release = h.release
		text, err = m.tar(ctx, tenant, man)
		return err
	})
	return text, release, err
}

// tar makes one of files and directories. Links are left out.
func (m *Manager) tar(ctx context.Context, tenant string, man *manifest) ([]byte, error) {
	var text bytes.Buffer
	w := tar.NewWriter(&text)
	for i := range man.Entries {
		e := &man.Entries[i]
		if e.Link != "" {
			continue
		}
		head := &tar.Header{Typeflag: tar.TypeDir, Name: e.Path + "/", Mode: int64(e.Mode.Perm()), ModTime: time.Unix(0, e.MTime).Truncate(time.Second)}
		var data []byte
		if e.Data != nil {
			var err error
			if data, err = m.o.Store.Blob(ctx, tenant, e.Data.Hash); err != nil {
				return nil, err
			}
			head.Typeflag, head.Name, head.Size = tar.TypeReg, e.Path, int64(len(data))
		}
		if err := w.WriteHeader(head); err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
	}
	return text.Bytes(), w.Close()
}

// WriteTar puts the files of a tar, all or none. Those that the session has already and the tar has not stay. It waits for its turn, when
// it has the tar.
func (m *Manager) WriteTar(ctx context.Context, tenant, id string, from io.Reader) ([]File, error) {
	if _, err := m.o.Store.Session(ctx, tenant, id); err != nil {
		return nil, err
	}
	h, err := m.held.take(tenant, 0)
	if err != nil {
		return nil, err
	}
	defer h.release()
	entries, new, err := untar(from, h)
	if err != nil {
		return nil, err
	}
	list := []File{}
	for i := range entries {
		if entries[i].Data != nil {
			list = append(list, entries[i].file())
		}
	}
	return list, m.change(ctx, tenant, id, new, func(man *manifest) error {
		for _, e := range entries {
			if err := man.set(e); err != nil {
				return err
			}
		}
		return nil
	})
}

// untar reads a tar that may be from anybody. One with anything but files and directories below the working directory is refused.
func untar(from io.Reader, h *holding) (entries []entry, new map[store.Hash][]byte, err error) {
	new = map[store.Hash][]byte{}
	seen := map[string]bool{}
	r := tar.NewReader(from)
	for left := int64(MaxFileBytes); ; {
		head, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, tarError(err)
		}
		if head.Typeflag == tar.TypeXGlobalHeader { // git writes one
			continue
		}
		e, err := fromHeader(head)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: tar: %w", runs.ErrRequest, err)
		}
		if e.Path == "." {
			continue
		}
		if seen[e.Path] {
			return nil, nil, fmt.Errorf("%w: tar: %q is there twice", runs.ErrRequest, e.Path)
		}
		if seen[e.Path] = true; len(entries) == MaxFiles {
			return nil, nil, fmt.Errorf("%w: more than %d files and directories", ErrTooLarge, MaxFiles)
		}
		if !e.Mode.IsDir() {
			data, err := h.read(r, left)
			if err != nil {
				return nil, nil, tarError(err)
			}
			left -= int64(len(data))
			e.Data = &content{store.HashOf(data), int64(len(data))}
			new[e.Data.Hash] = data
		}
		entries = append(entries, e)
	}
	_, err = io.Copy(io.Discard, from) // the end of the body, if it is not cut off
	return entries, new, tarError(err)
}

// fromHeader is the entry of a header, without data.
func fromHeader(head *tar.Header) (e entry, err error) {
	name := strings.TrimPrefix(head.Name, "./")
	switch head.Typeflag {
	case tar.TypeReg:
		e.Mode = fs.FileMode(head.Mode) & fs.ModePerm
	case tar.TypeDir:
		e.Mode = fs.ModeDir | fs.FileMode(head.Mode)&fs.ModePerm
		name = strings.TrimSuffix(name, "/")
	default:
		return e, fmt.Errorf("%.200q is not a file or a directory", head.Name)
	}
	e.Path, e.MTime = name, head.ModTime.UnixNano()
	if head.Typeflag == tar.TypeDir && (name == "" || name == ".") {
		e.Path = path.Clean(name)
		return e, nil
	}
	return e, checkPath(name)
}

// tarError says that an error is about the tar, unless it is about its size or about who sends it.
func tarError(err error) error {
	if errors.Is(err, tar.ErrHeader) || errors.Is(err, tar.ErrFieldTooLong) || errors.Is(err, tar.ErrInsecurePath) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: tar: %w", runs.ErrRequest, err)
	}
	return err
}
