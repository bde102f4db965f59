package runs

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/internal/runjson"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// A Line is one of a batch, which is begun once however often it is started.
type Line struct {
	Batch  string
	Number int
	ID     string // that the client has given it; empty for none
}

// KindUndelivered is the kind of the error of a line of a batch that could not be begun.
const KindUndelivered sandtrap.Kind = "undelivered"

// DeadKinds are the kinds of errors of lines that were given up: they could not be begun, or the server has ended each time.
func DeadKinds() []string { return []string{string(KindInterrupted), string(KindUndelivered)} }

// lineKey begins the keys of lines, and of nothing else: CheckKey refuses it.
const lineKey = "\x01"

// key is what a run is begun once by, empty for nothing: the key of the client, or one that is made of the batch and the line.
func (q *Request) key() string {
	if q.Line == nil {
		return q.Key
	}
	return lineKey + q.Line.Batch + lineKey + strconv.Itoa(q.Line.Number)
}

// CheckKey checks a key of a client. The error matches ErrRequest.
func CheckKey(key string) error {
	switch {
	case len(key) > maxKey:
		return fmt.Errorf("%w: idempotency_key has %d bytes; %d are the limit", ErrRequest, len(key), maxKey)
	case strings.HasPrefix(key, lineKey):
		return fmt.Errorf("%w: idempotency_key begins with a control character", ErrRequest)
	}
	return nil
}

// Check reports whether a line of a batch can be begun, but for its policy.
func (q *Request) Check() error {
	_, err := q.script()
	return err
}

// PolicyOfLine is the version of a policy that lines of a tenant have which ask for it. It is none whose calls wait for answers.
func (m *Manager) PolicyOfLine(ctx context.Context, tenant, asked string) (string, error) {
	q := Request{Policy: asked}
	r, policy, err := m.place(ctx, tenant, &q)
	if err != nil {
		return "", err
	}
	defer r.Release()
	if r.Waits() {
		return "", fmt.Errorf("%w: policy: its calls can wait for approval, and a line of a batch cannot", ErrRequest)
	}
	return policy, nil
}

// repeats reports that a run which has ended in the middle can be repeated: a line of a batch can if it opens nothing.
func (r *runner) repeats(row *store.Run) bool {
	return r.Repeats() || row.Batch != "" && r.Portable()
}

// Fail writes down the end of a line that is not begun, and why. The error matches store.ErrExists if it was begun before.
func (m *Manager) Fail(tenant string, q Request, kind sandtrap.Kind, why string) error {
	row := m.row(tenant, q.Policy, q)
	row.State, row.Ended, row.Kind = store.Failed, time.Now(), string(kind)
	row.Result = encode(runjson.Of(&sandtrap.Result{Error: &sandtrap.Error{Kind: kind, Message: head(why, maxMessage)}}))
	log := newLog(nil)
	log.addResult(row.State, row.Result, "")
	row.Events = log.lines()
	return m.o.Store.AddRuns(row)
}
