package ledger

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/sandtrap-go/sandtrap/cmd/sandtrapd/internal/store"
)

func key(n byte) store.Key {
	return store.Key{Hash: [32]byte{n}, Tenant: "acme", Role: "user", Created: time.Unix(int64(n), 0).UTC()}
}

// knows waits until the store of a server has these keys, as the number in their hash, and no other ones.
func (e *end) knows(want ...byte) {
	e.t.Helper()
	var got []byte
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(5 * time.Millisecond) {
		list, err := e.Store.Keys(e.t.Context())
		if err != nil {
			e.t.Fatal(err)
		}
		got = nil
		for _, k := range list {
			got = append(got, k.Hash[0])
		}
		if string(got) == string(want) {
			return
		}
	}
	e.t.Fatalf("it has the keys %d, want %d", got, want)
}

func (e *end) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

// TestKeys: a key that one server makes or revokes is made or revoked at each, also at one that was away.
func TestKeys(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b, away := open(t, n, t.TempDir()), open(t, n, t.TempDir()), open(t, n, t.TempDir())
	a.must(a.AddKey(key(1)))
	a.must(b.AddKey(key(2)))
	for _, e := range []*end{a, b, away} {
		e.knows(1, 2)
	}
	away.close()
	a.must(b.RemoveKey(key(1).Hash))
	a.must(a.AddKey(key(3)))
	for _, e := range []*end{a, b, open(t, n, away.dir), open(t, n, t.TempDir())} {
		e.knows(2, 3)
	}
	if err := a.AddKey(key(1)); !errors.Is(err, store.ErrState) {
		t.Errorf("a key that was revoked is made again: %v", err)
	}
	a.must(b.RemoveKey(key(1).Hash)) // it is gone already
}

// TestKeysBefore: a server that joins brings its keys. One that was revoked, there or here, stays so; else the ledger's goes before.
func TestKeysBefore(t *testing.T) {
	n, dir := serve(t, t.TempDir()), t.TempDir()
	s, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	a := open(t, n, t.TempDir())
	for i := range byte(4) {
		k := key(i + 1)
		k.Role = "admin"
		a.must(s.AddKey(k))
		if i > 0 {
			a.must(a.AddKey(key(i + 1)))
		}
	}
	a.must(a.RemoveKey(key(2).Hash))
	a.must(s.RemoveKey(key(3).Hash))
	a.must(s.Close())
	for _, e := range []*end{open(t, n, dir), a} {
		e.knows(1, 4)
		list, err := e.Store.Keys(t.Context())
		if err != nil || list[0].Role != "admin" || list[1].Role != "user" {
			t.Errorf("%+v, %v", list, err)
		}
	}
}

// TestKeysLost: a ledger that has lost its end learns again which keys were made and revoked.
func TestKeysLost(t *testing.T) {
	dir, early := t.TempDir(), t.TempDir()
	n := serve(t, dir)
	a := open(t, n, t.TempDir())
	a.must(a.AddKey(key(1)))
	a.must(os.CopyFS(early, os.DirFS(dir)))
	a.must(a.AddKey(key(2)))
	a.must(a.RemoveKey(key(1).Hash))
	a.close()
	n.Shutdown()
	n.WaitForShutdown()
	n = serve(t, early)
	open(t, n, a.dir).knows(2)
	open(t, n, t.TempDir()).knows(2)
}

// TestKeysTold: a server reads its keys again when another one has changed them, and until that has succeeded.
func TestKeysTold(t *testing.T) {
	n := serve(t, t.TempDir())
	a, b := open(t, n, t.TempDir()), open(t, n, t.TempDir())
	seen := make(chan int, 100)
	fails := 1
	a.must(b.ServeKeys(func() error {
		list, err := b.Store.Keys(t.Context())
		if len(list) > 0 && fails > 0 {
			fails--
			err = errors.New("not now")
		} else {
			seen <- len(list)
		}
		return err
	}))
	a.must(a.AddKey(key(1)))
	for n := range seen {
		if n == 1 {
			break
		}
	}
}
