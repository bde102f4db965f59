package cluster

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
)

// TestKeys: nobody comes in without a key that the server knows, or with the public part of one alone.
func TestKeys(t *testing.T) {
	s := start(t)
	known := enrol(t, s, RoleWorker, "w1")
	unknown, err := NewIdentity(RoleWorker, "w2")
	if err != nil {
		t.Fatal(err)
	}
	for about, o := range map[string]nats.Option{
		"no key":             nats.Name("w1"),
		"a key of its own":   unknown.option(),
		"another key signs":  nats.Nkey(known.Public(), unknown.pair.Sign),
		"no signature":       nats.Nkey(known.Public(), func([]byte) ([]byte, error) { return nil, nil }),
		"a fixed one":        nats.Nkey(known.Public(), func([]byte) ([]byte, error) { return known.pair.Sign([]byte("nonce")) }),
		"a name and no key":  nats.UserInfo("w1", ""),
		"the name of front":  nats.UserInfo("front", known.Public()),
		"the key as a token": nats.Token(known.Public()),
	} {
		conn, err := nats.Connect(s.URL(), o)
		if err == nil {
			conn.Close()
			t.Errorf("%s: it came in", about)
		}
	}
	if !connect(t, s, known).IsConnected() {
		t.Error("the key does not come in")
	}
}

// TestRemoved: the connection of a worker that is removed is ended, and it does not come in again; others stay.
func TestRemoved(t *testing.T) {
	t.Parallel()
	s := start(t)
	f := front(t, s)
	stays := client(t, s, "stays")
	work(t, stays, "stays", 1, honest)
	gone := client(t, s, "gone")
	ended := make(chan error, 1)
	go func() {
		ended <- Work(t.Context(), gone, WorkerOptions{Name: "gone", Slots: 2, Level: "none", Handler: honest, Log: quiet})
	}()
	has(t, f, 3)
	if err := s.roster.Remove("gone"); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if !errors.Is(err, nats.ErrAuthorization) {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
	has(t, f, 1)
	if !stays.IsConnected() || stays.Reconnects != 0 {
		t.Error("the other one was ended too")
	}
}

// TestTwice: of two processes with one key the last one has the connection.
func TestTwice(t *testing.T) {
	t.Parallel()
	s := start(t)
	i := enrol(t, s, RoleWorker, "w1")
	first, err := nats.Connect(s.URL(), i.option(), nats.NoReconnect())
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second := connect(t, s, i)
	until(t, first.IsClosed)
	if !second.IsConnected() || second.Reconnects != 0 {
		t.Error("the second one is gone")
	}
}

// TestFrontKey: another front has jobs done by the same workers; a worker's key is none of a front.
func TestFrontKey(t *testing.T) {
	t.Parallel()
	s := start(t)
	work(t, client(t, s, "w1"), "w1", 2, honest)
	f, err := NewFront(connect(t, s, enrol(t, s, RoleFront, "second")), "none", equal, quiet)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	has(t, f, 2)
	if o, out, err := do(t, f); err != nil || string(o.Result) != string(done.Result) || out != "one\ntwo\n" {
		t.Errorf("%v, output %q", err, out)
	}
	path := filepath.Join(t.TempDir(), "w.key")
	if err := enrol(t, s, RoleWorker, "w2").Write(path); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadIdentity(path, RoleFront); err == nil || !strings.Contains(err.Error(), "key of a worker") {
		t.Error(err)
	}
}

// TestIdentity: a key that is written is read again, by its owner alone, and an error shows nothing of it.
func TestIdentity(t *testing.T) {
	i, err := NewIdentity(RoleWorker, "w1")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "w1.key")
	if err := i.Write(path); err != nil {
		t.Fatal(err)
	}
	if err := i.Write(path); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	got, err := ReadIdentity(path, RoleWorker)
	if err != nil || got.Name != "w1" || got.Public() != i.Public() {
		t.Errorf("%+v, %v", got, err)
	}
	pair, err := nkeys.CreateAccount()
	if err != nil {
		t.Fatal(err)
	}
	account, _ := pair.Seed()
	seed, _ := i.pair.Seed()
	for _, text := range []string{"", "worker w1", "worker w.1 " + string(seed), "worker w1 " + string(seed[:40]), "worker w1 " + string(account), "worker w1 " + i.Public()} {
		bad := filepath.Join(t.TempDir(), "bad")
		if err := os.WriteFile(bad, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadIdentity(bad, RoleWorker); err == nil || strings.Contains(err.Error(), string(seed[:20])) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadIdentity(path, RoleWorker); err == nil {
		t.Error("others may read it")
	}
}

// TestRoster: names are taken once, and a file that is malformed keeps nobody else out.
func TestRoster(t *testing.T) {
	r := Roster(filepath.Join(t.TempDir(), "members"))
	if list, err := r.List(); err != nil || len(list) != 0 {
		t.Error(list, err)
	}
	i, err := NewIdentity(RoleFront, "f1")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Add(Entry{"f1", RoleFront, i.Public()}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"f1", "F1", "self", "nobody", "", "a.b", "a/b", "..", "*", ">", "a b", strings.Repeat("a", 65)} {
		if err := r.Add(Entry{name, RoleWorker, i.Public()}); err == nil {
			t.Errorf("%q was added", name)
		}
	}
	for name, text := range map[string]string{"empty": "", "key": "worker U123", "role": "admin " + i.Public(), "more": "worker " + i.Public() + " x", "na.me": "worker " + i.Public()} {
		if err := os.WriteFile(filepath.Join(string(r), name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(string(r), "open"), []byte("worker "+i.Public()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(string(r), "open"), 0o666); err != nil { // anybody may have written it
		t.Fatal(err)
	}
	if list, err := r.List(); err == nil || len(list) != 1 || list[0] != (Entry{"f1", RoleFront, i.Public()}) {
		t.Errorf("%v, %v", list, err)
	}
	if err := r.Remove("../members/f1"); err == nil {
		t.Error("a path was removed")
	}
	if err := r.Remove("f1"); err != nil {
		t.Error(err)
	}
	if err := r.Remove("f1"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
