//go:build unix

package vfs

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/afero"
)

const opens = 20_000 // of one file

// TestSwappedPipe: a pipe that takes the place of a file while that is opened holds nobody up, to read
// or to write, and is never opened, also where its other end is.
func TestSwappedPipe(t *testing.T) {
	for _, ready := range []bool{false, true} {
		root := t.TempDir()
		base, err := Dir(root)
		if err != nil {
			t.Fatal(err)
		}
		defer base.(io.Closer).Close()
		pipe, plain := filepath.Join(root, "pipe"), filepath.Join(root, "plain")
		if err := errors.Join(syscall.Mkfifo(pipe, 0o666), os.WriteFile(plain, []byte("text"), 0o666), os.Link(plain, filepath.Join(root, "f"))); err != nil {
			t.Fatal(err)
		}
		if ready {
			both, err := os.OpenFile(pipe, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer both.Close()
		}
		var done atomic.Bool
		var group sync.WaitGroup
		group.Go(func() { swap(root, &done) })
		ended := make(chan int, 1)
		go func() { ended <- openSwapped(t, base) }()
		select {
		case n := <-ended:
			if n == 0 || n == opens {
				t.Errorf("%d of %d opened", n, opens)
			}
		case <-time.After(10 * time.Second):
			t.Error("somebody waits for the other end of the pipe")
		}
		done.Store(true)
		group.Wait()
	}
}

// swap makes f in root one of plain and pipe, by turns.
func swap(root string, done *atomic.Bool) {
	next := filepath.Join(root, "next")
	for i := 0; !done.Load(); i++ {
		_ = os.Link(filepath.Join(root, [...]string{"plain", "pipe"}[i%2]), next)
		_ = os.Rename(next, filepath.Join(root, "f"))
		_ = os.Remove(next) // two names of one file are left as they are
	}
}

// openSwapped opens f of base many times and counts how often it was a file.
func openSwapped(t *testing.T, base afero.Fs) (files int) {
	for i := range opens {
		f, err := base.OpenFile("f", [...]int{os.O_RDONLY, os.O_WRONLY, os.O_RDWR}[i%3], 0)
		if err != nil {
			continue
		}
		files++
		st, err := f.Stat()
		if err != nil || !st.Mode().IsRegular() {
			t.Errorf("opened %v, %v", st, err)
			return files
		}
		f.Close()
	}
	return files
}
