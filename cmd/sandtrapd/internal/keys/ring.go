package keys

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"slices"
	"sync"
)

// Errors about changes of a ring.
var (
	ErrRevoked = errors.New("the key was revoked")    // the cause of the end of Held
	ErrNone    = errors.New("there is no such key")   // of Remove
	ErrFile    = errors.New("the key is of the file") // of Remove
	ErrLast    = errors.New("it is the last admin")   // of Remove
)

// A Held is a key on a ring.
type Held struct {
	Key
	ctx    context.Context
	revoke context.CancelCauseFunc
}

// Revoked ends, with the cause ErrRevoked, when the key is taken from the ring, or has another tenant or role.
func (h *Held) Revoked() context.Context { return h.ctx }

// A Ring is the keys that the service takes. It is safe for concurrent use.
type Ring struct {
	change sync.Mutex // of those that change it, one at a time

	mu      sync.RWMutex
	keys    []*Held
	current func() bool // nil for always
}

// Add adds keys.
func (r *Ring) Add(list ...Key) {
	r.change.Lock()
	defer r.change.Unlock()
	r.set(slices.Concat(r.List(), list))
}

// SetFile has list, and no other ones, be the keys of the file.
func (r *Ring) SetFile(list []Key) {
	r.change.Lock()
	defer r.change.Unlock()
	stored := slices.DeleteFunc(r.List(), func(k Key) bool { return k.File })
	r.set(slices.Concat(stored, list))
}

// SetStored has those that read reads, and no other ones, be the keys beside those of the file.
func (r *Ring) SetStored(read func() ([]Key, error)) error {
	r.change.Lock()
	defer r.change.Unlock()
	list, err := read()
	if err != nil {
		return err
	}
	r.set(slices.Concat(list, slices.DeleteFunc(r.List(), func(k Key) bool { return !k.File })))
	return nil
}

// Make adds a key after keep has kept it.
func (r *Ring) Make(k Key, keep func() error) error {
	r.change.Lock()
	defer r.change.Unlock()
	if err := keep(); err != nil {
		return err
	}
	r.set(append(r.List(), k))
	return nil
}

// Remove takes away the key with an ID after forget has forgotten it. The last admin key stays, unless evenLast.
func (r *Ring) Remove(id string, evenLast bool, forget func(Key) error) error {
	r.change.Lock()
	defer r.change.Unlock()
	list := r.List()
	at := slices.IndexFunc(list, func(k Key) bool { return k.ID() == id })
	if at < 0 {
		return ErrNone
	}
	gone := list[at]
	rest := slices.Delete(list, at, at+1)
	switch {
	case gone.File:
		return ErrFile
	case gone.Role == Admin && !evenLast && !slices.ContainsFunc(rest, func(k Key) bool { return k.Role == Admin }):
		return ErrLast
	}
	if err := forget(gone); err != nil {
		return err
	}
	r.set(rest)
	return nil
}

// set has list be the keys: of two with one token the later one. Those that stay as they were are not revoked.
func (r *Ring) set(list []Key) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := map[[sha256.Size]byte]*Held{}
	for _, h := range r.keys {
		old[h.Hash] = h
	}
	next := map[[sha256.Size]byte]*Held{}
	r.keys = nil
	for _, k := range slices.Backward(list) {
		if next[k.Hash] != nil {
			continue
		}
		h := old[k.Hash]
		if h == nil || h.Tenant != k.Tenant || h.Role != k.Role {
			h = &Held{}
			h.ctx, h.revoke = context.WithCancelCause(context.Background())
		} else {
			h = &Held{ctx: h.ctx, revoke: h.revoke}
			delete(old, k.Hash)
		}
		h.Key = k
		next[k.Hash] = h
		r.keys = append(r.keys, h)
	}
	slices.Reverse(r.keys)
	for _, h := range old {
		h.revoke(ErrRevoked)
	}
}

// List is the keys, in the order in which they came.
func (r *Ring) List() (list []Key) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, h := range r.keys {
		list = append(list, h.Key)
	}
	return list
}

// Find is the key of a token. It takes as long for any token: hashes are compared in constant time, all of them.
func (r *Ring) Find(token string) (found *Held, ok bool) {
	hash := sha256.Sum256([]byte(token))
	r.mu.RLock()
	defer r.mu.RUnlock()
	at := -1
	for i := range r.keys {
		at = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(hash[:], r.keys[i].Hash[:]), i, at)
	}
	if at < 0 || !r.keys[at].File && r.current != nil && !r.current() {
		return nil, false
	}
	return r.keys[at], true
}

// While has keys that are not of the file be good only while current says so: else they may have been revoked elsewhere.
func (r *Ring) While(current func() bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.current = current
}

// Current reports that the keys are those of now.
func (r *Ring) Current() bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.current == nil || r.current()
}
