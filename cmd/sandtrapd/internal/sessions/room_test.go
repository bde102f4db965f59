package sessions_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"sync"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/cluster"
	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/sessions"
	"github.com/sandtrap-go/sandtrap/sandtrap"
)

// TestRoomOfCopies: a tenant has no more in the ledger than it may have, however it copies its sessions.
func TestRoomOfCopies(t *testing.T) {
	const quota = 40 << 20
	errFull := errors.New("full")
	n, err := cluster.Start(cluster.ServerOptions{Roster: cluster.Roster(t.TempDir()), Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	var r *rig
	r = newServer(t, t.TempDir(), sandtrap.None, sessions.Options{Room: func(ctx context.Context, tenant string, n int64) error {
		used, err := r.store.Bytes(ctx, tenant)
		if err == nil && used+n > quota {
			err = errFull
		}
		return err
	}}, n)
	js, err := jetstream.New(r.conn)
	if err != nil {
		t.Fatal(err)
	}
	within := func(what string) {
		t.Helper()
		s, err := js.Stream(t.Context(), "OBJ_sandtrap_1_objects")
		if err != nil {
			t.Fatal(err)
		}
		info, err := s.Info(t.Context())
		if err != nil || info.State.Bytes > quota*102/100 {
			t.Errorf("%s: %d bytes are in the ledger, of %d that may be; %v", what, info.State.Bytes, quota, err)
		}
	}
	data := make([]byte, 4<<20)
	_, _ = rand.Read(data)
	id := r.create("x")
	if _, err := r.sessions.WriteFile(t.Context(), "x", id, "f", bytes.NewReader(data), 0o600); err != nil {
		t.Fatal(err)
	}
	snap, err := r.sessions.Save(t.Context(), "x", id)
	if err != nil {
		t.Fatal(err)
	}
	var empty []string
	for range 20 {
		empty = append(empty, r.create("x"))
	}
	forks, err := r.sessions.Fork(t.Context(), "x", empty[0], 20) // with the origin of another one
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := r.sessions.Fork(t.Context(), "x", id, 5); err != nil && !errors.Is(err, errFull) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	within("forks")
	for err = nil; err == nil; {
		_, err = r.sessions.Create(t.Context(), "x", sessions.Request{Snapshot: snap})
	}
	if !errors.Is(err, errFull) {
		t.Error(err)
	}
	within("sessions of a snapshot")
	own, err := r.sessions.Save(t.Context(), "x", empty[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.sessions.Load(t.Context(), "x", forks[0].ID, own); err != nil { // it has as little as before
		t.Error(err)
	}
	forks, err = r.sessions.Fork(t.Context(), "x", id, 1)
	if !errors.Is(err, errFull) {
		t.Error(forks, err)
	}
	if _, err := r.sessions.Save(t.Context(), "x", id); err != nil { // there is one already
		t.Error(err)
	}
}

// TestRoomOfLoads: nor by loading a snapshot into many sessions that were small.
func TestRoomOfLoads(t *testing.T) {
	full, errFull := false, errors.New("full")
	n, err := cluster.Start(cluster.ServerOptions{Roster: cluster.Roster(t.TempDir()), Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	r := newServer(t, t.TempDir(), sandtrap.None, sessions.Options{Room: func(context.Context, string, int64) error {
		if full {
			return errFull
		}
		return nil
	}}, n)
	id := r.create("x")
	small, err := r.sessions.Fork(t.Context(), "x", id, 1)
	if err != nil {
		t.Fatal(err)
	}
	r.prints("x", id, `big := bytes.Repeat([]byte("x"), 100_000)`, "")
	snap, err := r.sessions.Save(t.Context(), "x", id)
	if err != nil {
		t.Fatal(err)
	}
	full = true
	if _, err := r.sessions.Load(t.Context(), "x", small[0].ID, snap); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
	if _, err := r.sessions.Load(t.Context(), "x", id, snap); err != nil {
		t.Errorf("what it has: %v", err)
	}
}
