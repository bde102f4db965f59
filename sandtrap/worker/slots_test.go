package worker

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sandtrap-go/sandtrap/isolate/confine"
	"github.com/sandtrap-go/sandtrap/isolate/jobs"
)

// A slow file answers when it is let.
type slow struct {
	let       chan struct{}
	now, most atomic.Int64
	begun     chan struct{}
}

func (s *slow) wait() {
	now := s.now.Add(1)
	for most := s.most.Load(); now > most && !s.most.CompareAndSwap(most, now); most = s.most.Load() {
	}
	s.begun <- struct{}{}
	<-s.let
	s.now.Add(-1)
}

func (s *slow) ReadAt(p []byte, _ int64) (int, error) { s.wait(); return len(p), nil }
func (s *slow) Close() error                          { s.wait(); return nil }
func (s *slow) Stat() (fs.FileInfo, error)            { s.wait(); return nil, fs.ErrInvalid }

// TestSlots: whatever is done with files, no more calls wait at a time than there are threads for,
// each of the rest has its turn, and a file that would be opened meanwhile is the host's to open.
func TestSlots(t *testing.T) {
	const each = 8
	s := &slow{let: make(chan struct{}), begun: make(chan struct{}, 4*each)}
	slots := newSlots()
	file := &ownFile{name: "slow", file: s, slots: slots}
	var wg sync.WaitGroup
	for range each {
		wg.Go(func() { file.ReadAt(make([]byte, 1), 0) })
		wg.Go(func() { (&ownFile{file: s, slots: slots}).Read(make([]byte, 1)) })
		wg.Go(func() { file.Stat() })
		wg.Go(func() { file.Close() })
	}
	for range confine.Waits {
		<-s.begun
	}
	if file, asked := openBeside(t, slots); file != nil || asked != "open /data/a.txt" {
		t.Errorf("a file is opened here while nothing may wait: %v, asked %q", file, asked)
	}
	close(s.let)
	wg.Wait()
	if most := s.most.Load(); most != confine.Waits {
		t.Errorf("%d calls at a time, want %d", most, confine.Waits)
	}
	if done := len(s.begun) + confine.Waits; done != 4*each {
		t.Errorf("%d calls were made, want %d", done, 4*each)
	}
	if file, asked := openBeside(t, slots); file == nil || asked != "" {
		t.Errorf("then it is not: asked %q", asked)
	}
}

// openBeside opens a file of a directory that was handed in, and says what the host was asked.
func openBeside(t *testing.T, s slots) (*ownFile, string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	asked := ""
	f := &files{slots: s, run: t.Context, given: []given{{"/data", root, false}}, call: func(_ context.Context, op jobs.FileOp) (jobs.FileResult, error) {
		asked = op.Op + " " + op.Path
		return jobs.FileResult{Handle: 7}, nil
	}}
	opened, err := f.Open("/data/a.txt")
	if err != nil {
		t.Fatal(err)
	}
	own, _ := opened.(*ownFile)
	if own != nil {
		defer own.file.Close()
	}
	return own, asked
}
