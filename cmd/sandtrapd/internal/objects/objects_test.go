package objects

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// open is a bucket of a server of NATS.
func open(t *testing.T) (*Bucket, jetstream.JetStream) {
	t.Helper()
	n, err := server.NewServer(&server.Options{NoSigs: true, NoLog: true, DontListen: true, JetStream: true, StoreDir: t.TempDir(), MaxPayload: 8 << 20})
	must(t, err)
	n.Start()
	if !n.ReadyForConnections(time.Minute) {
		t.Fatal("it does not start")
	}
	t.Cleanup(func() { n.Shutdown(); n.WaitForShutdown() })
	conn, err := nats.Connect("", nats.InProcessServer(n))
	must(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	must(t, err)
	b, err := Open(t.Context(), js, "some", 1)
	must(t, err)
	return b, js
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// messages are how many a bucket has.
func (b *Bucket) messages(t *testing.T) uint64 {
	t.Helper()
	info, err := b.stream.Info(t.Context())
	must(t, err)
	return info.State.Msgs
}

// TestObjects: data of any size comes back, and nothing is left when it is deleted.
func TestObjects(t *testing.T) {
	b, _ := open(t)
	for _, size := range []int{0, 1, 128 << 10, 3<<20 + 1} {
		data := bytes.Repeat([]byte("x"), size)
		for range 2 {
			must(t, b.Put(t.Context(), "a.b", data))
		}
		if got, err := b.Get(t.Context(), "a.b"); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes of %d, %v", len(got), size, err)
		}
		for range 2 {
			v, err := b.Version(t.Context(), "a.b")
			must(t, err)
			must(t, b.Delete(v))
		}
		if n := b.messages(t); n != 0 {
			t.Errorf("%d messages are left", n)
		}
		if _, err := b.Get(t.Context(), "a.b"); !errors.Is(err, ErrMissing) {
			t.Error(err)
		}
	}
}

// TestDamaged: an object that is not as it was written is missing, which is known at once.
func TestDamaged(t *testing.T) {
	b, js := open(t)
	data := bytes.Repeat([]byte("x"), 300<<10)
	must(t, b.Put(t.Context(), "a", data))
	info, err := b.meta(t.Context(), "a")
	must(t, err)
	must(t, b.stream.Purge(t.Context(), jetstream.WithPurgeSubject(b.parts+info.NUID), jetstream.WithPurgeKeep(1)))
	began := time.Now()
	for _, more := range [][]byte{nil, bytes.Repeat([]byte("y"), 300<<10)} {
		if more != nil {
			_, err = js.Publish(t.Context(), b.parts+info.NUID, more)
			must(t, err)
		}
		if _, err := b.Get(t.Context(), "a"); !errors.Is(err, ErrMissing) {
			t.Error(err)
		}
	}
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("after %v", took)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Get(ctx, "a"); err == nil || errors.Is(err, ErrMissing) {
		t.Errorf("a bucket that does not answer: %v", err)
	}
}

// TestErasedAnew: an object that is written again while the one before is deleted stays.
func TestErasedAnew(t *testing.T) {
	b, _ := open(t)
	must(t, b.Put(t.Context(), "a", []byte("one")))
	before, err := b.meta(t.Context(), "a")
	must(t, err)
	must(t, b.Put(t.Context(), "a", []byte("two")))
	must(t, b.erase("a", before))
	if data, err := b.Get(t.Context(), "a"); err != nil || string(data) != "two" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestSweep: objects go that nothing names, when they are old; others stay, and those of which it is not known.
func TestSweep(t *testing.T) {
	b, js := open(t)
	for _, name := range []string{"a.named", "a.lost", "b.lost", "unknown.1", "c.gone", "c"} {
		must(t, b.Put(t.Context(), name, []byte(name)))
	}
	must(t, b.objects.Delete(t.Context(), "c.gone")) // as an earlier version did
	_, err := js.Publish(t.Context(), b.parts+"killed", []byte("amid an object"))
	must(t, err)
	asked := map[string]int{}
	named := func(_ context.Context, id string) (map[string]bool, error) {
		if asked[id]++; id == "unknown" {
			return nil, nil
		}
		return map[string]bool{"a.named": true}, nil
	}
	if n, err := b.Sweep(t.Context(), time.Hour, named); n != 0 || err != nil || len(asked) > 0 {
		t.Errorf("%d young objects went, %v", n, err)
	}
	if n, err := b.Sweep(t.Context(), 0, named); n != 5 || err != nil || asked["a"] != 1 {
		t.Errorf("%d objects went, %v; want 5", n, err)
	}
	for name, stays := range map[string]bool{"a.named": true, "unknown.1": true, "a.lost": false, "b.lost": false, "c": false} {
		if _, err := b.Get(t.Context(), name); (err == nil) != stays {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := b.messages(t); n != 4 {
		t.Errorf("%d messages are left", n)
	}
}

// TestDeleteVersion: an object that was written again since it was read stays when that is deleted.
func TestDeleteVersion(t *testing.T) {
	b, _ := open(t)
	must(t, b.Put(t.Context(), "a.b", []byte("one")))
	v, err := b.Version(t.Context(), "a.b")
	must(t, err)
	must(t, b.Put(t.Context(), "a.b", []byte("two")))
	must(t, b.Delete(v))
	if got, err := b.Get(t.Context(), "a.b"); err != nil || string(got) != "two" {
		t.Errorf("%q, %v", got, err)
	}
}
