package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fxamacker/cbor/v2"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/objects"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/peers"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/subjects"
)

// The bucket. Its name has the version of what entries are: servers of another version have another ledger.
const (
	bucket = "sandtrap_1_runs"
	large  = "sandtrap_1_objects"
	Stream = "KV_" + bucket // of entries
	prefix = "$KV." + bucket + "."
)

// The format of entries, which the bucket has. A program refuses a bucket of a newer one. A new kind of entry, or a new field, needs no new
// format: a program that does not know it leaves the entry alone, and says so in its log.
const (
	format    = 1
	formatKey = "sandtrap-format"
)

const (
	maxEntry   = 128 << 10           // bytes of an entry; what is larger is an object
	markerFor  = 30 * 24 * time.Hour // an entry that was deleted says so; a server that was away for longer compares all
	maxEntryID = 128                 // bytes

	within = 5 * time.Second // an answer of JetStream
)

// The headers of entries.
const (
	ofServer = peers.OfServer // that has written it
	kvOp     = "KV-Operation" // of a marker
)

// An entry is a run, a session, a snapshot, a key, a version of a policy, the session that has a name, a batch, or the name of the object that is one of these.
type entry struct {
	Run      *store.Run    `cbor:"1,keyasint,omitempty"`
	Object   string        `cbor:"2,keyasint,omitempty"`
	Session  *session      `cbor:"3,keyasint,omitempty"`
	Snapshot *snapshot     `cbor:"4,keyasint,omitempty"`
	Policy   *store.Policy `cbor:"8,keyasint,omitempty"`
	Key      *store.Key    `cbor:"7,keyasint,omitempty"`
	Named    *named        `cbor:"5,keyasint,omitempty"`
	Batch    *store.Batch  `cbor:"6,keyasint,omitempty"`
}

var encoding, decoding = func() (cbor.EncMode, cbor.DecMode) {
	e, err := cbor.EncOptions{Time: cbor.TimeRFC3339Nano}.EncMode()
	d, err2 := cbor.DecOptions{
		DupMapKey: cbor.DupMapKeyEnforcedAPF, IndefLength: cbor.IndefLengthForbidden, TagsMd: cbor.TagsForbidden, ExtraReturnErrors: cbor.ExtraDecErrorUnknownField,
	}.DecMode()
	if err := errors.Join(err, err2); err != nil {
		panic(err) // the options are constants
	}
	return e, d
}()

// openBucket makes what is missing of the bucket and its objects, on so many servers of NATS.
func (l *Ledger) openBucket(ctx context.Context, replicas int) (err error) {
	cfg := jetstream.StreamConfig{
		Name: Stream, Subjects: []string{prefix + ">"}, MaxMsgsPerSubject: 1, AllowRollup: true, DenyDelete: true, Discard: jetstream.DiscardNew,
		Metadata: map[string]string{formatKey: strconv.Itoa(format)}, AllowMsgTTL: true, SubjectDeleteMarkerTTL: markerFor, Replicas: replicas, Compression: jetstream.S2Compression,
	}
	if replicas <= 1 {
		cfg.PersistMode = jetstream.AsyncPersistMode // its end is on the disks of those who were told of it
	}
	if err := CheckFormat(ctx, l.js); err != nil {
		return err
	}
	if l.stream, err = l.js.CreateOrUpdateStream(ctx, cfg); err != nil {
		return err
	}
	l.objects, err = objects.Open(ctx, l.js, large, replicas)
	return err
}

// CheckFormat is an error if entries are such that this program misreads them.
func CheckFormat(ctx context.Context, js jetstream.JetStream) error {
	there, err := js.Stream(ctx, Stream)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	text, ok := there.CachedInfo().Config.Metadata[formatKey]
	if n, err := strconv.Atoi(text); ok && (err != nil || n > format) {
		return fmt.Errorf("it is of the format %q, and this program knows %d: use a newer one", text, format)
	}
	return nil
}

// subject is that of a run.
func subject(tenant, id string) string {
	return prefix + subjects.Tenant(tenant) + "." + id
}

// isID reports that a text can be the ID of an entry.
func isID(id string) bool {
	return id != "" && len(id) <= maxEntryID && !strings.ContainsFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}

var (
	errConflict = fmt.Errorf("another server has changed the run: %w", store.ErrState)
	errMarker   = fmt.Errorf("run: %w", store.ErrNone)
)

// An unreachable error is about a ledger that cannot be reached: the same change can be tried again.
type unreachable struct{ error }

func (u unreachable) Is(target error) bool {
	return target == store.ErrCluster || target == store.ErrDisk
}
func (u unreachable) Unwrap() error { return u.error }

// An inDoubt error is one of a ledger that cannot be reached, which may have written the change all the same.
type inDoubt struct{ error }

func (d inDoubt) Is(target error) bool { return target == store.ErrDoubt }
func (d inDoubt) Unwrap() error        { return d.error }

// put writes a run, if what is there has this revision, 0 if there is nothing. Its Revision and its Object are those of what was written.
func (l *Ledger) put(ctx context.Context, r *store.Run, expect uint64) error {
	revision, object, err := l.putEntry(ctx, r.Tenant, r.ID, entry{Run: r}, r.Object, expect)
	if err == nil {
		r.Revision, r.Object = revision, object
	}
	return err
}

// putEntry writes an entry, if what is there has this revision. Before is the name of its object until now.
func (l *Ledger) putEntry(ctx context.Context, tenant, id string, e entry, before string, expect uint64) (revision uint64, object string, err error) {
	if err := l.mayDoubt(); err != nil {
		return 0, "", err
	}
	data, err := encoding.Marshal(e)
	if err != nil {
		return 0, "", err
	}
	if len(data) > maxEntry {
		object = l.objectName(id, data)
		if err := l.putObject(ctx, object, data); err != nil {
			return 0, "", err
		}
		if data, err = encoding.Marshal(entry{Object: object}); err != nil {
			return 0, "", err
		}
	}
	old := l.version(ctx, before)
	revision, err = l.publish(ctx, subject(tenant, id), data, expect)
	switch {
	case err == nil:
		l.forget(old)
	case errors.Is(err, store.ErrState):
		l.forget(l.version(ctx, object))
	default:
		l.doubt(tenant, id)
		err = inDoubt{err}
	}
	return revision, object, err
}

// objectName is the name of the object that an entry is, which no other server has, and which is the same if the entry is written again.
func (l *Ledger) objectName(id string, data []byte) string {
	sum := sha256.Sum256(data)
	return id + "." + l.id + "." + hex.EncodeToString(sum[:16])
}

// publish writes an entry, if what is there has this revision. An answer that does not come leaves open whether it was written, so
// that it looks then.
func (l *Ledger) publish(ctx context.Context, to string, data []byte, expect uint64) (revision uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for {
		began := time.Now()
		m := &nats.Msg{Subject: to, Data: data, Header: nats.Header{ofServer: {l.id}}}
		ack, err := l.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(expect))
		if err == nil {
			l.heard(began)
			return ack.Sequence, nil
		}
		now, getErr := l.lastMsg(ctx, to)
		switch {
		case getErr == nil && now.Header.Get(kvOp) != "" && expect == 0 && conflict(err):
			expect = now.Sequence // where a marker is, is nothing
			continue
		case getErr == nil && now.Sequence > expect && now.Header.Get(ofServer) == l.id && string(now.Data) == string(data):
			return now.Sequence, nil
		case conflict(err) && (getErr == nil || errors.Is(getErr, store.ErrNone)):
			return 0, errConflict
		}
		select {
		case <-ctx.Done():
			return 0, unreachable{fmt.Errorf("the ledger: %w", err)}
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// conflict reports that an entry has another revision.
func conflict(err error) bool {
	e, ok := errors.AsType[*jetstream.APIError](err)
	return ok && (e.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || e.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// get is a run as the ledger has it now. The error matches store.ErrNone if there is none.
func (l *Ledger) get(ctx context.Context, tenant, id string) (*store.Run, error) {
	e, revision, err := l.getEntry(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	if e.Run == nil || e.Run.Tenant != tenant {
		return nil, errMarker
	}
	return e.run(revision)
}

// entryNow is getEntry for one try: its error may be errMissing because the entry has changed meanwhile.
func (l *Ledger) entryNow(ctx context.Context, tenant, id string) (*entry, uint64, error) {
	if !isID(id) { // a client has sent it: in a subject it could be that of others
		return nil, 0, errMarker
	}
	m, err := l.lastMsg(ctx, subject(tenant, id))
	if err != nil {
		return nil, 0, err
	}
	e, err := l.read(ctx, m.Header, m.Data, m.Sequence)
	return e, m.Sequence, err
}

// lastMsg is the last message of a subject. The error matches store.ErrNone if there is none.
func (l *Ledger) lastMsg(ctx context.Context, of string) (*jetstream.RawStreamMsg, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	began := time.Now()
	m, err := l.stream.GetLastMsgForSubject(ctx, of)
	if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, unreachable{fmt.Errorf("the ledger: %w", err)}
	}
	l.heard(began)
	if err != nil {
		return nil, errMarker
	}
	return m, nil
}

// bringLast has an entry be here as a message has it. The change is that of a run or a batch; of others it is empty.
func (l *Ledger) bringLast(m *jetstream.RawStreamMsg) (c store.Change, err error) {
	c, one, err := l.tryChange(m.Header, m.Data, m.Sequence, idOf(m.Subject))
	if err == nil && one {
		err = l.Apply(false, c)
	}
	return c, err
}

// idOf is the ID of the entry of a subject.
func idOf(of string) string { return of[strings.LastIndex(of, ".")+1:] }

// read is an entry. Its Object is the name of the object that it was.
func (l *Ledger) read(ctx context.Context, h nats.Header, data []byte, revision uint64) (*entry, error) {
	if h.Get(kvOp) != "" || h.Get(jetstream.MarkerReasonHeader) != "" {
		return nil, errMarker
	}
	var e entry
	if err := decoding.Unmarshal(data, &e); err != nil {
		return nil, fmt.Errorf("the ledger: entry %d: %w", revision, err)
	}
	if e.Object == "" {
		return &e, nil
	}
	object := e.Object
	data, err := l.object(ctx, object)
	if err != nil {
		return nil, err
	}
	e = entry{}
	if err := decoding.Unmarshal(data, &e); err != nil {
		return nil, fmt.Errorf("the ledger: object %s: %w", object, err)
	}
	e.Object = object
	return &e, nil
}

// run is the run of an entry.
func (e *entry) run(revision uint64) (*store.Run, error) {
	if e.Run == nil {
		return nil, fmt.Errorf("the ledger: entry %d has no run", revision)
	}
	e.Run.Revision, e.Run.Object = revision, e.Object
	return e.Run, nil
}
