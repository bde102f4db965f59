package ledger

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

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

// An object is some messages of a stream: its data in parts, and one that says which parts these are. The subjects are those of
// jetstream.ObjectStore, which writes them.
const (
	objectStream = "OBJ_" + objects
	metaSubject  = "$O." + objects + ".M."
	partSubject  = "$O." + objects + ".C."
)

// errMissing is about an object that an entry names, and which is not there, or not as it was written. Who has read the entry a moment ago
// looks whether it is still so.
var errMissing = fmt.Errorf("the ledger: an object that an entry names is missing: %w", store.ErrCorrupt)

// A meta is what says which parts an object has.
type meta struct {
	jetstream.ObjectInfo
	at   uint64 // its own place in the stream
	when time.Time
}

func metaOf(name string) string { return metaSubject + base64.URLEncoding.EncodeToString([]byte(name)) }

// meta reads that of an object. The error matches jetstream.ErrMsgNotFound if there is none.
func (l *Ledger) meta(ctx context.Context, name string) (*meta, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	m, err := l.parts.GetLastMsgForSubject(ctx, metaOf(name))
	if err != nil {
		return nil, err
	}
	one := &meta{at: m.Sequence, when: m.Time}
	return one, json.Unmarshal(m.Data, &one.ObjectInfo)
}

// object is the data of an object. The error is errMissing if it is not there as a whole. Each part has its time to come.
func (l *Ledger) object(ctx context.Context, name string) ([]byte, error) {
	info, err := l.meta(ctx, name)
	if err != nil {
		return nil, l.notRead(name, err)
	}
	data := bytes.NewBuffer(make([]byte, 0, min(info.Size, maxPart)))
	for next := uint64(1); uint64(data.Len()) < info.Size; {
		m, err := l.part(ctx, next, info.NUID)
		if err != nil {
			return nil, l.notRead(name, err)
		}
		data.Write(m.Data)
		next = m.Sequence + 1
	}
	if sum := sha256.Sum256(data.Bytes()); info.Deleted || info.Digest != "SHA-256="+base64.URLEncoding.EncodeToString(sum[:]) {
		return nil, fmt.Errorf("%s: %w", name, errMissing)
	}
	return data.Bytes(), nil
}

// maxPart bounds the memory that an object gets before it comes, in bytes.
const maxPart = 1 << 20

// part is the first part of an object from a place in the stream on.
func (l *Ledger) part(ctx context.Context, from uint64, of string) (*jetstream.RawStreamMsg, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return l.parts.GetMsg(ctx, from, jetstream.WithGetMsgSubject(partSubject+of))
}

// notRead is the error of what reads an object.
func (l *Ledger) notRead(name string, err error) error {
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return fmt.Errorf("%s: %w", name, errMissing)
	}
	return unreachable{fmt.Errorf("the ledger: %w", err)}
}

// putObject writes an object.
func (l *Ledger) putObject(ctx context.Context, name string, data []byte) error {
	if _, err := l.objects.PutBytes(ctx, name, data); err != nil {
		return unreachable{fmt.Errorf("the ledger: %w", err)}
	}
	return nil
}

// forget deletes an object that no entry has any more. If that fails it is swept later.
func (l *Ledger) forget(object string) {
	if object == "" {
		return
	}
	info, err := l.meta(context.Background(), object)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return
	}
	if err == nil {
		err = l.erase(object, info)
	}
	if err != nil {
		l.log.Warn("an object of the ledger could not be deleted", "object", object, "error", err)
	}
}

// erase removes all messages of an object as it was read. One that was written under this name since stays.
func (l *Ledger) erase(name string, info *meta) error {
	ctx, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	err := l.parts.Purge(ctx, jetstream.WithPurgeSubject(metaOf(name)), jetstream.WithPurgeSequence(info.at+1))
	if err == nil && info.NUID != "" {
		err = l.parts.Purge(ctx, jetstream.WithPurgeSubject(partSubject+info.NUID))
	}
	return err
}
