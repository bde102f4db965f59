package keys_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/keys"
)

func newKey(t *testing.T, role keys.Role) (string, keys.Key) {
	t.Helper()
	token, key, err := keys.New("alpha", role)
	if err != nil {
		t.Fatal(err)
	}
	return token, key
}

func forget(keys.Key) error { return nil }

// TestRemove: a key that is removed is not found, and what holds it is told; one that cannot be forgotten stays.
func TestRemove(t *testing.T) {
	r := &keys.Ring{}
	token, key := newKey(t, keys.User)
	other, otherKey := newKey(t, keys.User)
	r.Add(key, otherKey)
	held, _ := r.Find(token)
	stays, _ := r.Find(other)
	broken := errors.New("no disk")
	if err := r.Remove(key.ID(), false, func(keys.Key) error { return broken }); err != broken {
		t.Error(err)
	}
	if _, ok := r.Find(token); !ok || held.Revoked().Err() != nil {
		t.Error("a key that could not be forgotten is gone")
	}
	if err := r.Remove(key.ID(), false, forget); err != nil {
		t.Error(err)
	}
	if _, ok := r.Find(token); ok || context.Cause(held.Revoked()) != keys.ErrRevoked || stays.Revoked().Err() != nil {
		t.Errorf("found %t, %v, the other one %v", ok, context.Cause(held.Revoked()), stays.Revoked().Err())
	}
	for _, id := range []string{key.ID(), "", "x", key.ID()[:4]} {
		if err := r.Remove(id, true, forget); err != keys.ErrNone {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// TestLastAdmin: of admins that remove each other at the same time one stays.
func TestLastAdmin(t *testing.T) {
	slow := func(keys.Key) error {
		time.Sleep(time.Millisecond) // the others begin meanwhile, if nothing keeps them
		return nil
	}
	for range 10 {
		r := &keys.Ring{}
		var all []keys.Key
		for range 8 {
			_, k := newKey(t, keys.Admin)
			all = append(all, k)
		}
		r.Add(all...)
		var group sync.WaitGroup
		for _, k := range all {
			group.Go(func() { _ = r.Remove(k.ID(), false, slow) })
		}
		group.Wait()
		if left := r.List(); len(left) != 1 {
			t.Fatalf("%d are left", len(left))
		}
	}
	r := &keys.Ring{}
	_, k := newKey(t, keys.Admin)
	r.Add(k)
	if err := r.Remove(k.ID(), false, forget); err != keys.ErrLast {
		t.Error(err)
	}
	if err := r.Remove(k.ID(), true, forget); err != nil || len(r.List()) != 0 {
		t.Error(err)
	}
}

// TestSetFile: keys that a file has no more, or has otherwise, are revoked; the others go on.
func TestSetFile(t *testing.T) {
	r := &keys.Ring{}
	var tokens []string
	var list []keys.Key
	for range 3 {
		token, k := newKey(t, keys.User)
		k.File = true
		tokens, list = append(tokens, token), append(list, k)
	}
	stored, storedKey := newKey(t, keys.Admin)
	r.Add(storedKey)
	r.SetFile(list)
	var held []*keys.Held
	for _, token := range append(tokens, stored) {
		h, ok := r.Find(token)
		if !ok {
			t.Fatal("not found")
		}
		held = append(held, h)
	}
	promoted := list[1]
	promoted.Role = keys.Operator
	r.SetFile([]keys.Key{list[0], promoted})
	for i, gone := range []bool{false, true, true, false} {
		if (held[i].Revoked().Err() != nil) != gone {
			t.Errorf("key %d: %v", i, held[i].Revoked().Err())
		}
	}
	if h, ok := r.Find(tokens[1]); !ok || h.Role != keys.Operator || h.Revoked().Err() != nil {
		t.Errorf("%+v", h)
	}
	if _, ok := r.Find(tokens[2]); ok {
		t.Error("a key that the file has no more is found")
	}
	if err := r.Remove(list[0].ID(), true, forget); err != keys.ErrFile {
		t.Error(err)
	}
}

// TestWhile: keys that may have been revoked elsewhere are not good. Those of the file are.
func TestWhile(t *testing.T) {
	var r keys.Ring
	token, stored, err := keys.New("acme", keys.User)
	if err != nil {
		t.Fatal(err)
	}
	_, ofFile, err := keys.New("acme", keys.User)
	if err != nil {
		t.Fatal(err)
	}
	ofFile.Hash, ofFile.File = sha256.Sum256([]byte("a-token-of-the-file")), true
	r.Add(stored)
	r.SetFile([]keys.Key{ofFile})
	current := true
	r.While(func() bool { return current })
	for _, current = range []bool{true, false, true} {
		if _, ok := r.Find(token); ok != current || r.Current() != current {
			t.Errorf("while that is %v: %v", current, ok)
		}
		if _, ok := r.Find("a-token-of-the-file"); !ok {
			t.Error("the key of the file is not good")
		}
	}
}
