// Package objects keeps data of any size under names, in a bucket of objects of JetStream. What jetstream.ObjectStore writes it reads and deletes:
// each part of an object has its time to come, one that is not whole is told from a bucket that cannot be reached, and nothing is left of one that
// is deleted.
//
// It may not know what names mean.
package objects

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// ErrMissing is matched by errors about an object that is not there, or not as it was written.
var ErrMissing = errors.New("the object is missing")

const (
	within  = 5 * time.Second // an answer of JetStream
	maxMade = 1 << 20         // bytes of memory that an object gets before it comes
)

// A Bucket has objects. It is safe for concurrent use.
type Bucket struct {
	objects jetstream.ObjectStore
	stream  jetstream.Stream
	metas   string // the subjects of what says which parts an object has
	parts   string // and of these
}

// Open opens a bucket, which is made if it is missing, on so many servers of NATS.
func Open(ctx context.Context, js jetstream.JetStream, name string, replicas int) (b *Bucket, err error) {
	b = &Bucket{metas: "$O." + name + ".M.", parts: "$O." + name + ".C."}
	if b.objects, err = js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: name, Replicas: replicas}); err != nil {
		return nil, err
	}
	b.stream, err = js.Stream(ctx, "OBJ_"+name)
	return b, err
}

// A meta is what says which parts an object has.
type meta struct {
	jetstream.ObjectInfo
	at   uint64 // its own place in the stream
	when time.Time
}

func (b *Bucket) metaOf(name string) string {
	return b.metas + base64.URLEncoding.EncodeToString([]byte(name))
}

// meta reads that of an object. The error matches jetstream.ErrMsgNotFound if there is none.
func (b *Bucket) meta(ctx context.Context, name string) (*meta, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	m, err := b.stream.GetLastMsgForSubject(ctx, b.metaOf(name))
	if err != nil {
		return nil, err
	}
	one := &meta{at: m.Sequence, when: m.Time}
	return one, json.Unmarshal(m.Data, &one.ObjectInfo)
}

// Put writes an object.
func (b *Bucket) Put(ctx context.Context, name string, data []byte) error {
	_, err := b.objects.PutBytes(ctx, name, data)
	return err
}

// Get is the data of an object. The error matches ErrMissing if it is not there as a whole.
func (b *Bucket) Get(ctx context.Context, name string) ([]byte, error) {
	info, err := b.meta(ctx, name)
	if err != nil {
		return nil, notRead(name, err)
	}
	data := bytes.NewBuffer(make([]byte, 0, min(info.Size, maxMade)))
	for next := uint64(1); uint64(data.Len()) < info.Size; {
		m, err := b.part(ctx, next, info.NUID)
		if err != nil {
			return nil, notRead(name, err)
		}
		data.Write(m.Data)
		next = m.Sequence + 1
	}
	if sum := sha256.Sum256(data.Bytes()); info.Deleted || info.Digest != "SHA-256="+base64.URLEncoding.EncodeToString(sum[:]) {
		return nil, fmt.Errorf("%s: %w", name, ErrMissing)
	}
	return data.Bytes(), nil
}

// part is the first part of an object from a place in the stream on.
func (b *Bucket) part(ctx context.Context, from uint64, of string) (*jetstream.RawStreamMsg, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return b.stream.GetMsg(ctx, from, jetstream.WithGetMsgSubject(b.parts+of))
}

// notRead is the error of what reads an object.
func notRead(name string, err error) error {
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return fmt.Errorf("%s: %w", name, ErrMissing)
	}
	return err
}

// A Version is an object as it was at a time. The zero Version is that of none.
type Version struct {
	name string
	meta *meta
}

// Version is an object as it is now.
func (b *Bucket) Version(ctx context.Context, name string) (Version, error) {
	info, err := b.meta(ctx, name)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return Version{}, nil
	}
	return Version{name, info}, err
}

// Delete deletes an object as it was. One that was written under its name since stays.
func (b *Bucket) Delete(v Version) error {
	if v.meta == nil {
		return nil
	}
	return b.erase(v.name, v.meta)
}

// erase removes all messages of an object as it was read. One that was written under this name since stays.
func (b *Bucket) erase(name string, info *meta) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	err := b.stream.Purge(ctx, jetstream.WithPurgeSubject(b.metaOf(name)), jetstream.WithPurgeSequence(info.at+1))
	if err == nil && info.NUID != "" {
		err = b.stream.Purge(ctx, jetstream.WithPurgeSubject(b.parts+info.NUID))
	}
	return err
}
