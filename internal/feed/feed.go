// Package feed is a reader whose parts come from elsewhere, each when the one before is read.
//
// It may not start a goroutine.
package feed

import (
	"io"
	"sync"
)

// A Feed is the reader. One goroutine gives parts while another one reads.
type Feed struct {
	parts chan []byte
	part  []byte // the reader's

	ended, closed         chan struct{}
	endedOnce, closedOnce sync.Once
	err                   error // set before ended is closed
}

// New makes a feed.
func New() *Feed {
	return &Feed{parts: make(chan []byte), ended: make(chan struct{}), closed: make(chan struct{})}
}

// Give waits until the reader takes a part, and reports that further ones may be of use. It does not wait when instead is
// closed, or the feed. The part is the reader's until the next one is given.
func (f *Feed) Give(part []byte, instead <-chan struct{}) (more bool) {
	if len(part) == 0 {
		return true
	}
	select {
	case f.parts <- part:
		return true
	case <-instead:
	case <-f.closed:
	}
	return false
}

// Finish says that there are no more parts: the reader gets err after the last one.
func (f *Feed) Finish(err error) {
	f.endedOnce.Do(func() {
		f.err = err
		close(f.ended)
	})
}

// Read waits for a part.
func (f *Feed) Read(p []byte) (int, error) {
	for len(f.part) == 0 {
		select {
		case f.part = <-f.parts:
		case <-f.closed:
			return 0, io.ErrClosedPipe
		case <-f.ended:
			return 0, f.err
		}
	}
	n := copy(p, f.part)
	f.part = f.part[n:]
	return n, nil
}

// Close says that no more is read.
func (f *Feed) Close() error {
	f.closedOnce.Do(func() { close(f.closed) })
	return nil
}
