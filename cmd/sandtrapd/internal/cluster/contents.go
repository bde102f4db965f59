package cluster

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/dispatch"
)

// The bounds of contents on their way to workers.
const (
	maxGive  = 4 << 20 // bytes that are given at a time
	maxParts = 4096    // of them
	maxAsked = 1 << 15 // parts in all: a session has fewer contents, and few of them are large
	maxWants = 4       // jobs of a worker that wait for contents at a time: with more, what is on its way could end the connection
)

// giveWithin bounds the time in which a piece of contents comes: the front may be gone.
const giveWithin = 30 * time.Second

// A part of a content is what a worker wants.
type part struct {
	Hash []byte `cbor:"1,keyasint"`
	From int64  `cbor:"2,keyasint,omitempty"`
	N    int64  `cbor:"3,keyasint"`
}

// A given is a piece of all parts that a worker has asked for, one after the other.
type given struct {
	ID   string `cbor:"1,keyasint"` // of the attempt
	Data []byte `cbor:"2,keyasint"`
}

// A giving gives the worker of an attempt contents of the session of its job, and no others, as many bytes as those have. Each is read once.
type giving struct {
	f        *Front
	id       string
	job      *dispatch.Job
	contents dispatch.Contents
	bytes    int64
	parts    int
	had      map[[sha256.Size]byte]bool // contents that were read
	last     [sha256.Size]byte          // content that was read last
	data     []byte
}

// give gives what a worker wants.
func (g *giving) give(ctx context.Context, worker string, want []byte) error {
	var parts []part
	switch err := decode(want, &parts); {
	case g.job.Cell == nil || g.contents == nil:
		return lost(worker, "it wants contents, and the job has none")
	case err != nil || len(parts) > maxParts:
		return lost(worker, "it wants what is no list of contents: %v", err)
	}
	n := int64(0)
	for _, p := range parts {
		if p.From < 0 || p.N < 1 || p.N > maxGive || len(p.Hash) != sha256.Size {
			return lost(worker, "it wants what is no part of a content")
		}
		n += p.N
	}
	g.bytes, g.parts = g.bytes+n, g.parts+len(parts)
	if n > maxGive || g.bytes > g.job.Cell.Bytes || g.parts > maxAsked {
		return lost(worker, "it wants more than the session has")
	}
	out := make([]byte, 0, n)
	for _, p := range parts {
		if err := g.read(ctx, worker, [sha256.Size]byte(p.Hash)); err != nil {
			return err
		}
		if p.From > int64(len(g.data))-p.N {
			return lost(worker, "it wants more than a content has")
		}
		out = append(out, g.data[p.From:p.From+p.N]...)
	}
	for len(out) > 0 {
		piece := out[:min(len(out), maxPiece)]
		if err := g.f.conn.Publish(gives+worker, encode(given{g.id, piece})); err != nil {
			return lost(worker, "it cannot be given contents: %v", err)
		}
		out = out[len(piece):]
	}
	return nil
}

// read reads a content that a worker wants.
func (g *giving) read(ctx context.Context, worker string, hash [sha256.Size]byte) error {
	if g.data != nil && g.last == hash {
		return nil
	}
	if g.had[hash] { // it would be read again and again for a byte each time
		return lost(worker, "it wants a content again after another one")
	}
	all, err := g.contents(ctx, []dispatch.Content{{Hash: hash}})
	switch {
	case errors.Is(err, dispatch.ErrForeign):
		return lost(worker, "it wants a content of another session")
	case err != nil:
		return err
	}
	if g.had == nil {
		g.had = map[[sha256.Size]byte]bool{}
	}
	g.had[hash], g.last, g.data = true, hash, all[0]
	return nil
}

// given gets a piece of contents.
func (w *worker) given(m *nats.Msg) {
	var g given
	if err := decode(m.Data, &g); err != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if d := w.doing[g.ID]; d.cancel != nil {
		select {
		case d.gets <- g:
		default: // more than was asked for
			d.cancel()
		}
	}
}

// asks is a dispatch.Contents that asks the front of a job.
func (w *worker) asks(id string, to *sender) dispatch.Contents {
	w.mu.Lock()
	gets := w.doing[id].gets
	w.mu.Unlock()
	return func(ctx context.Context, want []dispatch.Content) ([][]byte, error) {
		select {
		case w.wants <- struct{}{}:
			defer func() { <-w.wants }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		all := make([][]byte, len(want))
		a := asking{to: to, gets: gets}
		for i, c := range want {
			if c.Size < 0 || c.Size > dispatch.MaxCell {
				return nil, dispatch.ErrLarge
			}
			all[i] = make([]byte, c.Size)
			if err := a.add(ctx, c, all[i]); err != nil {
				return nil, err
			}
		}
		if err := a.flush(ctx); err != nil {
			return nil, err
		}
		for i, c := range want {
			if sha256.Sum256(all[i]) != c.Hash {
				return nil, fmt.Errorf("a content of %d bytes has another hash", c.Size)
			}
		}
		return all, nil
	}
}

// An asking asks for contents, some at a time.
type asking struct {
	to    *sender
	gets  <-chan given
	parts []part
	into  [][]byte // of the parts
	n     int64
}

// add asks for a content.
func (a *asking) add(ctx context.Context, c dispatch.Content, into []byte) error {
	for from := int64(0); from < c.Size; {
		n := min(c.Size-from, maxGive-a.n)
		a.parts, a.into = append(a.parts, part{c.Hash[:], from, n}), append(a.into, into[from:from+n])
		from, a.n = from+n, a.n+n
		if a.n == maxGive || len(a.parts) == maxParts {
			if err := a.flush(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush waits for what was asked for.
func (a *asking) flush(ctx context.Context) error {
	if a.n == 0 {
		return nil
	}
	a.to.send(wants, encode(a.parts), true)
	late := time.NewTimer(giveWithin)
	defer late.Stop()
	var piece []byte
	for _, into := range a.into {
		for len(into) > 0 {
			if len(piece) == 0 {
				select {
				case g := <-a.gets:
					piece = g.Data
				case <-ctx.Done():
					return ctx.Err()
				case <-late.C:
					return errors.New("contents do not come")
				}
				late.Reset(giveWithin)
				if len(piece) == 0 {
					return errors.New("a piece of contents is empty")
				}
			}
			n := copy(into, piece)
			into, piece = into[n:], piece[n:]
		}
	}
	if len(piece) > 0 {
		return errors.New("more contents came than were asked for")
	}
	a.parts, a.into, a.n = nil, nil, 0
	return nil
}
