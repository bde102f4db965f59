package clone

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// An item is an object of a repository.
type item struct {
	kind plumbing.ObjectType
	data []byte
}

// objects are those of a pack, all in memory.
type objects struct {
	limits Limits
	byHash map[plumbing.Hash]*item
	byPos  map[int64]*item // in the pack
	bytes  int64           // of all, with those of deltas that wait
}

// A delta is an object that waits for the one that it is made from.
type delta struct {
	pos  int64
	base plumbing.Hash
	data []byte
}

// maxMeta bounds a commit, a tag and a tree, in bytes: go-git takes several times that to decode one.
const maxMeta = 4 << 20

// perObject is the memory that an object takes beside its bytes, at most.
const perObject = 256

// readPack reads the objects of a pack. Go-git's own parser takes as much memory as a pack says that it needs; here what an object
// will take is compared with the limits before it is unpacked.
func readPack(ctx context.Context, r io.Reader, limits Limits) (*objects, error) {
	scan := packfile.NewScanner(r)
	_, count, err := scan.Header()
	if err != nil {
		return nil, packError(err)
	}
	if int64(count) > 4*int64(limits.Files) {
		return nil, fmt.Errorf("%w: it has %d objects; the limit is %d", ErrLimit, count, 4*limits.Files)
	}
	o := &objects{limits: limits, byHash: map[plumbing.Hash]*item{}, byPos: map[int64]*item{}}
	var wait []delta
	for range count {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		late, err := o.next(scan)
		if err != nil {
			return nil, packError(err)
		}
		if late != nil {
			wait = append(wait, *late)
		}
	}
	return o, o.resolve(ctx, wait)
}

// packError tells what the pack is to blame for from what the network is.
func packError(err error) error {
	for _, of := range []error{
		packfile.ErrBadSignature, packfile.ErrMalformedPackFile, packfile.ErrUnsupportedVersion, packfile.ErrEmptyPackfile,
		packfile.ErrInflatedSizeMismatch, packfile.ErrInvalidDelta, packfile.ErrDeltaCmd, packfile.ErrZLib, errMalformed,
	} {
		if errors.Is(err, of) {
			return fmt.Errorf("%w: %w", ErrRepository, err)
		}
	}
	return err
}

// next reads one object. A delta whose base has not come yet is returned.
func (o *objects) next(scan *packfile.Scanner) (late *delta, err error) {
	h, err := scan.NextObjectHeader()
	if err != nil {
		return nil, err
	}
	if err := o.charge(h.Length); err != nil {
		return nil, err
	}
	var data bytes.Buffer
	data.Grow(int(h.Length)) // what was charged
	n, _, err := scan.NextObject(&data)
	if err != nil {
		return nil, err
	}
	if n != h.Length {
		return nil, errMalformed
	}
	switch h.Type {
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
		return nil, o.add(h.Offset, &item{h.Type, data.Bytes()})
	case plumbing.OFSDeltaObject:
		base := o.byPos[h.OffsetReference]
		if base == nil {
			return nil, errMalformed
		}
		return nil, o.patch(h.Offset, base, data.Bytes())
	case plumbing.REFDeltaObject:
		if base := o.byHash[h.Reference]; base != nil {
			return nil, o.patch(h.Offset, base, data.Bytes())
		}
		return &delta{h.Offset, h.Reference, data.Bytes()}, nil
	}
	return nil, errMalformed
}

// charge counts n bytes before they are there.
func (o *objects) charge(n int64) error {
	if limit := max(o.limits.File, maxMeta); n > limit {
		return fmt.Errorf("%w: a file has %d bytes; the limit is %d", ErrLimit, n, limit)
	}
	if n < 0 || n > o.limits.Unpacked-o.bytes-perObject {
		return fmt.Errorf("%w: its objects have more than %d bytes", ErrLimit, o.limits.Unpacked)
	}
	o.bytes += n + perObject
	return nil
}

func (o *objects) add(pos int64, it *item) error {
	if it.kind != plumbing.BlobObject && len(it.data) > maxMeta {
		return fmt.Errorf("%w: a %s has %d bytes; the limit is %d", ErrLimit, it.kind, len(it.data), maxMeta)
	}
	o.byPos[pos] = it
	o.byHash[plumbing.ComputeHash(it.kind, it.data)] = it
	return nil
}

// patch adds the object that a delta makes from another one.
func (o *objects) patch(pos int64, base *item, text []byte) error {
	size, err := targetSize(text)
	if err != nil {
		return err
	}
	if err := o.charge(size); err != nil {
		return err
	}
	data, err := packfile.PatchDelta(base.data, text)
	if err != nil {
		return err
	}
	if cap(data)-len(data) > len(data)/4 { // as it grew
		data = bytes.Clone(data)
	}
	o.bytes -= int64(len(text))
	return o.add(pos, &item{base.kind, data})
}

// targetSize is the size of what a delta makes, which its second number is.
func targetSize(text []byte) (int64, error) {
	_, n := binary.Uvarint(text)
	if n <= 0 {
		return 0, errMalformed
	}
	size, m := binary.Uvarint(text[n:])
	if m <= 0 || size > 1<<40 {
		return 0, errMalformed
	}
	return int64(size), nil
}

// resolve adds the objects of deltas that wait, in rounds: each of them makes bases for the next. One without a result is an error.
func (o *objects) resolve(ctx context.Context, wait []delta) error {
	for len(wait) > 0 {
		var left []delta
		for _, d := range wait {
			if err := ctx.Err(); err != nil {
				return err
			}
			base := o.byHash[d.base]
			if base == nil {
				left = append(left, d)
				continue
			}
			if err := o.patch(d.pos, base, d.data); err != nil {
				return packError(err)
			}
		}
		if len(left) == len(wait) {
			return packError(errMalformed)
		}
		wait = left
	}
	return nil
}
