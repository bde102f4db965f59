// Package trail is the record of the server: one chain of files, in the data directory, with the decisions and steps of all runs. It is
// signed by a key of that directory, and read and verified while it grows.
//
// It may not give an event of one tenant to another, or go on after a failed write but from the last whole line that is on disk.
package trail

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/sandtrap-go/sandtrap/sandtrap/egress"
	"github.com/sandtrap-go/sandtrap/sandtrap/record"
)

const (
	fileName = "record.jsonl"
	keyName  = "record.key"

	copyPrefix = "verify-" // of directories for verifications
)

// keep is how many files are kept beside the newest one, of 64 MiB each: the oldest one gives way.
const keep = 16

// A Trail is an open record. It is a record.Sink, and safe for concurrent use.
type Trail struct {
	dir      string
	path     string
	o        record.Options
	verifier note.Verifier
	redact   record.Redactor

	copying  sync.RWMutex // held while files are gathered for a verification, or log is opened again; held to read by those who write
	log      *record.Log
	failed   error     // of the last write; the record is to be opened again
	tried    time.Time // when that was tried last
	closed   bool
	scans    chan struct{}
	verifies chan struct{}

	mu       sync.RWMutex
	watchers []func(record.Event)
	requests []func(egress.Event)
}

// Options are for tests; the zero Options are those of the server.
type Options struct {
	MaxBytes int64 // of a file; 0 is 64 MiB
}

// Open opens the record of a data directory, and makes it with its key if they are missing. A record whose key is missing is an error.
func Open(dir string, o Options) (*Trail, error) {
	if err := removeCopies(dir); err != nil {
		return nil, err
	}
	private, public, err := key(filepath.Join(dir, keyName))
	if err != nil {
		return nil, err
	}
	signer, err := record.ParseKey(private)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, keyName), err)
	}
	verifier, err := note.NewVerifier(strings.TrimSpace(public))
	if err != nil {
		return nil, fmt.Errorf("%s.pub: %w", filepath.Join(dir, keyName), err)
	}
	t := &Trail{dir: dir, path: filepath.Join(dir, fileName), verifier: verifier, scans: make(chan struct{}, 4), verifies: make(chan struct{}, 1)}
	t.o = record.Options{MaxBytes: o.MaxBytes, Keep: keep, Key: signer}
	t.log, err = record.Open(t.path, t.o)
	return t, err
}

// removeCopies removes what verifications have left that were killed.
func removeCopies(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, copyPrefix+"*"))
	for _, name := range left {
		err = errors.Join(err, os.RemoveAll(name))
	}
	return err
}

// key is the private key in a file, and the public one in that with .pub. They are made if the private one is missing.
func key(path string) (private, public string, err error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return newKey(path)
	}
	if err != nil {
		return "", "", err
	}
	other, err := os.ReadFile(path + ".pub")
	return string(text), string(other), err
}

func newKey(path string) (private, public string, err error) {
	if private, public, err = note.GenerateKey(rand.Reader, "sandtrapd"); err != nil {
		return "", "", err
	}
	if err := os.WriteFile(path+".pub", []byte(public+"\n"), 0o600); err != nil {
		return "", "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", "", err
	}
	_, err = f.WriteString(private + "\n")
	return private, public, errors.Join(err, f.Sync(), f.Close())
}

// Watch has f called with each event that was written, without secrets. It is called on the goroutine of the call that the event is
// about, so it returns soon.
func (t *Trail) Watch(f func(record.Event)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watchers = append(t.watchers, f)
}

// WatchRequests has f called with each event of requests of scripts, as Watch does.
func (t *Trail) WatchRequests(f func(egress.Event)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests = append(t.requests, f)
}

// Request tells of an event of a gate. The record does not have it: it has the decision about the request.
func (t *Trail) Request(e egress.Event) {
	t.mu.RLock()
	requests := t.requests
	t.mu.RUnlock()
	for _, f := range requests {
		f(e)
	}
}

// Write writes an event. After an error there are no more until the record could be opened again.
func (t *Trail) Write(e record.Event) error {
	t.copying.RLock()
	err := t.log.Write(e)
	t.copying.RUnlock()
	if err != nil {
		err = t.rewrite(e, err)
	}
	if err != nil {
		return err
	}
	t.mu.RLock()
	watchers := t.watchers
	t.mu.RUnlock()
	if len(watchers) == 0 {
		return nil
	}
	e = t.redact.Event(e)
	for _, f := range watchers {
		f(e)
	}
	return nil
}

// Close signs the end of the record and closes it.
func (t *Trail) Close() error {
	t.copying.Lock()
	defer t.copying.Unlock()
	t.closed = true
	return t.log.Close()
}
